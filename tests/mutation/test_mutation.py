"""Samples can be repeated, the list of equivalent mutants fits the code, and scores in README.md follow from its counts."""

import re
from pathlib import Path

import pytest

from tests.mutation.__main__ import ROOT, draw, equivalents, meaning, row


def test_a_larger_sample_of_a_seed_has_the_same_mutants_first_and_one_of_a_line() -> None:
    mutants = [("a.py", line, operator, 0) for line in range(20) for operator in "xyz"]
    few, more, all_lines = (draw(mutants[::-1], count, "seed", lambda mutant: mutant[2] != "x") for count in (5, 9, 99))
    assert few == more[:5]
    assert sorted(line for _, line, _, _ in all_lines) == list(range(20))
    assert {operator for _, _, operator, _ in all_lines} == {"y", "z"}
    assert draw(mutants, 5, "other", lambda mutant: mutant[2] != "x") != few


@pytest.mark.parametrize(
    "same", ["@b\ndef f(x: int | None) -> int:\n    y: int = x", "def f(x):\n    y: str = x  # why"]
)
def test_annotations_decorators_and_comments_have_no_meaning(same: str) -> None:
    assert meaning(same) == meaning("@a(1)\ndef f(x: int) -> str:\n    y: int = x")
    assert meaning(same) != meaning("def f(x):\n    y: int = -x")


def test_what_is_no_program_has_no_meaning() -> None:
    assert meaning("def f(/, x): ...") is None


def test_each_equivalent_mutant_changes_a_line_of_the_code_and_has_its_own_reason() -> None:
    for path, line, instead in equivalents():
        assert line in map(str.strip, (ROOT / path).read_text().splitlines())
        assert instead != line
    assert len(set(equivalents().values())) == len(equivalents())


def test_the_scores_and_intervals_follow_from_the_counts() -> None:
    text = Path(__file__).with_name("README.md").read_text()
    rows = re.findall(r"^(\| (\S+) \| (\d+) \| (\d+) \|.*)$", text, re.MULTILINE)
    assert len(rows) >= 6
    assert [line for line, *_ in rows] == [row(name, int(noticed), int(tried)) for _, name, noticed, tried in rows]
