"""Pattern tables: evaluations that sum a score for each line, looked up by the line's code.

The Brick Tic-Tac-Toe paper's Table 2 is one, generalised to any k. Scores are integers, because sums of
the paper's decimals depend on their order, and so differ between symmetric positions.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, FIRST_MARK, SECOND_MARK, Position
from noughts.rules import Rules, line_table

Evaluator = Callable[[Position], int]
"""Returns the evaluation of an unfinished position, an integer, from the first player's point of view."""


class LineScores(NamedTuple):
    """The kernels' table of line scores: ``scores[ring[line], side, mask]``."""

    ring: NDArray[np.int8]  # [lines] 1 if the line closes on itself over joined edges
    scores: NDArray[np.int64]  # [2, 2, 2^k]


@dataclass(frozen=True, slots=True, eq=False)
class PatternTable:
    """A score for every line with marks of one side only; all other lines score 0.

    Attributes:
        rules: The game.
        scores: int64 [2, 2, 2^k]: ``scores[ring, side, mask]``, from the first player's point of view, for a line in
            which `side` holds the places of `mask` and the rest is empty; `ring` is 1 for a line that closes on itself
            over joined edges, so that it has no first and no last place.
        unit: The worth of a score of 1 in the numbers of the source.
    """

    rules: Rules
    scores: NDArray[np.int64]
    unit: float

    def by_line(self, rules: Rules) -> LineScores:
        """The scores of a game's lines, for kernels."""
        return LineScores(_rings(rules), self.scores)

    def __call__(self, position: Position) -> int:
        """Return the sum over all lines: a readable version of what the minimax kernel updates incrementally."""
        total = 0
        table = line_table(position.rules)
        for line, ring in zip(table.cells, map(int, table.rings), strict=True):
            contents = [position.cells[cell] for cell in line]
            first = sum(1 << place for place, content in enumerate(contents) if content == FIRST_MARK)
            second = sum(1 << place for place, content in enumerate(contents) if content == SECOND_MARK)
            if first == 0 or second == 0:
                total += int(self.scores[ring, 0, first] + self.scores[ring, 1, second])
        return total


@lru_cache(maxsize=256)
def _rings(rules: Rules) -> NDArray[np.int8]:
    return np.array(line_table(rules).rings, np.int8)


def table_2_score(contents: Sequence[int], base: int = 100, ring: bool = False) -> int:
    """Score one line of any length by Table 2, in units of half the paper's smallest value (0.0000005 for k = 4).

    A line with m marks of the second player and no others counts 2 base^(m-1), or twice that if both its ends
    are empty (so that it can grow either way), against the first player. A line of the first player counts 1.5
    times as much, in its favour. With base = 100 and k = 4 this is the paper's table. Lines with both sides' marks, and
    empty lines, count 0. A `ring`, which closes on itself over joined edges, has no ends, so its score does not depend
    on its first cell.
    """
    owners = set(contents) - {EMPTY}
    if len(owners) != 1:
        return 0
    marks = sum(content != EMPTY for content in contents)
    both_ends_empty = not ring and contents[0] == EMPTY and contents[-1] == EMPTY
    size = int(base ** (marks - 1)) * (2 if both_ends_empty else 1)
    return 3 * size if owners == {FIRST_MARK} else -2 * size


@lru_cache(maxsize=64)
def table_2(rules: Rules) -> PatternTable:
    """Return the paper's Table 2 for these rules.

    Complete lines score 0 here, because they end the game, and a win outranks any sum. If lines lose, the signs are
    reversed. With shared marks no line belongs to a side, and every position scores 0. For k above 9 the base is
    the largest with which no sum can exceed 64 bits, instead of 100.
    """
    rings = line_table(rules).rings
    base = 100
    while rules.k > 2 and 6 * max(1, len(rings)) * base ** (rules.k - 2) >= 1 << 60:
        base -= 1
    scores = np.zeros((2, 2, 1 << rules.k), np.int64)
    if rules.marks == "own":
        turn = 1 if rules.line == "wins" else -1
        for ring, side, mask in itertools.product(sorted(set(rings)), (0, 1), range(1, (1 << rules.k) - 1)):
            contents = [FIRST_MARK + side if mask >> place & 1 else EMPTY for place in range(rules.k)]
            scores[int(ring), side, mask] = turn * table_2_score(contents, base, ring)
    return PatternTable(rules, scores, 0.5 / base ** (rules.k - 1))


@lru_cache(maxsize=64)
def no_patterns(rules: Rules) -> PatternTable:
    """Return a table that evaluates every unfinished position as 0, so minimax only finds forced wins and losses."""
    return PatternTable(rules, np.zeros((2, 2, 1 << rules.k), np.int64), 1.0)


PATTERN_TABLES: dict[str, Callable[[Rules], PatternTable]] = {"table2": table_2, "none": no_patterns}
"""Pattern tables by their name in agents: add a line here to add an evaluator that runs at full speed."""
