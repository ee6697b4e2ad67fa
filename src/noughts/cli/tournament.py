"""``noughts tournament``: play every agent against every other."""

from typing import Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import MoveSecondsOption, SeedOption, TaskOption, agent_argument, grouped


@grouped
def tournament(
    agents: Annotated[list[str], agent_argument(help="Two or more agents, each as AGENT or NAME=AGENT.")],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="Games for each ordered pair.")] = 100,
    opening: Annotated[int, typer.Option("--opening", help="Random opening moves.")] = 0,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    *,
    how: Asking,
) -> int:
    """Play a round robin in which each agent moves first against every other agent.

    If you interrupt a tournament, the same command continues it. If it has finished, the command shows the saved result.

    Examples:
        noughts tournament random minimax:depth=1 mcts:sims=100 --games 10
        noughts tournament me=python:mine.py:Mine minimax mcts --rules "bttt(D4)" --opening 2
    """
    import noughts

    held = noughts.tournament(
        how.read(*agents),
        rules,
        games,
        opening=opening,
        seed=seed,
        move_seconds=move_seconds,
        **how.options,
    )
    return how.show(held)
