"""The list of equivalent mutants matches the code, and the last sample in README.md beside this file equals `seed-7.json`, which
the command there wrote.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.trial import SURVIVED, Verdict, equivalents, key, score_of

ROOT = Path(__file__).parents[2]
LISTED = equivalents()


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
    # Mutants that were found to be equivalent later count as unnoticed in the sample, unless their code is gone.
    sample = [v for v in sample if v.verdict != SURVIVED or (v.path, v.before, v.after) not in LISTED]
    assert score_of(sample) in Path(__file__).with_name("README.md").read_text()
