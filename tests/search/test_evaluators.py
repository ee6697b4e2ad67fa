"""Evaluators of users: what they may give."""

from pathlib import Path

import numpy as np
import pytest

from noughts.rules import AgentError, parse_rules
from noughts.search.evaluators import find_evaluator
from noughts.search.patterns import PatternTable

TABLE = """
import numpy as np
from noughts.search.patterns import PatternTable

def table(rules):
    return PatternTable(rules, {scores}, 1.0)
"""


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ("np.zeros((2, 1 << rules.k), np.int64)", "int64[2, 8]"),
        ("np.zeros((2, 2, 1 << (rules.k - 1)), np.int64)", "int64[2, 2, 4]"),
        ("np.zeros((2, 2, 1 << rules.k))", "float64[2, 2, 8]"),
        ("np.zeros((2, 2, 1 << rules.k), np.int64).tolist()", "list"),
    ],
)
def test_a_pattern_table_that_kernels_cannot_read_is_refused(scores: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TABLE.format(scores=scores))
    called = f"python:{tmp_path / 'mine.py'}:table"
    with pytest.raises(AgentError) as caught:
        find_evaluator(called)(parse_rules("tic-tac-toe"))
    assert str(caught.value) == (
        f"evaluator {called!r} gave a PatternTable whose scores are {found}, and should be int64[2, 2, 8]"
    )


def test_a_pattern_table_of_the_right_shape_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TABLE.format(scores="np.ones((2, 2, 1 << rules.k), np.int64)"))
    made = find_evaluator(f"python:{tmp_path / 'mine.py'}:table")(parse_rules("mnk(4,4,4)"))
    assert isinstance(made, PatternTable)
    np.testing.assert_array_equal(made.scores, np.ones((2, 2, 16)))
