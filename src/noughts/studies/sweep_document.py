"""What a sweep found, told: one table for each test, curves over each other, and the same as CSV. Studies may use each."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from noughts.document.result import Figure, Row, Series, StudyResult, Table, beside
from noughts.questions.conditions import keys_of
from noughts.questions.sweep_tests import Test
from noughts.questions.swept import Measurement, PairedDifference, Summary, Swept, SweptCondition, SweptResult
from noughts.rules.text import counted
from noughts.studies.claims import curve_figure

_CURVES = 8
"""As many conditions as a figure shows; of more the best."""

_Known = tuple[int, str]
"""A condition's place and the name of a test."""


def sweep_document(name: str, swept: Swept, result: SweptResult, **run: Any) -> StudyResult:
    """A sweep as a document.

    Args:
        name: What it is called.
        swept, result: What was asked, and what is known.
        run: What `StudyResult` says of its run: complete, problems, repeat, environment, started, seconds, outside.
    """
    tests = ", ".join(test.name for test in swept.tests)
    trainings = sum(len(condition.trainings) for condition in swept.conditions)
    *points, last = (f"{point:,}" for point in swept.points)
    measured = f"{', '.join(points)} and {last}" if points else last
    tables = sweep_tables(swept, result)
    return StudyResult(
        name=name,
        title=f"Sweep {name}",
        question=f"How do {counted(len(swept.conditions), 'condition')} compare after {last} positions? "
        f"{counted(trainings, 'training')}, each measured after {measured} positions by: {tests}.",
        paper="",
        scale="sweep",
        seed=None,
        tables=tables,
        figures=sweep_figures(swept, result, tables),
        findings=tuple(_findings(swept, result)),
        deviations=(),
        **run,
    )


def sweep_tables(swept: Swept, result: SweptResult) -> tuple[Table, ...]:
    """For each test, its mean by condition at the end, with its interval, and the differences from the first condition;
    then every training alone."""
    last, conditions, columns = swept.points[-1], swept.conditions, _columns(swept)
    alone = [one for one in result.measured if one.point == last]
    means = {(one.condition, one.test): one for one in result.summaries() if one.point == last}
    single = {(one.condition, one.test): one for one in reversed(alone)}
    apart = [one for one in result.differences(conditions) if one.point == last]
    tables = []
    for test in swept.tests:
        keys = [(number, test.name) for number in range(len(conditions))]
        tables.append(
            Table(
                title=_title(swept, test),
                label_columns=columns,
                unit=f"{test.about}, percent",
                rows=tuple(_mean_row(_labels(swept, key[0]), means.get(key), single.get(key)) for key in keys),
                caption="Mean over trainings, one for each seed. The interval is over these, by Student's t; where their tests leave something "
                "to chance, it is never narrower than those of the tests are on average.",
                measured="mean",
            )
        )
        if differences := [one for one in apart if one.test == test.name]:
            tables.append(
                Table(
                    title=f"{test.name}: differences from {conditions[0].label}, after {last:,} positions",
                    label_columns=columns,
                    unit=f"each condition less the first, by seed, of {test.about}, percent",
                    rows=tuple(_difference_row(_labels(swept, one.condition), one) for one in differences),
                    caption="Means over the seeds that both have. The interval is over seeds, by Student's t; where their tests leave something to chance, "
                    "it is never narrower than two such tests can tell apart. Of many conditions beside one, some differ by chance.",
                    claimed="the first",
                    measured="this one",
                    spread="difference",
                )
            )
    every = Table(
        title="Every training",
        label_columns=(*columns, "seed", "run", "test"),
        unit="what each test says, percent",
        rows=tuple(_training_row(_labels(swept, one.condition), one) for one in alone),
        caption="The interval is of the test: what other positions or games would say of the same training.",
        measured="value",
    )
    return (*tables, every)


def _mean_row(labels: tuple[str, ...], found: Summary | None, first: Measurement | None) -> Row:
    if found is None or first is None:
        return Row(labels=labels)
    low, high, several, note = found.low, found.high, len(found.values), ""
    if low is None and several > 1:
        note = f"All {several} trainings have this value, exactly: how far others would differ is not known from them."
    elif low is None and first.exact:
        note = "One training, judged in every position: there is no interval."
    elif low is None:
        low, high, note = first.low, first.high, "One training: the interval is that of its test."
    ours = f"{found.mean:.1f} (n = {several})"
    return Row(labels=labels, ours=ours, value=found.mean, low=low, high=high, count=several, note=note)


def _difference_row(labels: tuple[str, ...], one: PairedDifference) -> Row:
    return Row(
        labels=labels,
        paper=f"{one.first:.1f}",
        ours=f"{one.first + one.mean:.1f}",
        value=one.mean,
        low=one.low,
        high=one.high,
        count=one.seeds,
        note="" if one.low is not None else "One seed alone, or the same difference in all: there is no interval.",
    )


