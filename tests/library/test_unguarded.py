"""A script that uses workers need not guard its start with ``if __name__ == "__main__":``. Workers do not run it, or, if it
defines what they load, only up to that definition."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.agents.plugin import AGENT_PLUGINS
from noughts.rules import AgentError
from noughts.store.results import Store


def ran(tmp_path: Path, text: str) -> list[str]:
    """The printed lines of a script with this text; all runs in its store are finished."""
    (tmp_path / "script.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=os.environ | {"NOUGHTS_STORE": str(tmp_path / "store")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Store.open(str(tmp_path / "store")) as place:
        assert {run.status for run in place.runs()} == {"finished"}
    return done.stdout.splitlines()


@pytest.mark.heavy
def test_workers_do_not_run_the_calling_script(tmp_path: Path) -> None:
    match = 'noughts.match("random", "random", "mnk(2,2,2)", 4, workers=2, move_seconds=50)'
    assert ran(tmp_path, f'import noughts\nprint("read")\n{match}\n') == ["read"]


@pytest.mark.heavy
def test_a_script_may_define_the_agent_it_uses(tmp_path: Path) -> None:
    played, proved = ran(
        tmp_path,
        "import noughts\n"
        "class Mine:\n"
        "    def choose(self, position, rng):\n"
        "        return position.legal_moves[0]\n"
        'print(noughts.match("python:script.py:Mine", "random", "mnk(2,2,2)", 4, workers=1, move_seconds=50))\n'
        'print(noughts.prove("python:script.py:Mine", "mnk(2,2,2)", workers=0))\n',
    )
    assert "2 - 2 in 4 games" in played
    assert proved == "mnk(2,2,2): wins against every reply"


@pytest.mark.parametrize(
    "work", ['noughts.match("random", "random", workers=1)', 'noughts.train("tic-tac-toe", run="x")']
)
def test_loading_a_script_stops_where_it_begins_work(work: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import noughts\nclass Above: pass\n{work}\nclass Below: pass\n")
    assert AGENT_PLUGINS.load(f"python:{script}:Above").__name__ == "Above"
    with pytest.raises(AgentError, match="begins work before it defines 'Below': define that first"):
        AGENT_PLUGINS.load(f"python:{script}:Below")
