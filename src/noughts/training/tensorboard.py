"""Metrics for TensorBoard, written by `tensorboardX`, an optional dependency."""

import importlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from noughts.rules import NoughtsError
from noughts.rules.errors import install_command


def require_tensorboard() -> Any:
    """Return the module tensorboardX; NoughtsError if it is not installed."""
    try:
        return importlib.import_module("tensorboardX")
    except ImportError:
        raise NoughtsError(
            f"tensorboard=true needs the package tensorboardX: {install_command('tensorboard')}, or leave it out"
        ) from None


class TensorBoardWriter:
    """Writes event files into a folder. As a context manager, it flushes and closes them.

    Raises:
        NoughtsError: tensorboardX is not installed.
    """

    def __init__(self, folder: Path) -> None:
        self._writer = require_tensorboard().SummaryWriter(str(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, group: str, metrics: Mapping[str, float], iteration: int) -> None:
        """Add values by name, each as ``group/name``; values that are not finite are left out."""
        for name, value in metrics.items():
            if math.isfinite(value):
                self._writer.add_scalar(f"{group}/{name}", value, iteration)
