"""What a bridge says when the library it leads to is not installed: one line, and what to install."""

from noughts.rules import NoughtsError


class MissingExtraError(NoughtsError, ImportError):
    """A library that one of our extras would have installed."""


def missing(library: str, extra: str) -> MissingExtraError:
    """The error for a library that cannot be imported, with the command that installs it."""
    return MissingExtraError(f'{library} is not installed: pip install "noughts[{extra}]"')
