"""The agents that the page offers, with their options, and with the runs that they can play with."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from noughts.agents import AGENTS
from noughts.agents.trained import EXAMPLE, EXAMPLE_KIND, pinned
from noughts.rules import StoreError
from noughts.store.run_folder import RunFolder, is_name, list_runs
from noughts.web.reading import offered_agents


class AgentOption(BaseModel, from_attributes=True):
    """What may be set about an agent."""

    name: str
    allowed: str
    default: str | None = Field(description="None if it must be given.")
    about: str
    choices: Annotated[list[str] | None, BeforeValidator(lambda choices: choices or None)] = Field(
        description="All that may be chosen; None for numbers and texts."
    )


class AgentAnswer(BaseModel, from_attributes=True):
    """A kind of agent."""

    name: str
    about: str
    target: str | None = Field(description="What stands first after the colon, in words.")
    options: list[AgentOption]
    targets: list[str] | None = Field(
        None, description="The training runs that it can play with, if it plays with one."
    )
    imagines: bool = Field(description="Whether it has a learned model of the game, whose beliefs can be shown.")
    traces: bool = Field(description="Whether it grows a tree that can be watched.")


def agents() -> list[AgentAnswer]:
    """All of them; runs are looked up on the disk."""
    runs, found = list_runs(), [AgentAnswer.model_validate(AGENTS[name]) for name in offered_agents()]
    for kind in found:
        if kind.target is not None:
            kind.targets = [pinned(EXAMPLE)] * (kind.name == EXAMPLE_KIND) + _targets(kind.name, runs)
    return found


def _targets(kind: str, runs: Iterable[RunFolder]) -> list[str]:
    """The store's runs whose method makes agents of a kind, at their last iteration; those that cannot be read are left out."""
    found = []
    for run in runs:
        with suppress(StoreError):
            if run.description.method == kind and is_name(run.folder.name) and (iterations := run.iterations()):
                found.append(f"{run.folder.name}@{iterations[-1]}")
    return found
