"""A method of learning, and the agent of what it learns: how often each cell was played by the winners of random games."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from noughts.positions import Position, Rng, derive_seed
from noughts.positions.position import Side
from noughts.rules import parse_task
from noughts.store.run_folder import RunFolder
from noughts.training import MethodConfig


class CountingConfig(MethodConfig):
    """So many games an iteration."""

    games: int = Field(default=10, ge=1)


class Counting:
    """Counts the cells of winners."""

    Config = CountingConfig
    player = "winner"

    def __init__(self, config: CountingConfig, devices: int | None) -> None:
        self.config, self.rules = config, parse_task(config.task).rules[0]
        self.iteration = self.positions = 0
        self.counts = [0] * self.rules.size

    def step(self) -> Mapping[str, float]:
        counts, positions = list(self.counts), self.positions
        for game in range(self.config.games):
            rng = Rng(derive_seed(self.config.seed, self.iteration, game))
            position = Position.start(self.rules)
            while not position.is_over:
                position = position.play(rng.choice(position.legal_moves))
            positions += position.ply
            for side in Side:
                if position.outcome.value(side) > 0:
                    for move in position.moves[side::2]:
                        counts[move] += 1
        self.counts, self.positions, self.iteration = counts, positions, self.iteration + 1
        return {"counted": float(sum(counts))}

    def measure(self) -> Mapping[str, float]:
        return {"most": float(max(self.counts))}

    def state(self) -> Mapping[str, bytes]:
        return {"state.json": json.dumps([self.iteration, self.positions, self.counts]).encode()}

    def restore(self, files: Mapping[str, bytes]) -> None:
        self.iteration, self.positions, self.counts = json.loads(files["state.json"])

    def weights(self) -> Mapping[str, bytes]:
        return {"counts.json": json.dumps(self.counts).encode()}


class Winner:
    """Plays the cell that winners played most."""

    def __init__(self, run: str) -> None:
        _, files = RunFolder.find(run).weights_at()
        self.counts = json.loads(files["counts.json"])

    @staticmethod
    def fingerprint(run: str, **more: Any) -> str:
        return RunFolder.find(run).weights_hash()

    def choose(self, position: Position, rng: Rng) -> int:
        return max(position.legal_moves, key=lambda move: (self.counts[move], -move))
