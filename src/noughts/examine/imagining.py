"""Compares a learned model of a game with the rules, and counts its errors by depth.

Below the root, the model imagines each position that a search visits. It is compared with the real position after the
same moves, if there is one:

    made         moves imagined from positions in which the real game is not over
      illegal    of these, illegal moves
      real       the others: the position after the move exists
        ended      of these, positions in which the game is over; missed if the model predicts that it is not
        going      the others; invented if the model predicts that the game is over
    beyond       moves imagined after an illegal one or after the end: there is no such position
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from noughts.examine.judge import LARGEST_ERROR
from noughts.machine import Recorder
from noughts.positions import Position
from noughts.positions.position import BRICK
from noughts.rules import SolverError, Value
from noughts.solvers import Budget
from noughts.solvers.solution import Proof
from noughts.statistics import Interval, interval_of_sums, wilson

if TYPE_CHECKING:
    from noughts.agents.model import ImaginedPosition  # it loads JAX

_ASKED_AT_ONCE = 64
_SURE = 0.5
"""A predicted value above this counts as a win, and one below its negative as a loss."""


class ImaginedTally(Value):
    """Counts of imagined positions of one depth. Each position counts once, however often the search visited it.

    Attributes:
        made, illegal, real, beyond: See above.
        ended, missed, going, invented: Real positions in which the model predicts whether the game is over.
        sides, sides_mistaken: Real unfinished positions in which the model predicts the side to move; wrong predictions.
        boards, boards_wrong: Real positions whose board the model predicts; boards with some wrong cell.
        values: Real positions whose exact value is known.
        error, squared_error: Sums of the distance of the model's value, before any search, from the exact one, and of its square.
        values_wrong: Predictions of a loss in won or drawn positions, or of a win in lost or drawn ones.
    """

    made: int = 0
    illegal: int = 0
    real: int = 0
    beyond: int = 0
    ended: int = 0
    missed: int = 0
    going: int = 0
    invented: int = 0
    sides: int = 0
    sides_mistaken: int = 0
    boards: int = 0
    boards_wrong: int = 0
    values: int = 0
    values_wrong: int = 0
    error: float = 0.0
    squared_error: float = 0.0

    def __add__(self, other: "ImaginedTally") -> "ImaginedTally":
        """The sum of two tallies."""
        return ImaginedTally(
            **{name: getattr(self, name) + getattr(other, name) for name in ImaginedTally.model_fields}
        )

    def share(self, part: str, whole: str) -> Interval | None:
        """Return a count as a proportion of another, with its 95 % Wilson interval; None if that is zero.

        Positions of one search are correlated, so the interval is too narrow.
        """
        return wilson(getattr(self, part), getattr(self, whole)) if getattr(self, whole) else None

    @property
    def value_error(self) -> Interval | None:
        """The mean distance of the model's values from the exact ones, 0 to 2; None without values."""
        return interval_of_sums(self.values, self.error, self.squared_error, LARGEST_ERROR) if self.values else None


def judge_imagination(
    search: "Callable[[Sequence[Position]], Sequence[Sequence[ImaginedPosition]]]",
    positions: Sequence[Position],
    prove: Callable[[Position, Budget], Proof],
    nodes: int | None,
    notes: Recorder | None = None,
) -> dict[int, ImaginedTally]:
    """Count the errors of an agent's model during its search, by the number of moves from the root.

    Args:
        search: See `ModelAgent.imagined_searches`.
        positions: The roots of the searches, all unfinished.
        prove: See `Truth`.
        nodes: Limit for the solver in one position; None for no limit.
        notes: Receives notes on the progress.
    """
    found: dict[int, ImaginedTally] = {}
    value_of = _values(prove, nodes)
    for start in range(0, len(positions), _ASKED_AT_ONCE):
        some = positions[start : start + _ASKED_AT_ONCE]
        if notes is not None:
            notes.note(f"imagination from positions {start + 1} to {start + len(some)} of {len(positions)}")
        for position, imagined in zip(some, search(some), strict=True):
            for depth, tally in judge_nodes(position, imagined, value_of):
                found[depth] = found.get(depth, ImaginedTally()) + tally
    return dict(sorted(found.items()))


def judge_nodes(
    root: Position, imagined: "Sequence[ImaginedPosition]", value_of: Callable[[Position], int | None]
) -> list[tuple[int, ImaginedTally]]:
    """Return a tally for each imagined position, with its depth; parents must come before their children."""
    real: dict[tuple[int, ...], Position | None] = {(): root}
    found = []
    for one in imagined:
        before = real[one.moves[:-1]]
        if before is None or before.is_over:
            real[one.moves] = None
            found.append((len(one.moves), ImaginedTally(beyond=1)))
            continue
        legal = before.is_legal(one.moves[-1])
        after = before.play(one.moves[-1]) if legal else None
        real[one.moves] = after
        tally = ImaginedTally(made=1, illegal=1) if after is None else _beside(one, after, value_of(after))
        found.append((len(one.moves), tally))
    return found


def _beside(one: "ImaginedPosition", real: Position, exact: int | None) -> ImaginedTally:
    """Compare an imagined position with the real one."""
    told, goes_on = one.over is not None, not real.is_over
    wrong = one.cells is not None and any(
        imagined != true for imagined, true in zip(one.cells, real.cells, strict=True) if true != BRICK
    )
    distance = 0.0 if exact is None else abs(one.value - exact)
    says = 1 if one.value > _SURE else -1 if one.value < -_SURE else 0
    return ImaginedTally(
        made=1,
        real=1,
        ended=told and not goes_on,
        missed=not goes_on and one.over is False,
        going=told and goes_on,
        invented=goes_on and one.over is True,
        sides=one.first is not None and goes_on,
        sides_mistaken=one.first is not None and goes_on and one.first == bool(real.ply & 1),
        boards=one.cells is not None,
        boards_wrong=wrong,
        values=exact is not None,
        values_wrong=exact is not None and says not in (0, exact),
        error=distance,
        squared_error=distance * distance,
    )


def _values(prove: Callable[[Position, Budget], Proof], nodes: int | None) -> Callable[[Position], int | None]:
    """Return a cached function for exact values, for the side to move. It returns the result if the game is over."""
    known: dict[tuple[bytes, frozenset[int]], int | None] = {}

    def value_of(position: Position) -> int | None:
        if position.is_over:
            return position.outcome.value(position.to_move)
        key = (position.cells, position.closed)
        if key not in known:
            try:
                proof = prove(position, Budget(nodes))
                known[key] = proof.low if proof.low == proof.high else None
            except SolverError:
                known[key] = None
        return known[key]

    return value_of
