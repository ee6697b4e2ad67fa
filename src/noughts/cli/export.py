"""``noughts export``: write saved games and positions in formats that other programs read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import Filters, ForceOption, grouped, memory_option, nodes_option
from noughts.cli.output import note, show
from noughts.rules.errors import SolverError, StoreError

if TYPE_CHECKING:
    from noughts.positions import Position
    from noughts.solvers.solution import Solution
    from noughts.store.records import GameRecord


@grouped
def export(
    source: Annotated[
        str,
        typer.Argument(
            help="Run id, `all`, or an exported file. A kind of run or the name of a study selects the latest such run.",
        ),
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="File to write.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="Format, i.e. games, csv, parquet, pgn, openspiel, positions or dataset. By default it follows the file name.",
        ),
    ] = None,
    values: Annotated[
        bool, typer.Option("--values/--no-values", help="Whether positions and datasets include exact values.")
    ] = True,
    nodes: Annotated[int, nodes_option(min=1)] = 1_000_000,
    memory: Annotated[int, memory_option(min=1)] = 1,
    force: ForceOption = False,
    *,
    only: Filters,
    how: Asking,
) -> int:
    """Export saved games, or their positions, for other programs.

    Files of games (.jsonl, .csv, .pgn, .sgf, .psq) can be the source of another export, so you can convert between formats.

    Examples:
        noughts export match --to games.csv
        noughts export all --to games.pgn --agent minimax --rules tic-tac-toe
    """
    from noughts.bridges.formats import FORMS, content_of, form_of
    from noughts.bridges.found import Wanted, find_games, note_on_versions
    from noughts.document.document import Document
    from noughts.rules.text import counted
    from noughts.store.files import require_new, write_atomically
    from noughts.store.results import Store

    place = Store.open()
    name = form_of(form, to)
    require_new(to, force)  # fail before any position is solved
    wanted = Wanted(**vars(only))
    records = [record for _, record in find_games(place, source, wanted)]
    if not records:
        raise StoreError(f"{source} has no such games: `noughts results games` lists those it has")
    solved = _solve(records, nodes, memory, how) if values and FORMS[name].has_values else {}
    content = content_of(name, records, solved)
    require_new(to, force)  # another process may have created it meanwhile
    write_atomically(to, content)
    broken = sum(record.ending == "error" for record in records)
    unknown = sum(found.value is None for found in solved.values())
    counts = {"games": len(records), "broken": broken, "positions": len(solved), "not_proved": unknown}
    said = [counted(len(records), "game")]
    if broken:
        left_out = ", which are left out" if name == "dataset" else ""
        said.append(f"{broken:,} of them broken off{left_out}")
    if solved:
        said.append(
            f"{counted(len(solved), 'position')} with exact values, {unknown:,} of them not proved within {nodes:,} nodes"
        )
    data = {"file": str(to), "format": name, "bytes": to.stat().st_size} | counts
    show(Document((f"{to}: {FORMS[name].about}: {'; '.join(said)}",), data), how.as_json)
    if not how.as_json and (several := note_on_versions(records)):
        note(several)
    return 0


def _solve(records: "list[GameRecord]", nodes: int, memory: int, how: Asking) -> "dict[Position, Solution]":
    """Solve each position of the games in which a move was made."""
    import noughts
    from noughts.bridges.positions import by_rules, positions_of

    positions = list(positions_of(records))
    try:
        found = noughts.solve_many(positions, nodes=nodes, memory=memory, **how.options)
    except SolverError as error:
        note(f"nothing is proved: {error}")
        return {position: by_rules(position) for position in positions}
    return dict(zip(positions, found, strict=True))
