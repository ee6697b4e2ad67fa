"""Writes every playthrough anew: ``uv run python -m tests.playthroughs``, then read the diff."""

from tests.playthroughs.generate import write_all

for path in write_all():
    print(path.name)
