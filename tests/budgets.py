"""The size of the code of each package beside its budget, which may only fall.

    uv run python -m tests.budgets                  print the table, and lower every budget to the current size
    uv run python -m tests.budgets --raise agents   raise the budget of one row; explain it in the commit

The budgets are in `budgets.txt`, one row per line. When branches merge, Git keeps the lines of both sides (see `.gitattributes`).
Of two rows with one name the smaller numbers count, so lowering a budget never makes a conflict.
"""

import ast
import functools
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "noughts"
FILE = Path(__file__).with_name("budgets.txt")

UNITS = ("lines", "classes", "files")
"""The numbers of a row, in the order of the file. Rows that are not a package of ours have only lines."""

GOALS = {"src": (50_500, 500), "javascript-and-css": (9_000,), "tests": (42_000,)}
"""The goals for the sizes."""

Sizes = Mapping[str, tuple[int, ...]]


@functools.cache
def sizes() -> dict[str, tuple[int, ...]]:
    """The size of each package, of modules beside the packages, of the page's code except `vendored` code, and of the tests."""
    found: dict[str, tuple[int, ...]] = {
        folder.parent.name: package_size(folder.parent.rglob("*.py")) for folder in SOURCE.glob("*/__init__.py")
    }
    found["noughts"] = package_size(SOURCE.glob("*.py"))
    page = (path for kind in ("*.js", "*.css") for path in SOURCE.rglob(kind) if "vendored" not in path.parts)
    found["javascript-and-css"] = (sum(map(lines, page)),)
    found["tests"] = (sum(map(lines, (ROOT / "tests").rglob("*.py"))),)
    return found


def package_size(modules: Iterable[Path]) -> tuple[int, ...]:
    """Physical lines, classes and files of these modules."""
    paths = list(modules)
    return sum(map(lines, paths)), sum(len(classes(path)) for path in paths), len(paths)


@functools.cache
def classes(path: Path) -> tuple[str, ...]:
    return tuple(node.name for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ClassDef))


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def read(text: str) -> dict[str, tuple[int, ...]]:
    """Parse the budgets; of repeated rows the smaller numbers count."""
    found: dict[str, tuple[int, ...]] = {}
    for line in text.splitlines():
        name, *numbers = line.split()
        row = tuple(map(int, numbers))
        found[name] = tuple(map(min, row, found.get(name, row)))
    return found


def lowered(budgets: Sizes, now: Sizes, may_grow: str | None = None) -> dict[str, tuple[int, ...]]:
    """The budgets lowered to today's numbers; a named row may also rise to them."""
    return {
        name: size if name == may_grow else tuple(map(min, size, budgets[name]))
        for name, size in sorted(now.items())
        if name in budgets or name == may_grow
    }


def grown(budgets: Sizes, now: Sizes) -> list[str]:
    """A line for each row over its budget."""
    return [
        f"{name}: {size:,} {unit}, and its budget is {most:,}"
        for name, row in now.items()
        for unit, size, most in zip(UNITS, row, budgets.get(name, (0,) * len(row)), strict=False)
        if size > most
    ]


def table(budgets: Sizes, now: Sizes) -> str:
    """Budgets and today's numbers, row by row; totals with their goals."""
    rows = [f"{'':20}" + "".join(f"{unit:>10}{'now':>8}" for unit in UNITS)]
    for name in sorted(now):
        most = budgets.get(name, (0,) * len(now[name]))
        rows.append(f"{name:20}" + "".join(f"{a:10,}{b:8,}" for a, b in zip(most, now[name], strict=False)))
    total = [
        tuple(map(sum, zip(*(row for row in each.values() if len(row) > 1), strict=False))) for each in (budgets, now)
    ]
    rows.append(f"{'src':20}" + "".join(f"{a:10,}{b:8,}" for a, b in zip(*total, strict=False)))
    goals = (
        f"{name} {' lines, '.join(f'{n:,}' for n in goal)}{' classes' * (len(goal) > 1)}"
        for name, goal in GOALS.items()
    )
    return "\n".join([*rows, f"goals: {'; '.join(goals)}"])


def main(words: list[str]) -> None:
    budgets, now = read(FILE.read_text("utf-8")), sizes()
    may_grow = words[1] if words[:1] == ["--raise"] and len(words) == 2 else None
    if words and may_grow not in now:
        raise SystemExit(f"python -m tests.budgets [--raise ROW]; the rows are {', '.join(sorted(now))}")
    print(table(budgets, now))
    after = lowered(budgets, now, may_grow)
    FILE.write_text("".join(f"{name} {' '.join(map(str, row))}\n" for name, row in after.items()), "utf-8")
    print("\n".join(grown(after, now)) or "nothing is over its budget")


if __name__ == "__main__":
    main(sys.argv[1:])
