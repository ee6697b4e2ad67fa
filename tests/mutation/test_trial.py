"""The list of equivalent mutants matches the code, and the last sample in README.md beside this file equals `seed-7.json`, which
the command there wrote.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from noughts.statistics import wilson
from tests.mutation.mutants import mutants_of
from tests.mutation.trial import KILLED, SURVIVED, TIMEOUT, Verdict, equivalents, key

ROOT = Path(__file__).parents[2]
LISTED = equivalents()
_ROW = re.compile(r"^\| `?(\w+)`? \| (\d+) \| (\d+) \| (\d+)% \| (\d+)% to (\d+)% \|$", re.M)


@pytest.mark.parametrize("path", sorted({path for path, _, _ in LISTED}))
def test_each_equivalent_mutant_can_be_drawn(path: str) -> None:
    source = (ROOT / path).read_text()
    drawn = {key(mutant, source) for mutant in mutants_of(source, path)}
    assert [name for name in LISTED if name[0] == path and name not in drawn] == []


def test_each_equivalent_mutant_has_its_own_reason() -> None:
    assert all(len(reason.split()) > 3 for reason in LISTED.values())
    assert max(Counter(LISTED.values()).values(), default=1) == 1


def test_the_table_equals_the_saved_sample_without_equivalent_mutants() -> None:
    sample = [Verdict(**fields) for fields in json.loads(Path(__file__).with_name("seed-7.json").read_text())]
    wanted = []
    for package in [*dict.fromkeys(verdict.package for verdict in sample), "all"]:
        own = [verdict for verdict in sample if package in (verdict.package, "all")]
        noticed = sum(verdict.verdict in (KILLED, TIMEOUT) for verdict in own)
        unnoticed = [(verdict.path, verdict.before, verdict.after) for verdict in own if verdict.verdict == SURVIVED]
        trials = noticed + sum(mutant not in LISTED for mutant in unnoticed)
        percents = [round(100 * part) for part in wilson(noticed, trials)]
        wanted.append(tuple(map(str, (package, noticed, trials, *percents))))
    assert _ROW.findall(Path(__file__).with_name("README.md").read_text()) == wanted
