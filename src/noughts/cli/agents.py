"""``noughts agents [AGENT]``: what can play, with its options."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption

if TYPE_CHECKING:
    from noughts.agents.kinds import AgentKind


def agents(
    agent: Annotated[
        str | None,
        typer.Argument(metavar="[AGENT]", help="List only this agent, or your own as python:file.py:Class."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the agents and their options, and those that installed packages offer."""
    from noughts.agents import AGENTS
    from noughts.cli.output import print_json

    if agent is not None and agent not in AGENTS:
        shown = _outside(agent)
        if as_json:
            print_json([shown])
        else:
            _print(shown)
        return
    kinds = list(AGENTS.values()) if agent is None else [AGENTS[agent]]
    listed = [_ours(kind) for kind in kinds] + (_offered() if agent is None else [])
    if as_json:
        print_json(listed)
        return
    for shown in listed:
        _print(shown)
    if agent is None:
        typer.echo("python:file.py:Class,option=value or python:module:Class,option=value")
        typer.echo(
            "             a class of yours with choose(position, rng); options become its keyword arguments, as annotated"
        )
    typer.echo(
        "\nWrite KIND:option=value,... or KIND:TARGET,option=value,...: mcts:sims=1000,c=1; az:RUN,sims=100;"
        " python:file.py:Class,depth=2.\nA value or a command with commas stands in parentheses. Commands show"
        " me=mcts:sims=1000 as `me`."
    )


def _print(shown: dict[str, Any]) -> None:
    """One agent: its name, then its options, a line each."""
    typer.echo(f"{shown['name']:12} {shown['about']}".rstrip())
    if shown["target"] is not None:
        typer.echo(f"  {'':10} {shown['name']}:{shown['target']}")
    for option in shown["options"]:
        default = "must be given" if option["default"] is None else f"default {option['default'] or 'none'}"
        typer.echo(
            f"  {option['name']:10} {': '.join(filter(None, (option['about'].rstrip('.'), option['allowed'])))}; {default}"
        )


def _ours(kind: "AgentKind") -> dict[str, Any]:
    options = [{"name": o.name, "allowed": o.allowed, "default": o.default, "about": o.about} for o in kind.options]
    return {"name": kind.name, "about": kind.about, "target": kind.target, "options": options}


def _offered() -> list[dict[str, Any]]:
    """Those of installed packages, which are not loaded."""
    from noughts.agents import AGENTS
    from noughts.agents.plugin import AGENT_PLUGINS
    from noughts.machine.plugins import offered_by

    return [
        {"name": name, "about": f"from {offered_by(point)}: {point.value}", "target": None, "options": []}
        for name, point in sorted(AGENT_PLUGINS.offered().items())
        if name not in AGENTS
    ]


def _outside(text: str) -> dict[str, Any]:
    """An agent from outside, whose code is loaded; AgentError if there is none."""
    from noughts.agents import parse_agent
    from noughts.agents.plugin import named
    from noughts.machine.parameters import options_of
    from noughts.rules import AgentError

    loaded = named(parse_agent(text))
    try:
        found = options_of(loaded)
    except (ValueError, TypeError):
        raise AgentError(f"agent {text!r}: the options of {loaded!r} cannot be read") from None
    options = [one._asdict() for one in found]
    about = next(iter((loaded.__doc__ or "").strip().splitlines()), "")
    return {"name": text, "about": about, "target": None, "options": options}
