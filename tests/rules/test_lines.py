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
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        assert len(steps) == (1 if rules.k > 1 else 0)
        assert steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}


@given(all_rules())
def test_through_inverts_cells(rules: Rules) -> None:
    table = line_table(rules)
    assert len(table.through) == rules.size
    pairs = {(cell, line, place) for cell, found in enumerate(table.through) for line, place in found}
    assert pairs == {
        (cell, number, place) for number, line in enumerate(table.cells) for place, cell in enumerate(line)
    }
    assert sum(map(len, table.through)) == len(pairs)


@given(all_rules())
def test_every_board_has_the_same_lines(rules: Rules) -> None:
    lines = line_table(rules).cells
    for board in range(rules.boards):
        on_it = {tuple(c % rules.board_size for c in line) for line in lines if line[0] // rules.board_size == board}
        assert len(on_it) * rules.boards == len(lines)


def test_known_numbers_of_lines() -> None:
    counts = {
        "tic-tac-toe": 8, "mnk(4,4,4)": 10, "mnk(7,7,4)": 88, "bttt(D4)": 72, "bttt(A1)": 85,
        "notakto(3,boards=2)": 16, "gomoku": 572, "mnk(1,1,1)": 1, "mnk(3,3,4,lineless=true)": 0,
    }  # fmt: skip
    assert {text: len(line_table(parse_rules(text)).cells) for text in counts} == counts


def test_the_table_is_computed_once() -> None:
    assert line_table(parse_rules("bttt(D4)")) is line_table(parse_rules("bttt-variant-1"))
