"""``noughts results``: what is kept of matches, tournaments, scores, proofs and studies: found, shown, replayed, exported, measured, removed."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli import results_replay
from noughts.cli.export import export
from noughts.cli.kept import asked, failures_of, kept_tables, runs_table, scale_of, state_text
from noughts.cli.options import (
    AgentFilter,
    EndingFilter,
    JsonOption,
    ResultArgument,
    RulesFilter,
    SinceFilter,
    SourceArgument,
    StoreOption,
    StudyFilter,
    UntilFilter,
)
from noughts.cli.telling import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from noughts.store.results import RunInfo, RunSize, Store
    from noughts.store.usage import DiskPart

app = typer.Typer(
    help="What is kept: list, show, games, replay, export, usage, remove.", no_args_is_help=True, rich_markup_mode=None
)
app.command("export")(export)

_LARGEST = 20  # runs that are shown


@app.command("list")
def list_results(
    kind: Annotated[
        str | None,
        typer.Option("--kind", "-k", help="match, tournament, score, proof, solution, study, sweep or play."),
    ] = None,
    agent: AgentFilter = None,
    rules: RulesFilter = None,
    study: StudyFilter = None,
    ending: EndingFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List what was run, the latest last: all, or the runs that asked for such agents or rules, or played such games.

    The games of a run are those that were played in it: what was kept before is not played again, and not counted. A study
    is loaded and says anew whom it asks; one whose file is gone is found by the games of its run alone, and so is every run
    by --ending.
    """
    from typing import get_args

    from noughts.bridges.found import Wanted, find_runs
    from noughts.cli.output import print_json, print_tables
    from noughts.reports.terminal import Breakable
    from noughts.rules import StoreError
    from noughts.rules.text import counted, unknown
    from noughts.store.results import Kind, Store

    chosen: Kind | None = next((each for each in get_args(Kind) if each == kind), None)
    if kind is not None and chosen is None:
        raise StoreError(unknown("kind of run", kind, get_args(Kind)))
    wanted = Wanted.of(agent, rules, study, ending, since, until)
    with Store.open(store) as place:
        counts = place.game_counts()
        found = find_runs(place, wanted, chosen)
        states = {run.id: place.state(run) for run in found}
        failures = {run.id: _failures(place, run) for run in found}
    if as_json:
        print_json(
            [
                _fields(run) | {"state": states[run.id], "failed": failures[run.id], "games": counts.get(run.id, 0)}
                for run in found
            ]
        )
        return 0
    if not found:
        typer.echo("nothing is kept yet" if kind is None and wanted == Wanted() else "nothing like that is kept")
        return 0
    table = runs_table(counted(len(found), "run"))
    table.add_column("state", no_wrap=True)
    table.add_column("games", justify="right", no_wrap=True)
    for run in found:
        games = counts.get(run.id, 0)
        state = state_text(states[run.id], failures[run.id])
        table.add_row(run.id, run.kind, Breakable.of(asked(run)), state, f"{games:,}" if games else "")
    table.caption = "games: played in that run; what was kept before is not counted. Trainings: noughts runs list"
    table.caption_justify = "left"
    print_tables(table)
    return 0


