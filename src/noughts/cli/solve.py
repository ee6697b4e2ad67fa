"""``noughts solve``: find the exact values of games, with certificates."""

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import FigureOption, ForceOption, grouped
from noughts.cli.output import note, print_problems


@grouped
def solve(
    games: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="Game, e.g. bttt(D4) or notakto(5), or several, e.g. bttt(*) or bttt(D3|D4)."
        ),
    ],
    after: Annotated[
        str,
        typer.Option(
            "--after",
            metavar="MOVES",
            help='Moves already made, e.g. "D3 E5", or the board, e.g. "XO..X...O". Needs a single game.',
        ),
    ] = "",
    every_move: Annotated[
        bool, typer.Option("--moves/--no-moves", help="Whether to find the value of every move as well.")
    ] = False,
    distances: Annotated[
        bool, typer.Option("--distance/--no-distance", help="Whether to find the length of the game under best play.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="FOLDER", help="Write a certificate of each game that is won."),
    ] = None,
    force: ForceOption = False,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop a game after this many nodes of its solver.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop a game after this many seconds.")] = None,
    memory: Annotated[int, typer.Option("--memory", metavar="GIB", help="Memory for the tables of a solver.")] = 1,
    limit: Annotated[int, typer.Option("--limit", help="Maximum number of entries of a certificate.")] = 1_000_000,
    report: FigureOption = None,
    *,
    how: Asking,
) -> int:
    """Find the exact value of games, for the side to move, or bounds if the budget is too small.

    The exit code is 1 if some game was not decided. Existing certificates are kept, so the same command continues
    where it stopped.

    Examples:
        noughts solve tic-tac-toe --moves
        noughts solve "bttt(D4)" --certificate proofs --distance
        noughts solve "bttt(*)" --seconds 10
    """
    import noughts
    from noughts.rules import format_rules

    answer = noughts.solve(
        games,
        after=after,
        every_move=every_move,
        distances=distances,
        certificates=certificate,
        limit=limit,
        force=force,
        nodes=nodes,
        seconds=seconds,
        memory=memory,
        **how.options,
    )
    several = len(how.asked.task.rules) > 1
    failed = {} if how.answers is None else how.answers.problems
    problems = [
        f"{format_rules(unit.rules)}: " * several + failed[unit.key].removeprefix("SolverError: ")
        for unit in how.asked.needs()
        if unit.key in failed
    ]
    code = how.show(answer, report)
    if not several and certificate is not None and not answer.games[0].result.certificates and not how.as_json:
        note("no certificate: only games that are proved to be won have one")
    print_problems(problems)
    return 1 if problems or any(game.result.value is None for game in answer.games) else code
