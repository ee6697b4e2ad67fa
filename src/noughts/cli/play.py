"""``noughts play``: play against an agent in the terminal."""

from typing import Annotated

import typer

from noughts.cli.options import RulesOption, SeedOption, StoreOption, agent_option


def play(
    rules: RulesOption = "tic-tac-toe",
    against: Annotated[
        str,
        agent_option(
            "--against",
            "-a",
            help="Opponent, as AGENT or NAME=AGENT. Use `human` to play a friend at the same keyboard.",
        ),
    ] = "mcts:sims=1000",
    second: Annotated[bool, typer.Option("--second/--first", help="Whether you move second or first.")] = False,
    hint: Annotated[str, agent_option("--hint", help="Agent that gives hints.")] = "mcts:sims=10000",
    seed: SeedOption = 0,
    store: StoreOption = None,
) -> int:
    """Play against an agent in the terminal, with hints and undo.

    Examples:
        noughts play --rules tic-tac-toe --against minimax:depth=9
        noughts play --rules "bttt(D4)" --against me=python:mine.py:Mine,depth=2 --second
    """
    from noughts.cli.table_top import TableTop
    from noughts.document.names import read_names
    from noughts.rules import parse_rules
    from noughts.store.results import Store

    game = parse_rules(rules)
    (opponent, adviser), names = read_names([against, hint])
    table = TableTop(game, opponent, adviser, seed, you_are_second=second, opponent_name=names.show(opponent))
    keeper = Store.open()
    try:
        table.play()
    finally:
        if table.position.ply:
            with keeper.begin("play", table.name, {"seed": seed, "moves": list(table.position.moves)}, seed) as run:
                run.keep((), {(f"played by hand {run.id}", ""): table.record()})
                run.finish("{}")
    return 0
