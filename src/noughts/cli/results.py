"""``noughts results``: what is kept of matches, tournaments, scores, proofs and studies: found, shown, replayed, exported, measured, removed."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.export import export
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

    from noughts.play.playthrough import GamePlan
    from noughts.store.records import GameRecord
    from noughts.store.results import RunInfo, RunSize, Store
    from noughts.store.usage import DiskPart

app = typer.Typer(
    help="What is kept: list, show, games, replay, export, usage, remove.", no_args_is_help=True, rich_markup_mode=None
)
app.command("export")(export)

_LARGEST = 20  # runs that are shown
_WHAT_CHANGED = "code, libraries or weights have changed since"


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
    if as_json:
        print_json([_fields(run) | {"state": states[run.id], "games": counts.get(run.id, 0)} for run in found])
        return 0
    if not found:
        typer.echo("nothing is kept yet" if kind is None and wanted == Wanted() else "nothing like that is kept")
        return 0
    table = _runs_table(counted(len(found), "run"))
    table.add_column("state", no_wrap=True)
    table.add_column("games", justify="right", no_wrap=True)
    for run in found:
        games = counts.get(run.id, 0)
        table.add_row(run.id, run.kind, Breakable.of(_what(run)), states[run.id], f"{games:,}" if games else "")
    table.caption = "games: played in that run; what was kept before is not counted"
    table.caption_justify = "left"
    print_tables(table)
    return 0


@app.command()
def show(source: ResultArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show what a run asked, with what, and what it found."""
    import shlex

    from noughts.bridges.export import find_run
    from noughts.cli.kept import kept_tables
    from noughts.cli.output import print_json, print_tables
    from noughts.store.results import Store

    with Store.open(store) as place:
        run = place.run(find_run(place, source).id)
        games = place.game_counts().get(run.id, 0)
        state = place.state(run)
    result = None if run.result is None else json.loads(run.result)
    if as_json:
        print_json(
            _fields(run)
            | {"state": state, "games": games, "environment": run.environment.model_dump(mode="json"), "result": result}
        )
        return 0
    made, tables = run.environment, kept_tables(run)
    lines = {
        "run": run.id,
        "kind": run.kind,
        "what": run.name,
        "state": state,
        "begun": run.started,
        "ended": run.finished or "not yet",
        "seconds": f"{run.seconds:.1f}",
        "scale": _scale(run),
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
            typer.echo(f"\nits page: {shlex.join(['noughts', 'study', 'show', run.name, '--run', run.id])}")
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
    from noughts.store.results import Store

    with Store.open(store) as place:
        found = find_games(place, source, Wanted.of(agent, rules, study, ending, since, until))
    if as_json:
        print_json([{"number": number} | record.model_dump(mode="json") for number, record in found])
        return 0
    table = Table(title=f"{len(found)} games", title_justify="left")
    for column in ("number", "game", "first", "second", "ending", "moves"):
        table.add_column(column, overflow="fold", justify="right" if column in ("number", "moves") else "left")
    for number, record in found:
        how = record.ending if record.ending != "error" else f"error: {record.error[:60]}"
        table.add_row(str(number), record.rules, record.first, record.second, how, str(len(record.moves)))
    print_tables(table)
    if several := told_versions(record for _, record in found):
        note(several)
    return 0


@app.command()
def replay(
    source: SourceArgument = "all",
    number: Annotated[
        int | None,
        typer.Argument(metavar="[NUMBER]", help="The game's, as `noughts results games` says; all games unless given."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Let its agents play it once more, and compare.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Replay a game move by move by the rules, or all games of a run, and check that they end as they are said to.

    With --again their agents play them anew from their seeds; it is said if these are another version by now. The exit
    code is 1 if anything differs.
    """
    from noughts.bridges.export import games_of
    from noughts.rules import StoreError
    from noughts.store.results import Store

    with Store.open(store) as place:
        found = games_of(place, source)
    if number is None:
        return _replay_all(found, again, as_json)
    if not 1 <= number <= len(found):
        raise StoreError(f"there is no game {number}: {source} has games 1 to {len(found)}")
    return _replay_one(found[number - 1], number, again, as_json)


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

    from noughts.store.usage import DiskPart

    trainings = [part for part in parts if part.is_training]
    rows = [part for part in parts if not part.is_training]
    if trainings:
        rows.append(DiskPart.total(f"{len(trainings):,} trainings: see noughts runs list", trainings))
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

    table = _runs_table("what runs hold in the database, the largest first")
    for column in ("games", "other\nanswers", "size"):
        table.add_column(column, justify="right", no_wrap=True)

    def add(id: str, kind: str, name: str, size: RunSize) -> None:
        table.add_row(id, kind, Breakable.of(name), f"{size.games:,}", f"{size.answers:,}", size_text(size.bytes))

    for run, size in sorted(held, key=lambda each: -each[1].bytes)[:_LARGEST]:
        add(run.id, run.kind, _what(run), size)
    if len(held) > 1:
        add("total", "", f"{len(held):,} runs", RunSize(*map(sum, zip(*(size for _, size in held), strict=True))))
    if len(held) > _LARGEST:
        table.caption = f"{len(held) - _LARGEST:,} more are in the total: --json has all"
        table.caption_justify = "left"
    return table


@app.command()
def remove(
    ids: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids of runs, as `noughts results list` says.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> int:
    """Remove runs with all that was found in them. What other runs took over from them will be asked anew."""
    from noughts.store.results import Store

    with Store.open(store) as place:
        counts = place.game_counts()
        for run in [_kept_run(place, id, store) for id in dict.fromkeys(ids)]:  # all are there, or none is removed
            question = f"remove {run.kind} {_what(run)} of {run.started[:16].replace('T', ' ')}, {counts.get(run.id, 0):,} games?"
            if yes or typer.confirm(question, err=True):
                games, answers = place.remove(run.id)
                typer.echo(f"removed {run.id}: {games:,} games, {answers:,} other answers")
    return 0


def _kept_run(place: "Store", id: str, store: str | None) -> "RunInfo":
    """A run of the store; StoreError if there is none, which says how a training of this name is removed."""
    import shlex

    from noughts.rules import StoreError
    from noughts.store.run_folder import run_names

    try:
        return place.run(id)
    except StoreError as error:
        if id not in run_names(store):
            raise
        raise StoreError(
            f"{error}; a training of this name is removed by `noughts runs remove {shlex.quote(id)}`"
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
    return {name: getattr(run, name) for name in fields} | {"scale": _scale(run)}


def _scale(run: "RunInfo") -> str | None:
    """That of a study; other runs have none."""
    return run.identity.get("scale") if run.kind == "study" else None


def _what(run: "RunInfo") -> str:
    """What a run asked, in few words: a study's name with what tells its runs apart."""
    scale = _scale(run)
    if scale is None:
        return run.name
    return ", ".join([run.name, scale, f"seed {run.seed}", *run.identity.get("agents", ())])


def _runs_table(title: str) -> "Table":
    """A table of runs, without lines between columns, so that there is room for names; its first columns say which and what."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("run", no_wrap=True)  # whole, so that it can be copied; it begins with day and time, UTC
    table.add_column("kind", no_wrap=True)
    table.add_column("what")
    return table


def _replay_one(record: "GameRecord", number: int, again: bool, as_json: bool) -> int:
    """Show a game move by move; the exit code."""
    from noughts.cli.output import print_json
    from noughts.play.playthrough import replay as replayed
    from noughts.positions import SYMBOLS, Position

    other = _play_again(record) if again else record
    wrong = _difference(record, other)
    changed = again and _changed([record])
    if as_json:
        shown: dict[str, Any] = {"number": number, "same": not wrong} | record.model_dump(mode="json")
        played = {"again": other.model_dump(mode="json"), "other_version": bool(changed)}
        print_json(shown | (played if again else {}))
        return 1 if wrong else 0
    rules, position = replayed(record)
    typer.echo(f"{record.rules}: {record.first} moves first, {record.second} second; seed {record.seed}\n")
    at = Position.start(rules)
    for ply, move in enumerate(record.moves):
        at = at.play(move)
        opening = "  opening" if ply < record.opening else ""
        typer.echo(f"{ply + 1:4}  {SYMBOLS[at.cells[move]]} {rules.name_of(move)}{opening}")
    how = {"first": "the first player won", "second": "the second player won", "draw": "a draw"}
    typer.echo(f"\n{position}\n\n{how.get(record.ending, f'broken off: {record.error}')}")
    if again or wrong:
        typer.echo(wrong or "played again: the same")
    if changed:
        note(f"it was played by another version of its agents: {_WHAT_CHANGED}")
    return 1 if wrong else 0


def _replay_all(records: "list[GameRecord]", again: bool, as_json: bool) -> int:
    """Check all of some games, and name those that differ; the exit code."""
    from noughts.cli.output import print_json

    wrong: dict[int, str] = {}
    broken = 0
    for number, record in enumerate(records, 1):
        if again and record.ending == "error":  # what stopped it, such as a limit of time, is not here
            broken += 1
            continue
        if difference := _difference(record, _play_again(record) if again else record):
            wrong[number] = difference
    changed = _changed(records) if again else 0
    if as_json:
        counts = {"games": len(records), "same": len(records) - len(wrong) - broken, "broken_off": broken}
        versions = {"other_version": changed} if again else {}
        print_json(counts | versions | {"different": [{"number": number, "how": how} for number, how in wrong.items()]})
    else:
        how = "played again" if again else "replayed"
        left = f"; {broken:,} that were broken off are left out" if broken else ""
        typer.echo(f"{len(records) - broken:,} games {how}: {len(records) - broken - len(wrong):,} the same{left}")
        for number, difference in wrong.items():
            typer.echo(f"game {number}: {difference}")
        if changed:
            note(f"{changed:,} of them were played by another version of their agents: {_WHAT_CHANGED}")
    return 1 if wrong else 0


def _difference(record: "GameRecord", other: "GameRecord") -> str:
    """In what a game differs from how it was played again, or from what the rules say of its moves; empty if in nothing."""
    from noughts.play.playthrough import said_ending
    from noughts.rules import parse_rules

    ending = said_ending(record)
    if record.ending not in (ending, "error"):
        return f"its moves end in {ending}, and it is said to end in {record.ending}"
    if (other.moves, other.ending) != (record.moves, record.ending):
        moves = " ".join(map(parse_rules(record.rules).name_of, other.moves))
        return f"played again it differs: {moves}: {other.ending} {other.error}".rstrip()
    return ""


def _changed(records: "list[GameRecord]") -> int:
    """How many games were played by another version of their agents than there is now; nothing is known of exported ones."""
    from noughts.questions.codes import codes_of
    from noughts.questions.played import Playthrough
    from noughts.store.records import StoredGame

    now: dict[tuple[str, str], str] = {}
    changed = 0
    for record in records:
        if isinstance(record, StoredGame):
            who = record.first, record.second
            if who not in now:
                now[who] = Playthrough(**vars(_plan_of(record))).basis(codes_of)
            changed += now[who] != record.basis
    return changed


def _play_again(record: "GameRecord") -> "GameRecord":
    """The game that its agents play from its seed and opening; what was broken off by a limit of time has none here."""
    from noughts.agents import build_agent
    from noughts.play.playthrough import play_game

    plan = _plan_of(record)
    return play_game(plan, (build_agent(plan.first), build_agent(plan.second)))


def _plan_of(record: "GameRecord") -> "GamePlan":
    from noughts.agents import parse_agent
    from noughts.play.playthrough import GamePlan
    from noughts.rules import parse_rules

    return GamePlan(
        rules=parse_rules(record.rules),
        first=parse_agent(record.first),
        second=parse_agent(record.second),
        seed=record.seed,
        opening=record.moves[: record.opening],
    )
