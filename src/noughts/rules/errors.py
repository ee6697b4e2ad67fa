"""The errors that a user can meet: few types, each with a one-line message that gives the value and what is accepted."""

import difflib
import os
from collections.abc import Collection

_LINE_CHARACTERS = 2000
OTHERS_CHARACTERS = 120  # of a text of third-party code: errors of some libraries print whole programs

_PACKAGES = {"site-packages", "dist-packages"}
_NO_USERS = tuple(
    os.path.join(folder, "") for folder in (os.path.dirname(os.path.dirname(__file__)), os.path.dirname(os.__file__))
)


class NoughtsError(Exception):
    """An error that the user can fix. Its message is one line of at most 2000 characters, as in `shortened`."""

    def __str__(self) -> str:
        return shortened(super().__str__())


class RulesError(NoughtsError, ValueError):
    """A `Rules` or a task, or its text or JSON, is impossible or malformed."""


class IllegalMoveError(NoughtsError, ValueError):
    """The rules do not allow a move in this position."""


class AgentError(NoughtsError):
    """An agent does not exist, has a wrong option, or misbehaved in a game."""


class AgentFailedError(AgentError):
    """An agent failed during a game with a person, although the person's input was right."""


class NotSymmetricError(AgentError):
    """An agent that claims to treat symmetric positions alike, and does not."""


class StoreError(NoughtsError):
    """A results database or a file cannot be opened, read or written."""


class SolverError(NoughtsError):
    """No solver covers a position, or there is not enough memory."""


class CertificateError(NoughtsError):
    """A certificate that proves nothing: damaged, incomplete, or of another game than its header names."""


class ComputeError(NoughtsError):
    """Work could not be done: a worker died, or a limit was exceeded."""


class MissingLibraryError(NoughtsError, ImportError):
    """An optional library is not installed."""

    @classmethod
    def of(cls, library: str, extra: str) -> "MissingLibraryError":
        """Create the error with the command that installs an extra in the clone from which noughts is installed."""
        return cls(f"{library} is not installed: {install_command(extra)}")


def install_command(extra: str) -> str:
    """The commands that install an extra of noughts, with pip or with uv."""
    return f'in your clone of noughts, run pip install ".[{extra}]" or uv sync --extra {extra}'


def one_line(error: BaseException) -> str:
    """Return an exception as one line: its type, message and `own_place`, as in ``KeyError: 'D4' (mine.py, line 12)``.

    It works even if the exception's __str__ raises, and returns at most 2000 characters of an error of ours, and 120 of another.
    """
    name = type(error).__name__
    try:
        message = str(error)
    except KeyboardInterrupt:  # the user pressed Ctrl-C
        raise
    except BaseException:
        message = "(its message cannot be shown)"
    words = message.split()
    ending = f" ({own_place(error)})"
    if ending == " ()" or message.endswith(ending):  # a SyntaxError names its place itself
        ending = ""
    most = _LINE_CHARACTERS if isinstance(error, NoughtsError) else OTHERS_CHARACTERS
    return shortened(" ".join([f"{name}:", *words] if words else [name]), most - len(ending)) + ending


def own_place(error: BaseException) -> str:
    """Return where in the user's own code an exception arose, as in ``mine.py, line 12``; empty if it was not there.

    This is the innermost line that is not in noughts, Python, or an installed package. It leaves out the folder, because saved
    messages must be equal on every machine. Call it in the process that caught the exception, because tracebacks stay there.
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
    return f"{shortened(os.path.basename(file), 40)}, line {line}"


def _is_users(file: str) -> bool:
    """Whether a file is the user's own code; code made while a program ran, such as ``<string>``, is in no file."""
    return not (file.startswith(("<", *_NO_USERS)) or _PACKAGES.intersection(file.split(os.sep)))


def near_one(given: str, names: Collection[str]) -> str:
    """Return a hint with the nearest existing name, starting with a space; empty if none is near."""
    near = difflib.get_close_matches(given, names, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def shortened(text: str, most: int = _LINE_CHARACTERS) -> str:
    """Return a text as one line of at most `most` characters, with unprintable characters escaped.

    Texts from others, such as errors of their agents, appear in terminals, which escape sequences control, and no
    database server stores a null character.
    """
    words = " ".join(filter(None, map(str.strip, text[: 2 * most].splitlines())))
    line = (
        words if words.isprintable() else "".join(each if each.isprintable() else ascii(each)[1:-1] for each in words)
    )
    return line if len(line) <= most else line[: most - 4] + " ..."
