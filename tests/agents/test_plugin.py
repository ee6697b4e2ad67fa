"""A user's own class, from a file or a module outside the project."""

import subprocess
import sys
from pathlib import Path

import pytest

from noughts.agents import build_agent, choose
from noughts.agents.plugin import AGENT_PLUGINS
from noughts.agents.registry import depends_on
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules

SOURCE = '''
class Corner:
    """Plays the highest cell."""

    def __init__(self, back: int = 0, name="corner"):
        self.back, self.name = back, name

    def choose(self, position, rng):
        return position.legal_moves[-1 - self.back]

class Leaves:
    def __init__(self):
        raise SystemExit(3)

class Stops:
    def __init__(self):
        raise KeyboardInterrupt

class Talks(Corner):
    def __init__(self):
        super().__init__()
        print("making")

print("loading")

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


def test_a_class_in_a_file_or_a_module_plays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start(parse_rules("tic-tac-toe"))
    assert choose(build_agent(f"python:{file}:Corner"), position, Rng()) == 8
    assert choose(build_agent("python:corner_agent.py:Corner,back=2,name=me"), position, Rng()) == 6
    monkeypatch.syspath_prepend(str(file.parent))
    assert choose(build_agent("python:corner_agent:Corner,back=1"), position, Rng()) == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("python:corner_agent.py:Edge", "corner_agent.py has no class 'Edge'.*Corner"),
        ("python:corner_agent.py:Corner,depth=3", "unknown option 'depth'; choose from: back, name"),
        ("python:corner_agent.py:Corner,back=two", "back=two is not allowed: a whole number"),
        ("python:corner_agent.py:Corner:back=3", r"options follow commas, python:corner_agent\.py:Corner,back=3;"),
        ("python:corner_agent.py:Fussy", r"cannot be made: RuntimeError: not today \(corner_agent.py, line \d+\)$"),
        ("python:corner_agent.py:Leaves", "cannot be made: SystemExit: 3"),
        ("python:broken.py:Corner", r"broken.py cannot be loaded: SyntaxError: .* \(broken.py, line 1\)$"),
        ("python:needs.py:Corner", r"needs.py cannot be loaded: ZeroDivisionError: .* \(needs.py, line 2\)$"),
    ],
)
def test_unloadable_classes_are_rejected_in_one_line(file: Path, text: str, message: str) -> None:
    (file.parent / "broken.py").write_text("def choose(:")
    (file.parent / "needs.py").write_text("import json\n1 / 0")
    with pytest.raises(AgentError, match=message):
        build_agent(text)


def test_ctrl_c_is_not_an_error_of_the_agent(file: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        build_agent("python:corner_agent.py:Stops")


@pytest.mark.usefixtures("file")
def test_output_while_loading_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    build_agent("python:corner_agent.py:Talks")
    assert capsys.readouterr() == ("", "loading\nmaking\n")


def test_a_files_module_has_the_same_name_in_every_process(file: Path) -> None:
    path, name = "python:corner_agent.py:Corner", "AGENT_PLUGINS.load('python:corner_agent.py:Corner').__module__"
    script = f"from noughts.agents.plugin import AGENT_PLUGINS; print({name})"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert other.splitlines()[-1] == AGENT_PLUGINS.load(path).__module__


def test_code_changes_are_detected_without_importing(file: Path) -> None:
    package = file.parent / "code_of_package" / "inner" / "deep"
    package.mkdir(parents=True)
    (package.parent.parent / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "agent.py").write_text("1")  # inner and deep have no __init__.py
    targets = {
        "corner_agent.py:Corner": file,
        "corner_agent:Corner": file,
        "code_of_package.inner.deep.agent:C": package / "agent.py",
    }
    for target, path in targets.items():
        text = f"omniscient:inside=(python:{target},x=1)"
        before = depends_on(text).versions
        assert set(before) == {target}
        assert depends_on(f"python:{target}").versions == before
        path.write_text(path.read_text() + "size = 3\n")
        assert depends_on(text).versions != before
    assert "code_of_package" not in sys.modules
    moved = file.rename(file.parent / "moved.py")
    assert depends_on(f"python:{moved}:Corner").versions != depends_on(f"python:{file}:Corner").versions
