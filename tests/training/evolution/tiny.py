"""Runs so small that a test can afford them; as a program, one that trains in a folder until it is done or killed."""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.store.run_folder import RunFolder
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.loop import train

TINY: dict[str, Any] = {
    "task": "mnk(2,4,3)",
    "widths": "4",
    "population": 6,
    "rounds": 10,
    "measure_rounds": 5,
    "schedule": {"iterations": 6, "measure_minutes": None, "checkpoint_seconds": 0},
}


def tiny(**fields: Any) -> EvolutionConfig:
    """A configuration of next to nothing, with some fields of one's own."""
    return EvolutionConfig(**{**TINY, **fields})


def new_run(folder: Path, config: EvolutionConfig) -> RunFolder:
    return RunFolder.create(
        folder,
        method="es",
        task=config.task,
        config=config.model_dump(mode="json"),
        seed=config.seed,
        created=datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
    )


def main(folder: str, config: str, threads: str) -> None:
    """Train in a folder, made if need be; says so at each event."""
    from noughts.training.evolution.fitness import prepare
    from noughts.training.evolution.train import Evolution

    prepare(int(threads))
    chosen = EvolutionConfig.from_json(config)
    path = Path(folder)
    run = RunFolder.open(path) if (path / "run.json").exists() else new_run(path, chosen)
    for event in train(Evolution(chosen), run, chosen.schedule, time.monotonic):
        print(type(event).__name__, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
