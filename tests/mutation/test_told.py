"""The last sample of mutants in README.md beside this file is what the command there wrote into `seed-7.json`."""

import json
import re
from dataclasses import replace
from pathlib import Path

from noughts.statistics import wilson
from tests.mutation.equivalent import equivalents
from tests.mutation.trial import EQUIVALENT, KILLED, SURVIVED, TIMEOUT, Verdict

TOLD = Path(__file__).with_name("README.md").read_text()
_ROW = re.compile(r"^\| `?(\w+)`? \| (\d+) \| (\d+) \| (\d+)% \| (\d+)% to (\d+)% \|$", re.M)


def sample() -> list[Verdict]:
    """The verdicts of the command; those that were found to be equivalent when they were looked at are marked so."""
    known = equivalents()
    verdicts = [Verdict(**fields) for fields in json.loads(Path(__file__).with_name("seed-7.json").read_text())]
    return [
        replace(verdict, verdict=EQUIVALENT)
        if verdict.verdict == SURVIVED and (verdict.path, verdict.before, verdict.after) in known
        else verdict
        for verdict in verdicts
    ]


def test_the_table_is_of_the_sample_that_is_kept() -> None:
    verdicts = sample()
    wanted = []
    for package in [*dict.fromkeys(verdict.package for verdict in verdicts), "all"]:
        found = [verdict.verdict for verdict in verdicts if package in (verdict.package, "all")]
        noticed = sum(each in (KILLED, TIMEOUT) for each in found)
        share = wilson(noticed, noticed + found.count(SURVIVED))
        percents = [round(100 * part) for part in (share.share, share.low, share.high)]
        wanted.append(tuple(map(str, (package, noticed, noticed + found.count(SURVIVED), *percents))))
    assert _ROW.findall(TOLD) == wanted
