"""Published exact counts of positions and games."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.positions import Outcome
from noughts.rules import Rules, parse_rules

DATA = Path(__file__).parent.parent / "data"


@dataclass
class Counts:
    """The fields as documented in the files under `DATA`."""

    perft: Counter[int]
    games: Counter[Outcome]
    positions: Counter[int]
    positions_up_to_symmetry: Counter[int]
    finished_positions: Counter[Outcome]

    @classmethod
    def published(cls, name: str) -> tuple[Rules, "Counts"]:
        """The rules and the numbers in a file."""
        data: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
        return parse_rules(data["rules"]), cls(
            perft=Counter(dict(enumerate(data["perft"], start=1))),
            games=_by_outcome(data["games"]),
            positions=Counter(dict(enumerate(data["positions"]))),
            positions_up_to_symmetry=Counter(dict(enumerate(data["positions_up_to_symmetry"]))),
            finished_positions=_by_outcome(data["finished_positions"]),
        )


def _by_outcome(counts: dict[str, int]) -> Counter[Outcome]:
    return Counter({Outcome[name.upper()]: count for name, count in counts.items()})
