"""``noughts conform``: check a third-party game and search, in a separate process."""

import subprocess
import sys
from typing import Annotated

import typer

from noughts.cli.options import JsonOption


def conform(
    mine: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:CLASS", help="Class with the functions start, player, legal, play and returns."
        ),
    ],
    rules: Annotated[
        str,
        typer.Option("--rules", help="Game that the class implements, by its board, its k and the winner of a line."),
    ] = "tic-tac-toe",
    sims: Annotated[int, typer.Option("--sims", min=10, max=100_000, help="Simulations in each search.")] = 400,
    as_json: JsonOption = False,
) -> int:
    """Check your own AlphaZero: whose turn it is, legal moves, results, symmetries, and the signs in its search.

    Each check prints one line. Your class does not depend on noughts, nor does the checker, so you can copy
    `noughts/examine/conform.py` into your project's tests.

    Examples:
        noughts conform mine.py:Mine
        noughts conform mine.py:Mine --rules misere-tic-tac-toe
    """
    from noughts.examine import conform as alone
    from noughts.rules import NoughtsError, Rules, parse_rules

    game = parse_rules(rules)
    plain = Rules(rows=game.rows, cols=game.cols, k=game.k, line=game.line)
    if game != plain:
        raise NoughtsError(f"conform checks boards with a draw when full and no other rule: {game} is not one")
    words = [mine, "--rows", str(game.rows), "--cols", str(game.cols), "--k", str(game.k), "--sims", str(sims)]
    words += ["--misere"] if game.line == "loses" else []
    words += ["--json"] if as_json else []
    sys.stdout.flush()
    return subprocess.run([sys.executable, alone.__file__, *words], check=False).returncode
