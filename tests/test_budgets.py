"""No package grows unnoticed: its lines, classes and files stay within `budgets.txt`. A class name means one class.

A row of that file is the size of a package when it last changed. Beside our packages there are the modules beside them, the page's
code except `vendored` code, and the tests.
"""

import ast
import functools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "noughts"
BUDGETS = Path(__file__).with_name("budgets.txt")


@functools.cache
def classes(path: Path) -> tuple[str, ...]:
    return tuple(node.name for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ClassDef))


def lines(paths: Iterable[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


def of_package(modules: Iterable[Path]) -> tuple[int, ...]:
    paths = list(modules)
    return lines(paths), sum(len(classes(path)) for path in paths), len(paths)


def sizes() -> dict[str, tuple[int, ...]]:
    """Physical lines of each row; of a package also the classes and files."""
    found = {folder.parent.name: of_package(folder.parent.rglob("*.py")) for folder in SOURCE.glob("*/__init__.py")}
    page = (path for kind in ("*.js", "*.css") for path in SOURCE.rglob(kind) if "vendored" not in path.parts)
    found["noughts"] = of_package(SOURCE.glob("*.py"))
    return found | {"javascript-and-css": (lines(page),), "tests": (lines((ROOT / "tests").rglob("*.py")),)}


def test_no_package_exceeds_its_budget() -> None:
    rows = map(str.split, BUDGETS.read_text("utf-8").splitlines())
    budgets = {name: tuple(map(int, numbers)) for name, *numbers in rows}
    over = [
        f"{name} {' '.join(map(str, now))}"
        for name, now in sizes().items()
        if any(size > most for size, most in zip(now, budgets.get(name, (0,)), strict=False))
    ]
    assert over == [], "remove something, or write these rows into tests/budgets.txt, and say in the commit why"


def test_vendored_code_has_its_licence_beside_it() -> None:
    vendored = [path for path in SOURCE.rglob("vendored/*") if path.suffix in (".js", ".css")]
    assert vendored
    assert [path for path in vendored if not path.with_name(f"{path.stem}.LICENSE.txt").is_file()] == []


def test_no_class_name_is_defined_twice() -> None:
    defined = Counter(name for path in SOURCE.rglob("*.py") for name in classes(path))
    assert len(defined) > 400
    assert [name for name, times in defined.items() if times > 1] == []
