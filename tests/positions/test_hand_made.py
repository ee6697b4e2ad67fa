"""Games written by hand that fix the meaning of the rules: every backend must end them so, and not before."""

from noughts.positions import Outcome
from noughts.positions.backends import KERNELS, POSITION, REFERENCE, batched
from tests.positions.reached import at

FIRST, SECOND, DRAW, ONGOING = Outcome.FIRST, Outcome.SECOND, Outcome.DRAW, Outcome.ONGOING


HAND_MADE: list[tuple[str, str, str, Outcome]] = [
    ("a row", "tic-tac-toe", "A1 B1 A2 B2 A3", FIRST),
    ("a column", "tic-tac-toe", "A1 A2 B1 B2 C3 C2", SECOND),
    ("a falling diagonal", "tic-tac-toe", "A1 A2 B2 A3 C3", FIRST),
    ("a rising diagonal", "tic-tac-toe", "A1 C1 A2 B2 C3 A3", SECOND),
    ("a line filled in the middle", "tic-tac-toe", "A1 B1 A3 B2 A2", FIRST),
    ("a full board is a draw", "tic-tac-toe", "A1 A2 A3 B2 B1 B3 C2 C1 C3", DRAW),
    ("a line on a full board wins", "tic-tac-toe", "A1 A2 B1 A3 B3 B2 C2 C3 C1", FIRST),
    ("no line runs over the edge", "mnk(3,4,3)", "A3 B2 A4 C4 B1", ONGOING),
    ("misere", "misere-tic-tac-toe", "A1 B1 A2 B2 A3", SECOND),
    ("misere by the second player", "misere-tic-tac-toe", "A1 A2 B1 B2 C3 C2", FIRST),
    ("a run of five completes a line of three", "mnk(2,5,3)", "A1 B1 A2 B2 A4 B4 A5 B5 A3", FIRST),
    ("a line of one ends at once", "mnk(3,3,1)", "B2", FIRST),
    ("a line of one loses at once", "mnk(1,1,1,line=loses)", "A1", SECOND),
    ("no line through a brick", "mnk(1,5,2,bricks=A3,full=second)", "A2 A1 A4 A5", SECOND),
    ("a line beside a brick", "mnk(1,5,2,bricks=A3)", "A4 A1 A5", FIRST),
    ("a brick is no mark", "mnk(3,3,3,bricks=B2,full=first)", "A1 A2 C3 B1 B3 A3 C1 C2", FIRST),
    ("a full board of a lineless game", "mnk(2,2,3,lineless=true,full=first)", "A1 A2 B1 B2", FIRST),
    ("four in a row", "bttt(D4)", "A1 B1 A2 B2 A3 B3 A4", FIRST),
    ("four around the brick are none", "bttt(D4)", "B2 A1 C3 A2 E5 A3 F6", ONGOING),
    ("Notakto loses", "notakto(3)", "A1 A2 A3", SECOND),
    ("Notakto loses for the second player", "notakto(3)", "A1 B2 B3 C3", FIRST),
    ("shared marks may win", "mnk(3,3,3,marks=shared)", "A1 A2 A3", FIRST),
    ("shared marks fill the board", "mnk(2,2,2,marks=shared,bricks=A1+B2)", "A2 B1", SECOND),
    ("one of two boards closes", "notakto(2,boards=2)", "1.A1 1.B2", ONGOING),
    ("the last board decides", "notakto(2,boards=2)", "1.A1 1.B2 2.A1 2.A2", FIRST),
    ("the last of three boards loses", "notakto(1,boards=3)", "1.A1 3.A1 2.A1", SECOND),
    ("the last line wins", "mnk(1,1,1,marks=shared,boards=3)", "2.A1 1.A1 3.A1", FIRST),
    ("two boards without room", "mnk(1,2,3,marks=shared,boards=2,lineless=true,full=second)", "1.A1 2.A1 2.A2 1.A2", SECOND),
    ("lines are not made across boards", "mnk(1,2,2,marks=shared,boards=2,full=draw)", "1.A2 2.A1", ONGOING),
]  # fmt: skip
"""Names, rules, moves, and the outcome after the last move; ONGOING after all others."""


def test_games_end_as_expected_by_hand() -> None:
    ends = [at(rules, moves) for _, rules, moves, _ in HAND_MADE]
    played = [(end.rules, end.moves) for end in ends]
    # In batches on one board for all, because each board size would be compiled.
    for backend in (REFERENCE, POSITION, KERNELS, batched(canvas=(7, 7))):
        for (name, _, _, outcome), trace in zip(HAND_MADE, backend.traces(played), strict=True):
            found = [snapshot.outcome for snapshot in trace]
            assert found == [ONGOING] * (len(found) - 1) + [outcome], (backend.name, name)
            assert (trace[-1].legal == ()) == (outcome is not ONGOING), (backend.name, name)
