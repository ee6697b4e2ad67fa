"""Runs that are small enough for a test."""

from typing import Any

from noughts.training.evolution.config import EvolutionConfig

TINY: dict[str, Any] = {
    "task": "mnk(2,4,3)",
    "widths": "4",
    "population": 6,
    "rounds": 10,
    "measure_rounds": 5,
    "schedule": {"iterations": 6, "measure_minutes": None, "checkpoint_seconds": 0},
}


def tiny(**fields: Any) -> EvolutionConfig:
    return EvolutionConfig(**{**TINY, **fields})
