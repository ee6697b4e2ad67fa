"""The page of a sweep: a table for each test, charts of all conditions, and the same as CSV. Studies may use them, too."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any

from noughts.document.result import Figure, Row, Series, StudyResult
from noughts.questions.conditions import keys_of
from noughts.questions.sweep_tests import Test
from noughts.questions.swept import Measurement, Summary, Swept, SweptCondition, SweptResult
from noughts.rules.text import counted
from noughts.statistics import Interval
from noughts.studies.claims import beside_by_seed, curve_figure, percent
from noughts.studies.study import Conclusion, concluded, section

_CURVES = 8
"""The most conditions in a figure, which shows the best ones."""


def sweep_document(name: str, swept: Swept, result: SweptResult, **about: Any) -> StudyResult:
    """A sweep as a document.

    Args:
        name: The name of the sweep.
        swept, result: The question, and the answer so far.
        about: The fields of `StudyResult` about the run: those of `run.about_run`, complete, problems and repeat.
    """
    tests = ", ".join(test.name for test in swept.tests)
    trainings = sum(len(condition.trainings) for condition in swept.conditions)
    *points, last = (f"{point:,}" for point in swept.points)
    measured = f"{', '.join(points)} and {last}" if points else last
    compared = "How does the condition do"
    if len(swept.conditions) > 1:
        compared = f"How do {len(swept.conditions):,} conditions compare"
    return StudyResult(
        name=name,
        title=f"Sweep {name}",
        question=f"{compared} after {last} positions? {counted(trainings, 'training')}, each measured after {measured} positions by: {tests}.",
        paper="",
        scale="sweep",
        seed=None,
        deviations=(),
        **dict(sweep_page(swept, result)),
        **about,
    )


def sweep_page(swept: Swept, result: SweptResult) -> Conclusion:
    """For each test, the final mean of each condition with its interval, curves by positions, and differences from the first
    condition; then every training by itself. The findings name the best condition of each task."""
    alone = [one for one in result.measured if one.point == swept.points[-1]]
    every = section(
        "Every training",
        (*_columns(swept), "seed", "run", "test"),
        "the value of each test, percent",
        [_training_row(_labels(swept, one.condition), one) for one in alone],
        "The interval covers the test alone: other positions or games with the same weights.",
        measured="value",
    )
    return concluded(*(part for test in swept.tests for part in _of_test(swept, result, test)), every)


def _of_test(swept: Swept, result: SweptResult, test: Test) -> Iterator[Conclusion]:
    last, conditions, columns = swept.points[-1], swept.conditions, _columns(swept)
    ends = [one for one in result.summaries() if (one.test, one.point) == (test.name, last)]
    means = {one.condition: one for one in ends}
    single = {one.condition: one for one in reversed(result.measured) if (one.test, one.point) == (test.name, last)}
    yield section(
        f"{test.name}, after {last:,} positions",
        columns,
        f"{test.about}, percent",
        [_mean_row(_labels(swept, n), means.get(n), single.get(n)) for n in range(len(conditions))],
        "Mean over trainings, one for each seed, with its interval by Student's t. If tests sample positions or games, it is at least as wide as their own intervals are on average.",
        {"The mean over trainings at each measurement, with its interval over them.": _figures(swept, result, test)},
        findings=_best(swept, test, ends),
        measured="mean",
    )
    shares: dict[int, dict[int, Interval]] = {number: {} for number in range(len(conditions))}  # then by seed
    for one in result.measured:
        if (one.test, one.point) == (test.name, last):
            shares[one.condition][one.seed] = one.interval
    first = {number: numbers[0] for numbers in _by_task(swept).values() for number in numbers[1:]}
    apart = (_difference_row(_labels(swept, n), shares[n], shares[first[n]]) for n in sorted(first))
    yield section(
        f"{test.name}: differences from {conditions[0].label}, after {last:,} positions",
        columns,
        f"each condition minus the first, seed by seed: {test.about}, percent",
        filter(None, apart),
        "Mean over the seeds of both, with its interval by Student's t. If it contains 0, these seeds do not show a difference. If tests sample positions or games, it is at least as wide as two such tests can distinguish. Among many conditions some differ by chance.",
        claimed="first condition",
        measured="this condition",
        spread="difference",
    )


def _mean_row(labels: tuple[str, ...], found: Summary | None, first: Measurement | None) -> Row:
    if found is None or first is None:
        return Row(labels=labels)
    low, high, several, note = found.low, found.high, len(found.values), ""
    if low is None and several > 1:
        note = f"All {several} trainings have exactly this value, so how far others would differ is unknown."
    elif low is None and first.exact:
        note = "One training, judged in every position: there is no interval."
    elif low is None:
        low, high, note = first.low, first.high, "One training: the interval is that of its test."
    ours = f"{found.mean:.1f} (n = {several})"
    return Row(labels=labels, ours=ours, value=found.mean, low=low, high=high, count=several, note=note)


def _difference_row(labels: tuple[str, ...], own: Mapping[int, Interval], base: Mapping[int, Interval]) -> Row | None:
    """A row about `beside_by_seed`, or the difference of one seed; None without a common seed."""
    seeds = own.keys() & base.keys()
    if not seeds:
        return None
    first = percent(fmean(base[seed].value for seed in seeds))
    alone = fmean(own[seed].value - base[seed].value for seed in seeds)
    value, low, high = map(percent, beside_by_seed(own, base) or (alone, alone, alone))
    alike = low == high
    return Row(
        labels=labels,
        paper=f"{first:.1f}",
        ours=f"{first + value:.1f}",
        value=value,
        low=None if alike else low,
        high=None if alike else high,
        count=len(seeds),
        note="One seed alone, or the same difference in all: there is no interval." * alike,
    )


def _training_row(labels: tuple[str, ...], one: Measurement) -> Row:
    return Row(
        labels=(*labels, str(one.seed), one.run, one.test),
        ours=one.counts,
        value=one.value,
        low=one.low,
        high=one.high,
        count=one.tested,
        distinct=one.distinct,
    )


def _figures(swept: Swept, result: SweptResult, test: Test) -> Iterator[Figure]:
    """A chart for each task, with the curves of its conditions."""
    curves: dict[int, list[Summary]] = {}
    for one in result.summaries():
        if one.test == test.name:
            curves.setdefault(one.condition, []).append(one)
    for task, numbers in _by_task(swept).items():
        known = [number for number in numbers if number in curves]
        best = sorted(known, key=lambda number: -curves[number][-1].mean)[:_CURVES]
        some = f", the best {_CURVES} of {len(known)}" * (len(known) > len(best))
        lines = [
            Series.through(
                swept.conditions[number].label, ((one.point, one.mean, one.low, one.high) for one in curves[number])
            )
            for number in sorted(best)
        ]
        title = f"{test.name} on {task}{some}"
        yield from curve_figure(f"{test.name}-{task}", title, lines, "positions seen in training", "percent")


def _best(swept: Swept, test: Test, ends: Iterable[Summary]) -> Iterator[str]:
    """A finding for each task: the best condition, and its distance from the next one."""
    for task, numbers in _by_task(swept).items():
        ranked = sorted((one for one in ends if one.condition in numbers), key=lambda one: -one.mean)
        if ranked:
            best = "; the next: ".join(_said(swept.conditions[one.condition], one) for one in ranked[:2])
            yield f"{test.name} on {task}, best mean of {len(ranked)}: {best}."


def sweep_csv(swept: Swept, result: SweptResult) -> str:
    """Every measurement, one on a line: settings, task, seed, test, and its reading."""
    keys, text = _keys(swept), io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow((*keys, "task", *Measurement._fields[1:]))
    for one in result.measured:  # None becomes an empty field
        condition = swept.conditions[one.condition]
        settings = dict(condition.settings)
        lines.writerow((*(settings.get(key, "") for key in keys), condition.task, *one[1:]))
    return text.getvalue()


def _keys(swept: Swept) -> tuple[str, ...]:
    return tuple(keys_of([dict(condition.settings) for condition in swept.conditions]))


def _columns(swept: Swept) -> tuple[str, ...]:
    """The settings that differ, and the task if there are several or nothing else differs."""
    keys = _keys(swept)
    return (*keys, "task") if len(_by_task(swept)) > 1 or not keys else keys


def _labels(swept: Swept, number: int) -> tuple[str, ...]:
    condition = swept.conditions[number]
    fields = {**dict(condition.settings), "task": condition.task}
    return tuple(fields.get(key, "") for key in _columns(swept))


def _by_task(swept: Swept) -> Mapping[str, list[int]]:
    """The indices of the conditions of each task."""
    tasks = [condition.task for condition in swept.conditions]
    return {task: [number for number, own in enumerate(tasks) if own == task] for task in tasks}


def _said(condition: SweptCondition, one: Summary) -> str:
    interval = f" ({one.low:.1f} to {one.high:.1f})" if one.low is not None and one.high is not None else ""
    return f"{condition.label}, {one.mean:.1f} %{interval} over {counted(len(one.values), 'training')}"
