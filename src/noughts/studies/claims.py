"""A paper's claims as data, the rows that they become, and the charts beside them: what a study needs besides its questions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from noughts.agents import AgentSpec
from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table, beside, judged
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.judged import JudgedTask
from noughts.questions.played import MatchResult
from noughts.questions.question import Question
from noughts.questions.trained import Trained
from noughts.rules import Rules
from noughts.statistics import (
    MARGIN,
    ClusteredShare,
    Comparison,
    Interval,
    compare,
    compare_with_always,
    wilson,
)
from noughts.studies.study import Conclusion

KindT = TypeVar("KindT")


class Measured(NamedTuple):
    """What was read from an answer: how many trials succeeded.

    Attributes:
        successes, trials: The count.
        ours: The count as the paper writes it.
        distinct: How many of the trials differ; 0 where that was not counted.
        note: What a reader should know.
        clustered: The share, if trials come in clusters.
    """

    successes: int
    trials: int
    ours: str
    distinct: int = 0
    note: str = ""
    clustered: ClusteredShare | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A row of a table: what it is about, what is asked, what is read from the answer, and what a paper says of it.

    Attributes:
        row: Its labels.
        ask: The question.
        metric: Reads an answer, also one of which nothing is known yet.
        paper: The paper's number, as printed; empty if it gave none.
        won, of: The same as a count of so many trials; of 0 where the paper speaks of every trial there can be, and then
            `won` is 1 for all of them or 0 for none. None for no comparison.
        margin: Shares that are no further apart count as equal.
        contrary: What one trial does to a claim about every trial.
        note: What a reader should know besides what the metric notes.
    """

    row: tuple[str, ...]
    ask: Question[Any]
    metric: Callable[[Any], Measured]
    paper: str = ""
    won: int | None = None
    of: int = 0
    margin: float = MARGIN
    contrary: Literal["differs", "refuted"] = "refuted"
    note: str = ""

    def measured(self, answers: Answers) -> Row:
        """The row, as far as the answer is known."""
        answer = answers[self.ask]
        if answer is None:
            return Row(labels=self.row, paper=self.paper, note=self.note)
        found = self.metric(answer)
        clustered = found.clustered
        return rate_row(
            self.row,
            found.successes,
            found.trials,
            ours=found.ours,
            share=None if clustered is None else clustered.interval,
            paper=self.paper,
            distinct=found.distinct,
            comparison=self.comparison(found),
            note=notes(found.note, self.note),
        )

    def comparison(self, found: Measured) -> Comparison | None:
        """The paper's count beside ours."""
        if self.won is None:
            return None
        if self.of:
            return compare(found.successes, found.trials, self.won, self.of, self.margin, found.clustered)
        return compare_with_always(found.successes, found.trials, bool(self.won), self.margin, self.contrary)


def games_claim(
    row: tuple[str, ...],
    ask: Question[Any],
    metric: Callable[[Any], Measured],
    won: int | None,
    of: int,
    compared: bool = True,
    note: str = "",
) -> Claim:
    """A paper's count of games won and not won, as ``70 - 30``; its number alone where the two are not `compared`."""
    paper = "" if won is None else f"{won} - {of - won}"
    return Claim(row, ask, metric, paper, won if compared else None, of, note=note)


def wins(result: MatchResult) -> Measured:
    """Games won, as wins - draws - losses, without draws where there are none."""
    return Measured(result.total.wins, result.total.games, str(result.total), result.distinct)


def rate_row(
    labels: tuple[str, ...], successes: int, trials: int, *, ours: str = "", share: Interval | None = None, **row: Any
) -> Row:
    """A row about the trials that succeeded, with Wilson's interval unless another is given; without trials it has no number.

    The other arguments are fields of `Row`.
    """
    if not trials:
        return Row(labels=labels, **row)
    ours, share = ours or f"{successes:,} of {trials:,}", share or wilson(successes, trials)
    return share_row(labels, ours, share, trials, **row)


def share_row(labels: tuple[str, ...], ours: str, share: Interval | None, count: int, **row: Any) -> Row:
    """A row about a share, in percent with its interval; the other arguments are fields of `Row`. Without a share it has no figure."""
    value, low, high = (None, None, None) if share is None else map(percent, share)
    return Row(labels=labels, ours=ours, value=value, low=low, high=high, count=count, **row)


def optimal_row(labels: tuple[str, ...], tally: Tally, *more: str) -> Row:
    """A row about an agent's moves where the choice matters: the share that keeps the value, in percent; `more` is noted."""
    counts = (
        f"of {tally.positions:,} positions {tally.indifferent:,} leave nothing to choose" * bool(tally.positions),
        f"{tally.undecided:,} not decided" * bool(tally.undecided),
        f"{tally.errors:,} errors" * bool(tally.errors),
        f"a random player {percent(tally.chance_share):.0f} percent" * bool(tally.choices),
    )
    note = notes(*more, *counts)
    return rate_row(
        labels,
        tally.optimal,
        tally.choices,
        ours=f"{tally.optimal} of {tally.choices}",
        share=tally.optimal_interval,
        note=note,
    )


def total_of(found: JudgedTask, agent: AgentSpec, *games: Rules) -> Tally:
    """An agent's moves beside truth at all plies, in these games or in all of them."""
    tallies = (found.of(agent, rules) for rules in games or (None,))
    return sum((tally for by_ply in tallies for tally in by_ply.values()), Tally())


def percent(share: float) -> float:
    """A share as percent."""
    return 100.0 * share


def notes(*parts: str) -> str:
    """What there is to note, one thing after another."""
    return "; ".join(filter(None, parts))


