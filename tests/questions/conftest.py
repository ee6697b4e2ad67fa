"""What the tests of questions are given."""

from pathlib import Path

import pytest


@pytest.fixture
def diary(tmp_path: Path) -> str:
    """A file in which questions write down that they were asked."""
    return str(tmp_path / "diary")
