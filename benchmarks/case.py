"""The parts of a benchmark: groups of cases that do the same work, each in the way of one program."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Group:
    """Cases whose numbers may be compared.

    Attributes:
        name: A short name, for options and the results file.
        title: The heading of its table.
        unit: What is counted, in the plural.
        target: The factor by which noughts should be faster than its peers; None for no target. See `Case.sets_target`.
        beside_paper: Whether the table shows seconds for one unit, with those of the paper.
        beside_all: Whether the target applies to every peer, not to OpenSpiel alone.
    """

    name: str
    title: str
    unit: str
    target: float | None = None
    beside_paper: bool = False
    beside_all: bool = False


class Work(NamedTuple):
    """A prepared case: `chunk` does a fixed piece of work and returns the number of units in it."""

    chunk: Callable[[], int]
    note: str = ""  # choices made during preparation, for the table


@dataclass(frozen=True)
class Case:
    """One program doing one group's work.

    Attributes:
        group: The work.
        program: The program's name, for people.
        call: What is called and counted, so that readers can repeat and criticise it.
        prepare: Imports the libraries and prepares the work.
        modules: The peer's modules; if one is not installed, the case is skipped and listed as such. Empty for noughts
            itself. All peers of a group are compared with its first case of noughts.
        alike: The program name of the case of noughts that works in the same way as this peer, if that is another one.
        paper_seconds: The time for one unit according to the paper.
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
        """Whether the group's target applies to this peer: usually only to OpenSpiel, which has these games and searches."""
        return self.is_peer and (self.group.beside_all or "pyspiel" in self.modules)

    @property
    def is_peer(self) -> bool:
        """Whether this is not noughts."""
        return bool(self.modules)


PLAYOUTS_7 = Group("playouts-7x7-k4", "Random playouts, 7x7, four in a row", "games", target=8)
PLAYOUTS_3 = Group("playouts-tic-tac-toe", "Random playouts, tic-tac-toe", "games", target=5)
PLAYOUTS_15 = Group("playouts-gomoku", "Random playouts, gomoku: 15x15, five in a row", "games")
PLAYOUTS_OTHER = Group("playouts-other", "Random playouts of games that no peer has", "games")
UCT_1000 = Group("uct-1000-7x7-k4", "UCT, 1,000 simulations a move, 7x7, four in a row", "simulations", target=6)
UCT_10000 = Group("uct-10000-7x7-k4", "UCT, 10,000 simulations a move, 7x7, four in a row", "simulations", target=6)
UCT_3 = Group("uct-1000-tic-tac-toe", "UCT, 1,000 simulations a move, tic-tac-toe", "simulations")
MOVES = Group("opening-move-bttt", "Opening moves of Brick Tic-Tac-Toe, brick on D4", "moves", beside_paper=True)
