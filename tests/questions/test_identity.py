"""Third-party agents: a change makes another agent, even if only a file changes that it reads."""

import os
from pathlib import Path

import pytest

from noughts.agents import build_agent, choose, parse_agent
from noughts.agents.registry import depends_on
from noughts.positions import Position, Rng
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import carry_out
from noughts.rules import AgentError, ComputeError, parse_rules
from noughts.store.results import Store
from tests.questions.asking import Memory, asked, match

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


STEADY = "python:steady.py:Steady,weights=weights.txt"
SAYS = "python:steady.py:Says,weights=weights.txt"


def test_which_changes_make_another_agent(folder: Path) -> None:
    before = depends_on(STEADY)
    for file, old, new, is_another in (
        ("helper.py", ".read_text()", ".read_text().upper()", True),
        ("parts/late.py", "-1", "-2", True),
        ("parts/__init__.py", "", "size = 3", True),
        ("weights.txt", "0", "1", True),
        ("parts/other.py", "", "size = 3", False),
        ("said.txt", "one", "two", False),
    ):
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new))
        after = depends_on(STEADY)
        assert (after != before) is is_another, file
        before = after


@pytest.mark.heavy
def test_agents_of_one_class_are_identified_by_their_own_files(folder: Path) -> None:
    (folder / "others.txt").write_text("1")
    both = [depends_on(f"python:steady.py:Steady,weights={name}.txt") for name in ("weights", "others")]
    assert len(both[0].versions | both[1].versions) == 3  # their code is equal
    assert both[0] == depends_on(STEADY)


@pytest.mark.heavy
def test_a_class_may_declare_what_its_moves_depend_on(folder: Path) -> None:
    spec = parse_agent(SAYS)
    first = depends_on(spec, anew=True)
    assert "one" in first.versions.values()
    (folder / "said.txt").write_text("two")
    assert depends_on(spec) == first  # queried when work begins
    assert depends_on(spec, anew=True) != first
    assert "fingerprint" not in str(depends_on(parse_agent(STEADY)).versions)
    for name, message in {"Fails": "failed: RuntimeError: no idea", "Counts": "gave a int, not a text"}.items():
        with pytest.raises(AgentError, match=message):
            depends_on(parse_agent(f"python:steady.py:{name}"))


def test_a_change_during_play_ends_the_match(folder: Path) -> None:
    played = match(STEADY, games=40)
    before = versions_outside([played])
    with Store.open(str(folder / "store")) as store, store.begin("match", "m", {}, 0, before) as run:
        answers = Answers(run)
        steps = carry_out([played], answers, workers=0)
        while next(steps).done < 3:
            pass
        (folder / "weights.txt").write_text("1")
        said = "weights=weights.txt' has changed while it was at work.*repeat the command"
        with pytest.raises(ComputeError, match=said):
            list(steps)
        assert versions_outside([played]) != before  # to start over
        kept = Answers(run)
        kept.look_up(played.needs())
        assert kept[played].total.games == 0  # these belong to the other version


def first_move() -> int:
    return choose(build_agent(STEADY), Position.start(parse_rules("tic-tac-toe")), Rng())


@pytest.mark.heavy
def test_only_a_new_process_loads_an_edited_file_beside_an_agent(folder: Path) -> None:
    """As in a notebook: the same match again, with the file rewritten in the same second and with equal length."""
    played, memory = match(STEADY, games=1), Memory()
    assert played.records(asked([played], memory, workers=1))[0].moves[0] == 8
    assert first_move() == 8
    late = folder / "parts" / "late.py"
    written = late.stat().st_mtime
    late.write_text(LATE.replace("-1", "-2"))
    os.utime(late, (written, written))
    assert played.records(asked([played], memory, workers=1))[0].moves[0] == 7
    assert len(memory.records) == 2  # of two versions
    said = "late.py has changed since this process loaded it: restart the command or notebook"
    with pytest.raises(AgentError, match=said):
        first_move()


def test_agents_from_two_folders_may_have_helpers_with_the_same_name(folder: Path) -> None:
    source = "import choosing\nclass A:\n    def choose(self, position, rng): return choosing.cell\n"
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "agent.py").write_text(source)
        (folder / name / "choosing.py").write_text(f"cell = {len(name) + (name == 'two')}")
    start = Position.start(parse_rules("tic-tac-toe"))
    assert [choose(build_agent(f"python:{name}/agent.py:A"), start, Rng()) for name in ("one", "two")] == [3, 4]
