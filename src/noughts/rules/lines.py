"""Line tables: the cells of each line, and the lines through each cell.

All code about lines reads this one table: win tests, rollouts, solvers, Table 2's heuristic. It leaves out
lines that contain a brick, and includes lines over joined edges.
"""

from dataclasses import dataclass
from functools import lru_cache

from noughts.rules.rules import Rules
from noughts.rules.squares import lines_on_board, runs_on_board


@dataclass(frozen=True, slots=True)
class LineTable:
    """The live lines of a game.

    Attributes:
        cells: ``cells[line]`` are the k cell indices of a line in order, end to end.
        through: ``through[cell]`` are the pairs (line, place) of each line through a cell: ``cells[line][place] == cell``.
        rings: For each line whether it closes on itself over joined edges. Then it has no ends, and `cells` may start at
            any of its cells.
    """

    cells: tuple[tuple[int, ...], ...]
    through: tuple[tuple[tuple[int, int], ...], ...]
    rings: tuple[bool, ...]


@lru_cache(maxsize=4096)
def line_table(rules: Rules) -> LineTable:
    """The line table of `rules`, boards one after the other; cached for each `Rules`."""
    on_one = list(lines_on_board(rules.rows, rules.cols, rules.k, frozenset(rules.bricks), rules.wrap))
    # If the same cells occur with other ends, the line can start at more than one of its cells.
    ends: dict[frozenset[int], set[frozenset[int]]] = {}
    for run in runs_on_board(rules.rows, rules.cols, rules.k, frozenset(rules.bricks), rules.wrap):
        ends.setdefault(frozenset(run), set()).add(frozenset((run[0], run[-1])))
    rings = tuple(len(ends[frozenset(line)]) > 1 for line in on_one) * rules.boards
    lines = tuple(
        tuple(board * rules.board_size + cell for cell in line) for board in range(rules.boards) for line in on_one
    )
    through: list[list[tuple[int, int]]] = [[] for _ in range(rules.size)]
    for number, line in enumerate(lines):
        for place, cell in enumerate(line):
            through[cell].append((number, place))
    return LineTable(lines, tuple(tuple(pairs) for pairs in through), rings)
