"""The positions of games with their exact values: for each, its value and the moves that keep it, as far as they are proved."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.agents.agent import Want
from noughts.agents.process import question
from noughts.play.playthrough import replay
from noughts.positions import Position
from noughts.store.records import GameRecord

if TYPE_CHECKING:
    from noughts.questions.solved import GameValue
    from noughts.solvers import Solution


class Worth(NamedTuple):
    """Proved bounds on the value of a position, for the side to move.

    Attributes:
        low, high: From -1 to +1; equal if the value is exact.
        moves: By cell, bounds on the value of each legal move, for the side that makes it.
    """

    low: int
    high: int
    moves: Mapping[int, tuple[int, int]]

    @property
    def value(self) -> int | None:
        """The exact value; None if it is not proved."""
        return self.low if self.low == self.high else None

    @property
    def optimal(self) -> tuple[int, ...]:
        """The moves that are proved to keep the value, ascending; none if the value is not proved."""
        return tuple(cell for cell, (low, _) in sorted(self.moves.items()) if low == self.value)

    @property
    def settled(self) -> bool:
        """Whether it is proved of every move whether it keeps the value."""
        value = self.value
        return value is not None and all(low == value or high < value for low, high in self.moves.values())


class SeenPosition(NamedTuple):
    """A position of some games.

    Attributes:
        position: With the moves of the first game that led there.
        played: How often each move was played there.
        endings: How its games ended: ``first``, ``second``, ``draw`` or ``error``.
    """

    position: Position
    played: Mapping[int, int]
    endings: Mapping[str, int]


def positions_of(records: Iterable[GameRecord]) -> list[SeenPosition]:
    """Each position from which a move was made, once, in the order of the games."""
    seen: dict[Position, SeenPosition] = {}
    for record in records:
        position = Position.start(replay(record)[0])
        for move in record.moves:
            _, played, endings = seen.setdefault(position, SeenPosition(position, Counter(), Counter()))
            played[move] += 1  # type: ignore[index] # a Counter, until it is given away
            endings[record.ending] += 1  # type: ignore[index]
            position = position.play(move)
    return list(seen.values())


def worth_of(position: Position, found: "GameValue | Solution | None" = None) -> Worth:
    """The bounds of a position: by the rules if it is over, else by what a solver found."""
    if position.is_over:
        value = position.outcome.value(position.to_move)
        return Worth(value, value, {})
    moves = dict.fromkeys(position.legal_moves, (-1, 1))
    if found is None:
        return Worth(-1, 1, moves)
    return Worth(found.low, found.high, moves | {move.move: (move.low, move.high) for move in found.moves})


def write_positions(records: Iterable[GameRecord], values: Mapping[Position, Worth]) -> str:
    """A line of JSON for each position of some games; squares by name. Positions that are not among `values` have none."""
    return "".join(json.dumps(_to_json(seen, values.get(seen.position))) + "\n" for seen in positions_of(records))


def _to_json(seen: SeenPosition, worth: Worth | None) -> dict[str, Any]:
    at, name = seen.position, seen.position.rules.name_of
    asked = question(0, at, Want.MOVE)
    line = {"version": 1, "rules": str(at.rules)}
    line |= {field: asked[field] for field in ("moves", "to_move", "boards", "closed", "legal")}
    line |= {
        "played": {name(cell): count for cell, count in sorted(seen.played.items())},
        "endings": dict(seen.endings),
    }
    if worth is not None:
        line |= {
            "value": worth.value,
            "low": worth.low,
            "high": worth.high,
            "optimal": [name(cell) for cell in worth.optimal],
            "settled": worth.settled,
            "move_bounds": {name(cell): list(bounds) for cell, bounds in sorted(worth.moves.items())},
        }
    return line
