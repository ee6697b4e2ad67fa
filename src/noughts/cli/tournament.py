"""``noughts tournament``: everybody against everybody."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import (
    AgainOption,
    JsonOption,
    MoveSecondsOption,
    OnOption,
    SeedOption,
    StoreOption,
    TaskOption,
    WorkersOption,
    complete_agent,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Group

    from noughts.agents import AgentSpec
    from noughts.document.names import Names
    from noughts.questions.answers import Answers
    from noughts.questions.played import MatchResult, Played
    from noughts.questions.tournament import Ranked
    from noughts.rules import Rules


def tournament(
    agents: Annotated[
        list[str], typer.Argument(help="Two or more agents, each AGENT or NAME=AGENT.", autocompletion=complete_agent)
    ],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="Games for each ordered pair.")] = 100,
    with_itself: Annotated[bool, typer.Option("--with-itself", help="Let each agent play itself too.")] = False,
    opening: Annotated[int, typer.Option("--opening", help="Random moves before the agents begin.")] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    on: OnOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    again: AgainOption = False,
    as_json: JsonOption = False,
) -> int:
    """Play a round robin: each pair twice over, each agent first once. Interrupted, the same command goes on; finished, it shows what is kept."""
    from noughts.agents import parse_agent
    from noughts.document.names import read_names
    from noughts.questions.tournament import round_robin
    from noughts.rules import parse_task

    texts, names = read_names(agents)
    named = [parse_agent(text) for text in texts]
    matches = round_robin(parse_task(rules), named, games, seed, with_itself, opening, move_seconds)
    results = hold(matches, rules, seed, workers, store, as_json, names, again, on)
    return tell(results, rules, as_json, names)


def hold(
    matches: "Sequence[Played]",
    rules: str,
    seed: int,
    workers: int | None,
    store: str | None,
    as_json: bool,
    names: "Names",
    again: bool = False,
    on: str | None = None,
) -> "dict[Played, MatchResult]":
    """Play the matches of a round robin, or go on with them, or take what is kept unless `again`; their results."""
    from noughts.cli.ask import ask
    from noughts.library.asking import executor_at
    from noughts.questions.traits import require_agent
    from noughts.store.results import Store

    games: dict[AgentSpec, dict[Rules, None]] = {}
    for match in matches:
        match.units()  # what cannot be played, and who cannot be made, is said before anything is stored
        for agent in (match.a, match.b):
            games.setdefault(agent, {}).update(dict.fromkeys(match.task.rules))
    for agent, own in games.items():
        require_agent(agent, workers, tuple(own))

    def known(answers: "Answers") -> "dict[Played, MatchResult]":
        return {match: answers[match] for match in matches}

    place, name = Store.open(store), f"tournament of {rules}"
    answers = ask(
        matches,
        place,
        "tournament",
        name,
        lambda found: cross_table(rules, known(found), names),
        seed,
        executor_at(workers, on),
        quiet=as_json,
        again=again,
    )
    return known(answers)


def tell(results: "Mapping[Played, MatchResult]", rules: str, as_json: bool, names: "Names", **more: Any) -> int:
    """Show what came of a tournament; the exit code."""
    from noughts.cli.match import match_json
    from noughts.cli.output import print_json, print_tables
    from noughts.questions.tournament import ranking

    problems = [problem for result in results.values() for problem in result.problems]
    if as_json:
        ranked = [ranked_json(row) for row in ranking(results)]
        matches = [{"rules": rules} | match_json(result) for result in results.values()]
        print_json({"rules": rules, "ranking": ranked, "matches": matches} | more, names)
    else:
        print_tables(cross_table(rules, results, names), names)
        for problem in problems:
            typer.echo(f"broken off: {names.within(problem)}", err=True)
    return 1 if problems else 0


def ranked_json(row: "Ranked") -> dict[str, Any]:
    """A row of the ranking with its interval, for programs."""
    return row._asdict() | {"interval": row.interval._asdict()}


def cross_table(rules: str, results: "Mapping[Played, MatchResult]", names: "Names") -> "Group":
    """Who beat whom, and the ranking."""
    from rich.console import Group
    from rich.table import Table

    from noughts.document.shares import REPEATS_SAY_NOTHING
    from noughts.questions.tournament import ranking

    agents = list(dict.fromkeys(played.a for played in results))
    found = {(played.a, played.b): result for played, result in results.items()}
    table = Table(title=f"{rules}: wins - draws - losses of the first player", title_justify="left")
    table.add_column("first \\ second")
    for number, _ in enumerate(agents, 1):
        table.add_column(str(number), justify="right")
    for number, a in enumerate(agents, 1):
        scores = [found[a, b].total if (a, b) in found else None for b in agents]
        cells = [f"{s.wins}-{s.draws}-{s.losses}" if s is not None else "" for s in scores]
        table.add_row(f"{number} {names.show(a)}", *cells)
    repeating = [
        f"{names.show(played.a)} - {names.show(played.b)}" for played, result in results.items() if result.repeats
    ]
    if repeating:
        table.caption = f"some games were played more than once: {', '.join(repeating)}"
        table.caption_justify = "left"
    order = Table(title="ranking: mean score (win 1, draw 1/2)", title_justify="left")
    for column in ("agent", "score", "95 %", "games"):
        order.add_column(column, justify="left" if column == "agent" else "right")
    for row in ranking(results):
        interval = f"{row.interval.low:.3f} to {row.interval.high:.3f}"
        order.add_row(names.show(row.agent), f"{row.score:.3f}", interval if row.games else "", str(row.games))
    if repeating:
        order.caption = REPEATS_SAY_NOTHING
        order.caption_justify = "left"
    return Group(table, order)
