"""Words and symbols for stored results, the same in a terminal and on a page. No verdict is a colour alone."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from noughts.document.result import Row, StudyResult, Table


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
    "no claim": Judgement("none", "–", "no claim"),
}
WAITING = Judgement("waiting", "…", "waiting")

_WORDS = {"agrees": ("agrees", "agree"), "differs": ("differs", "differ"), "refuted": ("is refuted", "are refuted")}


def judgement(row: Row, *, complete: bool) -> Judgement:
    """The verdict on a row; `WAITING` if a study that still runs has nothing for it yet."""
    return _JUDGEMENTS[row.verdict] if complete or measured(row) else WAITING


def measured(row: Row) -> bool:
    """Whether anything was measured for this row."""
    return bool(row.ours) or row.value is not None


def ours_text(row: Row) -> str:
    """Our number as written by the study, or else as a figure."""
    return row.ours or ("" if row.value is None else number_text(row.value))


def number_text(value: float) -> str:
    """A figure to about three digits: 70.2, 0.00212, 1,404."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    # Hundredths of a percent are noise; below 1, three digits wherever they begin.
    places = 1 if size >= 10 else 2 if size >= 1 or size == 0 else min(2 - math.floor(math.log10(size)), 9)
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return text if float(text) else "0"


def interval_text(row: Row, joint: str = " to ") -> str:
    """The 95 percent interval, e.g. ``68.2 to 72.2``; empty if there is none."""
    if row.low is None or row.high is None:
        return ""
    return f"{number_text(row.low)}{' to ' if row.low < 0 or row.high < 0 else joint}{number_text(row.high)}"


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


def when_text(started: str) -> str:
    """A time in ISO 8601 for people, to the minute; as it stands if it is none."""
    try:
        when = datetime.fromisoformat(started)
    except ValueError:
        return started
    offset = when.utcoffset()
    zone = "" if offset is None else " UTC" if not offset else f" UTC{when:%z}"
    return f"{when:%Y-%m-%d %H:%M}{zone}"


def is_percent(table: Table) -> bool:
    """Whether the table's figures are percentages."""
    return "percent" in table.unit.lower() or "%" in table.unit


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
