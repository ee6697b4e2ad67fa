"""A script that asks for workers need not keep its start under ``if __name__ == "__main__":``: workers do not read it."""

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
