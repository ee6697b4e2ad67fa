"""Mutants are the small mistakes that were meant: each can be parsed, and what is for people is left alone."""

import ast
from pathlib import Path

import pytest

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.survey import TESTS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for package in TESTS for path in ROOT.glob(f"src/noughts/{package}/[p-s]*.py"))


def changed(source: str) -> set[str]:
    """The lines, with the mistake, of every mutant."""
    return {mutant.lines(source)[1] for mutant in mutants_of(source, "file.py")}


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = (a) is not (b)", {"x = (a) is (b)"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = (a + b) * c", {"x = (a - b) * c", "x = (a + b) // c"}),
        ("x = a << b", {"x = a >> b"}),
        ("x = a and b or c", {"x = a or b or c", "x = a and b and c"}),
        ("x = not (a)", {"x = (a)"}),
        ("x = ~(a | b)", {"x = (a | b)", "x = ~(a & b)"}),
        ("x = a if b else c", {"x = a if not (b) else c"}),
        ("x = 7", {"x = 8", "x = 6"}),
        ("x = True", {"x = False"}),
        ("x = 'key'", {"x = 'keyx'"}),
        ("x[i] = y", {"pass"}),
        ("x += y", {"pass"}),
        ("call(x)", {"pass"}),
        ("raise RulesError(f'{1 + 1} is wrong')", {"pass"}),
        ("é = 'ü' < b", {"é = 'ü' <= b", "é = 'ü' >= b", "é = 'üx' < b"}),
    ],
)
def test_each_kind_of_mistake_is_made(line: str, instead: set[str]) -> None:
    assert changed(line) >= instead
    assert not changed(line) - instead


@pytest.mark.parametrize(
    ("result", "instead"),
    [("bool", "return not (x)"), ("int", "return (x) + 1"), ("Rules", "return None")],
)
def test_a_result_is_changed_by_what_it_is_said_to_be(result: str, instead: str) -> None:
    assert changed(f"def f(x) -> {result}:\n    return x\n") == {instead}


def test_loops_end_too_soon_or_not_at_all() -> None:
    assert changed("for x in y:\n    continue\n") == {"break"}
    assert changed("for x in y:\n    break\n") == {"continue"}


@pytest.mark.parametrize(
    "source",
    [
        '"""One 1 + 1."""',
        "import a.b",
        "x: Literal['a', 1]",
        "def f(x: Annotated[int, 1]) -> tuple[int, 1]:\n    ...",
        "@lru_cache(maxsize=16)\ndef f(): ...",
        "x = f'{1 + 1}'",
        "x = 'told to people'",
        "x = SomeError('wrong')",
        "if TYPE_CHECKING:\n    x = 1",
        "class A(Protocol):\n    x = 1",
        "__all__ = ['x']",
        "T = TypeVar('T')",
        "x = y",
    ],
)
def test_what_no_test_could_see_is_left_alone(source: str) -> None:
    assert not mutants_of(source, "file.py")


def test_defaults_of_arguments_are_changed() -> None:
    assert changed("def f(x=1, *, y=2): ...") == {
        f"def f(x={x}, *, y={y}): ..." for x, y in ((0, 2), (2, 2), (1, 1), (1, 3))
    }


def test_a_mutant_changes_only_its_place() -> None:
    source = "a = 1\nb = (2 +\n     3)\nc = 4\n"
    found = next(mutant for mutant in mutants_of(source, "file.py") if mutant.kind == "arithmetic")
    assert found == Mutant("file.py", 2, "arithmetic", source.index(" +"), source.index("3"), " -\n     ")
    assert found.apply(source) == "a = 1\nb = (2 -\n     3)\nc = 4\n"
    assert found.lines(source) == ("b = (2 +\n     3)", "b = (2 -\n     3)")


@pytest.mark.heavy
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_mutants_of_our_files_can_be_parsed(path: Path) -> None:
    source = path.read_text()
    for mutant in mutants_of(source, str(path))[::7]:
        ast.parse(mutant.apply(source))
