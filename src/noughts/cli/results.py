"""``noughts results``: saved matches, tournaments, scores, proofs and studies: list, show, replay, export, measure, remove."""

import shlex
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from noughts.cli.export import export
from noughts.cli.options import Filters, JsonOption, ResultArgument, SourceArgument, StoreOption, YesOption, grouped
from noughts.cli.output import note
from noughts.cli.output import show as show_document
from noughts.rules.errors import StoreError

if TYPE_CHECKING:
    from noughts.questions.played import Playthrough
    from noughts.store.records import GameRecord

app = typer.Typer(
    help="""Saved results: list, show, games, replay, export, usage, remove.

    Examples:
        noughts results list --kind match
        noughts results show match
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("export")(export)

_WHAT_CHANGED = "code, libraries or weights have changed since"


@app.command("list")
@grouped
def list_results(
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            "-k",
            help="Only runs of this kind, i.e. match, tournament, score, proof, solution, study, sweep or play.",
        ),
    ] = None,
    *,
    only: Filters,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List saved runs, the latest last, filtered by agent, rules, study or ending.

    The column of games counts only games that were played in that run, not reused ones. A study is loaded to find its
    agents, so if its file is gone, its runs are found by their games alone. The same holds for --ending.

    Examples:
        noughts results list --kind match
        noughts results list --agent mcts --rules "bttt(*)"
    """
    from noughts.bridges.found import Wanted, find_runs
    from noughts.reports.presenting.kept import present_kept_runs
    from noughts.rules.text import unknown
    from noughts.store.results import Kind, Store

    chosen: Kind | None = next((each for each in get_args(Kind) if each == kind), None)
    if kind is not None and chosen is None:
        raise StoreError(unknown("kind of run", kind, get_args(Kind)))
    wanted = Wanted(**vars(only))
    with Store.open() as place:
        counts = place.game_counts()
        infos = find_runs(place, wanted, chosen)
        found = [(run, place.state(run), counts.get(run.id)) for run in infos]
    if not found and not as_json:
        typer.echo("no saved results yet" if kind is None and wanted == Wanted() else "no saved result matches")
        return 0
    return show_document(present_kept_runs(found), as_json)


@app.command()
def show(source: ResultArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show the question, environment and result of a run.

    Examples:
        noughts results show match
        noughts results show tournament --json
    """
    from noughts.bridges.found import find_run
    from noughts.reports.presenting.kept import present_kept_run
    from noughts.store.results import Store

    with Store.open() as place:
        run = place.run(find_run(place, source).id)
        state, games_played = place.state(run), place.game_counts().get(run.id, 0)
    elsewhere = [] if store is None else ["--store", store]
    page = shlex.join(["noughts", "study", "show", run.name, "--run", run.id, *elsewhere])
    return show_document(present_kept_run(run, state, games_played, page), as_json)


@app.command()
@grouped
def games(
    source: SourceArgument = "all",
    *,
    only: Filters,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List games with their numbers, for `noughts results replay`.

    Examples:
        noughts results games match --ending draw
        noughts results games all --agent minimax
    """
    from noughts.bridges.found import Wanted, find_games, note_on_versions
    from noughts.reports.presenting.kept import present_games
    from noughts.store.results import Store

    with Store.open() as place:
        found = find_games(place, source, Wanted(**vars(only)))
    if not found and not as_json:
        typer.echo("no saved game matches")
        return 0
    show_document(present_games(found), as_json)
    if not as_json and (several := note_on_versions(record for _, record in found)):
        note(several)
    return 0


@app.command()
def replay(
    source: SourceArgument = "all",
    number: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", help="Number of the game from `noughts results games`. By default all games."),
    ] = None,
    again: Annotated[bool, typer.Option("--rerun", help="Play the game again with its agents, and compare.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Replay one game move by move, or count the games of a run that follow the rules.

    Games whose records contradict the rules are left out when they are read. --rerun plays the games again with their agents
    and seeds, and warns if the code of an agent has changed. The exit code is 1 if anything differs.

    Examples:
        noughts results replay match 1
        noughts results replay match --rerun
    """
    from noughts.bridges.found import games_of
    from noughts.document.document import Document
    from noughts.reports.presenting.kept import game_lines
    from noughts.store.results import Store

    with Store.open() as place:
        found = games_of(place, source)
    if number is not None and not 1 <= number <= len(found):
        raise StoreError(f"there is no game {number}: {source} has games 1 to {len(found)}")
    chosen = dict(enumerate(found, 1)) if number is None else {number: found[number - 1]}
    # The cause of a broken-off game, such as a time limit, may be absent now.
    others = {at: _play_again(game) for at, game in chosen.items() if again and (number or game.ending != "error")}
    wrong = {at: how for at, other in others.items() if (how := _difference(chosen[at], other))}
    changed = _changed(list(chosen.values())) if again else 0
    data: dict[str, Any] = {"same": len(others) - len(wrong), "broken_off": len(chosen) - len(others)}
    if number is not None:
        lines = [game_lines(chosen[number]), *(wrong.get(at, "played again: the same") for at in others)]
        data = {"number": number, "same": not wrong} | chosen[number].model_dump(mode="json")
        data |= {"again": others[number].model_dump(mode="json"), "other_version": bool(changed)} if again else {}
    elif again:
        left = f"; {data['broken_off']:,} that were broken off are left out" if data["broken_off"] else ""
        lines = [f"{len(others):,} games played again: {data['same']:,} the same{left}"]
        lines += [f"game {at}: {how}" for at, how in wrong.items()]
        different = [{"number": at, "how": how} for at, how in wrong.items()]
        data = {"games": len(chosen), **data, "other_version": changed, "different": different}
    else:
        lines, data = [f"{len(chosen):,} games replayed: each ends as its record states"], {"games": len(chosen)}
    show_document(Document(tuple(lines), data), as_json)
    if changed and not as_json:
        which = (
            "it was played by another version of its"
            if number
            else f"{changed:,} of them were played by another version of their"
        )
        note(f"{which} agents: {_WHAT_CHANGED}")
    return 1 if wrong else 0


def _difference(record: "GameRecord", other: "GameRecord") -> str:
    """Describe how a game differs from its rerun; empty if it does not."""
    from noughts.rules import parse_rules

    if (other.moves, other.ending) != (record.moves, record.ending):
        moves = " ".join(map(parse_rules(record.rules).name_of, other.moves))
        return f"played again it differs: {moves}: {other.ending} {other.error}".rstrip()
    return ""


def _changed(records: "list[GameRecord]") -> int:
    """Count games that another version of their agents played; exported games do not record versions."""
    from noughts.store.records import StoredGame

    now: dict[tuple[str, str], str] = {}
    changed = 0
    for record in records:
        if isinstance(record, StoredGame):
            who = record.first, record.second
            if who not in now:
                now[who] = _asked_again(record).depends_on().basis
            changed += now[who] != record.basis
    return changed


def _play_again(record: "GameRecord") -> "GameRecord":
    """Play a game again with its agents, seed and opening, but without a time limit."""
    from noughts.agents import build_agent
    from noughts.play.playthrough import play_game

    plan = _asked_again(record)
    return play_game(plan, (build_agent(plan.first), build_agent(plan.second)))


def _asked_again(record: "GameRecord") -> "Playthrough":
    """Return the question that a game answers, without a time limit."""
    from noughts.agents import parse_agent
    from noughts.questions.played import Playthrough
    from noughts.rules import parse_rules

    return Playthrough(
        rules=parse_rules(record.rules),
        first=parse_agent(record.first),
        second=parse_agent(record.second),
        seed=record.seed,
        opening=record.moves[: record.opening],
    )


@app.command()
def usage(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show the disk space of the database, trainings and pages.

    Examples:
        noughts results usage
    """
    from noughts.reports.presenting.kept import present_usage
    from noughts.store.place import is_url, store_place
    from noughts.store.results import Store
    from noughts.store.usage import DiskPart, disk_usage

    parts = disk_usage()
    if is_url(store_place()):  # files are measured without opening the database, which adds some
        with Store.open() as place:
            on_server = place.server_bytes()
        if on_server is not None:
            parts.insert(0, DiskPart("database, on the server", 0, on_server))
    return show_document(present_usage(parts), as_json)


@app.command()
def remove(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...", help="Ids of runs from `noughts results list`, or a kind or study for its latest run."
        ),
    ],
    yes: YesOption = False,
    store: StoreOption = None,
) -> int:
    """Remove runs with their results. Other runs that reused these results compute them again.

    The disk space is freed. Pages and certificates stay, because other runs may need them.

    Examples:
        noughts results remove 20260131-120000-0a1b2c3d --yes
    """
    from noughts.bridges.found import find_run
    from noughts.reports.presenting.kept import run_text
    from noughts.store.results import Store

    with Store.open() as place:
        counts = place.game_counts()
        named = {(found := find_run(place, run)).id: found for run in runs}  # if one is missing, none is removed
        removed = False
        for run in named.values():
            question = f"remove {run.kind} {run_text(run)} of {run.started[:16].replace('T', ' ')}, {counts.get(run.id, 0):,} games?"
            if yes or typer.confirm(question, err=True):
                games, answers = place.remove(run.id)
                typer.echo(f"removed {run.id}: {games:,} games, {answers:,} other answers")
                removed = True
            else:
                typer.echo(f"kept {run.id}")
        if removed:
            try:
                place.shrink()
            except StoreError as error:  # the runs are removed already
                note(f"the room is used for later results, and is not free on the disk yet: {error}")
    return 0
