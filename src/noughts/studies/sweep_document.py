"""What a sweep found, told: one table for each test, curves over each other, and the same as CSV. Studies may use each."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from noughts.document.result import CurveFigure, Figure, Row, Series, StudyResult, Table, beside
from noughts.machine.environment import Environment
from noughts.questions.conditions import keys_of
from noughts.questions.sweep_tests import Test
from noughts.questions.swept import Measurement, PairedDifference, Summary, Swept, SweptCondition, SweptResult
from noughts.rules.text import counted

_CURVES = 8
"""As many conditions as a figure shows; of more the best."""

_MEANS = (
    "Mean over trainings, one for each seed. The interval is over these, by Student's t; where their tests leave something "
    "to chance, it is never narrower than those of the tests are on average."
)
_SAME = "All {} trainings have this value, exactly: how far others would differ is not known from them."
_DIFFERENCES = (
    "Means over the seeds that both have. The interval is over seeds, by Student's t; where their tests leave something to chance, "
    "it is never narrower than two such tests can tell apart. Of many conditions beside one, some differ by chance."
)
_CURVES_SHOW = "The mean over trainings at each measurement, with its interval over them."


def sweep_document(
    name: str,
    swept: Swept,
    result: SweptResult,
    *,
    complete: bool,
    problems: Sequence[str],
    repeat: str,
    environment: Environment,
    started: str,
    seconds: float,
    outside: Mapping[str, str],
) -> StudyResult:
    """A sweep as a document.

    Args:
        name: What it is called.
        swept, result: What was asked, and what is known.
        complete, problems, repeat, environment, started, seconds, outside: As of `StudyResult`.
    """
    tests = ", ".join(test.name for test in swept.tests)
    trainings = sum(len(condition.trainings) for condition in swept.conditions)
    tables = sweep_tables(swept, result)
    return StudyResult(
        name=name,
        title=f"Sweep {name}",
        question=f"How do {counted(len(swept.conditions), 'condition')} compare after {swept.points[-1]:,} positions? "
        f"{counted(trainings, 'training')}, each measured after {_points(swept.points)} positions by: {tests}.",
        paper="",
        scale="sweep",
        seed=None,
        complete=complete,
        tables=tables,
        figures=sweep_figures(swept, result, tables),
        findings=_findings(swept, result),
        deviations=(),
        problems=tuple(problems),
        repeat=repeat,
        environment=environment,
        started=started,
        seconds=seconds,
        outside=dict(outside),
    )


def sweep_tables(swept: Swept, result: SweptResult) -> tuple[Table, ...]:
    """For each test, its mean by condition at the end, with its interval, and the differences from the first condition;
    then every training alone."""
    means = {(one.test, one.condition): one for one in result.summaries() if one.point == swept.points[-1]}
    alone = [one for one in result.measured if one.point == swept.points[-1]]
    apart = [one for one in result.differences(swept.conditions) if one.point == swept.points[-1]]
    columns = _columns(swept)
    tables = []
    for test in swept.tests:
        rows = tuple(
            _mean_row(_labels(swept, condition), means.get((test.name, number)), alone)
            for number, condition in enumerate(swept.conditions)
        )
        tables.append(
            Table(
                title=_title(swept, test),
                label_columns=columns,
                unit=f"{test.about}, percent",
                rows=rows,
                caption=_MEANS,
                measured="mean",
            )
        )
        if differences := [one for one in apart if one.test == test.name]:
            tables.append(_differences_table(swept, test, differences))
    rows = tuple(
        Row(
            labels=(*_labels(swept, swept.conditions[one.condition]), str(one.seed), one.run, one.test),
            ours=one.told,
            value=one.value,
            low=one.low,
            high=one.high,
            count=one.tested,
            distinct=one.distinct,
            note="",
        )
        for one in alone
    )
    caption = "The interval is of the test: what other positions or games would say of the same training."
    columns = (*columns, "seed", "run", "test")
    tables.append(
        Table(
            title="Every training",
            label_columns=columns,
            unit="what each test says, percent",
            rows=rows,
            caption=caption,
            measured="value",
        )
    )
    return tuple(tables)


def sweep_figures(swept: Swept, result: SweptResult, tables: Sequence[Table]) -> tuple[Figure, ...]:
    """For each test and task, the conditions' curves over each other, by positions; shown with the test's table.

    Args:
        tables: Those of `sweep_tables`.
    """
    summaries = result.summaries()
    figures: list[Figure] = []
    by_title = {table.title: table for table in tables}
    for test in swept.tests:
        table = by_title[_title(swept, test)]
        for task in dict.fromkeys(condition.task for condition in swept.conditions):
            curves = {
                number: [one for one in summaries if (one.test, one.condition) == (test.name, number)]
                for number, condition in enumerate(swept.conditions)
                if condition.task == task
            }
            curves = {number: curve for number, curve in curves.items() if curve}
            best = sorted(curves, key=lambda number: -curves[number][-1].mean)[:_CURVES]
            if not curves:
                continue
            some = f", the best {_CURVES} of {len(curves)}" if len(curves) > len(best) else ""
            curve_figure = CurveFigure(
                name=f"{test.name}-{task}",
                title=f"{test.name} on {task}{some}",
                x_label="positions seen in training",
                y_label="percent",
                y_range=(0.0, 100.0),
                series=tuple(_series(swept.conditions[number], curves[number]) for number in sorted(best)),
            )
            figures.extend(beside(table, [curve_figure], _CURVES_SHOW))
    return tuple(figures)


def sweep_csv(swept: Swept, result: SweptResult) -> str:
    """Every measurement, a line each: settings, task, seed, test, and what it said."""
    keys = keys_of([dict(condition.settings) for condition in swept.conditions])
    fields = Measurement._fields[1:]
    lines: list[Sequence[object]] = [(*keys, "task", *fields)]
    for one in result.measured:
        condition = swept.conditions[one.condition]
        lines.append((*_settings(condition, keys), condition.task, *(getattr(one, name) for name in fields)))
    return _write(lines)


def summary_csv(swept: Swept, result: SweptResult) -> str:
    """Every condition at every point by every test, a line each: mean and interval over trainings."""
    keys = keys_of([dict(condition.settings) for condition in swept.conditions])
    lines: list[Sequence[object]] = [(*keys, "task", "test", "point", "mean", "low", "high", "trainings", "tested")]
    for one in result.summaries():
        condition = swept.conditions[one.condition]
        known = (one.test, one.point, one.mean, one.low, one.high, len(one.values), one.tested)
        lines.append((*_settings(condition, keys), condition.task, *known))
    return _write(lines)


def _write(lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)  # None is an empty field
    return text.getvalue()


def _title(swept: Swept, test: Test) -> str:
    """Of the table of a test's means."""
    return f"{test.name}, after {swept.points[-1]:,} positions"