def between(share: Interval, digits: int = 1) -> str:
    """A share in percent with its interval: ``12.3 percent (10.0 to 14.9)``."""
    value, low, high = map(percent, share)
    return f"{value:.{digits}f} percent ({low:.{digits}f} to {high:.{digits}f})"


def in_points(found: tuple[float, float, float], digits: int = 1) -> str:
    """A difference of shares in points, with its interval: ``+1.2 points (-0.3 to +2.7)``."""
    value, low, high = (f"{percent(each):+.{digits}f}" for each in found)
    return f"{value} points ({low} to {high})"


def listed(legend: str, facts: Mapping[str, object]) -> Iterator[str]:
    """A finding: what the numbers are, then each with its name; none without numbers."""
    if facts:
        yield f"{legend}: {'; '.join(f'{name} {fact}' for name, fact in facts.items())}."


class Section(NamedTuple):
    """A part of a study's page: a table, the figures beside it, and what is found there."""

    table: Table
    figures: tuple[Figure, ...]
    findings: tuple[str, ...]


def section(
    title: str,
    label_columns: tuple[str, ...],
    unit: str,
    rows: Iterable[Row],
    caption: str,
    figures: Mapping[str, Iterable[Figure]] | None = None,
    finding: str = "",
    told: Callable[[Row], bool] = lambda row: True,
    findings: Iterable[str] = (),
    **table: Any,
) -> Section:
    """A part of a page.

    Args:
        title, label_columns, unit, rows, caption: Of the table; so are all other arguments.
        figures: By what is written below them.
        finding: What rows are found to be, those that are `told`, by their first label if that tells them apart; empty for none.
        findings: What else is found.
    """
    made = Table(title=title, label_columns=label_columns, unit=unit, rows=tuple(rows), caption=caption, **table)
    drawn = (figure for about, some in (figures or {}).items() for figure in beside(made, some, about))
    known = [row for row in made.rows if finding and row.ours and told(row)]
    facts = {
        f"{_name(row, known)}:": row.ours
        if row.low is None or row.high is None or made.spread != "interval"  # of a range, `ours` may be another number
        else f"{row.ours} ({row.low:.1f} to {row.high:.1f})"
        for row in known
    }
    return Section(made, tuple(drawn), (*listed(finding, facts), *findings))


def _name(row: Row, among: Sequence[Row]) -> str:
    """What a row is called: its first label if no other has it, else all."""
    shared = sum(other.labels[0] == row.labels[0] for other in among) > 1
    return ", ".join(filter(None, row.labels)) if shared else row.labels[0]


def concluded(*sections: Section) -> Conclusion:
    """A page of sections; the rows that differ from a paper's are found first."""
    tables = judged([section.table for section in sections if section.table.rows])
    findings = [finding for table in tables for finding in _refuted(table)]
    findings += [finding for section in sections for finding in section.findings]
    return Conclusion(tables, tuple(figure for section in sections for figure in section.figures), tuple(findings))


def _refuted(table: Table) -> Iterator[str]:
    """The rows of a table that differ from what is claimed; none if all agree."""
    differ = {
        f"{_name(row, table.rows)}, {table.claimed}: {row.paper}, {table.measured}:": row.ours
        for row in table.rows
        if row.verdict in ("differs", "refuted")
    }
    return listed(f"{table.title}, claims that do not hold", differ)


def first_seeds_first(seeds: Iterable[tuple[KindT, int]]) -> list[tuple[KindT, int]]:
    """Each kind of training, of so many seeds, with the number of each: first seeds first, so that all kinds fill up together."""
    numbered = [(number, kind) for kind, count in seeds for number in range(count)]
    return [(kind, number) for number, kind in sorted(numbered, key=lambda pair: pair[0])]


def interval_series(name: str, shares: Mapping[int, Interval]) -> Series:
    """A line of shares in percent, with their intervals, over whatever the keys count."""
    return Series(
        name=name,
        x=tuple(map(float, shares)),
        y=tuple(percent(share.share) for share in shares.values()),
        low=tuple(percent(share.low) for share in shares.values()),
        high=tuple(percent(share.high) for share in shares.values()),
    )


def curve_figure(
    name: str,
    title: str,
    lines: Iterable[Series],
    x_label: str,
    y_label: str,
    log_x: bool = False,
    y_range: tuple[float, float] | None = (0.0, 100.0),
) -> tuple[CurveFigure, ...]:
    """A chart of the lines that have a point; none if none has."""
    series = tuple(line for line in lines if line.x)
    if not series:
        return ()
    return (
        CurveFigure(
            name=name, title=title, x_label=x_label, y_label=y_label, log_x=log_x, y_range=y_range, series=series
        ),
    )


def line_of(name: str, points: Mapping[float, float] | Mapping[int, float]) -> Series:
    """A line without intervals."""
    return Series(name=name, x=tuple(map(float, points)), y=tuple(points.values()))


def line_while_training(
    name: str, trained: Trained | None, metric: str, by: str = "positions", scale: float = 1.0
) -> Series:
    """A line of what was measured while training, where it was, over positions or iterations."""
    curve = () if trained is None else trained.curve
    values = ((getattr(point, by), point.values.get(metric)) for point in curve)
    return line_of(name, {at: scale * value for at, value in values if value is not None})


def game_figure(name: str, title: str, rules: Rules, moves: Sequence[int]) -> BoardFigure:
    """A game, its moves numbered."""
    return BoardFigure(name=name, title=title, rules=str(rules), moves=tuple(moves))
