"""Each test here has a store of its own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def store(own_store: Path) -> Path:
    return own_store