def _training_row(labels: tuple[str, ...], one: Measurement) -> Row:
    return Row(
        labels=(*labels, str(one.seed), one.run, one.test),
        ours=one.told,
        value=one.value,
        low=one.low,
        high=one.high,
        count=one.tested,
        distinct=one.distinct,
    )


def sweep_figures(swept: Swept, result: SweptResult, tables: Sequence[Table]) -> tuple[Figure, ...]:
    """For each test and task, the conditions' curves over each other, by positions; shown with the test's table.

    Args:
        tables: Those of `sweep_tables`.
    """
    curves: dict[_Known, list[Summary]] = {}
    for one in result.summaries():
        curves.setdefault((one.condition, one.test), []).append(one)
    figures: list[Figure] = []
    for test in swept.tests:
        table = next(table for table in tables if table.title == _title(swept, test))
        for task, numbers in _by_task(swept).items():
            known = {number: curves[number, test.name] for number in numbers if (number, test.name) in curves}
            best = sorted(known, key=lambda number: -known[number][-1].mean)[:_CURVES]
            some = f", the best {_CURVES} of {len(known)}" if len(known) > len(best) else ""
            lines = [_series(swept.conditions[number], known[number]) for number in sorted(best)]
            title = f"{test.name} on {task}{some}"
            figure = curve_figure(f"{test.name}-{task}", title, lines, "positions seen in training", "percent")
            about = "The mean over trainings at each measurement, with its interval over them."
            figures.extend(beside(table, figure, about))
    return tuple(figures)


def _series(condition: SweptCondition, curve: Sequence[Summary]) -> Series:
    known = [(one.low, one.high) for one in curve if one.low is not None and one.high is not None]
    low, high = zip(*known, strict=True) if known and len(known) == len(curve) else ((), ())
    x, y = tuple(float(one.point) for one in curve), tuple(one.mean for one in curve)
    return Series(name=condition.label, x=x, y=y, low=low, high=high)


def sweep_csv(swept: Swept, result: SweptResult) -> str:
    """Every measurement, a line each: settings, task, seed, test, and what it said."""
    fields = Measurement._fields[1:]
    rows = ((one.condition, [getattr(one, name) for name in fields]) for one in result.measured)
    return _csv(swept, fields, rows)


def summary_csv(swept: Swept, result: SweptResult) -> str:
    """Every condition at every point by every test, a line each: mean and interval over trainings."""
    columns = ("test", "point", "mean", "low", "high", "trainings", "tested")
    rows = (
        (one.condition, [one.test, one.point, one.mean, one.low, one.high, len(one.values), one.tested])
        for one in result.summaries()
    )
    return _csv(swept, columns, rows)


def _csv(swept: Swept, columns: Iterable[str], rows: Iterable[tuple[int, Sequence[object]]]) -> str:
    """A line for each row about a condition, its settings and its task first."""
    keys, text = _keys(swept), io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow((*keys, "task", *columns))
    for number, row in rows:  # None is an empty field
        settings, task = dict(swept.conditions[number].settings), swept.conditions[number].task
        lines.writerow((*(settings.get(key, "") for key in keys), task, *row))
    return text.getvalue()


def _title(swept: Swept, test: Test) -> str:
    """Of the table of a test's means."""
    return f"{test.name}, after {swept.points[-1]:,} positions"


def _keys(swept: Swept) -> tuple[str, ...]:
    return tuple(keys_of([dict(condition.settings) for condition in swept.conditions]))


def _columns(swept: Swept) -> tuple[str, ...]:
    """The settings, and the task if there are several or nothing else tells conditions apart."""
    keys = _keys(swept)
    return (*keys, "task") if len(_by_task(swept)) > 1 or not keys else keys


def _labels(swept: Swept, number: int) -> tuple[str, ...]:
    condition = swept.conditions[number]
    fields = {**dict(condition.settings), "task": condition.task}
    return tuple(fields.get(key, "") for key in _columns(swept))


def _by_task(swept: Swept) -> Mapping[str, list[int]]:
    """The places of the conditions of each task."""
    found: dict[str, list[int]] = {}
    for number, condition in enumerate(swept.conditions):
        found.setdefault(condition.task, []).append(number)
    return found


def _findings(swept: Swept, result: SweptResult) -> Iterator[str]:
    """The best condition by each test on each task, and how far the next one is."""
    last = [one for one in result.summaries() if one.point == swept.points[-1]]
    for test in swept.tests:
        for task, numbers in _by_task(swept).items():
            own = [one for one in last if one.test == test.name and one.condition in numbers]
            ranked = sorted(own, key=lambda one: -one.mean)
            if ranked:
                best = "; the next: ".join(_said(swept.conditions[one.condition], one) for one in ranked[:2])
                yield f"{test.name} on {task}, best mean of {len(ranked)}: {best}."


def _said(condition: SweptCondition, one: Summary) -> str:
    interval = f" ({one.low:.1f} to {one.high:.1f})" if one.low is not None and one.high is not None else ""
    return f"{condition.label}, {one.mean:.1f} %{interval} over {counted(len(one.values), 'training')}"
