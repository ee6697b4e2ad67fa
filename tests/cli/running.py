"""How tests of commands run one, here."""

from collections.abc import Callable
from typing import Any

Run = Callable[..., tuple[int, str, str]]
"""Runs the command of these words: the exit code, and what it printed on standard output and standard error."""

Shown = Callable[..., Any]
"""Runs it with `--json`: what it printed, read. The exit code is 0, or `code`."""

Told = Callable[..., str]
"""Runs it: what it printed on standard output, or on standard error if `code` is 2."""
