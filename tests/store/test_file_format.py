"""The version in a file: older ones are read; newer ones and nonsense are rejected in one line."""

import pytest

from noughts.rules import StoreError
from noughts.store.file_format import FileFormat

THING = FileFormat("a thing", 3)


@pytest.mark.parametrize(("said", "version"), [(None, 1), (1, 1), (2, 2), (3, 3)])
def test_a_missing_version_is_the_first(said: object, version: int) -> None:
    assert THING.read(said) == version
    assert THING.read_text(None if said is None else f"{said}") == version


@pytest.mark.parametrize("said", [0, -1, True, 1.0, "1", "two", []])
def test_nonsense_is_refused(said: object) -> None:
    with pytest.raises(StoreError, match=r"^it is of version .*, and there are "):
        THING.read(said, StoreError)


def test_newer_versions_say_to_update_and_too_old_ones_are_rejected() -> None:
    with pytest.raises(StoreError, match=r"^it is of version 4, and this noughts reads .*: update noughts$"):
        THING.read(4, StoreError)
    with pytest.raises(StoreError, match=r"^it is of version 1, and there are "):
        FileFormat("a thing", 3, oldest=2).read(None, StoreError)
