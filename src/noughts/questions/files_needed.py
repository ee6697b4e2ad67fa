"""What questions need on a machine that does not share our files: those that their agents and their code are known by."""

import functools
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import noughts
from noughts.agents import AgentSpec
from noughts.agents.registry import COMPUTED_WITH, code_of
from noughts.machine.sources import files_behind, hash_of_place
from noughts.questions.question import Unit
from noughts.rules import AgentError, NoughtsError

_LEARNS = "training"


def files_needed(group: Sequence[Unit[Any]]) -> tuple[str, ...]:
    """The full paths of all files that count for what the agents and the code of questions of one kind are.

    Raises:
        AgentError: a question names one in full, and by that name no other machine could find it.
    """
    needed: dict[Path, None] = {}
    for unit in group:
        files = [*files_behind(lambda unit=unit: (unit.outside(), _own_class(type(unit))))]  # type: ignore[misc]
        files += [file for spec in unit.agents() for file in _of_agent(spec)[0]]
        asked = unit.to_json()
        if named := [str(file) for file in files if str(file) in asked]:
            raise AgentError(
                f"{named[0]} is named in full, where other machines cannot find it: name it from the working folder, such as "
                "agents/mine.py, or let all machines share files, --on PLACE,files=shared"
            )
        needed |= dict.fromkeys(files)
    return tuple(map(str, needed))


def is_exact(group: Sequence[Unit[Any]]) -> bool:
    """Whether answers depend on the last bits of numbers: where something is trained, or an agent computes with a network."""
    return _LEARNS in type(group[0]).packages or any(_of_agent(spec)[1] for unit in group for spec in unit.agents())


def _of_agent(spec: AgentSpec) -> tuple[tuple[Path, ...], bool]:
    """The files of an agent, and whether it computes with a network."""
    try:
        return _of_sound_agent(spec, Path.cwd())
    except NoughtsError:  # the machine that answers will say what is wrong with it
        return (), False


@functools.lru_cache(maxsize=256)
def _of_sound_agent(spec: AgentSpec, folder: Path) -> tuple[tuple[Path, ...], bool]:
    """The same of an agent that can be found; its text may name files from a working folder."""
    found: dict[str, str] = {}
    files = files_behind(lambda: found.update(code_of(spec)))
    return files, COMPUTED_WITH in found


def _own_class(kind: type) -> str:
    """What tells the code of a question's class from another, if it is from outside."""
    if kind.__module__.partition(".")[0] == noughts.__name__:
        return ""
    return hash_of_place(inspect.getfile(kind))
