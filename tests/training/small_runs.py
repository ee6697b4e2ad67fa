"""Helpers for runs that are small enough for a test: making one, and resuming it as a program."""

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.store.run_folder import RunFolder
from noughts.training.loop import train
from noughts.training.registry import METHODS
from noughts.training.schedule import Schedule


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


def train_in(folder: str, method: str, config: str) -> None:
    """Train in a folder, made if necessary, until it is done or killed; print each event."""
    chosen = METHODS[method].config(**json.loads(config))
    trainer = METHODS[method].trainer(chosen, 2)
    path = Path(folder)
    run = RunFolder.open(path) if (path / "run.json").exists() else make_run(path, method, chosen)
    for event in train(trainer, run, chosen.schedule, time.monotonic):
        print(type(event).__name__, flush=True)


if __name__ == "__main__":
    from tests.training.toy import METHOD

    METHODS["toy"] = METHOD
    train_in(*sys.argv[1:])
