"""Runs side by side: the settings in which they differ, what they measured of themselves, and their curves."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noughts.statistics import points_interval
from noughts.store.run_folder import RunFolder
from noughts.store.run_metrics import MetricsLine
from noughts.training.metrics import MetricMeaning
from noughts.training.registry import METHODS


class MetricReading(NamedTuple):
    """What a run measured last of one kind.

    Attributes:
        name: Of the metric.
        about: What it is, and against whom; empty if nobody knows.
        value: As it was measured; None if that is no number.
        low, high: Its 95 percent interval; None if it has none, or nobody knows n.
        n: Of how many games or positions it is the mean; None if nobody knows.
    """

    name: str
    about: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None


def different_settings(configs: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The settings that are not equal in all configs: by dotted key the value in each, None where there is none."""
    flat = [dict(flat_config(config)) for config in configs]
    keys = dict.fromkeys(key for config in flat for key in config)
    values = {key: [config.get(key) for config in flat] for key in keys}
    return {key: some for key, some in values.items() if any(value != some[0] for value in some)}


def flat_config(config: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Fields by dotted names, as `--set` takes them."""
    found: list[tuple[str, Any]] = []
    for name, value in config.items():
        inside = isinstance(value, Mapping)
        found += flat_config(value, f"{before}{name}.") if inside else [(f"{before}{name}", value)]
    return found


def measurements(run: RunFolder) -> list[MetricsLine]:
    """Every measurement of strength, in order; StoreError if some are damaged."""
    return [line for line in run.lines() if line.kind == "measurement"]


def last_readings(run: RunFolder) -> list[MetricReading]:
    """What a run measured last, with interval and n as far as they are known; nothing before it measured."""
    measured = measurements(run)
    return [reading(run.description.method, name, measured[-1]) for name in measured[-1].metrics] if measured else []


def reading(method: str, name: str, line: MetricsLine) -> MetricReading:
    """One metric of a measurement."""
    known = METHODS[method].metrics.get(name) if method in METHODS else None
    value, count = line.metrics.get(name), line.counts.get(name)
    low, high = _interval(known, value, count)
    return MetricReading(name, "" if known is None else known.about, value, low, high, count)


def _interval(
    metric: MetricMeaning | None, value: float | None, count: int | None
) -> tuple[float | None, float | None]:
    if metric is None or metric.whole is None or value is None or not count or not 0 <= value <= metric.whole:
        return None, None
    found = points_interval(value / metric.whole * count, count)
    return metric.whole * found.low, metric.whole * found.high
