"""The keys of a sweep's file; an impossible value is one line that names the key."""

import re
from pathlib import Path

import pytest

from noughts.library.sweep_file import read_sweep
from noughts.questions.conditions import Range
from noughts.questions.sweep_tests import MatchTest, ScoreTest
from noughts.questions.swept import agent_of
from noughts.rules import NoughtsError

GOOD = """
method = "es"
tasks = ["tic-tac-toe", "mnk(3,3,2)"]
seeds = 2
positions = 500
cores = "all"

[config]
rounds = 4

[settings]
widths = ["4", "8x8"]
sigma = {values}

[[tests]]
plies = [2, 4]
rules = "tic-tac-toe"

[[tests]]
name = "shallow"
opponent = "minimax:depth=1"
games = 10
agent = {{ which = "best" }}
"""


def write(tmp_path: Path, text: str, name: str = "my sweep.toml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_file_becomes_a_question(tmp_path: Path) -> None:
    read = read_sweep(write(tmp_path, GOOD.format(values="[0.1, 0.5]")))
    assert (read.name, read.seeds, read.positions, read.cores) == ("my-sweep", (0, 1), (500,), "all")
    swept = read.planned
    assert [condition.label for condition in swept.conditions] == [
        f"widths={widths}, sigma={sigma}" for _ in range(2) for widths in ("4", "8x8") for sigma in ("0.1", "0.5")
    ]
    assert {condition.task for condition in swept.conditions} == {"tic-tac-toe", "mnk(3,3,2)"}
    assert {training.cores for condition in swept.conditions for training in condition.trainings} == {None}
    score, match = swept.tests
    assert isinstance(score, ScoreTest)
    assert isinstance(match, MatchTest)
    assert (score.name, score.plies, match.name, match.options) == ("score", (2, 4), "shallow", (("which", "best"),))
    assert agent_of(swept.conditions[0].trainings[0], 500, match).options == (("which", "best"),)


def test_ranges_and_tables_within_tables(tmp_path: Path) -> None:
    text = GOOD.format(values="{ low = 0.1, high = 1.0 }").replace(
        'method = "es"', 'choose = "random"\ndraws = 4\nmethod = "es"'
    )
    read = read_sweep(write(tmp_path, text))
    assert read.settings["sigma"] == Range(low=0.1, high=1.0)
    assert len(read.planned.conditions) == 8
    nested = 'tasks = ["tic-tac-toe"]\npositions = [1]\n[settings.search]\nsimulations = [1, 2]\n[[tests]]\n'
    assert read_sweep(write(tmp_path, nested)).settings == {"search.simulations": (1, 2)}


def test_settings_that_become_equal_when_parsed_are_rejected(tmp_path: Path) -> None:
    text = 'tasks = ["tic-tac-toe"]\npositions = [1]\nsettings = { network = ["mlp", "line"] }\n[[tests]]\n'
    assert len(read_sweep(write(tmp_path, text)).planned.conditions) == 2
    twins = text.replace("line", "mlp")
    said = "network=mlp and network=mlp are the same settings on tic-tac-toe: name them once"
    with pytest.raises(NoughtsError, match=said):
        read_sweep(write(tmp_path, twins))


BAD = {
    "task = 3": "unknown field 'task' (did you mean 'tasks'?); choose from: choose, config, cores, ",
    'tasks = "tic-tac-toe"': "tasks='tic-tac-toe' is not allowed: a list of games",
    "seeds = 0": "seeds=0 is not allowed: a whole number from 1 to 10000, or a list of seeds",
    "seeds = [1, 1]": "tasks and seeds must each be there once",
    'choose = "some"': "choose='some' is not allowed: grid, random or optuna",
    'choose = "random"': 'choose = "random" needs settings to choose from',
    "draws = 0": "draws=0 is not allowed: a whole number from 1 to 100000",
    "draws = 3": 'draws has no effect on choose = "grid": choose random or optuna',
    'goal = "none"': "goal='none' is not allowed: the tests are called score",
    'name = "a/b"': "name='a/b' is not allowed: letters, digits",
    "settings = 3": "settings=3 is not allowed",
    "settings = { sigma = 3 }": "sigma=3 is not allowed: a list of values",
    "settings = { sigma = { low = 2, high = 1 } }": "sigma: low=2 is not below high=1",
    "settings = { sigma = { low = 1, high = 2 } }": "settings.sigma is a range: a grid needs a list",
    "settings = { sigma = [99] }": "sigma=99 on tic-tac-toe: impossible configuration: sigma=99 is not allowed",
    "tests = []": "tests=() is not allowed: [[tests]], one or more",
    "tests = [{ games = 3 }]": "number 1: unknown field 'games' (did you mean 'name'?); choose from: agent, all_up_to, kind, memory, name, ",
    'tests = [{ opponent = "random", per_ply = 3 }]': "number 1: unknown field 'per_ply'; choose from: agent, games, kind, name, opening_plies, ",
    "tests = [{ per_ply = 0 }]": "per_ply=0 is not allowed: a whole number from 1 to 100000",
    "tests = [{ agent = { sims = 3 } }]": "es has no option",
    "x": "is not TOML",
}


@pytest.mark.parametrize("line", BAD)
def test_impossible_values_are_one_line_that_names_the_key(line: str, tmp_path: Path) -> None:
    key = line.partition(" ")[0]
    lines = {
        "method": 'method = "es"',
        "tasks": 'tasks = ["tic-tac-toe"]',
        "positions": "positions = 10",
        "tests": "tests = [{}]",
    }
    text = "\n".join([line, *(other for name, other in lines.items() if name != key)])
    with pytest.raises(NoughtsError, match=re.escape(BAD[line])) as caught:
        read_sweep(write(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path)) or line == "x"
