"""Minimax: kernel, readable search and brute force agree; Table 2 is the paper's."""

from functools import cache
from unittest.mock import Mock

import pytest

from noughts.positions import FIRST_MARK, SECOND_MARK, Position, Rng
from noughts.rules import format_rules, line_table, parse_rules, symmetries
from noughts.search import Kind
from noughts.search.minimax import INFINITE, WIN, alpha_beta, minimax, minimax_reference, minimax_stepwise
from noughts.search.patterns import no_patterns, table_2, table_2_score
from tests.positions.reached import played_out
from tests.search.cases import positions

# The paper's Table 2: its values and their patterns.
TABLE_2 = {
    -0.000001: "X___ ___X",
    -0.000002: "_X__ __X_",
    -0.0001: "X_X_ X__X _X_X XX__ __XX",
    -0.0002: "_XX_",
    -0.01: "X_XX XX_X XXX_ _XXX",
    -1.0: "XXXX",
    0.0000015: "O___ ___O",
    0.000003: "_O__ __O_",
    0.00015: "O_O_ O__O _O_O OO__ __OO",
    0.0003: "_OO_",
    0.015: "O_OO OO_O OOO_ _OOO",
    1.5: "OOOO",
    0.0: "____ XO__ OXXX",
}
CONTENT = {"_": 0, "O": FIRST_MARK, "X": SECOND_MARK}  # in the paper the first player is O


@pytest.mark.parametrize(("value", "patterns"), TABLE_2.items())
def test_table_2_is_the_papers(value: float, patterns: str) -> None:
    for pattern in patterns.split():
        assert table_2_score([CONTENT[mark] for mark in pattern]) * 0.5e-6 == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("game", ["bttt(D4)", "tic-tac-toe", "gomoku", "mnk(15,15,15)", "mnk(12,12,10)", "mnk(3,3,1)"])
def test_table_2_of_any_k_fits_into_64_bits(game: str) -> None:
    table = table_2(parse_rules(game))
    largest = int(abs(table.scores).max()) * len(line_table(table.rules).cells)
    assert largest < 1 << 60
    assert table.unit > 0


def test_table_2_is_negated_if_lines_lose_and_zero_if_marks_are_shared() -> None:
    wins, loses = table_2(parse_rules("mnk(4,4,3)")), table_2(parse_rules("mnk(4,4,3,line=loses)"))
    assert (wins.scores == -loses.scores).all()
    assert wins.scores.any()
    assert not table_2(parse_rules("notakto(4)")).scores.any()


@pytest.mark.parametrize("wrap", ["none", "rows", "columns", "both"])
@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (4, 3), (2, 4), (4, 2), (1, 5), (5, 1)])
def test_table_2_is_equal_for_all_images_of_a_position(rows: int, cols: int, wrap: str) -> None:
    for k in {rows, cols}:
        rules = parse_rules(f"mnk({rows},{cols},{k},wrap={wrap})")
        table, images, rng = table_2(rules), symmetries(rules), Rng(0)
        for _ in range(10):
            position = rng.choice(played_out(rules, rng))
            worth = table(position)
            for symmetry in images:
                assert table(Position.start(rules, tuple(symmetry.image[cell] for cell in position.moves))) == worth


def test_a_line_that_closes_on_itself_has_no_ends() -> None:
    lines = line_table(parse_rules("mnk(3,3,3,wrap=columns)"))
    closed = {frozenset(line) for line, ring in zip(lines.cells, lines.rings, strict=True) if ring}
    assert closed == {frozenset(range(row, row + 3)) for row in (0, 3, 6)}
    middle = [0, FIRST_MARK, 0]
    assert table_2_score(middle) == 2 * table_2_score(middle, ring=True) == 2 * table_2_score([FIRST_MARK, 0, 0])
    assert not any(line_table(parse_rules("mnk(3,3,3)")).rings)
    assert not any(line_table(parse_rules("mnk(4,4,3,wrap=both)")).rings)


