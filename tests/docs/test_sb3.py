"""The example for sb3-contrib trains, plays and is judged. It runs only if sb3-contrib is installed, which is not the default."""

from pathlib import Path

import pytest

from tests.docs.pages import DOCS, blocks
from tests.docs.test_pages import run_command

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: it needs torch")


@pytest.mark.usefixtures("own_store")
@pytest.mark.filterwarnings("ignore")  # warnings of torch and sb3
def test_the_pages_agent_trains_plays_and_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    training, agent = (block.text for block in blocks(DOCS / "guides" / "environments.md") if block.kind == "py")
    assert "20_480" in training
    exec(compile(training.replace("20_480", "256"), "<the page's training>", "exec"), {"__name__": "page"})
    (tmp_path / "sb3_agent.py").write_text(agent)
    assert run_command('uv run noughts match "python:sb3_agent.py:Learned,weights=learned.zip" random -n 4') == 0
    assert "4" in capsys.readouterr().out
    proving = 'uv run noughts prove "python:sb3_agent.py:Learned,weights=learned.zip" --rules tic-tac-toe --as second'
    code = run_command(proving)
    said = capsys.readouterr().out
    assert ("refuted: " in said, "proved: " in said) == (code == 1, code == 0)
