"""``noughts agents``: what can play."""

import typer

from noughts.cli.options import JsonOption


def agents(as_json: JsonOption = False) -> None:
    """List the agents and their options, and those that installed packages offer."""
    from noughts.agents import AGENTS
    from noughts.agents.plugin import AGENT_PLUGINS
    from noughts.cli.output import print_json
    from noughts.machine.plugins import offered_by

    others = [
        (name, f"from {offered_by(point)}: {point.value}")
        for name, point in sorted(AGENT_PLUGINS.offered().items())
        if name not in AGENTS
    ]
    if as_json:
        print_json(
            [
                {
                    "name": kind.name,
                    "about": kind.about,
                    "target": kind.target,
                    "options": [
                        {"name": o.name, "allowed": o.allowed, "default": o.default, "about": o.about}
                        for o in kind.options
                    ],
                }
                for kind in AGENTS.values()
            ]
            + [{"name": name, "about": about, "target": None, "options": []} for name, about in others]
        )
        return
    for kind in AGENTS.values():
        typer.echo(f"{kind.name:12} {kind.about}")
        if kind.target is not None:
            typer.echo(f"  {'':10} {kind.name}:{kind.target}")
        for option in kind.options:
            default = f"default {option.default or 'none'}" if option.default is not None else "must be given"
            typer.echo(f"  {option.name:10} {option.about}: {option.allowed}; {default}")
    for name, about in others:
        typer.echo(f"{name:12} {about}")
    typer.echo("python:file.py:Class,option=value or python:module:Class,option=value")
    typer.echo(
        "             a class of yours with choose(position, rng); options become its keyword arguments, as annotated"
    )
    typer.echo(
        "\nWrite KIND:option=value,... or KIND:TARGET,option=value,...: mcts:sims=1000,c=1; az:RUN,sims=100;"
        " python:file.py:Class,depth=2.\nA value or a command with commas stands in parentheses. Commands show"
        " me=mcts:sims=1000 as `me`."
    )
