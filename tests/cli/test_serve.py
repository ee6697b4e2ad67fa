"""``noughts serve``: bad input gets one line, and the page's address is the first thing said."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.cli.main import main
from tests.web.serving import server


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--host", "no.such.host.invalid"), "--host no.such.host.invalid is no address of this machine"),
        (("--host", "192.0.2.1", "--port", "0"), "192.0.2.1:0 cannot be listened at"),
        (("--port", "99999"), "99999"),
        (("--store", "/dev/null/x", "--port", "0", "--no-browser"), "/dev/null/x"),
        (("--nonsense",), "No such option"),
    ],
)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], line: str) -> None:
    assert main(["serve", *words]) == 2
    captured = capsys.readouterr()
    errors = [text for text in captured.err.splitlines() if not text.startswith("Ctrl-C")]
    assert len(errors) == 1
    assert line in errors[0]


def test_a_port_that_is_taken_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"127.0.0.1:{port} cannot be listened at" in capsys.readouterr().err


def test_help_loads_no_server() -> None:
    code = (
        "import sys; from noughts.cli.main import main; main(['serve', '--help']); "
        "print(sorted({'fastapi', 'uvicorn', 'starlette', 'websockets', 'sqlalchemy', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "--no-browser" in done.stdout


def test_another_store_holds_for_agents_and_games(tmp_path: Path) -> None:
    with server(tmp_path, "--store", str(tmp_path / "other")) as found, found.client() as client:
        assert client.get("/api/games").json() == []
        assert (tmp_path / "other" / "results.sqlite").is_file()
        assert not (tmp_path / "store").exists()
