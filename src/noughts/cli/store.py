"""``noughts store``: what the store holds and whether all of it is as it was written; and its repair."""

from typing import TYPE_CHECKING

import typer

from noughts.cli.options import JsonOption, StoreOption

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.store.condition import Condition

app = typer.Typer(help="The store: check it, repair it.", no_args_is_help=True, rich_markup_mode=None)


@app.command()
def check(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Read everything that is kept, and name what is not as it was written. Nothing is changed.

    The exit code is 1 if something is damaged.
    """
    from noughts.cli.output import print_json, print_tables
    from noughts.store.condition import condition

    found = condition(store)
    if as_json:
        print_json(found.model_dump(mode="json") | {"damaged": list(found.damaged)})
        return 1 if found.damaged else 0
    print_tables(_table(found))
    for line in found.damaged:
        typer.echo(f"damaged: {line}", err=True)
    typer.echo("mend it by: noughts store repair" if found.damaged else "nothing is damaged", err=bool(found.damaged))
    return 1 if found.damaged else 0


@app.command()
def repair(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Set aside what is damaged, so that it is asked or trained again. Nothing is removed."""
    from noughts.cli.output import print_json
    from noughts.store.repair import repair as carry_out

    lines = carry_out(store)
    if as_json:
        print_json({"mended": list(lines)})
        return 0
    for line in lines:
        typer.echo(line)
    if not lines:
        typer.echo("nothing is damaged")
    return 0


def _table(found: "Condition") -> "Table":
    from rich.table import Table

    table = Table(title=found.place, title_justify="left")
    table.add_column("", overflow="fold")
    for column in ("kept", "bytes", "damaged", "set aside before"):
        table.add_column(column, justify="right")
    for part in found.parts:
        count, size = ("" if number is None else f"{number:,}" for number in (part.count, part.bytes))
        table.add_row(part.name.replace("_", " "), count, size, str(len(part.damaged)), str(part.set_aside or ""))
    return table
