"""The agents that the page offers, with their options, and with the runs that they can play with."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from noughts.agents import AGENTS
from noughts.agents.kinds import AgentKind
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


class AgentTarget(BaseModel):
    """A training run that an agent can play with."""

    text: str
    about: str


class AgentAnswer(BaseModel):
    """A kind of agent."""

    name: str
    about: str
    target: str | None = Field(description="What stands first after the colon, in words.")
    options: list[AgentOption]
    targets: list[AgentTarget] | None
    imagines: bool = Field(description="Whether it has a learned model of the game, whose beliefs can be shown.")
    traces: bool = Field(description="Whether it grows a tree that can be watched.")


def agents() -> list[AgentAnswer]:
    """All of them; runs are looked up on the disk."""
    runs = list_runs()
    return [_show(AGENTS[name], runs) for name in offered_agents()]


def _show(kind: AgentKind, runs: Sequence[RunFolder]) -> AgentAnswer:
    return AgentAnswer(
        name=kind.name,
        about=kind.about,
        target=kind.target,
        options=[AgentOption.model_validate(option) for option in kind.options],
        targets=None if kind.target is None else _targets(kind, runs),
        imagines=kind.imagines,
        traces=kind.traces,
    )


def _targets(kind: AgentKind, runs: Sequence[RunFolder]) -> list[AgentTarget]:
    """The store's runs whose method makes agents of this kind, at their last iteration; before them the example."""
    found = []
    if kind.name == EXAMPLE_KIND:
        found.append(AgentTarget(text=pinned(EXAMPLE), about="bttt(D4), ships with noughts"))
    for run in runs:
        try:
            if run.description.method != kind.name or not is_name(run.folder.name):
                continue
            if iterations := run.iterations():
                about = f"{run.description.task}, {iterations[-1]} iterations"
                found.append(AgentTarget(text=f"{run.folder.name}@{iterations[-1]}", about=about))
        except StoreError:
            continue
    return found
