"""A class of the user's own, from a file or a module outside the project."""

from pathlib import Path

import pytest

from noughts.agents import build_agent
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules

SOURCE = '''
class Corner:
    """Plays the highest cell."""

    def __init__(self, back=0, name="corner"):
        self.back, self.name = back, name

    def choose(self, position, rng):
        return position.legal_moves[-1 - self.back]


class Fussy:
    def __init__(self):
        raise RuntimeError("not\\ntoday")
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "corner_agent.py"
    path.write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return path


def test_a_class_in_a_file_plays(file: Path) -> None:
    position = Position.start(parse_rules("tic-tac-toe"))
    assert build_agent(f"python:{file}:Corner").choose(position, Rng()) == 8
    assert build_agent("python:corner_agent.py:Corner,back=2,name=me").choose(position, Rng()) == 6


def test_a_module_in_the_working_folder_plays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(file.parent))
    assert build_agent("python:corner_agent:Corner").choose(Position.start(parse_rules("mnk(2,2,2)")), Rng()) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("python:corner_agent.py:Edge", "no class in corner_agent.py 'Edge'.*Corner"),
        ("python:corner_agent.py:Corner,depth=3", "cannot be made: TypeError.*depth"),
        ("python:corner_agent.py:Fussy", "cannot be made: RuntimeError: not today"),
        ("python:broken.py:Corner", "broken.py cannot be loaded: SyntaxError"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_line(file: Path, text: str, message: str) -> None:
    (file.parent / "broken.py").write_text("def choose(:")
    with pytest.raises(AgentError, match=message) as caught:
        build_agent(text)
    assert "\n" not in str(caught.value)
