"""A script that asks without ``if __name__ == "__main__":`` fails, is told why, and its workers leave nothing in the store."""

import os
import subprocess
import sys
from pathlib import Path

from noughts.store.results import Store

SCRIPT = """\
import noughts

noughts.match("random", "random", "mnk(2,2,2)", 2, workers=2)
"""


def test_workers_that_read_the_script_begin_no_runs(tmp_path: Path) -> None:
    (tmp_path / "unguarded.py").write_text(SCRIPT)
    store = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, "unguarded.py"],
        cwd=tmp_path,
        env=os.environ | {"NOUGHTS_STORE": str(store)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith('must keep its start under if __name__ == "__main__":')
    assert "a worker does not begin jobs of its own" in done.stderr
    with Store.open(str(store)) as place:
        (begun,) = place.runs()  # the script's own, which goes on once it is mended
    assert begun.kind == "match"
