"""What an agent that has a model of the game imagines: positions that it never saw, as it believes them to be.

An agent has this capability if it keeps `Imagining`; of our kinds of agents, `AgentKind.imagines` says so without making one.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from noughts.positions import Position


class ImaginedPosition(NamedTuple):
    """One imagined position.

    Attributes:
        moves: Those that lead there from a real position; some may be illegal, or made after the end.
        visits: How often a search came there; 1 where nothing was searched.
        value: What the model takes it to be worth for the side to move there, from -1 to +1.
        over: Whether it takes the game to be over; None if it cannot say.
        first: Whether it believes that the first player is to move; likewise.
        cells: What it believes each cell to hold, as in `Position.cells`; likewise. The side that it takes to be to move has
            made the marks that it takes for its own.
    """

    moves: tuple[int, ...]
    visits: int
    value: float
    over: bool | None
    first: bool | None
    cells: bytes | None


@runtime_checkable
class Imagining(Protocol):
    """An agent with a model of the game."""

    def imagined_line(self, position: Position, line: Sequence[int]) -> list[ImaginedPosition]:
        """What it believes after none, one, two ... of the moves of a line, which need not be legal.

        Args:
            position: Not over; the only one that it sees.
            line: Cells of its board.
        """
        ...

    def imagined_searches(self, positions: Sequence[Position]) -> list[list[ImaginedPosition]]:
        """All that its search goes through from each position, the position itself left out.

        A position comes after the one that it follows. Without search nothing is imagined, and the lists are empty.
        """
        ...
