"""Runs so small that a test can afford them; as a program, one that trains in a folder until it is done or killed."""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.store.run_folder import RunFolder
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.loop import train
from noughts.training.schedule import Schedule

TINY: dict[str, Any] = {
    "task": "mnk(3,3,3,full=second)",
    "network": "mlp:widths=16,norm=batch",
    "schedule": {"iterations": 4, "measure_minutes": None, "checkpoint_seconds": 0},
    "search": {"simulations": 4},
    "games": 8,
    "plies": 4,
    "opening_plies": 0,
    "window": 64,
    "batch": 16,
    "steps": 2,
    "measure_games": 1,
    "measure_simulations": 0,
    "measure_positions": 0,
}


def tiny(**fields: Any) -> AlphaZeroConfig:
    """A configuration of next to nothing, with some fields of one's own."""
    return AlphaZeroConfig(**{**TINY, **fields})


def limited(iterations: int) -> Schedule:
    """Saves after every iteration and measures at the end only."""
    return Schedule(iterations=iterations, measure_minutes=None, checkpoint_seconds=0)


def new_run(folder: Path, config: AlphaZeroConfig) -> RunFolder:
    return RunFolder.create(
        folder,
        method="az",
        task=config.task,
        config=config.model_dump(mode="json"),
        seed=config.seed,
        created=datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
    )


def main(folder: str, config: str) -> None:
    """Train in a folder, made if need be; says so at each event."""
    from noughts.training.devices import prepare

    prepare(2)
    from noughts.training.alphazero.train import AlphaZero

    chosen = AlphaZeroConfig.from_json(config)
    path = Path(folder)
    run = RunFolder.open(path) if (path / "run.json").exists() else new_run(path, chosen)
    for event in train(AlphaZero(chosen), run, chosen.schedule, time.monotonic):
        print(type(event).__name__, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
