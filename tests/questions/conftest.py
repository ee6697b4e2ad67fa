"""Fixtures for the tests of questions."""

from pathlib import Path

import pytest


@pytest.fixture
def diary(tmp_path: Path) -> str:
    """A file in which questions log their execution."""
    return str(tmp_path / "diary")
