"""Two runs of one study side by side, such as two seeds: each row's two numbers, and their difference with an interval."""

from typing import NamedTuple

from noughts.document.result import Row, StudyResult, Table, judged
from noughts.rules import NoughtsError
from noughts.statistics import Comparison, compare, recover_variances, wilson

_EXACT = 1e-6


class SideBySide(NamedTuple):
    """Two results of a study, compared.

    Attributes:
        tables: Those that both have, with the rows that both have; a verdict says whether two counts fit one rate.
        left_out: Rows that only one of them has, a line each; a table without a common row has one line.
        same: Pairs of counts that are not compared, as they cannot be told from one answer.
        untested: Pairs that are no plain counts, so that no test is made: their differences have intervals.
        name: Which study and which two runs these are, as part of the names of files: ``mcts-perfect-quick-seed1-less-seed0``.
    """

    tables: tuple[Table, ...]
    left_out: tuple[str, ...]
    same: int
    untested: int
    name: str


_SAME = "The same numbers in both runs, which share answers: not compared."


def side_by_side(
    first: StudyResult, second: StudyResult, names: tuple[str, str], share_answers: bool = False
) -> SideBySide:
    """Set the rows of two results beside each other.

    A difference is the second less the first, with its 95 percent interval recovered from those of both; where rows give
    ranges and not intervals there is none. Counts with intervals of their own are tested, as claims of studies are.

    Args:
        first, second: Results of one study.
        names: What they are called.
        share_answers: Whether some of the answers behind them are the same. Rows do not say on which they rest, so that
            then a pair of rows that are equal in everything measured is not compared.

    Raises:
        NoughtsError: they are of two studies.
    """
    if first.name != second.name:
        raise NoughtsError(f"only runs of one study are compared, and these are of {first.name} and {second.name}")
    others = {table.title: table for table in second.tables}
    tables, left_out, same, untested = [], [], 0, 0
    for table in first.tables:
        other = others.pop(table.title, None)
        if other is None:
            left_out.append(f"only in {names[0]}: the table {table.title!r}")
            continue
        rows = {row.labels: row for row in other.rows}
        pairs = [(row, rows.pop(row.labels)) for row in table.rows if row.labels in rows]
        if not pairs:
            left_out.append(f"no common row: the table {table.title!r}")
            continue
        known = {row.labels for row, _ in pairs}
        untested += sum(None not in (a.value, b.value) and _compared(a, b) is None for a, b in pairs)
        same += sum(share_answers and _is_same(a, b) and _compared(a, b) is not None for a, b in pairs)
        left_out += [_only(names[0], table, row) for row in table.rows if row.labels not in known]
        left_out += [_only(names[1], table, row) for row in rows.values()]
        tables.append(
            Table(
                title=table.title,
                label_columns=table.label_columns,
                unit=f"{names[1]} less {names[0]}, of {table.unit}",
                rows=tuple(_row(table, a, b, share_answers and _is_same(a, b)) for a, b in pairs),
                claimed=names[0],
                measured=names[1],
                spread="difference",
            )
        )
    left_out += [f"only in {names[1]}: the table {title!r}" for title in others]
    return SideBySide(judged(tables), tuple(left_out), same, untested, _name(first, second, names))


def _name(first: StudyResult, second: StudyResult, names: tuple[str, str]) -> str:
    """Of the comparison; two runs alike in scale, seed and guests are told apart by what they are called."""
    one, other = first.run_name, second.run_name
    if one == other:
        return f"{first.name}-{one}-{names[1]}-less-{names[0]}"
    if first.scale == second.scale:
        one = one.removeprefix(f"{first.scale}-")
    return f"{first.name}-{other}-less-{one}"


def _row(table: Table, a: Row, b: Row, same: bool) -> Row:
    value, low, high = None, None, None
    if a.value is not None and b.value is not None:
        value = b.value - a.value
        if table.spread == "interval" and None not in (a.low, a.high, b.low, b.high):
            assert a.low is not None
            assert a.high is not None
            assert b.low is not None
            assert b.high is not None
            value, low, high = recover_variances((b.value, b.low, b.high), (a.value, a.low, a.high))
    return Row(
        labels=a.labels,
        paper=a.ours,
        ours=b.ours,
        value=value,
        low=low,
        high=high,
        count=min(a.count, b.count),
        comparison=None if same else _compared(a, b),
        note=_SAME if same else "",
    )


def _is_same(a: Row, b: Row) -> bool:
    """Whether two rows are equal in all that was measured, if anything was."""
    measured = ("ours", "value", "low", "high", "count", "distinct")
    return a.value is not None and all(getattr(a, name) == getattr(b, name) for name in measured)


def _compared(a: Row, b: Row) -> Comparison | None:
    """A test of two rows that are counts, which a row is if its interval is Wilson's of its count."""
    counts = [_count(a), _count(b)]
    if counts[0] is None or counts[1] is None:
        return None
    return compare(counts[1], b.count, counts[0], a.count)


def _count(row: Row) -> int | None:
    """How many of a row's trials succeeded; None if its value is no such share in percent."""
    if row.value is None or row.low is None or row.high is None or not row.count:
        return None
    successes = round(row.value * row.count / 100)
    if not 0 <= successes <= row.count:
        return None
    expected = wilson(successes, row.count)
    found = (row.value, row.low, row.high)
    alike = all(abs(100 * one - other) < _EXACT for one, other in zip(expected, found, strict=True))
    return successes if alike else None


def _only(name: str, table: Table, row: Row) -> str:
    return f"only in {name}: {', '.join(filter(None, row.labels))} of {table.title!r}"
