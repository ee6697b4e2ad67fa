"""Metrics for TensorBoard, written by `tensorboardX`, an optional dependency."""

import importlib
import math
from collections.abc import Mapping
from typing import Any

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


def add_metrics(writer: Any, group: str, metrics: Mapping[str, float], iteration: int) -> None:
    """Add values by name to a `SummaryWriter`, each as ``group/name``; values that are not finite are left out."""
    for name, value in metrics.items():
        if math.isfinite(value):
            writer.add_scalar(f"{group}/{name}", value, iteration)