def _columns(swept: Swept) -> tuple[str, ...]:
    """The settings, and the task if there are several or nothing else tells conditions apart."""
    keys = keys_of([dict(condition.settings) for condition in swept.conditions])
    several = len({condition.task for condition in swept.conditions}) > 1
    return (*keys, "task") if several or not keys else keys


def _labels(swept: Swept, condition: SweptCondition) -> tuple[str, ...]:
    return tuple(condition.task if key == "task" else dict(condition.settings).get(key, "") for key in _columns(swept))


def _settings(condition: SweptCondition, keys: Sequence[str]) -> list[str]:
    given = dict(condition.settings)
    return [given.get(key, "") for key in keys]


def _mean_row(labels: tuple[str, ...], found: Summary | None, alone: Sequence[Measurement]) -> Row:
    if found is None:
        return Row(labels=labels)
    low, high, note = found.low, found.high, ""
    if low is None:
        one = next(m for m in alone if (m.condition, m.test) == (found.condition, found.test))
        low, high, note = one.low, one.high, "One training: the interval is that of its test."
        if one.exact:
            low, high, note = None, None, "One training, judged in every position: there is no interval."
        if len(found.values) > 1:
            low, high, note = None, None, _SAME.format(len(found.values))
    return Row(
        labels=labels,
        ours=f"{found.mean:.1f} (n = {len(found.values)})",
        value=found.mean,
        low=low,
        high=high,
        count=len(found.values),
        note=note,
    )


def _differences_table(swept: Swept, test: Test, differences: Sequence[PairedDifference]) -> Table:
    """The rows are of all conditions but the first of each task."""
    rows = tuple(
        Row(
            labels=_labels(swept, swept.conditions[one.condition]),
            paper=f"{one.first:.1f}",
            ours=f"{one.first + one.mean:.1f}",
            value=one.mean,
            low=one.low,
            high=one.high,
            count=one.seeds,
            note="" if one.low is not None else "One seed alone, or the same difference in all: there is no interval.",
        )
        for one in differences
    )
    return Table(
        title=f"{test.name}: differences from {swept.conditions[0].label}, after {swept.points[-1]:,} positions",
        label_columns=_columns(swept),
        unit=f"each condition less the first, by seed, of {test.about}, percent",
        rows=rows,
        caption=_DIFFERENCES,
        claimed="the first",
        measured="this one",
        spread="difference",
    )


def _series(condition: SweptCondition, curve: Sequence[Summary]) -> Series:
    known = [(one.low, one.high) for one in curve if one.low is not None and one.high is not None]
    whole = len(known) == len(curve)
    return Series(
        name=condition.label,
        x=tuple(float(one.point) for one in curve),
        y=tuple(one.mean for one in curve),
        low=tuple(low for low, _ in known) if whole else (),
        high=tuple(high for _, high in known) if whole else (),
    )


def _findings(swept: Swept, result: SweptResult) -> tuple[str, ...]:
    """The best condition by each test on each task, and how far the next one is."""
    found = []
    last = [one for one in result.summaries() if one.point == swept.points[-1]]
    for test in swept.tests:
        for task in dict.fromkeys(condition.task for condition in swept.conditions):
            ranked = sorted(
                (one for one in last if one.test == test.name and swept.conditions[one.condition].task == task),
                key=lambda one: -one.mean,
            )
            if ranked:
                best = "; the next: ".join(_said(swept.conditions[one.condition], one) for one in ranked[:2])
                found.append(f"{test.name} on {task}, best mean of {len(ranked)}: {best}.")
    return tuple(found)


def _said(condition: SweptCondition, one: Summary) -> str:
    interval = f" ({one.low:.1f} to {one.high:.1f})" if one.low is not None and one.high is not None else ""
    return f"{condition.label}, {one.mean:.1f} %{interval} over {counted(len(one.values), 'training')}"


def _points(points: Sequence[int]) -> str:
    *others, last = (f"{point:,}" for point in points)
    return f"{', '.join(others)} and {last}" if others else last
