"""Misere quotients: the published one of 3x3 Notakto, and the winners on several boards, compared with plain search."""

import itertools
from dataclasses import replace
from functools import cache

import pytest

from noughts.positions import Position, Rng, Side
from noughts.rules import Rules, SolverError, parse_rules
from noughts.solvers import Budget
from noughts.solvers.quotient import Quotient, board_games, board_quotient
from noughts.solvers.quotient_monoid import find_failure, learn
from tests.positions.reached import at, late
from tests.solvers.brute_force import Known
from tests.solvers.test_retrograde import check_with_move

SMALL = (
    "notakto(2,boards=2)",
    "notakto(1,boards=3)",
    "mnk(1,3,2,marks=shared,line=loses,boards=3)",
    "mnk(1,4,3,marks=shared,line=loses,boards=3)",
    "mnk(2,3,2,marks=shared,line=loses,boards=2)",
    "mnk(2,3,3,marks=shared,line=loses,boards=2)",
    "mnk(2,3,2,marks=shared,boards=2)",
    "mnk(1,5,2,marks=shared,boards=3)",
    "mnk(2,3,2,bricks=A2,marks=shared,line=loses,boards=3)",
)


def one_board(text: str) -> Rules:
    return parse_rules(text).model_copy(update={"boards": 1})


def test_the_3x3_notakto_board_quotient_equals_the_published_one() -> None:
    """Plambeck and Whitehead: <a, b, c, d | a2=1, b3=b, b2c=c, c3=ac2, b2d=d, cd=ad, d2=c2>, P = {a, b2, bc, c2}."""
    found = board_quotient(one_board("notakto(3)"))
    assert found is not None
    assert (len(found.lost), sum(found.lost)) == (18, 4)

    def times(*elements: int) -> int:
        product = 0
        for element in elements:
            product = found.product[product][element]
        return product

    def is_published(a: int, b: int, c: int, d: int) -> bool:
        relations = (
            (times(a, a), 0), (times(b, b, b), b), (times(b, b, c), c), (times(c, c, c), times(a, c, c)),
            (times(b, b, d), d), (times(c, d), times(a, d)), (times(d, d), times(c, c)),
        )  # fmt: skip
        words = itertools.product((0, a), (0, b, times(b, b)), (0, c, times(c, c)), (0, d))
        return (
            all(one == other for one, other in relations)
            and len({times(*word) for word in words}) == 18
            and {q for q in range(18) if found.lost[q]} == {a, times(b, b), times(b, c), times(c, c)}
        )

    assert any(is_published(*generators) for generators in itertools.product(range(18), repeat=4))


@pytest.mark.parametrize("text", SMALL)
def test_every_position_of_small_boards_agrees_with_brute_force(text: str) -> None:
    rules = parse_rules(text)
    known, solver = Known(rules), Quotient(rules, 1 << 28)
    for position in known.some(600, Rng(4)):
        check_with_move(solver, position, known)


@cache
def wins(boards: tuple[int, ...]) -> bool:
    """Whether the side to move wins 3x3 Notakto on boards with these marks, none of them with a line; by exhaustive search."""
    lines = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
    if not boards:
        return True  # the opponent has closed the last one
    for place, marks in enumerate(boards):
        others = boards[:place] + boards[place + 1 :]
        for cell in range(9):
            if not marks >> cell & 1:
                after = marks | 1 << cell
                over = any(after & line == line for line in lines)
                if not wins(others if over else tuple(sorted((*others, after)))):
                    return True
    return False


@pytest.mark.parametrize("boards", [2, 3, 5])
def test_random_positions_of_3x3_boards_agree_with_exhaustive_search(boards: int) -> None:
    rules, rng = parse_rules(f"notakto(3,boards={boards})"), Rng(boards)
    solver = Quotient(rules, 1 << 28)
    seen = set()
    for _ in range(60):
        position = late(rules, 13, rng)
        if position.is_over:
            continue
        marks = (position.cells[9 * board : 9 * board + 9] for board in range(boards) if board not in position.closed)
        living = tuple(sorted(sum(1 << cell for cell in range(9) if cells[cell]) for cells in marks))
        found = solver.prove(position, Budget()).value
        assert found == (1 if wins(living) else -1)
        seen.add(found)
    assert seen == {1, -1}


