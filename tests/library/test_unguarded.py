"""A script that asks for workers need not keep its start under ``if __name__ == "__main__":``: workers do not read it, unless
it holds what they are to load."""

import os
import subprocess
import sys
from pathlib import Path

from noughts.store.results import Store


def test_workers_do_not_read_the_script_that_asks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        'import noughts\nprint("read")\nnoughts.match("random", "random", "mnk(2,2,2)", 4, workers=2, move_seconds=50)\n'
    )
    store = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, script],
        env=os.environ | {"NOUGHTS_STORE": str(store)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "read\n", "")
    with Store.open(str(store)) as place:
        (run,) = place.runs()
    assert run.status == "finished"


def test_a_script_that_holds_an_agent_is_told_to_guard_its_start(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import noughts\n"
        "class Mine:\n"
        "    def choose(self, position, rng):\n"
        "        return position.legal_moves[0]\n"
        'noughts.match("python:script.py:Mine", "random", "mnk(2,2,2)", 4, workers=1)\n'
    )
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env=os.environ | {"NOUGHTS_STORE": str(tmp_path / "store")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "a worker begins no work of its own: keep the start of a script" in done.stderr.splitlines()[-1]
    assert "daemonic" not in done.stderr
