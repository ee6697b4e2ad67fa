"""Agents from outside: another version of one is another agent, also if only a file has changed that it reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.agents.registry import code_of
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.codes import codes_from_outside, codes_of
from noughts.questions.played import Played
from noughts.rules import AgentError, ComputeError, parse_task
from noughts.store.results import Run, Store

AGENT = '''"""An agent."""
from pathlib import Path

import helper  # beside it


class Steady:
    """Plays what its weights say."""

    def __init__(self, weights="", **more):
        self.number = int(Path(weights).read_text()) if weights else 0

    def choose(self, position, rng):
        """The move."""
        from parts.late import turned
        return position.legal_moves[turned(self.number) % len(position.legal_moves)]


class Says(Steady):
    @classmethod
    def fingerprint(cls, weights="", **more):
        return helper.said()


class Fails(Steady):
    @staticmethod
    def fingerprint(**more):
        raise RuntimeError("no\\nidea")


class Counts(Steady):
    @staticmethod
    def fingerprint(**more):
        return 7
'''
HELPER = "from pathlib import Path\n\n\ndef said():\n    return Path('said.txt').read_text()\n"
LATE = "def turned(number):\n    return -1 - number\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "parts").mkdir()
    for name, text in {
        "steady.py": AGENT,
        "helper.py": HELPER,
        "parts/__init__.py": "",
        "parts/late.py": LATE,
        "parts/other.py": "",
        "weights.txt": "0",
        "said.txt": "one",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(file: str, old: str, new: str) -> Callable[[], None]:
    def do() -> None:
        text = Path(file).read_text()
        assert old in text
        Path(file).write_text(text.replace(old, new))

    return do


STEADY = "python:steady.py:Steady,weights=weights.txt"
SAYS = "python:steady.py:Says,weights=weights.txt"


@pytest.mark.parametrize(
    ("by", "is_another"),
    [
        (change("steady.py", "class Says", "class Speaks"), True),
        (change("helper.py", ".read_text()", ".read_text().upper()"), True),
        (change("parts/late.py", "-1", "-2"), True),
        (change("parts/__init__.py", "", "size = 3"), True),
        (change("weights.txt", "0", "1"), True),
        (change("steady.py", "Plays what its weights say", "Plays as they say"), False),
        (change("steady.py", '"""The move."""', "# nothing is said"), False),
        (change("helper.py", "def", "# A comment.\n\ndef"), False),
        (change("parts/other.py", "", "size = 3"), False),
        (change("said.txt", "one", "two"), False),
    ],
)
def test_what_makes_another_agent(folder: Path, by: Callable[[], None], is_another: bool) -> None:
    for text in (STEADY, f"omniscient:inside=({STEADY})"):
        assert code_of(text) == code_of(text)
    before = code_of(STEADY)
    by()
    assert (code_of(STEADY) != before) is is_another


def test_two_agents_of_one_class_are_known_by_the_files_of_each(folder: Path) -> None:
    (folder / "others.txt").write_text("1")
    both = [code_of(f"python:steady.py:Steady,weights={name}.txt") for name in ("weights", "others")]
    assert len(both[0] | both[1]) == 3  # their code is one


@pytest.mark.heavy
def test_a_class_may_say_what_its_moves_depend_on(folder: Path) -> None:
    spec = parse_agent(SAYS)
    first = codes_of(spec, anew=True)
    assert "one" in first.values()
    (folder / "said.txt").write_text("two")
    assert codes_of(spec) == first  # it is asked when work begins
    assert codes_of(spec, anew=True) != first
    assert "fingerprint" not in str(codes_of(parse_agent(STEADY)))
    for name, message in {
        "Fails": "failed: RuntimeError: no idea",
        "Counts": "gave a int: it must give a text",
    }.items():
        with pytest.raises(AgentError, match=message):
            codes_of(parse_agent(f"python:steady.py:{name}"))


def test_a_folder_with_too_many_files_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.agents.plugin._MOST_FILES", 2)
    with pytest.raises(AgentError, match="the folder parts, which is given to an agent, holds more than 2 files"):
        code_of("python:steady.py:Steady,data=parts")


def begin(store: Store, played: Played) -> Run:
    identity = {"question": json.loads(played.to_json())}
    return store.begin("match", "m", identity, 0, codes_from_outside([played]))


def play(run: Run, played: Played, games: int | None = None) -> int:
    """Play on, until so many games are kept; gives how many are."""
    answers = Answers(run)
    steps = carry_out([played], answers, workers=0)
    for progress in steps:
        if games is not None and progress.done >= games:
            break
    steps.close()
    return answers[played].total.games


def match(text: str = STEADY) -> Played:
    return Played(
        task=parse_task("tic-tac-toe"), a=parse_agent(text), b=parse_agent("random"), games=40, moves_first="a"
    )


@pytest.mark.heavy
@pytest.mark.parametrize("file", ["weights.txt", "parts/late.py"])
def test_a_match_that_was_interrupted_is_begun_anew_with_another_version(folder: Path, file: str) -> None:
    played, changed = match(), {"weights.txt": "1", "parts/late.py": LATE.replace("-1", "-2")}
    with Store.open(str(folder / "store")) as store:
        with begin(store, played) as first:
            assert 5 <= play(first, played, games=5) < 40
        with begin(store, played) as again:
            assert again.id == first.id
            assert again.changed == ()
        (folder / file).write_text(changed[file])
        with begin(store, played) as other:
            assert other.id != first.id
            assert len(other.changed) == 1
            found = Answers(other)
            found.look_up(played.units())
            assert found[played].total.games == 0
            assert play(other, played) == 40
            other.finish("{}")
        with begin(store, played) as repeated:
            assert repeated.changed == ()


def test_what_changes_while_it_plays_ends_the_match(folder: Path) -> None:
    played = match()
    with Store.open(str(folder / "store")) as store, begin(store, played) as run:
        answers = Answers(run)
        steps = carry_out([played], answers, workers=0)
        while next(steps).done < 3:
            pass
        (folder / "weights.txt").write_text("1")
        with pytest.raises(ComputeError, match=r"weights=weights.txt' has changed while it was at work.*begins anew"):
            list(steps)
        kept = Answers(run)
        kept.look_up(played.units())
        assert kept[played].total.games == 0  # those are of the other version


def test_code_that_has_changed_is_loaded_anew(folder: Path) -> None:
    def first_move() -> Any:
        from noughts.agents import build_agent, choose
        from noughts.positions import Position, Rng
        from noughts.rules import parse_rules

        return choose(build_agent(STEADY), Position.start(parse_rules("tic-tac-toe")), Rng())

    assert first_move() == 8
    # Of another size: Python takes its compiled form for that of a file of equal size written in the same second.
    (folder / "parts" / "late.py").write_text(LATE.replace("-1", "-1 - 1"))
    assert first_move() == 7


def test_agents_from_two_folders_may_have_helpers_of_one_name(folder: Path) -> None:
    from noughts.agents import build_agent, choose
    from noughts.positions import Position, Rng
    from noughts.rules import parse_rules

    source = "import choosing\nclass A:\n    def choose(self, position, rng): return choosing.cell\n"
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "agent.py").write_text(source)
        (folder / name / "choosing.py").write_text(f"cell = {len(name) + (name == 'two')}")
    start = Position.start(parse_rules("tic-tac-toe"))
    assert [choose(build_agent(f"python:{name}/agent.py:A"), start, Rng()) for name in ("one", "two")] == [3, 4]
