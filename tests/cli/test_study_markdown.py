"""``noughts study show NAME --markdown FOLDER``: a finished study as a page of the documentation."""

from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.reports.markdown import study_markdown
from noughts.store.results import Store
from tests.reports.samples import study


def test_the_latest_run_is_written_into_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    result = study(name="mcts-perfect")
    with Store.open() as store, store.begin("study", "mcts-perfect", {}, 7) as run:
        run.finish(result.to_json())
    assert main(["study", "show", "mcts-perfect", "--markdown", str(tmp_path / "site")]) == 0
    page = tmp_path / "site" / "mcts-perfect-paper-seed7.md"
    assert page.read_text() == study_markdown(result)
    assert f"markdown: {page}" in capsys.readouterr().out
