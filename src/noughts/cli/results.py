"""``noughts results``: what is kept of matches, tournaments, scores, proofs and studies: list it, look into it, replay it, remove it."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, StoreOption

if TYPE_CHECKING:
    from noughts.store.records import GameRecord
    from noughts.store.results import RunInfo

app = typer.Typer(help="What is kept: list, show, games, replay, remove.", no_args_is_help=True, rich_markup_mode=None)

ENDINGS = ("first", "second", "draw", "error")
SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's id; match, tournament, study, play or a study's name for the latest of these; all; or an exported file.",
    ),
]
AgentFilter = Annotated[
    str | None, typer.Option("--agent", "-a", help="Only where this text stands in an agent's name.")
]
EndingFilter = Annotated[
    str | None, typer.Option("--ending", help="Only games that ended so: first, second, draw or error.")
]
RulesFilter = Annotated[
    str | None, typer.Option("--rules", "-r", metavar="RULES", help="Only games of these rules: bttt(*), ...")
]


@app.command("list")
def list_results(
    kind: Annotated[
        str | None, typer.Option("--kind", "-k", help="match, tournament, score, proof, solution, study or play.")
    ] = None,
    text: Annotated[
        str, typer.Option("--find", help="Only runs with this text in what was asked: an agent, a game, a study.")
    ] = "",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List what was run, the latest last."""
    from typing import get_args

    from rich.table import Table

    from noughts.cli.output import print_json, print_tables
    from noughts.rules import StoreError
    from noughts.rules.text import unknown
    from noughts.store.results import Kind, Store

    if kind is not None and kind not in get_args(Kind):
        raise StoreError(unknown("kind of run", kind, get_args(Kind)))
    with Store.open(store) as place:
        counts = place.game_counts()
        found = [run for run in place.runs(results=False) if kind in (None, run.kind) and text in _asked(run)]
    if as_json:
        print_json([_fields(run) | {"games": counts.get(run.id, 0)} for run in found])
        return 0
    if not found:
        typer.echo("nothing is kept yet" if not (kind or text) else "nothing like that is kept")
        return 0
    table = Table(title=f"{len(found)} runs", title_justify="left")
    for column in ("run", "kind", "what", "begun", "state"):
        table.add_column(column, overflow="fold")
    table.add_column("games", justify="right")
    for run in found:
        games = counts.get(run.id, 0)
        table.add_row(
            run.id, run.kind, run.name, run.started[:16].replace("T", " "), run.status, f"{games:,}" if games else ""
        )
    print_tables(table)
    return 0


