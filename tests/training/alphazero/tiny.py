"""Runs that are small enough for a test."""

from typing import Any

from noughts.training.alphazero.config import AlphaZeroConfig

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
    "averaging": 0.75,
    "measure_games": 1,
    "measure_simulations": 0,
    "measure_positions": 0,
}


def tiny(**fields: Any) -> AlphaZeroConfig:
    return AlphaZeroConfig(**{**TINY, **fields})
