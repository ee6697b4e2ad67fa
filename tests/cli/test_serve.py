"""``noughts serve``: bad input gets one line, and the page's address is the first thing said."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.classroom.room import open_class
from noughts.cli.main import main
from noughts.store.results import Store
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


@pytest.mark.heavy
def test_another_store_holds_for_agents_and_games(tmp_path: Path) -> None:
    with server(tmp_path, "--store", str(tmp_path / "other")) as found, found.client() as client:
        assert client.get("/api/games").json() == []
        assert (tmp_path / "other" / "results.sqlite").is_file()
        assert not (tmp_path / "store").exists()


def test_a_class_tells_its_code_and_one_server_holds_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    words = ["serve", "--class", "--host", "127.0.0.1", "--port", "0", "--no-browser"]
    monkeypatch.setattr("noughts.web.server.run", lambda listening, app, browser: listening.socket.close())
    said = []
    for _ in range(2):  # the second goes on with the class of the first
        assert main(words) == 0
        said.append(capsys.readouterr().out)
        code = re.findall(r"with the code ([A-Z2-9]{6})\n", said[-1])[0]
        assert re.search(rf"pupils join at http://127\.0\.0\.1:\d+/join\?code={code}\n", said[-1])
        assert "▄" in said[-1]
        assert re.search(r"yours alone, to teach: http://127\.0\.0\.1:\d+/\?token=[\w-]{32}#/class\n", said[-1])
    assert len({re.findall(r"with the code (\w+)", each)[0] for each in said}) == 1
    with Store.open(str(tmp_path / "store")) as store:
        class_id, _ = open_class(store.class_records)
        lock = store.class_records.lock(class_id)
        assert main(words) == 2
        lock.release()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("another `noughts serve --class` is at work there: stop it first")
