"""``noughts results``: what is kept of matches, tournaments, scores, proofs and studies: found, shown, replayed, exported, measured, removed."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli import results_replay
from noughts.cli.ask import show as show_document
from noughts.cli.export import export
from noughts.cli.kept import asked, failures_of, kept_document, runs_grid, scale_of, state_text
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

    from noughts.document.document import Listing
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
        typer.Option(
            "--kind",
            "-k",
            help="Only runs of this kind, i.e. match, tournament, score, proof, solution, study, sweep or play.",
        ),
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
    """List saved runs, the latest last, filtered by agent, rules, study, ending or day.

    The column of games counts only games that were played in that run, not reused ones. A study is loaded to find its
    agents, so if its file is gone, its runs are found by their games alone. The same holds for --ending.
    """
    from typing import get_args

    from noughts.bridges.found import Wanted, find_runs
    from noughts.document.document import Document
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
    data = [
        _fields(run) | {"state": states[run.id], "failed": failures[run.id], "games": counts.get(run.id, 0)}
        for run in found
    ]
    if not found and not as_json:
        typer.echo("nothing is kept yet" if kind is None and wanted == Wanted() else "nothing like that is kept")
        return 0
    grid = runs_grid(
        counted(len(found), "run"),
        ("state", "games"),
        ((run, (state_text(states[run.id], failures[run.id]), counts.get(run.id))) for run in found),
        '"games" counts only games played in that run, not reused ones. For training runs see `noughts runs list`.',
    )
    return show_document(Document((grid,), data), as_json)


@app.command()
def show(source: ResultArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show the question, environment and result of a run."""
    import shlex

    from noughts.bridges.found import find_run
    from noughts.cli.output import print_document, print_json
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
    made, found = run.environment, kept_document(run)
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
    elif found is not None:
        typer.echo()
        print_document(found)
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
    """List games with their numbers, for `noughts results replay`."""
    from noughts.bridges.found import Wanted, find_games, note_on_versions
    from noughts.document.document import Document, Listing
    from noughts.rules.text import counted
    from noughts.store.results import Store

    with Store.open(store) as place:
        found = find_games(place, source, Wanted.of(agent, rules, study, ending, since, until))
    if not found and not as_json:
        typer.echo("no such game is kept")
        return 0
    rows = tuple(
        (
            str(number),
            record.rules,
            record.first,
            record.second,
            record.ending if record.ending != "error" else f"error: {record.error[:60]}",
            len(record.moves),
        )
        for number, record in found
    )
    grid = Listing(
        counted(len(found), "game"), ("number", "game", "first", "second", "ending", "moves"), rows, labels=5
    )
    show_document(
        Document((grid,), [{"number": number} | record.model_dump(mode="json") for number, record in found]), as_json
    )
    if as_json:
        return 0
    if several := note_on_versions(record for _, record in found):
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
    """Show the disk space of the database, its runs, trainings and pages."""
    from noughts.document.document import Document
    from noughts.store.results import Store
    from noughts.store.usage import DiskPart, disk_usage

    with Store.open(store) as place:
        sizes, infos, on_server = place.sizes(), place.runs(results=False), place.server_bytes()
    parts = disk_usage(store)
    if on_server is not None:
        parts.insert(0, DiskPart("database, on the server", 0, on_server))
    held = [(run, sizes[run.id]) for run in infos if run.id in sizes]  # the others were begun since
    data = {
        "parts": [part._asdict() for part in parts],
        "runs": [{"run": run.id, "kind": run.kind, "name": run.name} | size._asdict() for run, size in held],
        "total_bytes": sum(part.bytes for part in parts),
        "runs_total_bytes": sum(size.bytes for _, size in held),
    }
    return show_document(Document((_disk_grid(parts), *((_held_grid(held),) if held else ())), data), as_json)


def _disk_grid(parts: "Sequence[DiskPart]") -> "Listing":
    """What takes how much of the disk: trainings, of which there may be hundreds, as one row."""
    from noughts.document.document import Listing
    from noughts.rules.text import counted
    from noughts.store.usage import DiskPart

    trainings = [part for part in parts if part.is_training]
    rows = [part for part in parts if not part.is_training]
    if trainings:
        rows.append(DiskPart.total(f"{counted(len(trainings), 'training')}: see noughts runs list", trainings))
    several = len(rows) > 1
    rows += [DiskPart.total("total", rows)] if several else []
    cells = tuple((part.name, part.files, size_text(part.bytes)) for part in rows)
    return Listing("on the disk", ("what", "files", "size"), cells, totals=int(several))


def _held_grid(held: "Sequence[tuple[RunInfo, RunSize]]") -> "Listing":
    """What runs hold in the database, the largest of them, and all together."""
    from noughts.store.results import RunSize

    def cells(size: RunSize) -> tuple[int, int, str]:
        return size.games, size.answers, size_text(size.bytes)

    largest = sorted(held, key=lambda each: -each[1].bytes)[:_LARGEST]
    more = f"{len(held) - _LARGEST:,} more are in the total: --json has all" if len(held) > _LARGEST else ""
    grid = runs_grid(
        "what runs hold in the database, the largest first",
        ("games", "other\nanswers", "size"),
        ((run, cells(size)) for run, size in largest),
        more,
    )
    if len(held) == 1:
        return grid
    total = RunSize(*map(sum, zip(*(size for _, size in held), strict=True)))
    return replace(grid, rows=(*grid.rows, ("total", "", f"{len(held):,} runs", *cells(total))), totals=1)


@app.command()
def remove(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...", help="Ids of runs from `noughts results list`, or a kind or study for its latest run."
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove without asking.")] = False,
    store: StoreOption = None,
) -> int:
    """Remove runs with their results. Other runs that reused these results compute them again.

    The disk space is freed. Pages and certificates stay, because other runs may need them.
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

    from noughts.bridges.found import find_run
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
