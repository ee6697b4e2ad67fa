"""``noughts imagine``: what an agent's learned model believes the board to be after some moves, beside the real board."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, RulesOption, StoreOption, complete_agent

if TYPE_CHECKING:
    from noughts.questions.imagined import BelievedPosition
    from noughts.rules import Rules


def imagine(
    agent: Annotated[
        str,
        typer.Argument(help="An agent with a model of the game, such as mz:RUN.", autocompletion=complete_agent),
    ],
    rules: RulesOption = "tic-tac-toe",
    after: Annotated[
        str,
        typer.Option("--after", metavar="MOVES", help='Moves that it sees made: "B2 A1"; or the board: "XO..X...O".'),
    ] = "",
    line: Annotated[
        str, typer.Option("--line", metavar="MOVES", help='Moves that it imagines from there, legal or not: "C3 A3".')
    ] = "",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what an agent's model believes along a line of moves: it sees the first position alone, the rest it imagines."""
    from noughts.cli.output import print_json
    from noughts.library.imagining import imagine as ask
    from noughts.rules import read_rules

    game = read_rules(rules)
    found = ask(agent, game, after, line)
    if as_json:
        print_json({"agent": agent, "rules": str(game)} | found.model_dump(mode="json"))
        return
    for number, one in enumerate(found.positions):
        if number:
            typer.echo("")
        for text in _lines(one, game):
            typer.echo(text)


def _lines(one: "BelievedPosition", rules: "Rules") -> list[str]:
    """One position: what is believed in words, and the two boards."""
    head = "seen" if one.move is None else f"after {rules.name_of(one.move)}"
    if not one.legal:
        head += ", which cannot be made"
    said = [f"value {one.value:+.2f}"]
    if one.first is not None:
        said.append(f"{'first' if one.first else 'second'} to move")
    if one.over is not None:
        said.append("over" if one.over else "not over")
    truth = "no such position" if one.really_over is None else "over" if one.really_over else "not over"
    lines = [f"{head}: believes {', '.join(said)}; really {truth}"]
    believed, real = _board(one.cells, rules), _board(one.real, rules)
    if not believed:
        return [*lines, "  the model has no decoder: train with model.decoder=probe to see its boards"]
    width = 2 * rules.cols + 4
    rows = real or [""] * len(believed)
    lines.append(f"  {'believed':<{max(width, 10)}}{'real' if real else ''}".rstrip())
    return [*lines, *(f"  {mine:<{max(width, 10)}}{his}".rstrip() for mine, his in zip(believed, rows, strict=True))]


def _board(cells: Any, rules: "Rules") -> list[str]:
    """The rows of a board, all boards one below the other."""
    from noughts.positions import SYMBOLS

    if cells is None:
        return []
    shown = [SYMBOLS[cell] for cell in cells]
    return [" ".join(shown[start : start + rules.cols]) for start in range(0, len(shown), rules.cols)]
