"""``noughts agents [AGENT]``: the agents, with their options."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption

if TYPE_CHECKING:
    from noughts.agents.kinds import AgentKind


def agents(
    agent: Annotated[
        str | None,
        typer.Argument(metavar="AGENT", help="List only this agent, or your own as python:file.py:Class."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """List the agents with their options, and the agents that installed packages add.

    Examples:
        noughts agents
    """
    from noughts.agents import AGENTS
    from noughts.cli.output import show
    from noughts.reports.presenting.listed import present_agents

    if agent is None:
        listed = [*map(_ours, AGENTS.values()), *_offered()]
    else:
        listed = [_ours(AGENTS[agent]) if agent in AGENTS else _outside(agent)]
    return show(present_agents(listed, agent is None), as_json)


def _ours(kind: "AgentKind") -> dict[str, Any]:
    options = [{"name": o.name, "allowed": o.allowed, "default": o.default, "about": o.about} for o in kind.options]
    return {"name": kind.name, "about": kind.about, "target": kind.target, "options": options}


def _offered() -> list[dict[str, Any]]:
    """Return the agents of installed packages, without loading them."""
    from noughts.agents import AGENTS
    from noughts.agents.plugin import AGENT_PLUGINS
    from noughts.machine.plugins import offered_by

    return [
        {"name": name, "about": f"from {offered_by(point)}: {point.value}", "target": None, "options": []}
        for name, point in sorted(AGENT_PLUGINS.offered().items())
        if name not in AGENTS
    ]


def _outside(text: str) -> dict[str, Any]:
    """Return a third-party agent, and load its code; AgentError if there is none."""
    from noughts.agents import parse_agent
    from noughts.agents.plugin import named
    from noughts.machine.parameters import options_of
    from noughts.rules import AgentError

    loaded = named(parse_agent(text))
    try:
        options = options_of(loaded)
    except (ValueError, TypeError):
        raise AgentError(f"agent {text!r}: the options of {loaded!r} cannot be read") from None
    about = next(iter((loaded.__doc__ or "").strip().splitlines()), "")
    return {"name": text, "about": about, "target": None, "options": options}
