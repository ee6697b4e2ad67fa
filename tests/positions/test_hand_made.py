"""Games written by hand that fix the meaning of the rules: every backend must end them so, and not before."""

from typing import NamedTuple

import pytest

from noughts.positions import Outcome
from noughts.positions.backends import KERNELS, POSITION, REFERENCE, Backend, BatchedBackend
from noughts.rules import parse_rules

FIRST, SECOND, DRAW, ONGOING = Outcome.FIRST, Outcome.SECOND, Outcome.DRAW, Outcome.ONGOING


class HandMade(NamedTuple):
    """A game's rules and moves as text, and the outcome after the last move; ONGOING after all others."""

    name: str
    rules: str
    moves: str
    outcome: Outcome


HAND_MADE = [
    HandMade("a row", "tic-tac-toe", "A1 B1 A2 B2 A3", FIRST),
    HandMade("a column", "tic-tac-toe", "A1 A2 B1 B2 C3 C2", SECOND),
    HandMade("a falling diagonal", "tic-tac-toe", "A1 A2 B2 A3 C3", FIRST),
    HandMade("a rising diagonal", "tic-tac-toe", "A1 C1 A2 B2 C3 A3", SECOND),
    HandMade("a line filled in the middle", "tic-tac-toe", "A1 B1 A3 B2 A2", FIRST),
    HandMade("a full board is a draw", "tic-tac-toe", "A1 A2 A3 B2 B1 B3 C2 C1 C3", DRAW),
    HandMade("a line on a full board wins", "tic-tac-toe", "A1 A2 B1 A3 B3 B2 C2 C3 C1", FIRST),
    HandMade("no line runs over the edge", "mnk(3,4,3)", "A3 B2 A4 C4 B1", ONGOING),
    HandMade("misere", "misere-tic-tac-toe", "A1 B1 A2 B2 A3", SECOND),
    HandMade("misere by the second player", "misere-tic-tac-toe", "A1 A2 B1 B2 C3 C2", FIRST),
    HandMade("a run of five completes a line of three", "mnk(2,5,3)", "A1 B1 A2 B2 A4 B4 A5 B5 A3", FIRST),
    HandMade("a line of one ends at once", "mnk(3,3,1)", "B2", FIRST),
    HandMade("a line of one loses at once", "mnk(1,1,1,line=loses)", "A1", SECOND),
    HandMade("no line through a brick", "mnk(1,5,2,bricks=A3,full=second)", "A2 A1 A4 A5", SECOND),
    HandMade("a line beside a brick", "mnk(1,5,2,bricks=A3)", "A4 A1 A5", FIRST),
    HandMade("a brick is no mark", "mnk(3,3,3,bricks=B2,full=first)", "A1 A2 C3 B1 B3 A3 C1 C2", FIRST),
    HandMade("a full board of a lineless game", "mnk(2,2,3,lineless=true,full=first)", "A1 A2 B1 B2", FIRST),
    HandMade("four in a row", "bttt(D4)", "A1 B1 A2 B2 A3 B3 A4", FIRST),
    HandMade("four around the brick are none", "bttt(D4)", "B2 A1 C3 A2 E5 A3 F6", ONGOING),
    HandMade("Notakto loses", "notakto(3)", "A1 A2 A3", SECOND),
    HandMade("Notakto loses for the second player", "notakto(3)", "A1 B2 B3 C3", FIRST),
    HandMade("shared marks may win", "mnk(3,3,3,marks=shared)", "A1 A2 A3", FIRST),
    HandMade("shared marks fill the board", "mnk(2,2,2,marks=shared,bricks=A1+B2)", "A2 B1", SECOND),
    HandMade("one of two boards closes", "notakto(2,boards=2)", "1.A1 1.B2", ONGOING),
    HandMade("the last board decides", "notakto(2,boards=2)", "1.A1 1.B2 2.A1 2.A2", FIRST),
    HandMade("the last of three boards loses", "notakto(1,boards=3)", "1.A1 3.A1 2.A1", SECOND),
    HandMade("the last line wins", "mnk(1,1,1,marks=shared,boards=3)", "2.A1 1.A1 3.A1", FIRST),
    HandMade("two boards without room", "mnk(1,2,3,marks=shared,boards=2,lineless=true,full=second)", "1.A1 2.A1 2.A2 1.A2", SECOND),
    HandMade("lines are not made across boards", "mnk(1,2,2,marks=shared,boards=2,full=draw)", "1.A2 2.A1", ONGOING),
]  # fmt: skip


@pytest.mark.parametrize("backend", [REFERENCE, POSITION, KERNELS], ids=lambda backend: backend.name)
@pytest.mark.parametrize("game", HAND_MADE, ids=lambda game: game.name)
def test_games_end_as_expected_by_hand(backend: Backend, game: HandMade) -> None:
    _check(backend, [game])


def test_games_end_as_expected_by_hand_in_batches() -> None:
    # On one board for all, because each board size would be compiled.
    for boards in (1, 2, 3):
        games = [game for game in HAND_MADE if parse_rules(game.rules).boards == boards]
        assert games
        _check(BatchedBackend(canvas=(7, 7)), games)


def _check(backend: Backend, games: list[HandMade]) -> None:
    read = [parse_rules(game.rules) for game in games]
    moves = [[rules.cell_of(name) for name in game.moves.split()] for rules, game in zip(read, games, strict=True)]
    for game, trace in zip(games, backend.traces(list(zip(read, moves, strict=True))), strict=True):
        outcomes = [snapshot.outcome for snapshot in trace]
        assert outcomes == [Outcome.ONGOING] * (len(outcomes) - 1) + [game.outcome], game.name
        assert (trace[-1].legal == ()) == (game.outcome is not Outcome.ONGOING), game.name
