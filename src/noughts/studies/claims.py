"""A paper's claims as data, their rows in tables, and the charts beside them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.agents import AgentSpec
from noughts.document.result import CurveFigure, Row, Series
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.judged import JudgedTask
from noughts.questions.played import MatchResult
from noughts.questions.question import Question
from noughts.rules import Rules
from noughts.statistics import (
    MARGIN,
    ClusteredShare,
    Comparison,
    Interval,
    compare,
    compare_with_always,
    mean_difference,
    wilson,
)


class Measured(NamedTuple):
    """The counts in an answer: how many trials succeeded.

    Attributes:
        successes, trials: The count.
        ours: The count, written as in the paper.
        distinct: How many of the trials differ; 0 if that was not counted.
        note: For the row.
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
    """A row of a table: its labels, its question, how to measure the answer, and a paper's number.

    Attributes:
        row: The labels of the row.
        ask: The question.
        metric: Measures an answer; of a question that only counts, also an empty one.
        paper: The paper's number, as printed; empty if it gave none.
        won, of: The same as `won` of `of` trials. If the paper makes a claim about every possible trial, `of` is 0, and `won`
            is 1 for all or 0 for none. `won` is None without a comparison.
        margin: The difference between shares that still counts as equal.
        note: The row's note, after the metric's.
    """

    row: tuple[str, ...]
    ask: Question[Any]
    metric: Callable[[Any], Measured]
    paper: str = ""
    won: int | None = None
    of: int = 0
    margin: float = MARGIN
    note: str = ""

    def measured(self, answers: Answers) -> Row:
        """The row; without our numbers while there is no answer."""
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
        """The comparison of the paper's count with ours; None without one."""
        if self.won is None:
            return None
        if self.of:
            return compare(found.successes, found.trials, self.won, self.of, self.margin, found.clustered)
        return compare_with_always(found.successes, found.trials, bool(self.won), self.margin)


def games_claim(
    row: tuple[str, ...],
    ask: Question[Any],
    metric: Callable[[Any], Measured],
    won: int | None,
    of: int,
    compared: bool = True,
    note: str = "",
) -> Claim:
    """A claim about a paper's count of games won and not won, as ``70 - 30``; shown without a comparison unless `compared`."""
    paper = "" if won is None else f"{won} - {of - won}"
    return Claim(row, ask, metric, paper, won if compared else None, of, note=note)


def wins(result: MatchResult) -> Measured:
    """Games won, as wins - draws - losses, without draws where there are none."""
    return Measured(result.total.wins, result.total.games, str(result.total), result.distinct)


def rate_row(
    labels: tuple[str, ...], successes: int, trials: int, *, ours: str = "", share: Interval | None = None, **row: Any
) -> Row:
    """A row about the trials that succeeded, with Wilson's interval unless another is given. Without trials it has no number.

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
    """A row about an agent's moves in non-trivial positions: the share of optimal ones, in percent. Its note begins with `more`."""
    return rate_row(
        labels,
        tally.optimal,
        tally.choices,
        ours=f"{tally.optimal} of {tally.choices}",
        share=tally.optimal_interval,
        note=notes(*more, *tally_notes(tally)),
    )


def tally_notes(tally: Tally) -> tuple[str, ...]:
    """Notes on a share of optimal moves: the number of positions left out, and a random player's share."""
    return (
        f"of {tally.positions:,} positions {tally.indifferent:,} are trivial" * bool(tally.positions),
        f"{tally.undecided:,} not decided" * bool(tally.undecided),
        f"{tally.errors:,} errors" * bool(tally.errors),
        f"a random player {percent(tally.chance_share):.0f} percent" * bool(tally.choices),
    )


def total_of(found: JudgedTask, agent: AgentSpec, *games: Rules) -> Tally:
    """An agent's moves compared with exact values, over all plies of these games, or of all games if none is given."""
    tallies = (found.of(agent, rules) for rules in games or (None,))
    return sum((tally for by_ply in tallies for tally in by_ply.values()), Tally())


def exact_share(share: float) -> Interval:
    """An exact share as an interval: no sample, so all three numbers are equal."""
    return Interval(share, share, share)


def beside_by_seed(own: Mapping[int, Interval], base: Mapping[int, Interval]) -> Interval | None:
    """The mean difference `own` minus `base` over the seeds that both have; None with fewer than two."""
    seeds = sorted(own.keys() & base.keys())
    if len(seeds) < 2:
        return None
    return mean_difference([own[seed] for seed in seeds], [base[seed] for seed in seeds])


def difference_row(labels: tuple[str, ...], own: Mapping[int, Interval], base: Mapping[int, Interval]) -> Row | None:
    """A row about `beside_by_seed`, in points. If all seeds agree it has no interval, because the spread of others is unknown."""
    found = beside_by_seed(own, base)
    if found is None:
        return None
    value, low, high = map(percent, found)
    row = points_row(labels, found, len(own.keys() & base.keys()))
    if low == high:
        return row.model_copy(update={"ours": f"{value:+.1f} points, in all seeds", "low": None, "high": None})
    return row


def points_row(labels: tuple[str, ...], found: tuple[float, float, float], count: int = 0) -> Row:
    """A row about a difference of shares, in points with its interval."""
    value, low, high = map(percent, found)
    return Row(labels=labels, ours=in_points(found), value=value, low=low, high=high, count=count)


def percent(share: float) -> float:
    """A share as percent."""
    return 100.0 * share


def notes(*parts: str) -> str:
    """A note from its parts, without empty ones."""
    return "; ".join(filter(None, parts))


def between(share: Interval) -> str:
    """A share in percent with its interval: ``12.3 percent (10.0 to 14.9)``."""
    value, low, high = map(percent, share)
    return f"{value:.1f} percent ({low:.1f} to {high:.1f})"


def in_points(found: tuple[float, float, float], digits: int = 1) -> str:
    """A difference of shares in points, with its interval: ``+1.2 points (-0.3 to +2.7)``."""
    value, low, high = (f"{percent(each):+.{digits}f}" for each in found)
    return f"{value} points ({low} to {high})"


def optimal_line(name: str, tallies: Mapping[int, Tally]) -> Series:
    """A line of the shares of optimal moves, over plies."""
    return interval_series(name, {ply: one.optimal_interval for ply, one in sorted(tallies.items()) if one.choices})


def interval_series(name: str, shares: Mapping[int, Interval] | Mapping[float, Interval]) -> Series:
    """A line of shares in percent, with their intervals, over the keys."""
    points = ((at, percent(one.value), percent(one.low), percent(one.high)) for at, one in shares.items())
    return Series.through(name, points)


def curve_figure(
    name: str,
    title: str,
    lines: Iterable[Series],
    x_label: str,
    y_label: str,
    log_x: bool = False,
    y_range: tuple[float, float] | None = (0.0, 100.0),
) -> tuple[CurveFigure, ...]:
    """A chart of the lines that have points; no chart if none has."""
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
