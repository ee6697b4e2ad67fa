"""How much is told on standard error besides results: ``noughts --quiet`` and ``noughts --verbose``.

    quiet     results, what failed, and errors
    usual     also how far work is, and notes: what is gone on with, where a first result will be kept
    verbose   also details: what is asked and what was found before, where things are kept, where an unexpected error arose

Progress is told in lines where it is verbose, so that nothing that was said is drawn over. What failed is told always, by
`typer.echo(..., err=True)`: this module is for what nobody needs.
"""

import sys
from contextvars import ContextVar
from typing import Literal

from noughts.rules.errors import NoughtsError

HowMuch = Literal["quiet", "usual", "verbose"]

_HOW_MUCH: ContextVar[HowMuch] = ContextVar("how_much", default="usual")


_STOPPED = "stopped; results and files that were finished are kept"

_WHEN_STOPPED: ContextVar[str] = ContextVar("when_stopped", default=_STOPPED)


def set_when_stopped(text: str = _STOPPED) -> None:
    """What is told if Ctrl-C stops the command from now on: what is kept, and how to go on."""
    _WHEN_STOPPED.set(text)


def when_stopped() -> str:
    """What `set_when_stopped` said last."""
    return _WHEN_STOPPED.get()


def set_how_much(quiet: bool, verbose: bool) -> None:
    """For the command that follows; NoughtsError if it is to be both."""
    if quiet and verbose:
        raise NoughtsError("--quiet and --verbose exclude each other: give one of them")
    _HOW_MUCH.set("quiet" if quiet else "verbose" if verbose else "usual")


def is_quiet() -> bool:
    """Whether nothing but results and errors is told."""
    return _HOW_MUCH.get() == "quiet"


def is_verbose() -> bool:
    """Whether everything is told."""
    return _HOW_MUCH.get() == "verbose"


def note(text: str) -> None:
    """A line that is told unless it is to be quiet."""
    if not is_quiet():
        _tell(text)


def detail(text: str) -> None:
    """A line that is told only where it is to be verbose."""
    if is_verbose():
        _tell(text)


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
