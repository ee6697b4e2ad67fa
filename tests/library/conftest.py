"""Give each test here a separate store."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def store(own_store: Path) -> Path:
    return own_store
