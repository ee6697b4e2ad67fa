"""Who reaches a line: by coverage for Python, through all callers for kernels."""

from pathlib import Path

import pytest

from tests.mutation.reach import Lines, Modules, Reach

FILES = {
    "src/noughts/positions/base.py": """
LIMIT = 3

@kernel
def inner(x):
    return x + LIMIT
""",
    "src/noughts/positions/outer.py": """
from noughts.positions.base import inner

@kernel
def outer(x):
    return inner(x)

def plain(x):
    return x

def asked(x):
    return outer(x)
""",
    "src/noughts/positions/other.py": """
from noughts.positions.base import LIMIT

@kernel
def limited(x):
    return x < LIMIT

@kernel
def alone(x):
    return x
""",
    "tests/test_inner.py": """
from noughts.positions import base

def test_inner():
    base.inner(1)
""",
}
LINES: Lines = {
    "src/noughts/positions/outer.py": {"2": ["a.py::test_imports"], "9": ["a.py::test_plain"], "12": ["a.py::test_asks"]},
    "tests/test_inner.py": {"5": ["b.py::test_inner"]},
}  # fmt: skip

TESTS = ("a.py::test_asks", "a.py::test_plain", "b.py::test_inner", "b.py::test_beside", "c.py::test_elsewhere")


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    for name, source in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return Modules(tmp_path)


def number(path: str, text: str) -> int:
    """The line with this text."""
    return next(at for at, line in enumerate(FILES[path].splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        ("src/noughts/positions/outer.py", "return x", {"a.py::test_plain"}),
        ("src/noughts/positions/outer.py", "return outer(x)", {"a.py::test_asks"}),
        ("src/noughts/positions/outer.py", "return inner(x)", {"a.py::test_asks"}),
        ("src/noughts/positions/base.py", "return x + LIMIT", {"a.py::test_asks", "b.py::test_inner"}),
        (
            "src/noughts/positions/base.py",
            "LIMIT = 3",
            {"a.py::test_asks", "a.py::test_plain", "b.py::test_inner", "b.py::test_beside"},
        ),
        ("src/noughts/positions/other.py", "return x < LIMIT", set()),
    ],
)
def test_tests_that_reach_a_line(modules: Modules, path: str, text: str, tests: set[str]) -> None:
    assert Reach(modules, LINES, TESTS).tests(path, number(path, text)) == tests


@pytest.mark.parametrize(
    ("path", "text", "stale"),
    [
        ("src/noughts/positions/base.py", "return x + LIMIT", {"base", "outer", "other"}),
        ("src/noughts/positions/base.py", "LIMIT = 3", {"base", "outer", "other"}),
        ("src/noughts/positions/outer.py", "return x", {"outer"}),
        ("src/noughts/positions/other.py", "return x < LIMIT", {"other"}),
    ],
)
def test_kernels_are_compiled_anew_where_a_change_is_built_in(
    modules: Modules, path: str, text: str, stale: set[str]
) -> None:
    found = modules.with_machine_code_of(path, number(path, text))
    assert {Path(each).stem for each in found if each.startswith("src")} == stale


def test_who_imports_a_file(modules: Modules) -> None:
    assert modules.direct_importers("src/noughts/positions/base.py") == set(FILES) - {"src/noughts/positions/base.py"}
    assert modules.direct_importers("src/noughts/positions/outer.py") == set()


@pytest.mark.heavy
def test_kernels_of_the_tree_are_known() -> None:
    modules = Modules(Path(__file__).resolve().parents[2])
    found = modules.callees["src/noughts/examine/walk_kernels.py", "expand"]
    assert ("src/noughts/positions/kernels.py", "play") in found
    assert ("src/noughts/examine/walk_kernels.py", "_slot") in found
