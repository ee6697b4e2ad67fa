"""What a benchmark is made of: groups of cases that do the same work, each in one program's own way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Group:
    """Cases whose numbers may be compared.

    Attributes:
        name: Short, for options and the results file.
        title: The heading of its table.
        unit: What is counted, in the plural.
        target: How many times as quick as its peers noughts wants to be, if it says so; see `Case.sets_target`.
        beside_paper: Whether the table shows seconds for one unit, beside those of the paper.
        beside_all: Whether the target is set against every peer, not against OpenSpiel alone.
    """

    name: str
    title: str
    unit: str
    target: float | None = None
    beside_paper: bool = False
    beside_all: bool = False


class Work(NamedTuple):
    """A case made ready: `chunk` does a fixed piece of work and says how many units it was."""

    chunk: Callable[[], int]
    note: str = ""  # what was decided while getting ready, for the table


@dataclass(frozen=True)
class Case:
    """One program doing one group's work.

    Attributes:
        group: The work.
        program: Who does it, for people.
        call: What is called and counted, so that anybody can repeat it, and object to it.
        prepare: Imports what is needed, and makes the work ready.
        modules: The peer's modules; the case is left out, and listed so, where one is not installed. Empty for
            noughts itself. The first case of noughts in a group is the one that all peers are compared with.
        alike: The program name of noughts' case that works in the same way as this peer, where that is another.
        paper_seconds: What the paper says one unit took its authors.
    """

    group: Group
    program: str
    call: str
    prepare: Callable[[], Work]
    modules: tuple[str, ...] = ()
    alike: str = ""
    paper_seconds: float | None = None

    @property
    def sets_target(self) -> bool:
        """Whether the group's target is set against this peer: as a rule OpenSpiel, the one that has these games and searches."""
        return self.is_peer and (self.group.beside_all or "pyspiel" in self.modules)

    @property
    def is_peer(self) -> bool:
        """Whether this is somebody else's program."""
        return bool(self.modules)


PLAYOUTS_7 = Group("playouts-7x7-k4", "Random playouts, 7x7, four in a row", "games", target=8)
PLAYOUTS_3 = Group("playouts-tic-tac-toe", "Random playouts, tic-tac-toe", "games", target=5)
PLAYOUTS_15 = Group("playouts-gomoku", "Random playouts, gomoku: 15x15, five in a row", "games")
PLAYOUTS_OTHER = Group("playouts-other", "Random playouts of games that no peer has", "games")
UCT_1000 = Group("uct-1000-7x7-k4", "UCT, 1,000 simulations a move, 7x7, four in a row", "simulations", target=6)
UCT_10000 = Group("uct-10000-7x7-k4", "UCT, 10,000 simulations a move, 7x7, four in a row", "simulations", target=6)
UCT_3 = Group("uct-1000-tic-tac-toe", "UCT, 1,000 simulations a move, tic-tac-toe", "simulations")
MOVES = Group("opening-move-bttt", "Opening moves of Brick Tic-Tac-Toe, brick on D4", "moves", beside_paper=True)
