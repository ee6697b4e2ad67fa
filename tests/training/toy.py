"""A trainer without arrays: a chain of hashes, so that any step done twice, left out or half done is visible in the end."""

import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from noughts.rules import Value
from noughts.store.run_folder import RunFolder
from noughts.training.method_config import MethodConfig
from noughts.training.registry import Method
from noughts.training.schedule import Schedule
from tests.training.small_runs import make_run


class Size(Value):
    """The size of a state in bytes, and the duration of a step in seconds."""

    called: ClassVar = "size"

    kept: int = 100
    seconds: float = 0.0


class ToyConfig(MethodConfig):
    """The form of a method's config."""

    presets: ClassVar = {
        "plain": {},
        "paper": {"network": "resnet", "seed": 7},
        "short": {"schedule": {"iterations": 3}},
    }

    task: str = "tic-tac-toe"
    network: str = "line"
    seed: int = 0
    size: Size = Size()
    schedule: Schedule = Schedule(iterations=5)


class Toy:
    def __init__(self, config: ToyConfig) -> None:
        self.config = config
        self.iteration = 0
        self.positions = 0
        self.hash = hashlib.sha256(str(config.seed).encode()).digest()

    def step(self) -> Mapping[str, float]:
        if self.config.size.seconds:
            time.sleep(self.config.size.seconds)
        self.hash = hashlib.sha256(self.hash).digest()
        self.iteration += 1
        self.positions += 10
        return {"loss": 1 / self.iteration, "odd": float("nan") if self.iteration % 2 else 0.0}

    def measure(self) -> Mapping[str, float]:
        return {"wins": 1 - 1 / (1 + self.iteration)}

    def state(self) -> dict[str, bytes]:
        counters = {"iteration": self.iteration, "positions": self.positions}
        ballast = (self.hash * (self.config.size.kept // len(self.hash) + 1))[: self.config.size.kept]
        return {"hash": self.hash, "counters.json": json.dumps(counters).encode(), "ballast": ballast}

    def restore(self, files: Mapping[str, bytes]) -> None:
        counters = json.loads(files["counters.json"])
        self.hash = files["hash"]
        self.iteration, self.positions = counters["iteration"], counters["positions"]

    def weights(self) -> dict[str, bytes]:
        return {"weights.safetensors": self.hash}


METHOD = Method("toy", "hashes", ToyConfig, lambda config, _: Toy(config))


def new_run(folder: Path, config: ToyConfig) -> RunFolder:
    return make_run(folder, "toy", config)
