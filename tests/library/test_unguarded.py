"""A script that asks without ``if __name__ == "__main__":`` is done in one process, with a line of advice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.store.results import Store

ASK = 'noughts.match("random", "random", "mnk(2,2,2)", 2, workers=2)'
ADVICE = "RuntimeWarning: done in this process alone: keep the start of a script under"


def run(script: str, folder: Path) -> tuple[int, str]:
    (folder / "script.py").write_text(f"import noughts\n{script}\n")
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env=os.environ | {"NOUGHTS_STORE": str(folder / "store")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("script", [ASK, f"def play():\n    {ASK}\nplay()\nplay()", f"if True:\n    {ASK}"])
def test_a_script_without_a_guard_is_done_in_its_own_process(script: str, tmp_path: Path) -> None:
    code, said = run(script, tmp_path)
    assert code == 0, said
    assert said.count(ADVICE) == said.count("script.py:") >= 1
    with Store.open(str(tmp_path / "store")) as place:
        (begun,) = place.runs()
    assert begun.kind == "match"


def test_a_limit_that_this_process_cannot_keep_is_refused(tmp_path: Path) -> None:
    code, said = run(ASK.replace("workers=2", "move_seconds=5"), tmp_path)
    assert (code, said.rstrip().splitlines()[-1].startswith("noughts.rules.errors.ComputeError")) == (1, True)


def test_a_script_with_a_guard_has_workers(tmp_path: Path) -> None:
    guarded = f'def main():\n    {ASK}\nif __name__ == "__main__":\n    main()'
    assert run(guarded, tmp_path) == (0, "")
