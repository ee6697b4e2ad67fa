"""The notebooks run from the first cell to the last, and show the expected output."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = {
    "1_play_and_prove": ("is <strong>proved</strong> never to lose", "here is a game that it loses"),
    "2_one_brick": ("It was trained with the brick on D4 alone", "the example <strong>wins</strong> against everybody"),
    "3_evolution": ("What it learned",),
}
RUN = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("lesson", sys.argv[1])
lesson = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lesson)
outputs, _ = lesson.app.run()
for output in outputs:
    print(output._mime_()[1] if hasattr(output, "_mime_") else output)
"""

pytestmark = pytest.mark.skipif(importlib.util.find_spec("marimo") is None, reason="marimo is not installed")


def test_every_notebook_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(LESSONS)


@pytest.mark.heavy
@pytest.mark.parametrize("name", LESSONS)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(FOLDER / f"{name}.py")],
        env={**os.environ, "NOUGHTS_STORE": str(tmp_path / "store"), "NOUGHTS_DATA_DIR": str(tmp_path / "data")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for words in LESSONS[name]:
        assert words in " ".join(done.stdout.split())
