"""The list of equivalent mutants is about the code as it is."""

from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.equivalent import equivalents, key
from tests.mutation.mutants import mutants_of

ROOT = Path(__file__).resolve().parents[2]
LISTED = equivalents()


@pytest.mark.parametrize("path", sorted({path for path, _, _ in LISTED}))
def test_each_names_a_mutant_that_can_be_drawn(path: str) -> None:
    source = (ROOT / path).read_text()
    drawn = {key(mutant, source) for mutant in mutants_of(source, path)}
    assert [name for name in LISTED if name[0] == path and name not in drawn] == []


def test_each_has_a_reason_of_its_own() -> None:
    assert all(len(reason.split()) > 3 for reason in LISTED.values())
    assert max(Counter(LISTED.values()).values(), default=1) == 1
