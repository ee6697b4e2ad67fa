"""The positions of games with their exact values: for each, what it is worth and which moves keep that, as far as is proved."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.agents.agent import Want
from noughts.agents.process import question
from noughts.bridges.rows import require
from noughts.bridges.tables import read_lines
from noughts.play.playthrough import replay
from noughts.positions import Outcome, Position
from noughts.rules import StoreError, parse_rules
from noughts.store.file_format import FileFormat
from noughts.store.records import GameRecord

if TYPE_CHECKING:
    from noughts.questions.answers import Answers
    from noughts.questions.solved import ExactValue, GameValue

POSITIONS = FileFormat("positions as lines of JSON, .jsonl", 1, where="`version` of each line")


class Worth(NamedTuple):
    """What is proved about a position, from the side to move.

    Attributes:
        low, high: Bounds on its value, -1 to +1; equal where it is known.
        moves: By cell, bounds on the value of each legal move for the side that plays it.
    """

    low: int
    high: int
    moves: Mapping[int, tuple[int, int]]

    @property
    def value(self) -> int | None:
        """The exact value; None where it is not proved."""
        return self.low if self.low == self.high else None

    @property
    def optimal(self) -> tuple[int, ...]:
        """The moves that are proved to keep the value, ascending; none where the value is not proved."""
        if self.value is None:
            return ()
        return tuple(cell for cell, (low, _) in sorted(self.moves.items()) if low == self.value)

    @property
    def settled(self) -> bool:
        """Whether it is proved of every move whether it keeps the value."""
        value = self.value
        return value is not None and all(low == value or high < value for low, high in self.moves.values())


class SeenPosition(NamedTuple):
    """A position of some games.

    Attributes:
        position: By the moves of the first game that led there.
        played: How often each move was played there.
        endings: How the games ended in which it stood: ``first``, ``second``, ``draw`` or ``error``.
    """

    position: Position
    played: Mapping[int, int]
    endings: Mapping[str, int]


def positions_of(records: Iterable[GameRecord]) -> list[SeenPosition]:
    """Each position in which somebody was to move, once, in the order in which they first stood."""
    seen: dict[Position, tuple[Position, Counter[int], Counter[str]]] = {}
    for record in records:
        position = Position.start(replay(record)[0])
        for move in record.moves:
            _, played, endings = seen.setdefault(position, (position, Counter(), Counter()))
            played[move] += 1
            endings[record.ending] += 1
            position = position.play(move)
    return [SeenPosition(*found) for found in seen.values()]


def value_questions(positions: Sequence[Position], nodes: int, memory: int) -> dict[Position, "ExactValue"]:
    """The question about the exact value of each position and of each of its moves."""
    from noughts.questions.solved import ExactValue

    return {
        at: ExactValue(rules=at.rules, played=at.moves, every_move=True, nodes=nodes, memory=memory) for at in positions
    }


def worths(questions: Mapping[Position, "ExactValue"], answers: "Answers") -> dict[Position, Worth]:
    """What is known of each position."""
    return {position: worth_of(position, answers[asked]) for position, asked in questions.items()}


def worth_of(position: Position, found: "GameValue | None" = None) -> Worth:
    """What is known of a position: by the rules if it is over, else by what was found about it."""
    if position.outcome is not Outcome.ONGOING:
        value = position.outcome.value(position.to_move)
        return Worth(value, value, {})
    moves = dict.fromkeys(position.legal_moves, (-1, 1))
    if found is None:
        return Worth(-1, 1, moves)
    moves |= {move.move: (move.low, move.high) for move in found.moves}
    return Worth(found.low, found.high, moves)


def write_positions(seen: Sequence[SeenPosition], worth: Mapping[Position, Worth]) -> str:
    """A line of JSON for each position; squares go by name."""
    return "".join(json.dumps(_to_json(one, worth.get(one.position))) + "\n" for one in seen)


def read_positions(text: str) -> list[tuple[SeenPosition, Worth]]:
    """What `write_positions` wrote; of values that were not asked for, nothing is known. StoreError for a line that is none."""
    return read_lines(text, _of_json)


def _to_json(seen: SeenPosition, worth: Worth | None) -> dict[str, Any]:
    at, name = seen.position, seen.position.rules.name_of
    asked = question(0, at, Want.MOVE)
    line = {"version": POSITIONS.version, "rules": str(at.rules)}
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


def _of_json(said: dict[str, Any]) -> tuple[SeenPosition, Worth]:
    POSITIONS.read(said.get("version"))
    require(said, ("rules", "moves", "played", "endings"))
    rules = parse_rules(said["rules"])
    position = Position.start(rules, tuple(map(rules.cell_of, said["moves"])))
    if position.is_over:
        raise StoreError("its moves end the game, so that nobody is to move")
    played = {rules.cell_of(name): int(count) for name, count in said["played"].items()}
    seen = SeenPosition(position, played, said["endings"])
    if "move_bounds" not in said:
        return seen, worth_of(position)
    bounds = {rules.cell_of(name): (int(low), int(high)) for name, (low, high) in said["move_bounds"].items()}
    return seen, Worth(said["low"], said["high"], bounds)
