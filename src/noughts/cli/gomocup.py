"""``noughts gomocup``: run an agent as a gomoku engine, for piskvork and other managers."""

from typing import Annotated

import typer

from noughts.cli.options import SeedOption, StoreOption, agent_option


def gomocup(
    agent: Annotated[
        str, agent_option("--agent", "-a", help="Agent, as AGENT or NAME=AGENT. Anytime agents respect any time limit.")
    ] = "minimax:depth=12",
    k: Annotated[int, typer.Option("--k", min=1, max=19, help="Length of a winning line. Managers expect 5.")] = 5,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.01, max=86400, help="Seconds per move, if the manager sets no limit."),
    ] = 5.0,
    seed: SeedOption = 0,
    store: StoreOption = None,
) -> int:
    """Run as a gomoku engine, by the Gomocup (piskvork) protocol on standard input and output, until END.

    Boards may be rectangles and have up to 19x19 cells. The rules are freestyle, so five or more in a row win. When the time
    for a move is up, the agent plays its best move so far.

    Examples:
        noughts gomocup --agent minimax:depth=12
        noughts gomocup --agent az:RUN --k 5 --seconds 2
    """
    from noughts.bridges.gomocup import serve
    from noughts.document.names import read_names

    (player,), names = read_names([agent])
    serve(str(player), k, seed, seconds, names.show(player))
    return 0
