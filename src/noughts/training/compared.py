"""Compare runs: the settings in which they differ, their measurements, and their curves."""

import json
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from noughts.statistics import Interval, mean_share, wilson
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

    @property
    def share(self) -> Interval | None:
        """The value as a fraction of the whole, with its interval; None if it has no interval."""
        if self.value is None or self.low is None or self.high is None or not self.whole:
            return None
        return Interval(self.value / self.whole, self.low / self.whole, self.high / self.whole)


class SeedsMean(NamedTuple):
    """The mean of a metric over runs that differ only in their seeds.

    Attributes:
        name: The name of the metric.
        runs: The number of runs that measured it.
        mean: The mean of their last measurements.
        low, high: Its 95 percent confidence interval over the runs, by `mean_share`; None if it is not a fraction of a whole, n
            is unknown, or exact values are all equal.
    """

    name: str
    runs: int
    mean: float
    low: float | None
    high: float | None


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


def equal_but_for_seeds(configs: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Groups of two or more configs that differ only in their seeds, as lists of indices; of equal seeds, only the first."""
    kinds: dict[str, dict[Any, int]] = {}
    for place, config in enumerate(configs):
        kind = json.dumps({**config, "seed": None}, sort_keys=True)
        kinds.setdefault(kind, {}).setdefault(config["seed"], place)
    return [list(places.values()) for places in kinds.values() if len(places) > 1]


def means_over_seeds(readings: Sequence[Sequence[MetricReading]]) -> list[SeedsMean]:
    """The mean of each metric over the runs that measured it, if there are two or more.

    Args:
        readings: The measurements of each run; the runs differ only in their seeds.
    """
    names = dict.fromkeys(one.name for own in readings for one in own)
    found = []
    for name in names:
        ones = [one for own in readings for one in own if one.name == name and one.value is not None]
        if len(ones) > 1:
            found.append(SeedsMean(name, len(ones), *_mean(ones)))
    return found


def _mean(ones: Sequence[MetricReading]) -> tuple[float, float | None, float | None]:
    """The mean of two or more readings, with its interval."""
    mean, shares = fmean(one.value for one in ones if one.value is not None), [one.share for one in ones]
    known = [share for share in shares if share is not None]
    if len(known) < len(ones):
        return mean, None, None
    whole = ones[0].whole or 1.0
    _, low, high = mean_share(known)
    return (mean, None, None) if low == high else (mean, whole * low, whole * high)


def _interval(
    metric: MetricMeaning | None, value: float | None, count: int | None
) -> tuple[float | None, float | None]:
    if metric is None or metric.whole is None or value is None or not count or not 0 <= value <= metric.whole:
        return None, None
    found = wilson(value / metric.whole * count, count)
    return metric.whole * found.low, metric.whole * found.high
