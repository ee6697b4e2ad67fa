"""``noughts rules``: show a game with its text forms and symmetries, or list the presets."""

from typing import Annotated

import typer

from noughts.cli.options import JsonOption
from noughts.cli.output import print_json

_NAMED = 8
"""Largest number of symmetries to name, because joined edges make hundreds."""

app = typer.Typer(
    help="""Show a game, or list the presets.

    Examples:
        noughts rules list
        noughts rules show "bttt(E5)"
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def show(
    rules: Annotated[str, typer.Argument(help="The game, e.g. bttt(E5), or a task, e.g. bttt(D3|D4).")],
    as_json: JsonOption = False,
) -> None:
    """Draw the board and print the rules in words, as text and as JSON.

    Examples:
        noughts rules show "bttt(E5)"
        noughts rules show "mnk(7,7,4,wrap=both)" --json
    """
    from noughts.positions import Position
    from noughts.rules import describe_rules, format_rules, format_task, line_table, parse_task, symmetries

    task = parse_task(rules)
    if as_json:
        print_json(
            {
                "task": format_task(task),
                "rules": [
                    {
                        "text": format_rules(game),
                        "weight": weight,
                        "fields": game.model_dump(mode="json"),
                        "about": describe_rules(game),
                        "lines": len(line_table(game).cells),
                        "symmetries": [symmetry.name for symmetry in symmetries(game)],
                    }
                    for game, weight in zip(task.rules, task.weights, strict=True)
                ],
            }
        )
        return
    if len(task.rules) > 1:
        typer.echo(f"{len(task.rules)} games of {task.rules[0].rows}x{task.rules[0].cols}: {format_task(task)}")
        return
    (game,) = task.rules
    typer.echo(f"{Position.start(game)}\n")
    typer.echo(describe_rules(game))
    typer.echo(f"text        {format_rules(game)}")
    typer.echo(f"JSON        {game.to_json()}")
    typer.echo(f"lines       {len(line_table(game).cells)}")
    names = [symmetry.name for symmetry in symmetries(game)]
    shown = ", ".join(names[:_NAMED])
    typer.echo(f"symmetries  {shown if len(names) <= _NAMED else f'{len(names)}: {shown}, ...'}")


@app.command("list")
def list_presets(as_json: JsonOption = False) -> None:
    """List the presets and the fields that may follow their arguments.

    Examples:
        noughts rules list
    """
    from noughts.rules import PRESETS, Rules

    if as_json:
        presets = [{"name": p.name, "parameters": p.parameters, "about": p.about} for p in PRESETS.values()]
        print_json({"presets": presets, "fields": {name: Rules.allows(name) for name in Rules.model_fields}})
        return
    for preset in PRESETS.values():
        name = f"{preset.name}({','.join(preset.parameters)})" if preset.parameters else preset.name
        typer.echo(f"{name:22} {preset.about}")
    typer.echo("\nFields that may follow, as name=value:")
    for field in Rules.model_fields:
        typer.echo(f"  {field:20} {Rules.allows(field)}")