@pytest.mark.parametrize("text", ["notakto(3,boards=12)", "mnk(3,3,3,marks=shared,boards=7)", "notakto(3,boards=100)"])
def test_perfect_play_on_many_boards_wins_won_positions(text: str) -> None:
    rules, rng = parse_rules(text), Rng(9)
    solver = Quotient(rules, 1 << 28)
    position = Position.start(rules)
    while solver.prove(position, Budget()).value != 1:
        position = position.play(position.legal_moves[rng.below(len(position.legal_moves))])
    winner = position.to_move
    while not position.is_over:
        if position.to_move is winner:
            move = solver.prove(position, Budget()).move
            assert move is not None
        else:
            move = position.legal_moves[rng.below(len(position.legal_moves))]
        position = position.play(move)
    assert position.outcome.value(winner) == 1


def test_a_wrong_monoid_is_detected() -> None:
    found, options = board_quotient(one_board("notakto(3)")), board_games(one_board("notakto(3)")).options
    assert found is not None
    assert find_failure(found, options, misere=True) is None
    assert find_failure(found, options, misere=False) == ()
    for q in range(18):
        lost = tuple(not is_lost if q == number else is_lost for number, is_lost in enumerate(found.lost))
        assert find_failure(replace(found, lost=lost), options, misere=True) is not None
    for game, q in itertools.product(range(1, len(options)), range(18)):
        element = (*found.element[:game], q, *found.element[game + 1 :])
        failed = find_failure(replace(found, element=element), options, misere=True) is not None
        assert failed == (q != found.element[game])


def test_a_missing_quotient_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solvers.quotient_monoid.MOST_ELEMENTS", 5)
    rules = parse_rules("mnk(3,3,3,bricks=A1,marks=shared,line=loses,boards=2)")
    with pytest.raises(SolverError, match=r"quotient does not cover .*: no quotient of its board was found"):
        Quotient(rules, 1 << 28).prove(Position.start(rules), Budget())
    board_quotient.cache_clear()


@pytest.mark.parametrize(
    ("game", "order", "lost"),
    [
        ("notakto(1)", 2, 1),
        ("notakto(2)", 2, 1),
        ("notakto(3)", 18, 4),
        ("notakto(3,line=wins)", 8, 1),
        ("mnk(3,4,3,marks=shared,line=loses)", 10, 2),
        ("notakto(4,line=wins)", 8, 1),
    ],
)
def test_quotients_are_proved_commutative_monoids(game: str, order: int, lost: int) -> None:
    rules = parse_rules(game)
    monoid = board_quotient(rules)
    assert monoid is not None
    elements, times = range(order), monoid.product
    assert (len(times), sum(monoid.lost)) == (order, lost)
    assert all(times[0][q] == q for q in elements)
    assert all(times[q][r] == times[r][q] for q in elements for r in elements)
    assert all(times[times[q][r]][s] == times[q][times[r][s]] for q in elements for r in elements for s in elements)
    # Nothing can be merged: some element distinguishes any two.
    assert len({tuple(monoid.lost[times[q][r]] for r in elements) for q in elements}) == order
    if rules.line == "wins":  # normal play: nim values, under which every game is its own opposite
        assert all(times[q][q] == 0 for q in elements)
    assert find_failure(monoid, board_games(rules).options, rules.line == "loses") is None


def test_nim_heaps_follow_boutons_rule() -> None:
    """Nim heaps of up to 3, in misere play: the quotient has order 6, and P = {a, b^2}."""
    heaps = [frozenset(range(size)) for size in range(4)]
    misere, normal = learn(heaps, True), learn(heaps, False)
    assert misere is not None
    assert normal is not None
    assert (len(misere.product), sum(misere.lost)) == (6, 2)
    assert (len(normal.product), sum(normal.lost)) == (4, 1)
    for sizes in itertools.product(range(4), repeat=4):  # Bouton's rule, which is reversed if no heap is above 1
        nim = sizes[0] ^ sizes[1] ^ sizes[2] ^ sizes[3]
        assert normal.lost[normal.of(sizes)] == (nim == 0)
        assert misere.lost[misere.of(sizes)] == ((nim == 0) if max(sizes) > 1 else (nim == 1))


def test_lengths_stop_at_the_budget_and_resume() -> None:
    position, budget = at("notakto(3,boards=3)"), Budget()
    whole, sliced = Quotient(position.rules, 1 << 30), Quotient(position.rules, 1 << 30)
    winner = Side.FIRST if whole.prove(position, budget).value == 1 else Side.SECOND
    plies = next(plies for plies in range(28) if whole.within(position, winner, plies, budget))
    assert 3 * 3 <= plies <= 3 * 7
    asked, spent = 0, 0
    while (answer := sliced.within(position, winner, plies, some := Budget(100))) is None:
        assert some.spent == 100
        asked, spent = asked + 1, spent + some.spent
    assert answer is True
    assert asked > 2
    assert spent + some.spent == budget.spent
    assert Quotient(position.rules, 1000).within(position, winner, plies, Budget()) is None  # too little memory for it
