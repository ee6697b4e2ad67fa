"""``noughts gomocup``: our agents as a gomoku engine, for piskvork and every other manager."""

from typing import Annotated

import typer

from noughts.cli.options import SeedOption, StoreOption, complete_agent


def gomocup(
    agent: Annotated[
        str,
        typer.Option(
            "--agent",
            "-a",
            help="Who plays, AGENT or NAME=AGENT; one that can be interrupted keeps any time limit.",
            autocompletion=complete_agent,
        ),
    ] = "minimax:depth=12",
    k: Annotated[int, typer.Option("--k", min=1, max=19, help="The line that wins; managers expect 5.")] = 5,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.01, max=86400, help="What a move may take where the manager says nothing."),
    ] = 5.0,
    seed: SeedOption = 0,
    store: StoreOption = None,
) -> int:
    """Be a gomoku engine: speak the Gomocup (piskvork) protocol on standard input and output, until END.

    Boards go up to 19x19, rectangles too. Rules are those of free style: five or more in a row win. When a move's time is
    up, the best that the agent knows is played.
    """
    from noughts.agents import parse_agent
    from noughts.bridges.gomocup import serve
    from noughts.document.names import read_names

    (agent,), names = read_names([agent])
    text = str(parse_agent(agent))
    serve(text, k, seed, seconds, called=names.show(text))
    return 0