@app.command()
def show(source: SourceArgument, store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Show what a run asked, with what, and what it found."""
    from noughts.bridges.export import find_run
    from noughts.cli.output import print_json
    from noughts.store.results import Store

    with Store.open(store) as place:
        run = place.run(find_run(place, source).id)
        games = place.game_counts().get(run.id, 0)
    result = None if run.result is None else json.loads(run.result)
    if as_json:
        print_json(
            _fields(run) | {"games": games, "environment": run.environment.model_dump(mode="json"), "result": result}
        )
        return 0
    made = run.environment
    lines = {
        "run": run.id,
        "kind": run.kind,
        "what": run.name,
        "state": run.status,
        "begun": run.started,
        "ended": run.finished or "not yet",
        "seconds": f"{run.seconds:.1f}",
        "seed": str(run.seed),
        "made by": f"noughts {made.versions.get('noughts', '?')}, commit {made.commit or 'unknown'}, on {made.machine}",
        "games": f"{games:,} played in it",
        "asked": json.dumps(run.identity, ensure_ascii=False),
    }
    for name, line in lines.items():
        typer.echo(f"{name:8}  {line}")
    if run.kind == "study":
        typer.echo(f"\nits page: noughts study show {run.name}")
    elif result is not None:
        typer.echo(f"\n{json.dumps(result, indent=1, ensure_ascii=False)}")
    return 0


@app.command()
def games(
    source: SourceArgument,
    rules: RulesFilter = None,
    agent: AgentFilter = None,
    ending: EndingFilter = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """List games with their numbers, by which `noughts results replay` finds them."""
    from rich.table import Table

    from noughts.cli.output import print_json, print_tables

    found = _numbered(store, source, rules, agent, ending)
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
    return 0


@app.command()
def replay(
    source: SourceArgument,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The game's, as `noughts results games` says.")],
    again: Annotated[bool, typer.Option("--again", help="Let its agents play it once more, and compare.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show a game move by move. With --again its agents play it anew from its seed: the exit code is 1 if it differs."""
    from noughts.cli.output import print_json
    from noughts.play.playthrough import replay as replayed
    from noughts.positions import SYMBOLS, Position

    record = _game(store, source, number)
    rules, position = replayed(record)
    other = _play_again(record) if again else record
    is_same = (other.moves, other.ending) == (record.moves, record.ending)
    if as_json:
        shown: dict[str, Any] = {"number": number} | record.model_dump(mode="json")
        print_json(shown | ({"again": other.model_dump(mode="json"), "same": is_same} if again else {}))
        return 0 if is_same else 1
    typer.echo(f"{record.rules}: {record.first} moves first, {record.second} second; seed {record.seed}\n")
    at = Position.start(rules)
    for ply, move in enumerate(record.moves):
        at = at.play(move)
        opening = "  opening" if ply < record.opening else ""
        typer.echo(f"{ply + 1:4}  {SYMBOLS[at.cells[move]]} {rules.name_of(move)}{opening}")
    how = {"first": "the first player won", "second": "the second player won", "draw": "a draw"}
    typer.echo(f"\n{position}\n\n{how.get(record.ending, f'broken off: {record.error}')}")
    if again:
        moves = " ".join(map(rules.name_of, other.moves))
        typer.echo(
            "played again: the same" if is_same else f"played again it differs: {moves}: {other.ending} {other.error}"
        )
    return 0 if is_same else 1


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
        for run in [place.run(id) for id in dict.fromkeys(ids)]:  # all are there, or none is removed
            question = f"remove {run.kind} {run.name} of {run.started[:16].replace('T', ' ')}, {counts.get(run.id, 0):,} games?"
            if yes or typer.confirm(question, err=True):
                games, answers = place.remove(run.id)
                typer.echo(f"removed {run.id}: {games:,} games, {answers:,} other answers")
    return 0


def _fields(run: "RunInfo") -> dict[str, Any]:
    fields = ("id", "kind", "name", "status", "started", "finished", "seconds", "seed", "identity")
    return {name: getattr(run, name) for name in fields}


def _asked(run: "RunInfo") -> str:
    return f"{run.kind} {run.name} {json.dumps(run.identity, ensure_ascii=False)}"


def _numbered(
    store: str | None, source: str, rules: str | None = None, agent: str | None = None, ending: str | None = None
) -> "list[tuple[int, GameRecord]]":
    """The games of a run with their numbers, from 1, of which some are left out."""
    from noughts.bridges.export import games_of
    from noughts.rules import StoreError, parse_rules, parse_task
    from noughts.rules.text import unknown
    from noughts.store.results import Store

    if ending is not None and ending not in ENDINGS:
        raise StoreError(unknown("ending", ending, ENDINGS))
    wanted = None if rules is None else set(parse_task(rules).rules)
    with Store.open(store) as place:
        everything = list(enumerate(games_of(place, source), 1))
    return [
        (number, record)
        for number, record in everything
        if (wanted is None or parse_rules(record.rules) in wanted)
        and (agent is None or agent in record.first or agent in record.second)
        and ending in (None, record.ending)
    ]


def _game(store: str | None, source: str, number: int) -> "GameRecord":
    from noughts.rules import StoreError

    found = _numbered(store, source)
    if not 1 <= number <= len(found):
        raise StoreError(f"there is no game {number}: {source} has games 1 to {len(found)}")
    return found[number - 1][1]


def _play_again(record: "GameRecord") -> "GameRecord":
    """The game that its agents play from its seed and opening; what was broken off by a limit of time has none here."""
    from noughts.agents import build_agent, parse_agent
    from noughts.play.playthrough import GamePlan, play_game
    from noughts.rules import parse_rules

    first, second = parse_agent(record.first), parse_agent(record.second)
    plan = GamePlan(
        rules=parse_rules(record.rules),
        first=first,
        second=second,
        seed=record.seed,
        opening=record.moves[: record.opening],
    )
    return play_game(plan, (build_agent(first), build_agent(second)))
