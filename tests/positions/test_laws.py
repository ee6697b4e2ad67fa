import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random

import pytest

from noughts.positions import EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Rng, Side, laws
from noughts.positions.backends import KERNELS, POSITION, REFERENCE, Backend, Games, Moves, Snapshot, batched
from noughts.positions.laws import LAWS, check_agreement, check_laws, random_game
from noughts.rules import NoughtsError, Rules, parse_rules
from tests.rules.strategies import random_rules

# Every way to join edges, with lines shorter than a joined side, as long as it, and longer.
WRAPPED = [
    "mnk(3,4,3,wrap=rows)", "mnk(3,5,4,wrap=columns)", "mnk(4,3,4,wrap=both)", "bttt(D4,wrap=both)",
    "notakto(3,boards=2,wrap=columns)", "gomoku(wrap=both)",
]  # fmt: skip

Change = Callable[[Rules, Sequence[int], Snapshot], Snapshot]
"""From the rules, the moves made, and the true snapshot to a wrong one."""


def broken(change: Change) -> Backend:
    """`Position`, but it shows something wrong."""

    def traces(games: Games) -> list[list[Snapshot]]:
        return [
            [change(rules, moves[:ply], shown) for ply, shown in enumerate(trace)]
            for (rules, moves), trace in zip(games, POSITION.traces(games), strict=True)
        ]

    return Backend("broken", traces)


