"""Numbers and words of stored results, the same in a terminal, on a page and in a paper. No verdict is shown by colour alone."""

import math
from collections import Counter
from collections.abc import Sequence

from noughts.document.result import Row, StudyResult, Table
from noughts.statistics import LEVEL, holm

SYMBOLS = {"agrees": "✓", "differs": "≠", "refuted": "✗", "not distinguishable": "?", "no claim": "–", "waiting": "…"}
"""The sign before each verdict, and before the word of a row without one yet."""

_NOISE = 1e-9
"""A percentage nearer than this to 0 or 100 is treated as equal, because only rounding separates them."""


def verdict_text(row: Row, *, complete: bool) -> str:
    """The verdict on a row, such as ``✓ agrees``; ``… waiting`` if the study still runs and has no number for it yet."""
    verdict = row.verdict if complete or row.ours or row.value is not None else "waiting"
    return f"{SYMBOLS[verdict]} {verdict}"


def is_judged(table: Table, *, complete: bool) -> bool:
    """Whether the table has verdicts to show: some row has a claim, or the paper has a number whose row still waits."""
    return any(row.verdict != "no claim" or (row.paper and not complete) for row in table.rows)


def tally(result: StudyResult) -> list[str]:
    """The number of rows with each verdict, such as ``✓ agrees: 12``; empty for a study without claims."""
    rows = [row for table in result.tables for row in table.rows if is_judged(table, complete=result.complete)]
    counts = Counter(verdict_text(row, complete=result.complete) for row in rows)
    texts = (f"{symbol} {verdict}" for verdict, symbol in SYMBOLS.items())
    return [f"{text}: {counts[text]}" for text in texts if counts[text]]


def figure_texts(values: Sequence[float], unit: str) -> tuple[str, ...]:
    """Numbers to be read together, such as both ends of an interval: 68.2, 0.00212, 1,404.

    Percentages have one decimal. If one would read as 0.0 or 100.0 but is neither, it shows its distance with three digits:
    0.0397, 99.9603. Other numbers have as many decimals as the largest in size needs for about three digits; decimals that
    are 0 in all are left out.
    """
    if not all(map(math.isfinite, values)):
        return tuple(figure_text(value, unit) if math.isfinite(value) else "–" for value in values)
    if is_percent(unit):
        return tuple(_percent_text(value) for value in values)
    texts = [_rounded(value, _places(max(map(abs, values)))) for value in values]
    while "." in texts[0] and all(text[-1] in "0." for text in texts):
        texts = [text[:-1] for text in texts]
    return tuple(texts)


def figure_text(value: float, unit: str) -> str:
    """One number by itself, as in `figure_texts`."""
    return figure_texts((value,), unit)[0]


def _percent_text(value: float) -> str:
    lacking = min(abs(value), abs(100 - value))
    return _rounded(value, _places(lacking) if _NOISE < lacking < 0.05 else 1)


def _rounded(value: float, places: int) -> str:
    return f"{round(value, places) + 0.0:,.{places}f}"  # adding 0.0 turns -0.0 into 0.0


def _places(size: float) -> int:
    """The decimals for about three digits of a number of this size; at most 9."""
    return 2 if size == 0 else max(1, min(2 - math.floor(math.log10(size)), 9)) if size < 1000 else 0


def ours_text(table: Table, row: Row) -> str:
    """Our number as the study writes it, or else formatted from its value."""
    return row.ours or ("" if row.value is None else figure_text(row.value, table.unit))


def count_text(row: Row) -> str:
    """The number of games or trials, and of distinct games; empty if there were none."""
    distinct = f" ({row.distinct:,} distinct)" if row.distinct else ""
    return f"{row.count:,}{distinct}" if row.count else ""


def spread_name(table: Table) -> str:
    """The name of the column of `low` and `high`."""
    return "95% interval" if table.spread == "interval" else table.spread


