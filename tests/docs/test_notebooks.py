"""The notebooks run from the first cell to the last, and show the expected output."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = {
    "1_play_and_prove": ("is <strong>proved</strong> never to lose", "here is a game that it loses"),
    "2_one_brick": ("It was trained with the brick on D4 alone", "the example <strong>wins</strong> against everybody"),
    "3_evolution": ("What it learned",),
}
pytestmark = pytest.mark.skipif(importlib.util.find_spec("marimo") is None, reason="marimo is not installed")


def test_every_notebook_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(LESSONS)


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # of marimo
@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.usefixtures("own_store")
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(FOLDER)
    outputs, _ = importlib.import_module(name).app.run()
    shown = " ".join(output._mime_()[1] if hasattr(output, "_mime_") else str(output) for output in outputs)
    for words in LESSONS[name]:
        assert words in " ".join(shown.split())
