"""The games that test every bridge."""

GAMES = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "bttt(D4)",
    "mnk(3,3,3,marks=shared,line=loses,boards=3)",
    "mnk(2,4,3,marks=shared,boards=2,full=first,bricks=B1)",
    "mnk(4,5,4,full=first)",
    "mnk(3,5,3,bricks=A1+B3,line=loses,full=second)",
    "mnk(2,2,3,lineless=true,full=second)",
    "mnk(3,4,3,bricks=B2,wrap=columns)",
    "gomoku",
)
"""Several boards, shared marks, lines that lose, bricks, every rule for a full board, joined edges, and boards that are no
squares."""

OF_EACH_SHAPE = (
    "tic-tac-toe",
    "mnk(2,4,3,marks=shared,boards=2,full=first,bricks=B1)",
    "mnk(3,4,3,bricks=B2,wrap=columns)",
)
"""Enough for what depends on the shape of a board alone, as the interfaces of other libraries do: they ask `Position` for the
rest, and what they show of it is tested on all games in `test_boards`."""
