"""The table of proof numbers: entries are found complete, and the one with the least work behind it is replaced."""

import numpy as np
import pytest

from noughts.solvers.proof_table import ENTRY_BYTES, PLACES, copy_entries, find, keep


def table(entries: int) -> np.ndarray:
    return np.zeros((entries, 4), np.uint64)


def put(into: np.ndarray, attacker: int, defender: int, tag: int, numbers: int, work: int = 1) -> int:
    words = (np.uint64(value) for value in (attacker, defender, tag, numbers))
    return int(keep(into, *words, np.int64(work)))


def got(of: np.ndarray, attacker: int, defender: int, tag: int) -> int | None:
    entry = find(of, np.uint64(attacker), np.uint64(defender), np.uint64(tag))
    return None if entry < 0 else int(of[entry, 2])


def test_an_entry_takes_the_requested_memory() -> None:
    assert table(64).nbytes == 64 * ENTRY_BYTES


def test_entries_of_different_questions_are_separate() -> None:
    kept = table(64)
    assert got(kept, 0, 0, 0) is None
    asked = [(1, 2, 0), (1, 2, 1), (2, 1, 0), (1, 0, 0), (0, 0, 0xFFFF), (2**63, 2**63, 7)]
    for number, question in enumerate(asked):
        assert put(kept, *question, 10 + number, work=2**40) == 1
    assert [got(kept, *question) for question in asked] == [10 + number for number in range(len(asked))]
    assert got(kept, 1, 2, 2) is None
    assert put(kept, 1, 2, 1, 99) == 0  # storing a key again takes no more room
    assert got(kept, 1, 2, 1) == 99
    assert got(kept, 1, 2, 0) == 10


def test_the_entry_with_the_least_work_is_replaced() -> None:
    kept = table(PLACES)  # one home for all
    for number, work in enumerate((5, 3, 4, 2**33)):
        assert put(kept, number, 0, 0, number, work) == 1
    assert put(kept, 9, 0, 0, 9, 1) == 0
    assert [got(kept, number, 0, 0) for number in (0, 1, 2, 3, 9)] == [0, None, 2, 3, 9]
    assert put(kept, 8, 0, 0, 8, 2**33) == 0
    assert [got(kept, number, 0, 0) for number in (0, 2, 3, 9, 8)] == [0, 2, 3, None, 8]
    assert put(kept, 7, 0, 0, 7, 6) == 0
    assert [got(kept, number, 0, 0) for number in (0, 2, 3, 8, 7)] == [0, None, 3, 8, 7]


@pytest.mark.parametrize("entries", [PLACES, 16, 1024])
def test_a_larger_table_copies_the_entries_that_fit(entries: int) -> None:
    small, large = table(16), table(entries)
    put(small, 1, 2, 3, 77, 9)
    put(small, 4, 5, 6, 88, 9)
    assert copy_entries(small, large) == 2
    assert (got(large, 1, 2, 3), got(large, 4, 5, 6)) == (77, 88)
    assert int((large[:, 3] != 0).sum()) == 2
