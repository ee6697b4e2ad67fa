"""``noughts results replay``: kept games move by move, and whether they end as they are said to."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, SourceArgument, StoreOption
from noughts.cli.telling import note

if TYPE_CHECKING:
    from noughts.play.playthrough import GamePlan
    from noughts.store.records import GameRecord

_WHAT_CHANGED = "code, libraries or weights have changed since"


def replay(
    source: SourceArgument = "all",
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[NUMBER]", help="Number of the game from `noughts results games`. By default all games."
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--rerun", help="Play the game again with its agents, and compare.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Replay one game move by move, or all games of a run, and check their recorded endings.

    --rerun plays the games again with their agents and seeds, and warns if the code of an agent has changed. The exit code
    is 1 if anything differs.
    """
    from noughts.bridges.found import games_of
    from noughts.rules import StoreError
    from noughts.store.results import Store

    with Store.open(store) as place:
        found = games_of(place, source)
    if number is None:
        return _replay_all(found, again, as_json)
    if not 1 <= number <= len(found):
        raise StoreError(f"there is no game {number}: {source} has games 1 to {len(found)}")
    return _replay_one(found[number - 1], number, again, as_json)


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
    """In what a game differs from how it was played again; empty if in nothing."""
    from noughts.rules import parse_rules

    if (other.moves, other.ending) != (record.moves, record.ending):
        moves = " ".join(map(parse_rules(record.rules).name_of, other.moves))
        return f"played again it differs: {moves}: {other.ending} {other.error}".rstrip()
    return ""


def _changed(records: "list[GameRecord]") -> int:
    """How many games were played by another version of their agents than there is now; nothing is known of exported ones."""
    from noughts.questions.played import Playthrough
    from noughts.store.records import StoredGame

    now: dict[tuple[str, str], str] = {}
    changed = 0
    for record in records:
        if isinstance(record, StoredGame):
            who = record.first, record.second
            if who not in now:
                now[who] = Playthrough(**vars(_plan_of(record))).depends_on().basis
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
