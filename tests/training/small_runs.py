"""How a run is made of a configuration that a test can afford."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noughts.store.run_folder import RunFolder


def make_run(folder: Path, method: str, config: Any) -> RunFolder:
    """A run of a method, with nothing in it yet."""
    return RunFolder.create(
        folder,
        method=method,
        task=config.task,
        config=config.model_dump(mode="json"),
        seed=config.seed,
        created=datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
