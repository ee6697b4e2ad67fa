"""Runs commands in the process of the tests."""

import contextlib
import io
from collections.abc import Callable
from typing import Any

from noughts.cli.main import main

Run = Callable[..., tuple[int, str, str]]
"""Runs a command with these words; returns the exit code, standard output and standard error."""

Shown = Callable[..., Any]
"""Runs it with `--json` and parses its output. The exit code is 0, or `code`."""

Told = Callable[..., str]
"""Runs it; returns its standard output, or, if `code` is 2, the one line on standard error that is all its output."""


def captured(*words: str) -> tuple[int, str, str]:
    """Run a command outside of a test; return the exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words])
    return code, out.getvalue(), err.getvalue()
