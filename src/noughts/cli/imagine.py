"""``noughts imagine``: show the boards that an agent's learned model predicts, next to the real boards."""

from typing import Annotated

import typer

from noughts.cli.options import JsonOption, RulesOption, StoreOption, agent_argument


def imagine(
    agent: Annotated[str, agent_argument(help="Agent with a learned model of the game, such as mz:RUN.")],
    rules: RulesOption = "tic-tac-toe",
    after: Annotated[
        str,
        typer.Option(
            "--after",
            metavar="MOVES",
            help='Moves to the position that the model sees, e.g. "B2 A1", or its board, e.g. "XO..X...O".',
        ),
    ] = "",
    line: Annotated[
        str,
        typer.Option("--line", metavar="MOVES", help='Moves to imagine from there, e.g. "C3 A3". They may be illegal.'),
    ] = "",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the boards that an agent's model predicts along a line of moves. It receives only the first position.

    Examples:
        noughts imagine mz:RUN --line "B2 A1 C3"
        noughts imagine mz:RUN --rules "bttt(D4)" --after "C4 D3" --line "E5 E5" --json
    """
    import noughts
    from noughts.cli.output import show
    from noughts.reports.presenting import present

    show(present(noughts.imagine(agent, rules, after, line)), as_json, agent=agent)
