"""Settings for every test: the same examples on every machine, however slow it is."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """What a command tells the processes after it, it does not tell the next test."""
    before = os.environ.get("NOUGHTS_STORE")
    yield
    os.environ.pop("NOUGHTS_STORE", None)
    if before is not None:
        os.environ["NOUGHTS_STORE"] = before
