"""Runs that are small enough for a test."""

from typing import Any

from noughts.training.muzero.config import MuZeroConfig

TINY: dict[str, Any] = {
    "task": "mnk(2,3,2,full=second)",
    "network": "mlp:widths=16",
    "schedule": {"iterations": 4, "measure_minutes": None, "checkpoint_seconds": 0},
    "search": {"simulations": 4},
    "games": 8,
    "opening_plies": 1,
    "window": 24,
    "batch": 16,
    "steps": 2,
    "unroll": 2,
    "measure_games": 1,
    "measure_simulations": 0,
    "measure_positions": 0,
}


def tiny(**fields: Any) -> MuZeroConfig:
    return MuZeroConfig(**{**TINY, **fields})
