"""Exact counts of positions and games, and how to compute them."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noughts.positions import BRICK, EMPTY, Outcome
from noughts.positions.backends import Backend, BackendGame
from noughts.rules import Rules, parse_rules, symmetries

DATA = Path(__file__).parent.parent / "data"


@dataclass
class Counts:
    """As the files under `DATA` explain them; an empty `Counter` where a way to count does not say."""

    perft: Counter[int] = field(default_factory=Counter)
    games: Counter[Outcome] = field(default_factory=Counter)
    positions: Counter[int] = field(default_factory=Counter)
    positions_up_to_symmetry: Counter[int] = field(default_factory=Counter)
    finished_positions: Counter[Outcome] = field(default_factory=Counter)

    @classmethod
    def published(cls, name: str) -> tuple[Rules, "Counts"]:
        """The rules and the numbers of a file."""
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


def count_positions(rules: Rules, seen: dict[bytes, Outcome]) -> Counts:
    """The part of `Counts` that is about positions, from the cells and the outcome of each reachable one."""
    counts = Counts()
    maps = [symmetry.image for symmetry in symmetries(rules)]
    canonical = set()
    for cells, outcome in seen.items():
        counts.positions[_ply(cells)] += 1
        if outcome is not Outcome.ONGOING:
            counts.finished_positions[outcome] += 1
        canonical.add(min(bytes(cells[to] for to in image) for image in maps))
    for cells in canonical:
        counts.positions_up_to_symmetry[_ply(cells)] += 1
    return counts


def count_by_merging(backend: Backend, rules: Rules) -> Counts:
    """Depth first on one board, going on from each position once; games are counted by the sequences that lead on."""
    futures: dict[bytes, tuple[Counter[int], Counter[Outcome]]] = {}
    outcomes: dict[bytes, Outcome] = {}

    def explore(game: BackendGame) -> tuple[Counter[int], Counter[Outcome]]:
        """The sequences from here by length, and the games by outcome."""
        here = game.snapshot()
        if here.cells not in futures:
            sequences: Counter[int] = Counter()
            games: Counter[Outcome] = Counter()
            outcomes[here.cells] = here.outcome
            if here.outcome is not Outcome.ONGOING:
                games[here.outcome] = 1
            for move in here.legal:
                game.play(move)
                later, ended = explore(game)
                game.undo()
                sequences[1] += 1
                sequences.update({length + 1: count for length, count in later.items()})
                games.update(ended)
            futures[here.cells] = sequences, games
        return futures[here.cells]

    perft, games = explore(backend.start(rules))
    counts = count_positions(rules, outcomes)
    counts.perft, counts.games = perft, games
    return counts


def _ply(cells: bytes) -> int:
    return sum(content not in (EMPTY, BRICK) for content in cells)
