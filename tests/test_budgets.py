"""No package grows unnoticed: lines, classes and files stay within budgets that only fall. A class name means one class."""

from collections import Counter

from tests.budgets import FILE, SOURCE, classes, grown, lines, lowered, read, sizes


def test_no_package_exceeds_its_budget() -> None:
    over = grown(read(FILE.read_text("utf-8")), sizes())
    assert not over, "remove something, or: uv run python -m tests.budgets --raise ROW, and say in the commit why"


def test_vendored_code_does_not_count() -> None:
    page = [path for kind in ("*.js", "*.css") for path in SOURCE.rglob(kind)]
    others = [path for path in page if "vendored" in path.parts]
    assert others
    assert all(path.with_name(f"{path.stem}.LICENSE.txt").is_file() for path in others)
    assert sizes()["javascript-and-css"] == (sum(map(lines, page)) - sum(map(lines, others)),)


def test_budgets_fall_and_never_rise_unless_named() -> None:
    budgets, now = {"a": (10, 2, 3), "gone": (5, 1, 1)}, {"a": (8, 3, 3), "new": (4, 0, 1)}
    assert lowered(budgets, now) == {"a": (8, 2, 3)}
    assert lowered(budgets, now, "new") == {"a": (8, 2, 3), "new": (4, 0, 1)}
    assert lowered(budgets, now, "a") == {"a": (8, 3, 3)}
    assert grown(budgets, now) == [
        "a: 3 classes, and its budget is 2",
        "new: 4 lines, and its budget is 0",
        "new: 1 files, and its budget is 0",
    ]


def test_the_smaller_numbers_of_a_repeated_row_count() -> None:
    assert read("a 10 2 3\nb 7\na 9 3 3\n") == {"a": (9, 2, 3), "b": (7,)}


def test_no_class_name_is_defined_twice() -> None:
    defined = Counter(name for path in SOURCE.rglob("*.py") for name in classes(path))
    assert len(defined) > 400
    assert [name for name, times in defined.items() if times > 1] == []