@app.command()
def show(source: ResultArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show what a run asked, with what, and what it found."""
    import shlex

    from noughts.bridges.export import find_run
    from noughts.cli.output import print_json, print_tables
    from noughts.store.results import Store

    with Store.open(store) as place:
        run = place.run(find_run(place, source).id)
        games = place.game_counts().get(run.id, 0)
        state = place.state(run)
    result = None if run.result is None else json.loads(run.result)
    failed = failures_of(run)
    if as_json:
        said = {"state": state, "failed": failed, "games": games}
        print_json(_fields(run) | said | {"environment": run.environment.model_dump(mode="json"), "result": result})
        return 0
    made, tables = run.environment, kept_tables(run)
    lines = {
        "run": run.id,
        "kind": run.kind,
        "what": run.name,
        "state": state_text(state, failed),
        "begun": run.started,
        "ended": run.finished or "not yet",
        "seconds": f"{run.seconds:.1f}",
        "scale": scale_of(run),
        "seed": str(run.seed),
        "made by": f"noughts {made.versions.get('noughts', '?')}, commit {made.commit or 'unknown'}, on {made.machine}",
        "games": f"{games:,} played in it",
    }
    for name, line in lines.items():
        if line is not None:
            typer.echo(f"{name:8}  {line}")
    for name, version in dict(run.identity.get("outside", {})).items():
        typer.echo(f"outside   {name}: {version}")
    if run.kind == "study":
        if result is not None:  # only a finished run has a page
            elsewhere = [] if store is None else ["--store", store]
            typer.echo(f"\nits page: {shlex.join(['noughts', 'study', 'show', run.name, '--run', run.id, *elsewhere])}")
    elif tables is not None:
        typer.echo()
        print_tables(tables)
    else:
        typer.echo(f"asked     {json.dumps(run.identity, ensure_ascii=False)}")
        if result is not None:
            typer.echo(f"\n{json.dumps(result, indent=1, ensure_ascii=False)}")
    return 0


@app.command()
def games(
    source: SourceArgument = "all",
    agent: AgentFilter = None,
    rules: RulesFilter = None,
    study: StudyFilter = None,
    ending: EndingFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List games with their numbers, by which `noughts results replay` finds them."""
    from rich.table import Table

    from noughts.bridges.found import Wanted, find_games, told_versions
    from noughts.cli.output import print_json, print_tables
    from noughts.rules.text import counted
    from noughts.store.results import Store

    with Store.open(store) as place:
        found = find_games(place, source, Wanted.of(agent, rules, study, ending, since, until))
    if as_json:
        print_json([{"number": number} | record.model_dump(mode="json") for number, record in found])
        return 0
    if not found:
        typer.echo("no such game is kept")
        return 0
    table = Table(title=counted(len(found), "game"), title_justify="left")
    for column in ("number", "game", "first", "second", "ending", "moves"):
        table.add_column(column, overflow="fold", justify="right" if column in ("number", "moves") else "left")
    for number, record in found:
        how = record.ending if record.ending != "error" else f"error: {record.error[:60]}"
        table.add_row(str(number), record.rules, record.first, record.second, how, str(len(record.moves)))
    print_tables(table)
    if several := told_versions(record for _, record in found):
        note(several)
    return 0


def _failures(place: "Store", run: "RunInfo") -> int:
    """`failures_of` a run that is known without its result; results are read one by one, as they may be large."""
    from noughts.rules import StoreError

    if run.status != "finished":
        return 0
    try:
        return failures_of(place.run(run.id))
    except StoreError:  # it was removed since, or its result is damaged: whoever shows it is told
        return 0


app.command()(results_replay.replay)


@app.command()
def usage(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Say what takes how much of the disk: the database and the runs in it, trainings, pages."""
    from noughts.cli.output import print_json, print_tables
    from noughts.store.results import Store
    from noughts.store.usage import DiskPart, disk_usage

    with Store.open(store) as place:
        sizes, infos, on_server = place.sizes(), place.runs(results=False), place.server_bytes()
    parts = disk_usage(store)
    if on_server is not None:
        parts.insert(0, DiskPart("database, on the server", 0, on_server))
    held = [(run, sizes[run.id]) for run in infos if run.id in sizes]  # the others were begun since
    if as_json:
        runs = [{"run": run.id, "kind": run.kind, "name": run.name} | size._asdict() for run, size in held]
        totals = {
            "total_bytes": sum(part.bytes for part in parts),
            "runs_total_bytes": sum(size.bytes for _, size in held),
        }
        print_json({"parts": [part._asdict() for part in parts], "runs": runs} | totals)
        return 0
    print_tables(_disk_table(parts))
    if held:
        print_tables(_held_table(held))
    return 0


def _disk_table(parts: "Sequence[DiskPart]") -> "Table":
    """What takes how much of the disk: trainings, of which there may be hundreds, as one row."""
    from rich.table import Table

    from noughts.rules.text import counted
    from noughts.store.usage import DiskPart

    trainings = [part for part in parts if part.is_training]
    rows = [part for part in parts if not part.is_training]
    if trainings:
        rows.append(DiskPart.total(f"{counted(len(trainings), 'training')}: see noughts runs list", trainings))
    table = Table(title="on the disk", title_justify="left")
    for column in ("what", "files", "size"):
        table.add_column(column, justify="left" if column == "what" else "right", overflow="fold")
    for part in rows:
        table.add_row(part.name, f"{part.files:,}", size_text(part.bytes))
    if len(rows) > 1:
        total = DiskPart.total("total", rows)
        table.add_section()
        table.add_row(total.name, f"{total.files:,}", size_text(total.bytes))
    return table


def _held_table(held: "Sequence[tuple[RunInfo, RunSize]]") -> "Table":
    """What runs hold in the database, the largest of them, and all together."""
    from noughts.reports.terminal import Breakable
    from noughts.store.results import RunSize

    table = runs_table("what runs hold in the database, the largest first")
    for column in ("games", "other\nanswers", "size"):
        table.add_column(column, justify="right", no_wrap=True)

    def add(id: str, kind: str, name: str, size: RunSize) -> None:
        table.add_row(id, kind, Breakable.of(name), f"{size.games:,}", f"{size.answers:,}", size_text(size.bytes))

    for run, size in sorted(held, key=lambda each: -each[1].bytes)[:_LARGEST]:
        add(run.id, run.kind, asked(run), size)
    if len(held) > 1:
        add("total", "", f"{len(held):,} runs", RunSize(*map(sum, zip(*(size for _, size in held), strict=True))))
    if len(held) > _LARGEST:
        table.caption = f"{len(held) - _LARGEST:,} more are in the total: --json has all"
        table.caption_justify = "left"
    return table


@app.command()
def remove(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...", help="Ids of runs, as `noughts results list` says; or the latest of a kind or study."
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> int:
    """Remove runs with all that was found in them. What other runs took over from them will be asked anew.

    The room goes back to the disk. Pages and certificates stay, as other runs may be shown or proved by them.
    """
    from noughts.rules import StoreError
    from noughts.store.results import Store

    with Store.open(store) as place:
        counts = place.game_counts()
        named = {(found := _kept_run(place, run, store)).id: found for run in runs}  # all are there, or none is removed
        removed = False
        for run in named.values():
            question = f"remove {run.kind} {asked(run)} of {run.started[:16].replace('T', ' ')}, {counts.get(run.id, 0):,} games?"
            if yes or typer.confirm(question, err=True):
                games, answers = place.remove(run.id)
                typer.echo(f"removed {run.id}: {games:,} games, {answers:,} other answers")
                removed = True
            else:
                typer.echo(f"kept {run.id}")
        if removed:
            try:
                place.shrink()
            except StoreError as error:  # what was to be removed is removed
                note(f"the room is used for later results, and is not free on the disk yet: {error}")
    return 0


def _kept_run(place: "Store", named: str, store: str | None) -> "RunInfo":
    """A run of the store, as `find_run` finds it; StoreError if there is none, which says how a training of this name is removed."""
    import shlex

    from noughts.bridges.export import find_run
    from noughts.rules import StoreError
    from noughts.store.run_folder import run_names

    try:
        return find_run(place, named)
    except StoreError as error:
        if named not in run_names(store):
            raise
        raise StoreError(
            f"{error}; a training of this name is removed by `noughts runs remove {shlex.quote(named)}`"
        ) from None


def size_text(size: int) -> str:
    """Bytes in the unit that people read: 812 B, 3.4 MiB."""
    amount, units = float(size), ("B", "KiB", "MiB", "GiB", "TiB")
    for unit in units:
        if amount < 1024 or unit == units[-1]:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError(size)


def _fields(run: "RunInfo") -> dict[str, Any]:
    fields = ("id", "kind", "name", "status", "started", "finished", "seconds", "seed", "identity")
    return {name: getattr(run, name) for name in fields} | {"scale": scale_of(run)}
