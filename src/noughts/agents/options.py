"""`Option`: an option that an agent accepts after its name, and how its text is read."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from noughts.agents.engine import split_files
from noughts.machine.dependencies import NOTHING, Dependencies, of_files


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an agent.

    Attributes:
        name: As written before the ``=``.
        read: Parses its text; ValueError if the value is not allowed. The registry parses a value that is an agent.
        allowed: A description of the allowed values.
        default: Its text when left out; None if it must be given.
        about: One line for users.
        always: Whether the canonical text names it even at its default, as it does budgets.
        choices: All allowed values, if there are few; else empty.
        is_agent: Whether its value is another agent.
        depends_on: Finds the files and versions that its value depends on, which change when the agent does.
        targets: The targets that have it; empty if all do.
        outside: Returns whether a text names third-party code; None if no text does.
    """

    name: str
    read: Callable[[str], Any]
    allowed: str
    default: str | None
    about: str
    always: bool = False
    choices: tuple[str, ...] = ()
    is_agent: bool = False
    depends_on: Callable[[str], Dependencies] | None = None
    targets: tuple[str, ...] = ()
    outside: Callable[[str], bool] | None = None


def _ascii(text: str) -> str:
    """Return the text; ValueError if it has digits of another script, which Python would accept, too."""
    if not text.isascii():
        raise ValueError(text)
    return text


def _number(text: str) -> float:
    """Read a number, -0 as 0, so that an agent has one text; ValueError if it is none."""
    return float(_ascii(text)) + 0.0


def whole(
    name: str, low: int, high: int, default: int, about: str, always: bool = True, targets: tuple[str, ...] = ()
) -> Option:
    """A whole number within bounds."""

    def read(text: str) -> int:
        value = int(_ascii(text).replace("_", ""))
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return Option(name, read, f"a whole number from {low} to {high}", str(default), about, always, targets=targets)


def real(name: str, low: float, high: float, default: float, about: str, targets: tuple[str, ...] = ()) -> Option:
    """A finite number within bounds."""

    def read(text: str) -> float:
        value = _number(text)
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(text)
        return value

    return Option(name, read, f"a number from {low:g} to {high:g}", f"{default:g}", about, targets=targets)


def choice(
    name: str,
    choices: tuple[str, ...],
    about: str,
    targets: tuple[str, ...] = (),
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Option:
    """One of a few words, the first by default.

    Args:
        renamed: The new word for each old one. Old words are accepted, too.
    """

    def read(text: str) -> str:
        word = renamed.get(text, text)
        if word not in choices:
            raise ValueError(text)
        return word

    return Option(name, read, " or ".join(choices), choices[0], about, choices=choices, targets=targets)


def agent(name: str, about: str) -> Option:
    """Another agent, which must be given."""
    return Option(name, str, "an agent, such as minimax:depth=9", None, about, always=True, is_agent=True)


def tolerance(name: str, about: str) -> Option:
    """A difference of values, or `trained`."""

    def read(text: str) -> str:
        if text == "trained":
            return text
        if not 0 <= _number(text) <= 2:
            raise ValueError(text)
        return f"{_number(text):g}"

    return Option(name, read, "a number from 0 to 2, or trained", "trained", about)


def files() -> Option:
    """Files that a program reads. A change of them makes another agent."""

    def read(text: str) -> str:
        split_files(text)
        return text

    def depends_on(text: str) -> Dependencies:
        return of_files("files", split_files(text)) if text else NOTHING

    about = "other files that the program reads, such as weights; a change of them makes another agent"
    return Option("files", read, "files or folders, joined by +", "", about, depends_on=depends_on)


def memory() -> Option:
    """A limit for the memory of a program, in MiB."""
    return whole("memory", 0, 1 << 30, 0, "MiB of memory for the program; 0 for no limit", always=False)
