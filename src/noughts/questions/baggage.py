"""What a unit needs on a machine that does not share our files: the files by which its agents are known, and what it fills."""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

import noughts
from noughts.agents import AgentSpec
from noughts.agents.registry import COMPUTED_WITH, code_of
from noughts.machine.jobs import Baggage
from noughts.machine.sources import files_behind, hash_of_place
from noughts.questions.question import Unit
from noughts.rules import AgentError, NoughtsError

_LEARNS = "training"


class BaggageError(AgentError):
    """An agent that reads a file which other machines could not find."""


def baggage_of(group: Sequence[Unit[Any]]) -> Baggage:
    """What must go along with questions of one kind.

    It is what their identity is made of: a file that counts for what an agent is, is one that it reads.

    Raises:
        BaggageError: a file has a name that no other machine could find it by.
    """
    reads: dict[str, None] = {}
    exact = _LEARNS in type(group[0]).packages
    for unit in group:
        for path in files_behind(lambda unit=unit: (unit.outside(), _own_class(type(unit)))):  # type: ignore[misc]
            reads[str(path)] = None
        for spec in unit.agents():
            try:
                files, computes = _of_agent(spec)
            except BaggageError:
                raise
            except NoughtsError:  # whoever answers will say what is wrong with it
                continue
            reads |= dict.fromkeys(files)
            exact = exact or computes
    made = {folder for unit in group if (folder := unit.makes())}
    return Baggage(tuple(reads), str(made.pop()) if made else "", exact)


@functools.lru_cache(maxsize=256)
def _of_agent(spec: AgentSpec) -> tuple[tuple[str, ...], bool]:
    """The files of an agent, and whether it computes with a network.

    Raises:
        NoughtsError: there is no such agent, or other machines could not find one of its files.
    """
    found: dict[str, str] = {}
    files = files_behind(lambda: found.update(code_of(spec)))
    for file in files:
        if file.suffix != ".py" and str(file) in str(spec):
            raise BaggageError(
                f"agent {str(spec)!r} names {file} in full, where other machines cannot find it: name it from the working "
                "folder, such as weights/mine.safetensors, or let all machines share files, --on PLACE,files=shared"
            )
    return tuple(map(str, files)), COMPUTED_WITH in found


def _own_class(kind: type) -> str:
    """What tells the code of a question's class from another, if it is from outside."""
    if kind.__module__.partition(".")[0] == noughts.__name__:
        return ""
    return hash_of_place(inspect.getfile(kind))
