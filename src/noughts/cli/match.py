"""``noughts match``: two agents, many games, of one kind or of a whole task."""

from typing import Annotated

import typer

from noughts.cli.ask import Asking, asks, show
from noughts.cli.options import FigureOption, MoveSecondsOption, SeedOption, TaskOption, complete_agent


@asks
def match(
    a: Annotated[
        str,
        typer.Argument(
            help="An agent, e.g. minimax:depth=2, or NAME=AGENT; `noughts agents` lists them.",
            autocompletion=complete_agent,
        ),
    ],
    b: Annotated[str, typer.Argument(help="Its opponent.", autocompletion=complete_agent)],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games in all.")] = 100,
    fixed: Annotated[
        bool, typer.Option("--fixed/--swapped", help="The first agent always begins, or they take turns.")
    ] = False,
    opening: Annotated[
        int, typer.Option("--opening", help="Random moves before the agents begin; the same for each pair of games.")
    ] = 0,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    report: FigureOption = None,
    *,
    how: Asking,
) -> int:
    """Play a match and show who won, with intervals. Interrupted, the same command goes on; finished, it shows what is kept.

    With several games, such as bttt(*), each is played as often as every other.
    """
    from noughts.document.names import read_names
    from noughts.library.games import match_name, match_question
    from noughts.reports.presenting import present

    (a, b), names = read_names([a, b])
    played = match_question(a, b, rules, games, fixed, opening, seed, move_seconds, how.workers)
    answers = how.ask(
        [played],
        "match",
        match_name(played),
        lambda answers: present(answers[played], played, names),
        seed,
        title=f"{names.show(played.a)} - {names.show(played.b)}",
    )
    return show(present(answers[played], played, names), how.as_json, names, report, played.key, rules=rules)