def spread_text(table: Table, row: Row) -> str:
    """The text in the column of `spread_name`; empty if unknown, or for bounds, which the number itself shows."""
    if table.spread == "difference":
        return "" if row.value is None else _difference(table.unit, row.value, row.low, row.high)
    if table.spread == "bounds" or row.low is None or row.high is None:
        return ""
    return " to ".join(figure_texts((row.low, row.high), table.unit))


def difference_text(table: Table, row: Row) -> str:
    """Ours minus the paper's, in points, with the 95 percent interval: ``+3.1 (-6.0 to +12.4)``; empty without a
    comparison, or if the table shows differences anyway."""
    found = row.comparison
    if found is None or table.spread == "difference":
        return ""
    return _difference("percent", 100 * found.value, 100 * found.low, 100 * found.high)


def _difference(unit: str, value: float, low: float | None, high: float | None) -> str:
    """A difference and its interval, if it has one, each number with a sign."""
    values = (value,) if low is None or high is None else (value, low, high)
    texts = [_rounded(each, 1) for each in values] if is_percent(unit) else figure_texts(values, unit)
    signed = ["+" * (text.strip("0.,") != "" and text[0] != "-") + text for text in texts]
    return f"{signed[0]} ({' to '.join(signed[1:])})" if len(signed) > 1 else signed[0]


def is_percent(unit: str) -> bool:
    """Whether numbers in this unit are percentages."""
    return "percent" in unit.lower() or "%" in unit


HOW_PROVED = (
    "An agent is called proved only because of these certificates. Each lists its moves in all positions that can occur, and the "
    "independent checker accepted it. The store's folder certificates has them as SHA-256.proof.xz. `noughts verify FILE`, or "
    "verify.py alone, checks one again on any machine."
)

_HOW_COMPARED = (
    "Verdicts: a claim agrees if the whole 95% interval of the difference lies within the margin, which was fixed in advance, even "
    "if a small difference is significant. It differs if it does not agree and Fisher's exact test is significant after Holm's "
    "adjustment for all claims of this study. It is refuted if it is about every game and one game contradicts it. Otherwise it is "
    "not distinguishable, which is no agreement. Proofs need no statistics, so a claim then agrees or is refuted."
)
_OF_OURS = (
    "A verdict is about the claim as tested here, by our programs and with the differences from the paper that are listed below. "
    "The authors' own programs and trained agents were not examined."
)


def how_judged(result: StudyResult) -> tuple[str, ...]:
    """The method behind a study's verdicts, the number expected by chance, and what the verdicts are about; empty without
    verdicts."""
    proved = any(row.proved and row.verdict != "no claim" for table in result.tables for row in table.rows)
    if not (result.comparisons or proved):
        return ()
    told = filter(None, (_HOW_COMPARED, how_many_by_chance(result)))
    return (*told, _OF_OURS) if result.paper else tuple(told)


def how_many_by_chance(result: StudyResult) -> str:
    """The number of claims that are compared and tested, and of significant differences by chance alone; empty if none is
    tested."""
    comparisons = result.comparisons
    p_values = [one.p_value for one in comparisons if one.p_value is not None]
    if not p_values:
        return ""
    singly, adjusted = (sum(value < LEVEL for value in values) for values in (p_values, holm(p_values)))
    margins = " or ".join(f"{100 * margin:g}" for margin in sorted({one.margin for one in comparisons}))
    return (
        f"Claims compared: {len(comparisons)}, with a margin of {margins} points; tested: {len(p_values)} (one about every game "
        f"needs no test). Significant differences: {singly} without correction, of which chance explains at most "
        f"{figure_text(LEVEL * len(p_values), '')} if all claims are right; {adjusted} after Holm's, by which chance brings any in 5% "
        f"of such studies."
    )


def duration_text(seconds: float) -> str:
    """A duration in its two largest units: ``3 h 26 min``, ``41.5 s``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"
