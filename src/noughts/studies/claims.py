"""A paper's claims as data, the rows that they become, and the charts beside them: what a study needs besides its questions."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from noughts.document.result import BoardFigure, CurveFigure, Row, Series, Table
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.played import MatchResult
from noughts.questions.question import Question
from noughts.rules import Rules
from noughts.statistics import (
    MARGIN,
    ClusteredShare,
    Comparison,
    Interval,
    Verdict,
    compare,
    compare_with_always,
    wilson,
)


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
        table: The title of its table.
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

    table: str
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


def table_of(
    claims: Iterable[Claim], answers: Answers, title: str, label_columns: tuple[str, ...], unit: str, caption: str
) -> Table:
    """The table of that title: a row for each claim that stands in it."""
    rows = tuple(claim.measured(answers) for claim in claims if claim.table == title)
    return Table(title=title, label_columns=label_columns, unit=unit, rows=rows, caption=caption)


def wins(result: MatchResult) -> Measured:
    """Games won, as wins - draws - losses, without draws where there are none."""
    return Measured(result.total.wins, result.total.games, str(result.total), result.distinct)


def rate_row(
    labels: tuple[str, ...],
    successes: int,
    trials: int,
    *,
    ours: str = "",
    share: Interval | None = None,
    paper: str = "",
    distinct: int = 0,
    comparison: Comparison | None = None,
    note: str = "",
) -> Row:
    """A row about the trials that succeeded, with Wilson's interval unless another is given; without trials it has no number."""
    if not trials:
        return Row(labels=labels, paper=paper, distinct=distinct, note=note)
    return share_row(
        labels,
        ours or f"{successes:,} of {trials:,}",
        share or wilson(successes, trials),
        trials,
        paper=paper,
        distinct=distinct,
        comparison=comparison,
        note=note,
    )


def percent(share: float) -> float:
    """A share as percent."""
    return 100.0 * share


def verdicts_in_words(rows: Sequence[Row]) -> str:
    """How many rows came out in which way: "12 agree, 1 differ, 5 are not distinguishable, of 18"."""
    counts: Counter[Verdict] = Counter(row.verdict for row in rows if row.verdict != "no claim")
    words: dict[Verdict, str] = {
        "agrees": "agree",
        "differs": "differ",
        "refuted": "are refuted",
        "not distinguishable": "are not distinguishable",
    }
    said = [f"{counts[verdict]} {several}" for verdict, several in words.items() if counts[verdict]]
    return f"{', '.join(said)}, of {counts.total()}"


def interval_series(name: str, shares: Mapping[int, Interval]) -> Series:
    """A line of shares in percent, with their intervals, over whatever the keys count."""
    return Series(
        name=name,
        x=tuple(map(float, shares)),
        y=tuple(percent(share.share) for share in shares.values()),
        low=tuple(percent(share.low) for share in shares.values()),
        high=tuple(percent(share.high) for share in shares.values()),
    )


def share_row(
    labels: tuple[str, ...],
    ours: str,
    share: Interval | None,
    count: int,
    *,
    paper: str = "",
    distinct: int = 0,
    comparison: Comparison | None = None,
    note: str = "",
) -> Row:
    """A row about a share, in percent with its interval; the other arguments are the row's. Without a share it has no figure."""
    value, low, high = (None, None, None) if share is None else map(percent, share)
    return Row(
        labels=labels,
        paper=paper,
        ours=ours,
        value=value,
        low=low,
        high=high,
        count=count,
        distinct=distinct,
        comparison=comparison,
        note=note,
    )


def optimal_row(labels: tuple[str, ...], tally: Tally, note: str) -> Row:
    """A row about an agent's moves where the choice matters: the share that keeps the value, in percent; without
    choices the note alone."""
    if not tally.choices:
        return Row(labels=labels, note=note)
    share = tally.optimal_interval
    return share_row(
        labels=labels,
        ours=f"{tally.optimal} of {tally.choices}",
        share=share,
        count=tally.choices,
        note=note,
    )


def notes(*parts: str) -> str:
    """What there is to note, one thing after another."""
    return "; ".join(filter(None, parts))


def between(share: Interval, digits: int = 1) -> str:
    """A share in percent with its interval: ``12.3 percent (10.0 to 14.9)``."""
    value, low, high = map(percent, share)
    return f"{value:.{digits}f} percent ({low:.{digits}f} to {high:.{digits}f})"


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


def game_figure(name: str, title: str, rules: Rules, moves: Sequence[int]) -> BoardFigure:
    """A game, its moves numbered."""
    return BoardFigure(name=name, title=title, rules=str(rules), moves=tuple(moves))
