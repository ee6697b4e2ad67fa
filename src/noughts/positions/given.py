"""Positions as people give them, one or a list. The error for anything else is one line, with what would be right."""

from collections.abc import Iterable

from noughts.positions.position import Position
from noughts.rules import NoughtsError, Rules
from noughts.rules.errors import shortened

_MOST_SHOWN = 50  # characters of an invalid value in an error


def require_position(given: object) -> Position:
    """Return the value; raise NoughtsError unless it is a position."""
    if isinstance(given, Position):
        return given
    raise NoughtsError(f"a position is needed, and not {_what_it_is(given)}")


def require_open(given: object) -> Position:
    """Return the value; raise NoughtsError unless it is a position whose game is not over."""
    position = require_position(given)
    if position.is_over:
        raise NoughtsError(f"the game is over ({position.outcome}) {position.where}: no move can be made")
    return position


def require_positions(given: object) -> list[Position]:
    """Return the positions as a list; raise NoughtsError if one is not a position, or for a single position."""
    if isinstance(given, Position):
        raise NoughtsError("give a list of positions, and not one alone: [position]")
    if isinstance(given, str | Rules) or not isinstance(given, Iterable):
        raise NoughtsError(f"give a list of positions, and not {_what_it_is(given)}")
    positions = list(given)
    for number, position in enumerate(positions):
        if not isinstance(position, Position):
            raise NoughtsError(f"give a list of positions: number {number} of these is {_what_it_is(position)}")
    return positions


def _what_it_is(given: object) -> str:
    """Describe a value that is not a position, with an example of one."""
    if not isinstance(given, str):
        return f"a value of type {type(given).__name__}: noughts.position(...) makes one of a game and its moves"
    shown = shortened(repr(given), _MOST_SHOWN)
    return f"the text {shown}: noughts.position('tic-tac-toe', 'A1 B2') makes one of a game and its moves"