@pytest.mark.parametrize("position", positions(6), ids=lambda p: f"{format_rules(p.rules)}@{p.ply}")
def test_kernel_equals_reference_node_for_node(position: Position) -> None:
    tables, every_ties = (table_2(position.rules), no_patterns(position.rules)), ("first", "random")
    free = len(position.legal_moves)
    for depth in (1, 2, 3) if position.rules.size <= 25 else (1, 2) if free <= 60 else (1,):
        for table, ties in zip(tables, every_ties if depth % 2 else every_ties[::-1], strict=True):
            fast = minimax(position, depth, table, ties, Rng(5))  # type: ignore[arg-type]
            slow = minimax_reference(position, depth, table, ties, Rng(5))  # type: ignore[arg-type]
            assert fast == slow


def test_time_is_checked_even_if_few_nodes_are_below_each_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.search.minimax.SLICE_NODES", 1_000)
    rules, expired = parse_rules("mnk(9,9,5)"), Mock(return_value=False)
    *_, found = minimax_stepwise(Position.start(rules), 2, table_2(rules), "first", None, expired)
    assert found == minimax(Position.start(rules), 2, table_2(rules), "first")
    assert expired.call_count >= found.nodes // 1_000 > 0


@cache
def brute_force(position: Position, ply: int) -> int:
    """The score by plain exhaustive search."""
    if position.is_over:
        return position.outcome.value(position.to_move) * (WIN - ply)
    return max(-brute_force(position.play(move), ply + 1) for move in position.legal_moves)


@pytest.mark.parametrize(
    "game",
    ["tic-tac-toe", "misere-tic-tac-toe", "notakto(3)", "mnk(3,3,3,bricks=B2,full=second)", "mnk(2,4,2,full=first)"],
)
def test_full_depth_is_exact_in_every_position_after_two_plies(game: str) -> None:
    rules = parse_rules(game)
    start = Position.start(rules)
    for first in start.legal_moves:
        for second in start.play(first).legal_moves:
            position = Position.start(rules, (first, second))
            if position.is_over:
                continue
            found = minimax(position, rules.size, no_patterns(rules), "first")
            best = max(-brute_force(position.play(move), 1) for move in position.legal_moves)
            exact = {move for move in position.legal_moves if -brute_force(position.play(move), 1) == best}
            assert {move.move for move in found.moves if move.kind is not Kind.UPPER} == exact
            assert found.kind is Kind.EXACT
            assert found.value == (best > 0) - (best < 0)


@pytest.mark.parametrize("position", [p for p in positions(8, seed=9) if p.rules.size <= 16])
def test_alpha_beta_bounds_hold_for_any_window(position: Position) -> None:
    table, depth = table_2(position.rules), 4
    exact, _, _ = alpha_beta(position, depth, table)
    for low, high in ((-INFINITE, exact), (exact - 1, exact + 1), (exact, INFINITE), (-5, 5), (exact + 3, exact + 9)):
        if low >= high:
            continue
        found, _, _ = alpha_beta(position, depth, table, low, high)
        if found <= low:
            assert exact <= found
        elif found >= high:
            assert exact >= found
        else:
            assert found == exact


def test_any_function_is_an_evaluator() -> None:
    rules = parse_rules("mnk(3,3,3)")

    def prefers_the_corner(position: Position) -> int:
        return int(position.cells[8] == FIRST_MARK)

    found = minimax(Position.start(rules), 1, prefers_the_corner, "first")
    assert rules.name_of(found.move) == "C3"


def test_random_ties_are_uniform_and_first_takes_the_first() -> None:
    rules = parse_rules("bttt(D4)")
    position, table = Position.start(rules), table_2(rules)
    first = minimax(position, 2, table, "first")
    best = [move.move for move in first.moves if move.kind is not Kind.UPPER]
    assert first.move == min(best)
    assert sorted(map(rules.name_of, best)) == ["C4", "D3", "D5", "E4"]  # equal by symmetry, which the search finds
    drawn = [minimax(position, 2, table, "random", Rng(seed)).move for seed in range(400)]
    assert set(drawn) == set(best)
    assert min(map(drawn.count, best)) > 60
