"""``noughts match``: play many games between two agents, of one game or a task."""

from typing import Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import FigureOption, MoveSecondsOption, SeedOption, TaskOption, agent_argument, grouped


@grouped
def match(
    a: Annotated[
        str, agent_argument(help="Agent, e.g. minimax:depth=2, or NAME=AGENT. `noughts agents` lists all agents.")
    ],
    b: Annotated[str, agent_argument(help="Opponent.")],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games in total.")] = 100,
    fixed: Annotated[
        bool,
        typer.Option("--fixed/--swapped", help="Whether the first agent always moves first, or the agents take turns."),
    ] = False,
    opening: Annotated[
        int, typer.Option("--opening", help="Random opening moves, the same for each pair of games.")
    ] = 0,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    report: FigureOption = None,
    *,
    how: Asking,
) -> int:
    """Play a match and show who won, with confidence intervals.

    If you interrupt a match, the same command continues it. If it has finished, the command shows the saved result.

    A task such as bttt(*) has several games, and each of them is played equally often.

    Examples:
        noughts match minimax:depth=2 mcts:sims=200 --games 20
        noughts match me=python:mine.py:Mine,depth=2 rival=mcts:sims=100 --rules "bttt(*)" --games 98
        noughts match az:RUN,sims=0 random --games 100 --json
    """
    import noughts

    one, other = how.read(a, b)
    result = noughts.match(
        one, other, rules, games, fixed=fixed, opening=opening, seed=seed, move_seconds=move_seconds, **how.options
    )
    return how.show(result, report, rules=rules)
