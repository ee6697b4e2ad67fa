"""Words and symbols for stored results, the same in a terminal and on a page. No verdict is a colour alone."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from noughts.document.result import Row, StudyResult, Table
from noughts.rules.text import counted
from noughts.statistics import LEVEL, Family

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict as people read it: `key` names it in style sheets."""

    key: str
    symbol: str
    word: str

    def __str__(self) -> str:
        return f"{self.symbol} {self.word}"


_JUDGEMENTS = {
    "agrees": Judgement("agrees", "✓", "agrees"),
    "differs": Judgement("differs", "≠", "differs"),
    "refuted": Judgement("refuted", "✗", "refuted"),
    "not distinguishable": Judgement("undecided", "?", "not distinguishable"),
    "no claim": Judgement("none", "–", "no claim"),
}
_NOISE = 1e-9
"""A percentage that is nearer than this to 0 or 100 is that, but for its last bits."""

WAITING = Judgement("waiting", "…", "waiting")

_WORDS = {
    "agrees": ("agrees", "agree"),
    "differs": ("differs", "differ"),
    "refuted": ("is refuted", "are refuted"),
    "not distinguishable": ("is not distinguishable", "are not distinguishable"),
}


def judgement(row: Row, *, complete: bool) -> Judgement:
    """The verdict on a row; `WAITING` if a study that still runs has nothing for it yet."""
    return _JUDGEMENTS[row.verdict] if complete or measured(row) else WAITING


def measured(row: Row) -> bool:
    """Whether anything was measured for this row."""
    return bool(row.ours) or row.value is not None


def ours_text(table: Table, row: Row) -> str:
    """Our number as written by the study, or else as a figure."""
    return row.ours or ("" if row.value is None else figure_text(row.value, table.unit))


