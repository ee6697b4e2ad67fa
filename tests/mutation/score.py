"""What a sample of mutants says of the tests, as text."""

from collections import Counter
from collections.abc import Sequence

from noughts.statistics import wilson
from tests.mutation.trial import EQUIVALENT, KILLED, SURVIVED, TIMEOUT, Verdict


def score_of(verdicts: Sequence[Verdict]) -> str:
    """A table: for each package and for all the share of mutants that were noticed, those that are equivalent left out."""
    rows = ["package    killed timeout survived equivalent  score  95% interval"]
    for package in [*dict.fromkeys(verdict.package for verdict in verdicts), "all"]:
        count = Counter(verdict.verdict for verdict in verdicts if package in (verdict.package, "all"))
        noticed = count[KILLED] + count[TIMEOUT]
        share = wilson(noticed, noticed + count[SURVIVED])
        rows.append(
            f"{package:<10} {count[KILLED]:6} {count[TIMEOUT]:7} {count[SURVIVED]:8} {count[EQUIVALENT]:10}"
            f"  {share.share:5.1%}  {share.low:.1%} to {share.high:.1%}"
        )
    return "\n".join(rows)


def survivors(verdicts: Sequence[Verdict]) -> str:
    """Each survivor with what was changed."""
    return "".join(
        f"{verdict.path}:{verdict.line} ({verdict.kind}; {verdict.by or f'{verdict.tests} tests'})\n"
        f"  - {_indented(verdict.before)}\n  + {_indented(verdict.after)}\n"
        for verdict in verdicts
        if verdict.verdict == SURVIVED
    )


def _indented(lines: str) -> str:
    return lines.replace("\n", "\n    ")
