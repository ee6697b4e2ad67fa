"""The errors a user can meet: few types, each message one line that names what was given and what is accepted."""

import difflib
import os
from collections.abc import Collection

_LINE_CHARACTERS = 2000  # some libraries' errors print whole programs

_PACKAGES = {"site-packages", "dist-packages"}
_NO_USERS = tuple(
    os.path.join(folder, "") for folder in (os.path.dirname(os.path.dirname(__file__)), os.path.dirname(os.__file__))
)


class NoughtsError(Exception):
    """Anything a user can put right. The command line prints its message as one line, never a traceback.

    However much was given, the line has at most 2000 characters.
    """

    def __str__(self) -> str:
        line = super().__str__()
        return line if len(line) <= _LINE_CHARACTERS else line[: _LINE_CHARACTERS - 4] + " ..."


class RulesError(NoughtsError, ValueError):
    """A `Rules`, a task, or the text or JSON that should describe one, is impossible or malformed."""


class IllegalMoveError(NoughtsError, ValueError):
    """A move that the rules do not allow in the position at hand."""


class LawBroken(NoughtsError):  # noqa: N818 # it reports what happened, as KeyboardInterrupt does
    """A backend that broke a law of `noughts.positions.laws`.

    Attributes:
        law: The law's name, a key of `laws.LAWS`.
    """

    def __init__(self, law: str, message: str) -> None:
        super().__init__(law, message)  # all that was given, so that it can be sent between processes
        self.law = law

    def __str__(self) -> str:
        return str(self.args[1])


class AgentError(NoughtsError):
    """An agent that does not exist, was given a wrong option, or misbehaved in a game."""


class AgentFailedError(AgentError):
    """An agent that failed in the middle of a game with a person: the input was right, the agent was not."""


class NotSymmetricError(AgentError):
    """An agent that claims to treat symmetric positions alike, and does not."""


class StoreError(NoughtsError):
    """A results database or a file that cannot be opened, read or written."""


class SolverError(NoughtsError):
    """A position that no solver covers, or not with the memory there is."""


class CertificateError(NoughtsError):
    """A certificate that proves nothing: damaged, incomplete, or of another game than its header names."""


class ComputeError(NoughtsError):
    """Work that could not be done: a worker that died, a limit that was passed."""


class MissingLibraryError(NoughtsError, ImportError):
    """A library that only a part of noughts needs, and that is not installed."""

    @classmethod
    def of(cls, library: str, extra: str) -> "MissingLibraryError":
        """The error with the command that installs it: noughts is installed from a clone, so an extra is, too."""
        return cls(f"{library} is not installed: {install_command(extra)}")


def install_command(extra: str) -> str:
    """What installs an extra of noughts, whichever tool made the environment."""
    return f'in your clone of noughts, run pip install ".[{extra}]" or uv sync --extra {extra}'


def one_line(error: BaseException) -> str:
    """An exception as one line: its type, its message and its `own_place`, as in ``KeyError: 'D4' (mine.py, line 12)``.

    It is safe even if the exception's __str__ raises, and has at most 2000 characters.
    """
    name = type(error).__name__
    try:
        message = str(error)
    except KeyboardInterrupt:  # this one is the user's, who wants to stop
        raise
    except BaseException:
        message = "(its message cannot be shown)"
    words = message.split()
    ending = f" ({own_place(error)})"
    if ending == " ()" or message.endswith(ending):  # a SyntaxError names its place itself
        ending = ""
    return shortened(" ".join([f"{name}:", *words] if words else [name]), _LINE_CHARACTERS - len(ending)) + ending


def own_place(error: BaseException) -> str:
    """Where in the user's own code an exception arose, as in ``mine.py, line 12``; empty if none of it was at work.

    It is the innermost line that is neither ours, nor Python's, nor an installed package's. The folder is left out: messages
    are kept and compared, and must be the same on every machine. A traceback stays in its process, so this is asked there.
    """
    if isinstance(error, SyntaxError) and error.filename and _is_users(error.filename):
        return _place(error.filename, error.lineno or 0)
    place, step = "", error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if _is_users(file):
            place = _place(file, step.tb_lineno)
        step = step.tb_next
    return place


def _place(file: str, line: int) -> str:
    return f"{shortened(os.path.basename(file))}, line {line}"


def _is_users(file: str) -> bool:
    """Whether the code of a file is the user's own; what was made while a program ran, such as ``<string>``, is in no file."""
    return not (file.startswith(("<", *_NO_USERS)) or _PACKAGES.intersection(file.split(os.sep)))


def near_one(given: str, names: Collection[str]) -> str:
    """A hint for a name that does not exist, beginning with a space: the nearest of those there are; empty if none is near."""
    near = difflib.get_close_matches(given, names, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def no_field(given: str, fields: Collection[str]) -> str:
    """The message for a field that does not exist: what was given, a near one, and all there are."""
    return f"unknown field {given!r}{near_one(given, fields)}; the fields are {', '.join(fields)}"


def shortened(text: str, most: int = _LINE_CHARACTERS) -> str:
    """A text as one line of at most so many characters, in which what cannot be printed is escaped.

    Texts of others, such as errors of their agents, are shown at terminals, which escape characters command; and no server
    keeps a zero in a text.
    """
    words = " ".join(text[: 2 * most].split())
    line = (
        words if words.isprintable() else "".join(each if each.isprintable() else ascii(each)[1:-1] for each in words)
    )
    return line if len(line) <= most else line[: most - 4] + " ..."
