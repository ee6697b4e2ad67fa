"""Runs that are small enough for a test: their configurations, making one, and resuming it as a program."""

import json
import sys
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.store.run_folder import RunFolder
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.events import Event
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.loop import train
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.registry import METHODS
from noughts.training.schedule import Schedule

SELF_PLAY: dict[str, Any] = {
    "schedule": {"iterations": 4, "measure_minutes": None, "checkpoint_seconds": 0},
    "search": {"simulations": 4},
    "games": 8,
    "batch": 16,
    "steps": 2,
    "measure_games": 1,
    "measure_simulations": 0,
    "measure_positions": 0,
}
ALPHAZERO: dict[str, Any] = {
    **SELF_PLAY,
    "task": "mnk(3,3,3,full=second)",
    "network": "mlp:widths=16,norm=batch",
    "plies": 4,
    "opening_plies": 0,
    "window": 64,
    "averaging": 0.75,
}
MUZERO: dict[str, Any] = {
    **SELF_PLAY,
    "task": "mnk(2,3,2,full=second)",
    "network": "mlp:widths=16",
    "opening_plies": 1,
    "window": 24,
    "unroll": 2,
}
EVOLUTION: dict[str, Any] = {
    "task": "mnk(2,4,3)",
    "widths": "4",
    "population": 6,
    "rounds": 10,
    "measure_rounds": 5,
    "schedule": {"iterations": 6, "measure_minutes": None, "checkpoint_seconds": 0},
}


def tiny_alphazero(**fields: Any) -> AlphaZeroConfig:
    return AlphaZeroConfig(**ALPHAZERO | fields)


def tiny_muzero(**fields: Any) -> MuZeroConfig:
    return MuZeroConfig(**MUZERO | fields)


def tiny_evolution(**fields: Any) -> EvolutionConfig:
    return EvolutionConfig(**EVOLUTION | fields)


def limited(iterations: int) -> Schedule:
    """Saves after every iteration and measures at the end only."""
    return Schedule(iterations=iterations, measure_minutes=None, checkpoint_seconds=0)


def make_run(folder: Path, method: str, config: Any) -> RunFolder:
    """A new run of a method."""
    return RunFolder.create(
        folder,
        method=method,
        task=config.task,
        config=config.model_dump(mode="json"),
        seed=config.seed,
        created=datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
    )


def session(run: RunFolder, devices: int | None = None) -> Generator[Event, None, None]:
    """A new session of a run, with a new trainer, under the schedule of its configuration."""
    method = METHODS[run.description.method]
    config = method.config(**run.description.config)
    return train(method.trainer(config, devices), run, config.schedule, time.monotonic)


def train_in(folder: str, method: str, config: str) -> None:
    """Train in a folder, made if necessary, until it is done or killed; print each event."""
    path, chosen = Path(folder), METHODS[method].config(**json.loads(config))
    run = RunFolder.open(path) if (path / "run.json").exists() else make_run(path, method, chosen)
    for event in session(run, devices=2):
        print(type(event).__name__, flush=True)


if __name__ == "__main__":
    from tests.training.toy import METHOD

    METHODS["toy"] = METHOD
    train_in(*sys.argv[1:])
