"""The results as Markdown, and their place in README.md."""

from collections.abc import Iterator, Sequence

from benchmarks.case import Group
from benchmarks.results import Ratio, Results, Row, Spread

BEGIN = "<!-- results: begin (written by python -m benchmarks) -->"
END = "<!-- results: end -->"


def replace_between_markers(page: str, text: str, begin: str = BEGIN, end: str = END) -> str:
    """The page with `text` between its two marker comments.

    Raises:
        ValueError: the page does not have each marker once, in their order.
    """
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise ValueError(f"the page needs the line {begin!r} once, and {end!r} once below it")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}"


def write(results: Results, groups: Sequence[Group]) -> str:
    """All tables, explanations of their numbers, and the machine."""
    parts = [targets(results.rows, groups), _where(results), *tables(results.rows, groups)]
    return "\n\n".join(parts) + "\n"


def tables(rows: Sequence[Row], groups: Sequence[Group], explained: bool = True) -> Iterator[str]:
    """The groups that have rows: heading, table, and if `explained`, explanations of the numbers."""
    for group in groups:
        own = [row for row in rows if row.group == group.name]
        if own:
            yield from (f"### {group.title}", "\n".join(_table(group, own)))
            if explained:
                yield "\n".join(calls(own))


def _table(group: Group, rows: Sequence[Row]) -> Iterator[str]:
    if group.beside_paper:
        yield "| agent | seconds a move | min to max | the paper's | times as quick |"
        yield "| --- | ---: | ---: | ---: | ---: |"
        for row in rows:
            yield _cells(row.program, *_seconds_cells(row))
        return
    has_peers = any(row.is_peer for row in rows)
    yield f"| program | {group.unit} a second | min to max |" + (_PEER_HEADS if has_peers else "")
    yield "| --- | ---: | ---: |" + (" ---: | ---: | --- |" if has_peers else "")
    for row in rows:
        cells = [row.program, *_rate_cells(row)]
        if has_peers:
            cells += [times(row.ratio), times(row.alike), _target(group, row)]
        yield _cells(*cells)


_PEER_HEADS = " noughts is quicker by | working alike | target |"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rate_cells(row: Row) -> list[str]:
    if row.rate is None:
        return [row.status, ""]
    return [number(row.rate.median), f"{number(row.rate.min)} to {number(row.rate.max)}"]


def _seconds_cells(row: Row) -> list[str]:
    paper = "" if row.paper_seconds is None else seconds(row.paper_seconds)
    if row.rate is None:
        return [row.status, "", paper, ""]
    taken = Spread(median=1 / row.rate.median, min=1 / row.rate.max, max=1 / row.rate.min)
    quicker = "" if row.paper_seconds is None else _factor(row.paper_seconds / taken.median)
    return [seconds(taken.median), f"{seconds(taken.min)} to {seconds(taken.max)}", paper, quicker]


def _target(group: Group, row: Row) -> str:
    if group.target is None or row.met is None:
        return ""
    return f"{group.target:g}x: {'met' if row.met else '**not met**'}"


def calls(rows: Sequence[Row]) -> Iterator[str]:
    """An explanation of each row's number."""
    for row in rows:
        note = f" ({row.note})" if row.note else ""
        problem = f" **{row.status}**: {row.problem}." if row.status != "ran" else ""
        yield f"- {row.program}: {row.call}{note}.{problem}"


def targets(rows: Sequence[Row], groups: Sequence[Group]) -> str:
    """The targets that are met or missed, and the cases without measurements."""
    titles = {group.name: group for group in groups}
    judged = [row for row in rows if row.met is not None]
    missed = [row for row in judged if not row.met]
    text = f"**Targets: {len(judged) - len(missed)} of {len(judged)} met.**" if judged else "**No target measured.**"
    for row in missed:
        group = titles[row.group]
        text += f"\n- Not met: {group.title}, {row.program}: {times(row.ratio)}, wanted {group.target:g}x."
    unmeasured = [row for row in rows if row.status != "ran"]
    for row in unmeasured:
        text += f"\n- Not measured: {titles[row.group].title}, {row.program}: {row.status}."
    return text


def _where(results: Results) -> str:
    machine = results.machine
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    core = "on one of its" if machine.pinned else "one thread on any of its"
    load = ""
    if machine.load_before is not None and machine.load_after is not None:
        load = f" Load: {machine.load_before:g} before, {machine.load_after:g} after (this run counts for 1)."
    shares = [rounds.cpu_s / rounds.wall_s for row in results.rows for rounds in row.rounds]
    share = f" The core was ours for at least {min(1.0, *shares):.0%} of every measurement." if shares else ""
    return (
        f"Measured {results.date}, {results.rounds} round{'s' * (results.rounds > 1)} of {results.seconds:g} s a case, {core} "
        f"{machine.cores} cores: {machine.processor}, {machine.system}.{load}{share} Versions: {versions}."
    )


def number(value: float) -> str:
    """Format a number with three digits, and k or M."""
    for size, suffix in ((1e6, " M"), (1e3, " k")):
        if value >= 0.9995 * size:
            return f"{_three_digits(value / size)}{suffix}"
    return _three_digits(value)


def seconds(value: float) -> str:
    """Format a time with three digits, in s, ms or µs."""
    for size, suffix in ((1.0, "s"), (1e-3, "ms")):
        if value >= 0.9995 * size:
            return f"{_three_digits(value / size)} {suffix}"
    return f"{_three_digits(value * 1e6)} µs"


def times(ratio: Ratio | None) -> str:
    """Format a ratio as its median, minimum and maximum; empty if there is none."""
    if ratio is None:
        return ""
    spread = ratio.times
    return f"{_factor(spread.median)} ({_factor(spread.min)} to {_factor(spread.max)})"


def _factor(value: float) -> str:
    if value >= 10:
        return f"{value:,.0f}x"
    return f"{value:.1f}x" if value >= 1 else f"{value:.2f}x"


def _three_digits(value: float) -> str:
    decimals = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:,.{decimals}f}"