def number_text(value: float) -> str:
    """A figure to about three digits: 70.2, 0.00212, 1,404."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    text = f"{value:.{_places(size)}f}".rstrip("0").rstrip(".")
    return text if float(text) else "0"


def figure_text(value: float, unit: str) -> str:
    """A figure in `unit`: percentages to one decimal, 68.0, so that those below each other have the same digits.

    One that would read as 0.0 or 100.0 and is neither has three digits of what it lacks: 0.0397, 99.9603.
    """
    if not is_percent(unit) or not math.isfinite(value):
        return number_text(value)
    lacking = min(abs(value), abs(100 - value))
    places = _places_below_1(lacking) if _NOISE < lacking < 0.05 else 1
    return f"{round(value, places) + 0.0:.{places}f}"  # the sum has no -0.0


def figures_alike(values: Sequence[float], unit: str) -> tuple[str, ...]:
    """Figures that are read together, such as both ends of an interval: as many decimals as the largest in size needs.

    0.02 and 2.38, where `figure_text` would say 0.0166 and 2.38; decimals that are 0 in all are left out. Percentages are
    those of `figure_text`, which have one decimal anyway.
    """
    if is_percent(unit) or not all(map(math.isfinite, values)):
        return tuple(figure_text(value, unit) for value in values)
    places = _places(max(map(abs, values)))
    texts = [f"{round(value, places) + 0.0:,.{places}f}" for value in values]  # the sum has no -0.0
    while "." in texts[0] and all(text[-1] in "0." for text in texts):
        texts = [text[:-1] for text in texts]
    return tuple(texts)


def _places(size: float) -> int:
    """Decimals that show about three digits of a number."""
    return 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 1 or size == 0 else _places_below_1(size)


def _places_below_1(size: float) -> int:
    """Decimals that show three digits of a number below 1, wherever they begin; no more than 9."""
    return min(2 - math.floor(math.log10(size)), 9)


def interval_text(row: Row, unit: str, joint: str = " to ") -> str:
    """The 95 percent interval, in the `unit` of its table, e.g. ``68.2 to 72.2``; empty if there is none."""
    if row.low is None or row.high is None:
        return ""
    joint = " to " if row.low < 0 or row.high < 0 else joint
    return joint.join(figures_alike((row.low, row.high), unit))


def count_text(row: Row) -> str:
    """How many games or trials there were, and how many of the games differ; empty if there were none."""
    if not row.count:
        return ""
    return f"{row.count:,}" if not row.distinct else f"{row.count:,} ({row.distinct:,} distinct)"


def spread_text(table: Table, row: Row, joint: str = " to ") -> str:
    """What stands in the column that `spread_name` names; empty if nothing is known, or bounds that the number itself says."""
    if table.spread == "bounds":
        return ""
    if table.spread != "difference":
        return interval_text(row, table.unit, joint)
    if row.value is None:
        return ""
    if is_percent(table.unit):
        return _points_text(row.value, row.low, row.high)
    known = [end for end in (row.low, row.high) if end is not None]
    value, *ends = figures_alike((row.value, *known), table.unit)
    return ("+" if row.value > 0 else "") + value + (f" ({' to '.join(ends)})" if len(ends) == 2 else "")


def difference_text(table: Table, row: Row) -> str:
    """Ours less the paper's, in points, with its 95 percent interval: ``+3.1 (-6.0 to +12.4)``; empty without a
    comparison, or where the table is of differences anyway."""
    if row.comparison is None or table.spread == "difference":
        return ""
    return _points_text(*(100 * share for share in row.comparison.difference))


def _points_text(value: float, low: float | None, high: float | None) -> str:
    """A difference of percentages with its interval, if it has one: one decimal and a sign each."""
    interval = "" if low is None or high is None else f" ({_signed(low)} to {_signed(high)})"
    return _signed(value) + interval


def _signed(points: float) -> str:
    rounded = round(points, 1) or 0.0
    return f"{rounded:+.1f}" if rounded else "0.0"


def spread_name(table: Table) -> str:
    """What the column of `low` and `high` is called."""
    return "95% interval" if table.spread == "interval" else table.spread


def spread_caption(table: Table) -> str:
    """Of what the intervals or the differences of a table are, a sentence; empty if it has none."""
    known = any(row.low is not None for row in table.rows)
    if table.spread == "difference":
        return f"The difference is {table.unit}{'; in parentheses its 95% interval' if known else ''}."
    if not known:
        return ""
    what = {
        "interval": "95% intervals",
        "range": "From least to greatest",
        "bounds": "Exact, or two bounds with what is between them,",
    }
    return f"{what[table.spread]} of: {table.unit}."


def claimed_caption(table: Table) -> str:
    """On how many trials the claimed numbers that are compared rest, a sentence; empty where none is compared with a count,
    and in a table of differences, whose numbers are both ours."""
    trials = [row.comparison.claimed_trials for row in table.rows if row.comparison and row.comparison.claimed_trials]
    if not trials or table.spread == "difference":
        return ""
    least, most = min(trials), max(trials)
    return f"Each number under {table.claimed} rests on {f'{least:,}' if least == most else f'{least:,} to {most:,}'} trials."


def difference_caption(table: Table) -> str:
    """What `difference_text` says, a sentence; empty where it says nothing in any row."""
    if not any(difference_text(table, row) for row in table.rows):
        return ""
    return f"Difference: {table.measured} less {table.claimed}, in points, with its 95% interval."


def table_cells(
    table: Table, *, complete: bool, verdict: Callable[[Judgement], str]
) -> tuple[list[str], list[list[str]]]:
    """The names of a table's columns and the cells of its rows: labels, then claimed, measured, spread, difference, count and
    verdict, but for those of them that would be empty in every row.

    Args:
        table: Which.
        complete: Whether its study is finished.
        verdict: How a verdict is written.
    """
    labels = len(table.label_columns)
    heads = [*table.label_columns, table.claimed, table.measured, spread_name(table), "difference", "count", "verdict"]
    rows = [
        [
            *row.labels,
            row.paper,
            ours_text(table, row),
            spread_text(table, row),
            difference_text(table, row),
            count_text(row),
            verdict(judgement(row, complete=complete)),
        ]
        for row in table.rows
    ]
    kept = [place for place in range(len(heads)) if place < labels or any(cells[place] for cells in rows)]
    return [heads[place] for place in kept], [[cells[place] for place in kept] for cells in rows]


HOW_PROVED = (
    "What is said to be proved of an agent rests on these certificates: what it plays, position by position, which the "
    "independent checker has accepted. Each is kept in the store's folder certificates as SHA-256.proof.xz; "
    "`noughts verify FILE`, or verify.py alone, checks it again on any machine."
)


def how_judged(result: StudyResult) -> tuple[str, ...]:
    """How the verdicts of a study came about, of what they are, and how many of them chance alone would bring; nothing
    without verdicts."""
    proved = any(row.proved and row.verdict != "no claim" for table in result.tables for row in table.rows)
    by_proof = (
        "Verdicts on what was proved are no statistics: the claim agrees with the proof, or is refuted.",
    ) * proved
    told = (*filter(None, (_how_compared(result), how_many_by_chance(result))), *by_proof)
    return (*told, _OF_OURS) if told and result.paper else told


_OF_OURS = (
    "A verdict is on the claim as it is tested here, by our programs, with what differs from the paper as listed below: "
    "the authors' own programs and trained agents were not examined."
)


def _how_compared(result: StudyResult) -> str:
    comparisons = result.comparisons
    if not comparisons:
        return ""
    margins = sorted({100 * one.margin for one in comparisons})
    points = " or ".join(f"{margin:g}" for margin in margins)
    return (
        f"A claim agrees where the whole 95% interval of the difference lies within {points} points, a margin stated before, also "
        "where a smaller difference is certain; one that does not agree differs where Fisher's exact test says so after Holm's "
        "adjustment for all claims of this study, is refuted where it is made of every game and one is to the contrary, and is "
        "otherwise not distinguishable, which is no agreement."
    )


def how_many_by_chance(result: StudyResult) -> str:
    """How many claims of a study are tested, and how many of them chance alone would tell apart; empty if none is tested."""
    comparisons = result.comparisons
    family = Family.of(comparisons)
    if not family.compared:
        return ""
    untested = len(comparisons) - family.compared
    others = (
        f", besides {untested} about every game, which {'needs' if untested == 1 else 'need'} no test: one game to the contrary refutes it"
        if untested
        else ""
    )
    return (
        f"Claims that are tested: {family.compared}{others}. Were the paper right in all that are tested, "
        f"at most {number_text(family.by_chance)} would be expected to be told apart by chance when each is tested by itself "
        f"({family.singly} {'is' if family.singly == 1 else 'are'}{_named_singly(result)}), and even one after Holm's adjustment in 5% of such "
        f"studies ({family.holm} {'is' if family.holm == 1 else 'are'}; {family.discoveries} after Benjamini and Hochberg's)."
    )


def _named_singly(result: StudyResult) -> str:
    """Which claims differ when each is tested by itself, where they are few."""
    names = [
        f"{', '.join(row.labels)} ({table.title})"
        for table in result.tables
        for row in table.rows
        if row.comparison and row.comparison.p_value is not None and row.comparison.p_value < LEVEL
    ]
    return f": {'; '.join(names)}" if 0 < len(names) <= _NAMED else ""


def duration_text(seconds: float) -> str:
    """A length of time in the two units that matter: ``3 h 26 min``, ``41.5 s``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def taken_over_text(answers: int) -> str:
    """What a length of time leaves out: answers that were found in other runs; empty if there are none."""
    return f" (besides what was taken over from other runs: {counted(answers, 'answer')})" if answers else ""