def brick_crumbles(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    cells = bytes(EMPTY if cell in rules.brick_cells else content for cell, content in enumerate(shown.cells))
    return shown._replace(cells=cells) if len(moves) > 1 else shown


def brick_counts_as_a_mark(*beside: int) -> Change:
    """For k = 2: taking a cell that is adjacent to the brick wins."""

    def change(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
        taken = [ply for ply, move in enumerate(moves) if move in beside]
        if shown.outcome is Outcome.ONGOING and taken:
            return shown._replace(outcome=Outcome(taken[0] % 2 + 1), legal=())
        return shown

    return change


def loses_an_old_mark(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    cells = bytearray(shown.cells)
    for move in moves[:-2]:
        cells[move] = EMPTY
    return shown._replace(cells=bytes(cells))


def never_ends(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    return shown._replace(outcome=Outcome.ONGOING)


def every_game_ends_as(outcome: Outcome) -> Change:
    return lambda rules, moves, shown: shown if shown.outcome is Outcome.ONGOING else shown._replace(outcome=outcome)


def swaps_the_marks(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    return shown._replace(cells=shown.cells.translate(bytes([EMPTY, SECOND_MARK, FIRST_MARK, *range(3, 256)])))


def allows_a_brick(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    return shown._replace(legal=tuple(sorted({*shown.legal, *rules.brick_cells})))


def allows_closed_boards(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    return shown._replace(legal=tuple(cell for cell, content in enumerate(shown.cells) if content == EMPTY))


def ends_after_three_moves(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    return shown._replace(outcome=Outcome.DRAW, legal=()) if len(moves) == 3 else shown


BROKEN: list[tuple[str, Change, str]] = [
    ("turns", lambda rules, moves, shown: shown._replace(to_move=Side.FIRST), "tic-tac-toe"),
    ("turns", lambda rules, moves, shown: shown._replace(to_move=shown.to_move.other), "tic-tac-toe"),
    ("bricks", brick_crumbles, "bttt(D4)"),
    ("bricks", brick_counts_as_a_mark(0, 2), "mnk(1,5,2,bricks=A2)"),
    ("bricks", brick_counts_as_a_mark(4), "mnk(1,5,2,bricks=A1,wrap=columns)"),
    ("marks", lambda rules, moves, shown: shown._replace(cells=bytes([FIRST_MARK]) + shown.cells[1:]), "tic-tac-toe"),
    ("marks", swaps_the_marks, "tic-tac-toe"),
    ("marks", swaps_the_marks, "notakto(3)"),
    ("marks", loses_an_old_mark, "bttt(D4)"),
    ("legal", lambda rules, moves, shown: shown._replace(legal=shown.legal[:-1]), "tic-tac-toe"),
    ("legal", allows_a_brick, "bttt(D4)"),
    ("legal", allows_closed_boards, "notakto(2,boards=2)"),
    ("legal", lambda rules, moves, shown: shown._replace(legal=shown.legal[::-1]), "tic-tac-toe"),
    ("over", never_ends, "tic-tac-toe"),
    ("over", never_ends, "mnk(2,2,3,lineless=true)"),
    ("over", ends_after_three_moves, "bttt(D4)"),
    ("over", lambda rules, moves, shown: shown._replace(outcome=Outcome.DRAW, legal=()), "tic-tac-toe"),
    ("outcome", every_game_ends_as(Outcome.SECOND), "mnk(2,2,2)"),
    ("outcome", every_game_ends_as(Outcome.DRAW), "mnk(2,2,3,lineless=true,full=second)"),
    ("outcome", every_game_ends_as(Outcome.DRAW), "notakto(3)"),
]


@pytest.mark.parametrize(("law", "change", "text"), BROKEN)
def test_a_wrong_backend_breaks_the_matching_law(law: str, change: Change, text: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        check_laws(broken(change), parse_rules(text), games=20, rng=Rng(1))
    assert str(caught.value).startswith(f"broken breaks the law of {law} ({LAWS[law]}) in ")


def favours_a_corner(rules: Rules, moves: Sequence[int], shown: Snapshot) -> Snapshot:
    """A game that begins in A1 never ends, unlike its images."""
    return never_ends(rules, moves, shown) if 0 in moves[:1] else shown


def test_favouring_a_corner_breaks_the_law_of_symmetry() -> None:
    found = {}
    for seed in range(30):
        try:
            check_laws(broken(favours_a_corner), parse_rules("tic-tac-toe"), games=1, rng=Rng(seed))
        except NoughtsError as error:
            found[str(error).split()[5]] = str(error)
    # A game that begins in A1 breaks its own law; one that begins in another corner differs from its image.
    assert set(found) == {"over", "symmetry"}
    assert "in tic-tac-toe after A1 " in found["symmetry"]
    assert " of the same game" in found["symmetry"]


def test_backends_must_agree() -> None:
    rules = parse_rules("misere-tic-tac-toe")
    game = (0, 3, 1, 4, 2)
    games: list[tuple[Rules, Moves]] = [(parse_rules("tic-tac-toe"), (4,)), (rules, game)]
    with pytest.raises(NoughtsError) as caught:
        check_agreement([REFERENCE, POSITION, broken(every_game_ends_as(Outcome.DRAW))], games)
    assert str(caught.value) == (
        "broken breaks the law of agreement (all backends show the same game) in misere-tic-tac-toe"
        " after A1 B1 A2 B2 A3: outcome is DRAW, but SECOND on reference"
    )
    assert check_agreement([REFERENCE, POSITION], games) == 6


@pytest.mark.parametrize(
    ("change", "given"), [(lambda trace: trace[:1], "1 snapshot"), (lambda trace: [*trace, trace[-1]], "3 snapshots")]
)
def test_backends_give_one_snapshot_of_each_ply(change: Callable[[list[Snapshot]], list[Snapshot]], given: str) -> None:
    wrong = Backend("wrong", lambda games: list(map(change, POSITION.traces(games))))
    rules = parse_rules("mnk(1,1,1)")
    message = f"wrong gives {given} of mnk(1,1,1) A1: give 2, the empty board first"
    with pytest.raises(NoughtsError) as caught:
        check_laws(wrong, rules, games=1, rng=Rng(1))
    assert str(caught.value) == message
    with pytest.raises(NoughtsError) as caught:
        check_agreement([POSITION, wrong], [(rules, (0,))])
    assert str(caught.value) == message


def test_a_backend_gives_one_trace_of_each_game() -> None:
    wrong = Backend("wrong", lambda games: POSITION.traces(games)[1:])
    with pytest.raises(NoughtsError) as caught:
        check_laws(wrong, parse_rules("tic-tac-toe"), games=5, rng=Rng(1))
    assert str(caught.value) == "wrong gives 4 traces of 5 games"


def test_a_broken_law_is_one_line_that_allows_reproduction() -> None:
    with pytest.raises(NoughtsError) as caught:
        check_laws(broken(every_game_ends_as(Outcome.SECOND)), parse_rules("mnk(1,3,1)"), games=1, rng=Rng(1))
    move = str(caught.value).split("after ")[1][:2]
    assert str(caught.value) == (
        "broken breaks the law of outcome (a finished game has the result that the rules define)"
        f" in mnk(1,3,1) after {move}: the outcome is SECOND, not FIRST"
    )


def test_every_law_is_stated_and_tested() -> None:
    assert {law for law, _, _ in BROKEN} | {"symmetry", "agreement"} == set(LAWS)
    assert laws.__doc__ is not None
    for law, statement in LAWS.items():
        assert f"\n    {law} " in laws.__doc__
        assert "\n" not in statement


@pytest.mark.parametrize(
    "backend", [POSITION, KERNELS, pytest.param(REFERENCE, marks=pytest.mark.heavy)], ids=lambda backend: backend.name
)
def test_laws_hold_for_random_rules(backend: Backend) -> None:
    rng = Random(11)
    plies = 0
    while plies < 1_000:
        rules = random_rules(rng)
        if rules.size <= 64:
            plies += check_laws(backend, rules, games=3, rng=rng)


@pytest.mark.parametrize("backend", [POSITION, KERNELS], ids=lambda backend: backend.name)
@pytest.mark.parametrize("text", ["mnk(19,19,5)", "mnk(1,19,3)", "gomoku", "notakto(6,boards=4)", "bttt(E5)", *WRAPPED])
def test_laws_hold_for_large_boards(backend: Backend, text: str) -> None:
    assert check_laws(backend, parse_rules(text), games=1, rng=Rng(7)) > 0


@pytest.mark.parametrize(
    "text", ["mnk(19,19,5,bricks=A1+J10)", "mnk(1,1,1)", "mnk(1,7,3)", "notakto(3,boards=3)", *WRAPPED]
)
def test_laws_hold_on_batched_boards_of_their_own_size(text: str) -> None:
    rules, backend = parse_rules(text), batched()
    if rules.size < 100:
        assert check_laws(backend, rules, games=2, rng=Rng(7)) > 0
    else:
        game = random_game(rules, Rng(7))
        assert check_agreement([backend, POSITION], [(rules, game)]) == len(game)


def test_the_laws_load_no_array_library() -> None:
    code = "import sys, noughts.positions.laws; print(*sorted({'jax', 'numba', 'numpy'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "\n"


def test_every_backend_traces_games() -> None:
    rules = parse_rules("notakto(2,boards=2)")
    moves = random_game(rules, Rng(1))
    games: list[tuple[Rules, Moves]] = [(rules, moves), (rules, moves[:1]), (rules, ())]
    expected = POSITION.traces(games)
    assert [len(trace) for trace in expected] == [len(moves) + 1, 2, 1]
    assert expected[1:] == [expected[0][:2], expected[0][:1]]
    for backend in (REFERENCE, KERNELS, batched(), batched(canvas=(2, 3))):
        assert backend.traces(games) == expected


def test_random_games_are_whole_and_repeat_with_their_seed() -> None:
    rules = parse_rules("bttt(D4)")
    assert random_game(rules, Rng(3)) == random_game(rules, Rng(3)) != random_game(rules, Rng(4))
    assert POSITION.traces([(rules, random_game(rules, Rng(3)))])[0][-1].outcome is not Outcome.ONGOING
