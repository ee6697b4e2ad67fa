"""Tests that are marked heavy are left out of a full run, so something else must run them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_continuous_integration_runs_them() -> None:
    for file in (".ci/run", ".github/workflows/ci.yml"):
        assert "uv run pytest --heavy\n" in (ROOT / file).read_text()