def when_text(started: str) -> str:
    """A time in ISO 8601 for people, to the minute; as it stands if it is none."""
    try:
        when = datetime.fromisoformat(started)
    except ValueError:
        return started
    offset = when.utcoffset()
    zone = "" if offset is None else " UTC" if not offset else f" UTC{when:%z}"
    return f"{when:%Y-%m-%d %H:%M}{zone}"


def is_percent(unit: str) -> bool:
    """Whether figures in this unit are percentages."""
    return "percent" in unit.lower() or "%" in unit


def is_judged(table: Table, *, complete: bool) -> bool:
    """Whether the table has verdicts to show: some row has a claim, or the paper has a number whose row still waits."""
    claims = any(row.verdict != "no claim" for row in table.rows)
    return claims or (not complete and any(row.paper for row in table.rows))


def tally(result: StudyResult) -> list[tuple[Judgement, str]]:
    """How the rows came out: each verdict there is, and its number in words, e.g. ``12 agree``."""
    rows = [row for table in result.tables for row in table.rows]
    counts = Counter(judgement(row, complete=result.complete) for row in rows)
    words = []
    for verdict, (one, several) in _WORDS.items():
        found = _JUDGEMENTS[verdict]
        if counts[found]:
            words.append((found, f"{counts[found]} {one if counts[found] == 1 else several}"))
    if words and counts[_JUDGEMENTS["no claim"]]:  # a study without a paper has no claims to count
        words.append((_JUDGEMENTS["no claim"], f"{counts[_JUDGEMENTS['no claim']]} without a claim"))
    if counts[WAITING]:
        words.append((WAITING, f"{counts[WAITING]} still waiting"))
    return words


_NUMBER = r"\d+(?:\.\d+)?"
_FIGURE = re.compile(rf"({_NUMBER})\s*(?:%|percent)?")
_SCORE = re.compile(rf"{_NUMBER}(?:\s*[-–—/:]\s*{_NUMBER})+")
_SHARE = re.compile(rf"({_NUMBER})\s+of\s+({_NUMBER})(?:\s+\w+)?")
_ROUNDING = 0.6


def paper_figure(row: Row) -> float | None:
    """The paper's number as a percentage, to mark it beside ours; None if that would be a guess.

    A score such as ``70-30`` is read as its first share, ``139 of 490`` as a share, ``28.4`` as it stands. It is
    believed only if reading `ours`, which is written the same way, gives the row's own `value`.
    """
    ours = _percentage(row.ours)
    if ours is None or row.value is None or abs(ours - row.value) > _ROUNDING:
        return None
    return _percentage(row.paper)


def _percentage(text: str) -> float | None:
    text = text.replace(",", "").strip()
    if match := _FIGURE.fullmatch(text):
        figure = float(match.group(1))
    elif _SCORE.fullmatch(text):
        parts = [float(part) for part in re.findall(_NUMBER, text)]
        figure = 100 * parts[0] / sum(parts) if sum(parts) else math.nan
    elif match := _SHARE.fullmatch(text):
        whole = float(match.group(2))
        figure = 100 * float(match.group(1)) / whole if whole else math.nan
    else:
        return None
    return figure if 0 <= figure <= 100 else None
