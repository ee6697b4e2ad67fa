"""The positions of games with their exact values: the value of each and its optimal moves, as far as they are proved."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from noughts.agents.agent import Want
from noughts.agents.process import question
from noughts.play.playthrough import replay
from noughts.positions import Position
from noughts.solvers.solution import MoveSolution, Proof, Solution
from noughts.store.records import GameRecord


def positions_of(records: Iterable[GameRecord]) -> dict[Position, tuple[Counter[int], Counter[str]]]:
    """Count, for each position in which a move was made, how often each move was played and each ending followed.

    The positions are in the order of the games, with the moves of the first game that reached each. Endings are ``first``,
    ``second``, ``draw`` and ``error``.
    """
    seen: dict[Position, tuple[Counter[int], Counter[str]]] = {}
    for record in records:
        position = Position.start(replay(record)[0])
        for move in record.moves:
            played, endings = seen.setdefault(position, (Counter(), Counter()))
            played[move] += 1
            endings[record.ending] += 1
            position = position.play(move)
    return seen


def by_rules(position: Position) -> Solution:
    """The bounds on a position without a solver: exact if the game is over, else those of every value."""
    if position.is_over:
        proof = Proof.by_rules(position)
        return Solution(proof.low, proof.high, None, (), "rules", 0)
    moves = tuple(MoveSolution(move, -1, 1) for move in position.legal_moves)
    return Solution(-1, 1, None, moves, "rules", 0)


def write_positions(records: Iterable[GameRecord], values: Mapping[Position, Solution]) -> str:
    """A line of JSON for each position of some games, squares by name; positions outside `values` get no value."""
    seen = positions_of(records).items()
    return "".join(json.dumps(_to_json(at, *counts, values.get(at))) + "\n" for at, counts in seen)


def _to_json(at: Position, played: Counter[int], endings: Counter[str], found: Solution | None) -> dict[str, Any]:
    name = at.rules.name_of
    asked = question(0, at, Want.MOVE)
    line = {"version": 1, "rules": str(at.rules)}
    line |= {field: asked[field] for field in ("moves", "to_move", "boards", "closed", "legal")}
    line |= {
        "played": {name(cell): count for cell, count in sorted(played.items())},
        "endings": dict(endings),
    }
    if found is not None:
        # Whether each move is proved either optimal or not optimal.
        settled = found.value is not None and all(
            move.low == found.value or move.high < found.value for move in found.moves
        )
        line |= {
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "optimal": [name(cell) for cell in found.optimal],
            "settled": settled,
            "move_bounds": {name(move.move): [move.low, move.high] for move in found.moves},
        }
    return line
