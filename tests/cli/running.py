"""Runs commands in the process of the tests."""

from collections.abc import Callable
from typing import Any

Run = Callable[..., tuple[int, str, str]]
"""Runs a command with these words; returns the exit code, standard output and standard error."""

Shown = Callable[..., Any]
"""Runs it with `--json` and parses its output. The exit code is 0, or `code`."""

Told = Callable[..., str]
"""Runs it; returns its standard output, or its standard error if `code` is 2."""
