from itertools import pairwise

from hypothesis import given

from noughts.rules import Rules, line_table, parse_rules
from tests.rules.strategies import all_rules


@given(all_rules())
def test_a_line_runs_straight_over_k_free_cells_of_one_board(rules: Rules) -> None:
    for line in line_table(rules).cells:
        assert len(set(line)) == rules.k
        assert not rules.brick_cells & set(line)
        assert len({cell // rules.board_size for cell in line}) == 1
        places = [divmod(cell % rules.board_size, rules.cols) for cell in line]
        ways = [
            (down, right)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if all(goes(rules, a, b, down, right) for a, b in pairwise(places))
        ]
        assert ways
        assert len(ways) == 1 or rules.k == 1 or rules.wrap != "none"


def goes(rules: Rules, a: tuple[int, int], b: tuple[int, int], down: int, right: int) -> bool:
    """Whether one step leads from a to b, across an edge only if it is joined."""
    row, col = a[0] + down, a[1] + right
    row = 0 if row == rules.rows and rules.wrap in ("rows", "both") else row
    if rules.wrap in ("columns", "both"):
        col = 0 if col == rules.cols else rules.cols - 1 if col < 0 else col
    return (row, col) == b


@given(all_rules())
def test_through_inverts_cells(rules: Rules) -> None:
    table = line_table(rules)
    assert len(table.through) == rules.size
    pairs = {(cell, line, place) for cell, found in enumerate(table.through) for line, place in found}
    assert pairs == {(cell, index, place) for index, line in enumerate(table.cells) for place, cell in enumerate(line)}
    assert sum(map(len, table.through)) == len(pairs)


def test_known_numbers_of_lines() -> None:
    counts = {
        "tic-tac-toe": 8, "mnk(4,4,4)": 10, "mnk(7,7,4)": 88, "bttt(D4)": 72, "bttt(A1)": 85,
        "notakto(3,boards=2)": 16, "gomoku": 572, "mnk(1,1,1)": 1, "mnk(3,3,4,lineless=true)": 0,
        # A torus of n x n: for k < n a line from each cell in each of four directions; for k = n one for each loop.
        "tic-tac-toe(wrap=both)": 12, "bttt(D4,wrap=both)": 4 * 49 - 16, "gomoku(wrap=both)": 4 * 225,
        "tic-tac-toe(wrap=rows)": 12, "mnk(3,4,3,wrap=columns)": 3 * 4 + 4 + 2 * 4, "mnk(3,4,4,wrap=columns)": 3,
        "mnk(3,4,4,wrap=rows)": 3 + 2 * 3, "mnk(3,4,4,wrap=both)": 3 + 2 * 12, "mnk(2,2,2,wrap=both)": 6,
        "notakto(2,boards=2,wrap=both)": 12,
    }  # fmt: skip
    assert {text: len(line_table(parse_rules(text)).cells) for text in counts} == counts
