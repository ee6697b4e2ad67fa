"""Any wrong input gets one line and exit code 2, and leaves nothing behind."""

import shlex
from pathlib import Path

import pytest

from noughts.store.results import Store
from noughts.store.run_folder import run_names
from noughts.training.registry import METHODS
from tests.cli.plugins import write_plugins
from tests.cli.running import Told
from tests.training.toy import METHOD

BAD = {
    "nonsense": "No such command",
    "rules show bttt(D4": "malformed",
    "study run exact-values -v": "-v (in: noughts study run exact-values -v); put it before the command: noughts -v ...",
    "runs list --quiet": "put it before the command: noughts --quiet ...",
    "match random nobody": "unknown agent 'nobody'",
    "--quiet match nobody random": "unknown agent 'nobody'",
    "match random random --games many": "many",
    "match random random --workers 0 --move-seconds 1": "needs workers",
    "match random random --store ''": "the store has no name",
    "match random python:tests.questions.shy:Fussy -r bttt(D3|D4) -w 0": ":Fussy cannot play bttt(D3): it knows no bricks",
    "match minimax:eval=best random -w 0": "eval=best is not allowed: table2 or none, or python:file.py:Class",
    "match minimax:eval=python:centre.py:Centre,depth=1 minimax:eval=python:nowhere.py:Centre -w 0": "cannot be loaded",
    "play --against nobody": "unknown agent 'nobody'",
    "study run bttt-tournament --report /dev/null/x --workers 0": "/dev/null/x cannot be made",
    "study run python:explore.py:Exploring,x=2": "a study takes no options; write python:file.py:Class",
    "study run python:corner.py:Corner": "is no study: give a subclass of noughts.studies.Study",
    "prove mcts:sims=10 -w 0": "mcts:sims=10 cannot be proved",
    "prove minimax --report /dev/null/x -w 0": "/dev/null/x cannot be made",
    "prove random --instance 4 -w 0 --best-response": "--best-response is about random tie-breaks",
    "prove perfect --certificate /dev/null/x -w 0": "/dev/null/x",
    "prove perfect --walk-only --certificate x -w 0": "",
    "score random --plies 5-3": "plies=5-3 is not allowed: two plies such as 4-10",
    "score random --move-seconds -1": "move_seconds=-1.0 is not allowed",
    "solve bttt(D4|D3) --after A1": "moves need one game, and 'bttt(D4|D3)' names 2",
    "solve tic-tac-toe --after A1 --certificate x": "proves a game from its start",
    "solve tic-tac-toe --certificate /dev/null/x": "/dev/null/x",
    "imagine random": "has no model of the game",
    "serve --port 99999": "99999",
    "export all": "Missing option '--to'",
    "export all --to x.jsonl -f positions --nodes 0": "'--nodes': Input should be greater than or equal to 1",
    "export all --to nowhere/x.pgn": "there is no folder nowhere",
    "export all --to x.pgn": "all has no games",
    "export nobody --to x.pgn": "unknown run, kind of run, study or file 'nobody'",
    "export all --to there.pgn": "there.pgn is there already: --force writes over it",
    "export there.pgn --to x.pgn": "there.pgn: game 1: Rules, First, Second are missing",
    "train --method toy --minutes 1": "give a TASK such as 'bttt(D4)', or one in config= or --config",
    "train tic-tac-toe --method nothing --minutes 1": "unknown method 'nothing'; choose from: az",
    "train tic-tac-toe --method toy --set preset=3": "preset=3 is not allowed: give the name of a preset",
    "train tic-tac-toe --method toy --minutes 0": "minutes=0.0 is not allowed: a finite number above 0",
    "train tic-tac-toe --method toy --minutes 1 --set seed": "--set 'seed' is not allowed: write key=value",
    "train nim --set task=tac": "task is given twice, as nim and by --set 'task=tac': give one of them",
    "train --network mlp --set network=line": "network is given twice, as mlp and by --set 'network=line'",
    "train --preset gumbel --set preset=paper": "preset is given twice, as gumbel and by --set 'preset=paper'",
    "train --seed 0 --set 'seed = 3'": "seed is given twice, as 0 and by --set 'seed = 3'",
    "train --iterations 5 --set schedule.iterations=3": "schedule.iterations is given twice, as 5 and by",
    "train tic-tac-toe --method toy --minutes 1 --run 'a b'": "the run name 'a b' is not allowed: a name has letters",
    "train tic-tac-toe --method toy --minutes 1 --run example": "the run name 'example' is not allowed: it names a file",
    "train tic-tac-toe --method toy --minutes 1 --run /dev/null/x": "/dev/null/x cannot be made",
    "train --method toy --minutes 1 --config no.json": "the configuration no.json cannot be read: No such file",
    "train tic-tac-toe --method es --devices 0": "devices=0 is not allowed: give a whole number from 1 to 1024",
    "train tic-tac-toe --network python:corner.py:Corner": "is no network",
    "train tic-tac-toe --method python:corner.py:Corner": "has no class Config",
    "train tic-tac-toe --set gams=3": "unknown field 'gams' (did you mean 'games'?); choose from: augmentation, averaging, ",
    "train --help-config --preset tic-tac-toe-fst": "did you mean 'tic-tac-toe-fast'?",
    "networks lime": "unknown network 'lime' (did you mean 'line'?)",
    "runs show none": "there is no run 'none': give a folder, or a run of ",
    "runs export none --to x.bin": "--to x.bin is not allowed: nothing reads weights from a file that ends so",
    "--quiet --verbose agents": "--quiet and --verbose exclude each other: give one of them",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with third-party code, and a file that is no game."""
    here = write_plugins(tmp_path / "here")
    (here / "there.pgn").write_text("1. A1 *\n")
    monkeypatch.chdir(here)
    monkeypatch.setitem(METHODS, "toy", METHOD)
    return here


@pytest.mark.parametrize("line", BAD)
def test_bad_input_gets_one_line_and_writes_nothing(line: str, here: Path, own_store: Path, told: Told) -> None:
    before = {path.name for path in here.iterdir()}
    err = told(*shlex.split(line), code=2)
    assert BAD[line] in err
    assert run_names() == ()
    assert {path.name for path in here.iterdir()} - before <= {"__pycache__"}
    if (own_store / "results.sqlite").exists():
        with Store.open(str(own_store)) as store:
            assert store.runs() == ()
