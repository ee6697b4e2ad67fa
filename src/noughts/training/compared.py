"""Runs side by side: the settings in which they differ, what they measured of themselves, and their curves."""

import json
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from noughts.statistics import Interval, bounded_mean_interval, mean_share
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
        whole: What all would be, such as 1 of a share; None if it is no part of a whole.
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
        """The value as a share of the whole, with its interval; None if it has none."""
        if self.value is None or self.low is None or self.high is None or not self.whole:
            return None
        return Interval(self.value / self.whole, self.low / self.whole, self.high / self.whole)


class SeedsMean(NamedTuple):
    """The mean of a metric over runs that differ in nothing but their seeds.

    Attributes:
        name: Of the metric.
        runs: How many have it.
        mean: Of their last measurements.
        low, high: Its 95 percent interval over the runs, as of `mean_share`; None if it is no part of a whole, nobody knows n, or
            exact values are all equal.
    """

    name: str
    runs: int
    mean: float
    low: float | None
    high: float | None


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
    whole = None if known is None else known.whole
    return MetricReading(name, "" if known is None else known.about, value, low, high, count, whole)


def equal_but_for_seeds(configs: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The places of configs that are equal in all but their seeds, those of a kind together, 2 or more; the first of each seed."""
    kinds: dict[str, dict[Any, int]] = {}
    for place, config in enumerate(configs):
        kind = json.dumps({**config, "seed": None}, sort_keys=True)
        kinds.setdefault(kind, {}).setdefault(config["seed"], place)
    return [list(places.values()) for places in kinds.values() if len(places) > 1]


def means_over_seeds(readings: Sequence[Sequence[MetricReading]]) -> list[SeedsMean]:
    """The mean of each metric that two runs or more measured, over these.

    Args:
        readings: What each measured; the runs differ in their seeds alone.
    """
    names = dict.fromkeys(one.name for own in readings for one in own)
    found = []
    for name in names:
        ones = [one for own in readings for one in own if one.name == name and one.value is not None]
        if len(ones) > 1:
            found.append(SeedsMean(name, len(ones), *_mean(ones)))
    return found


def _mean(ones: Sequence[MetricReading]) -> tuple[float, float | None, float | None]:
    """Of two or more, with its interval."""
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
    found = bounded_mean_interval(value / metric.whole * count, count)
    return metric.whole * found.low, metric.whole * found.high
