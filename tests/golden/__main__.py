"""Regenerates golden outputs: ``uv run python -m tests.golden``, or some by name; then read the diff."""

import sys

from tests.golden.transcript import names, write

for name in sys.argv[1:] or names():
    print(write(name))
