"""Compare runs: the settings in which they differ, their measurements, and their curves."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from noughts.statistics import wilson
from noughts.store.run_folder import RunFolder
from noughts.store.run_metrics import MetricsLine
from noughts.training.metrics import MetricMeaning
from noughts.training.registry import METHODS


class MetricReading(NamedTuple):
    """A run's last measurement of one metric.

    Attributes:
        name: The name of the metric.
        about: A description of the metric and its opponent; empty for an unknown metric.
        value: The measured value; None if it is not a number.
        low, high: Its 95 percent confidence interval; None if it has none, or n is unknown.
        n: The number of games or positions in the mean; None if unknown.
        whole: The largest possible value, such as 1 for a share; None if the metric is not a fraction of a whole.
    """

    name: str
    about: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    whole: float | None = None


def different_settings(configs: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The settings that differ between configs: by dotted key the value in each config, None where it is missing."""
    flat = [dict(flat_config(config)) for config in configs]
    keys = dict.fromkeys(key for config in flat for key in config)
    values = {key: [config.get(key) for config in flat] for key in keys}
    return {key: some for key, some in values.items() if any(value != some[0] for value in some)}


def flat_config(config: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Fields by dotted names, in the form of `--set`."""
    found: list[tuple[str, Any]] = []
    for name, value in config.items():
        inside = isinstance(value, Mapping)
        found += flat_config(value, f"{before}{name}.") if inside else [(f"{before}{name}", value)]
    return found


def measurements(run: RunFolder) -> list[MetricsLine]:
    """All measurements of strength, in order; StoreError if some are damaged."""
    return [line for line in run.lines() if line.kind == "measurement"]


def last_readings(run: RunFolder) -> list[MetricReading]:
    """A run's last measurement of each metric, with interval and n if known; empty before its first measurement."""
    measured = measurements(run)
    return [reading(run.description.method, name, measured[-1]) for name in measured[-1].metrics] if measured else []


def reading(method: str, name: str, line: MetricsLine) -> MetricReading:
    """One metric of a measurement."""
    known = METHODS[method].metrics.get(name) if method in METHODS else None
    value, count = line.metrics.get(name), line.counts.get(name)
    low, high = _interval(known, value, count)
    whole = None if known is None else known.whole
    return MetricReading(name, "" if known is None else known.about, value, low, high, count, whole)


def _interval(
    metric: MetricMeaning | None, value: float | None, count: int | None
) -> tuple[float | None, float | None]:
    if metric is None or metric.whole is None or value is None or not count or not 0 <= value <= metric.whole:
        return None, None
    found = wilson(value / metric.whole * count, count)
    return metric.whole * found.low, metric.whole * found.high
