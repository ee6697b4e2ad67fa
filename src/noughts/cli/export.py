"""``noughts export``: games and positions that are kept, in forms that others read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import (
    AgentFilter,
    EndingFilter,
    ForceOption,
    JsonOption,
    RulesFilter,
    SinceFilter,
    StoreOption,
    StudyFilter,
    UntilFilter,
    WorkersOption,
)
from noughts.cli.telling import note

if TYPE_CHECKING:
    from noughts.store.records import GameRecord
    from noughts.store.results import Store


def export(
    source: Annotated[
        str | None,
        typer.Argument(
            help="Run id, `all`, or an exported file. A kind of run or the name of a study selects the latest such run. "
            "By default the runs with games are listed.",
        ),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="File to write.")] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="Format, i.e. games, csv, parquet, pgn, openspiel, positions or dataset. By default it follows the file name.",
        ),
    ] = None,
    agent: AgentFilter = None,
    rules: RulesFilter = None,
    study: StudyFilter = None,
    ending: EndingFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    values: Annotated[
        bool, typer.Option("--values/--no-values", help="Whether positions and datasets include exact values.")
    ] = True,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, help="Solver budget for one position, in nodes of that solver.")
    ] = 1_000_000,
    memory: Annotated[
        int,
        typer.Option("--memory", metavar="GIB", min=1, help="Memory for the tables of each solver, in each worker."),
    ] = 1,
    force: ForceOption = False,
    workers: WorkersOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Export saved games, or their positions, for other programs.

    Files with games, PGN or a dataset can be the source of another export, so you can convert between formats.
    """
    from noughts.bridges.formats import FORMS, content_of, form_of
    from noughts.bridges.found import Wanted, find_games, note_on_versions
    from noughts.cli.output import print_json
    from noughts.rules import StoreError
    from noughts.rules.text import counted
    from noughts.store.files import require_new, write_atomically
    from noughts.store.results import Store

    place = Store.open(store)
    if source is None:
        return _list(place, as_json)
    if to is None:
        raise StoreError("say where it goes: --to FILE")
    name = form_of(form, to)
    require_new(to, force)  # before anything is solved
    wanted = Wanted.of(agent, rules, study, ending, since, until)
    records = [record for _, record in find_games(place, source, wanted)]
    if not records:
        raise StoreError(f"{source} has no such games: `noughts results games` lists those it has")
    worth: dict[Any, Any] = {}
    if values and FORMS[name].has_values:
        worth = _solve(place, records, source, nodes, memory, workers, as_json)
    content = content_of(name, records, worth)
    require_new(to, force)  # it may have come while positions were solved
    write_atomically(to, content)
    broken = sum(record.ending == "error" for record in records)
    unknown = sum(found.value is None for found in worth.values())
    if as_json:
        counts = {"games": len(records), "broken": broken, "positions": len(worth), "not_proved": unknown}
        print_json({"file": str(to), "format": name, "bytes": to.stat().st_size} | counts)
        return 0
    said = [counted(len(records), "game")]
    if broken:
        left_out = ", which are left out" if name == "dataset" else ""
        said.append(f"{broken:,} of them broken off{left_out}")
    if worth:
        said.append(
            f"{counted(len(worth), 'position')} with exact values, {unknown:,} of them not proved within {nodes:,} nodes"
        )
    typer.echo(f"{to}: {FORMS[name].about}: {'; '.join(said)}")
    if several := note_on_versions(records):
        note(several)
    return 0


def _solve(
    place: "Store",
    records: "list[GameRecord]",
    source: str,
    nodes: int,
    memory: int,
    workers: int | None,
    quiet: bool,
) -> dict[Any, Any]:
    """What is proved about each position of the games in which somebody was to move."""
    from rich.console import Group

    from noughts.bridges.positions import positions_of, worth_of
    from noughts.cli.output import watch
    from noughts.questions.answers import Answers
    from noughts.questions.carry_out import carry_out
    from noughts.questions.solved import ExactValue

    questions = {
        at: ExactValue(rules=at.rules, played=at.moves, every_move=True, nodes=nodes, memory=memory)
        for at, _, _ in positions_of(records)
    }
    identity = {"source": source, "positions": len(questions), "nodes": nodes, "memory": memory}
    name = f"exact values of the positions of {source}"
    with place.begin("solution", name, identity, 0) as run:
        answers = Answers(run)
        watch(carry_out(list(questions.values()), answers, workers), name, Group, quiet)
        run.finish("{}")
    return {position: worth_of(position, answers[question]) for position, question in questions.items()}


def _list(place: "Store", as_json: bool) -> int:
    """The runs that have games, the latest last."""
    from noughts.cli.ask import show
    from noughts.cli.kept import runs_grid, scale_of
    from noughts.document.document import Document

    counts = place.game_counts()
    runs = [info for info in place.runs(results=False) if info.id in counts]
    if not runs and not as_json:
        typer.echo("no games are kept yet; play some with `noughts match`")
        return 0
    data = [
        {name: getattr(run, name) for name in ("kind", "name", "seed", "started")}
        | {"run": run.id, "scale": scale_of(run), "games": counts[run.id]}
        for run in runs
    ]
    grid = runs_grid("runs that have games", ("games",), ((run, (counts[run.id],)) for run in runs))
    return show(Document((grid,), data), as_json)
