"""``noughts tournament``: everybody against everybody."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, MoveSecondsOption, RulesOption, SeedOption, StoreOption, WorkersOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Group

    from noughts.play.match import MatchPlan, MatchResult


def tournament(
    agents: Annotated[list[str], typer.Argument(help="Two or more agents.")],
    rules: RulesOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="Games for each ordered pair.")] = 100,
    with_itself: Annotated[bool, typer.Option("--with-itself", help="Let each agent play itself too.")] = False,
    opening: Annotated[int, typer.Option("--opening", help="Random moves before the agents begin.")] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Play a round robin: each pair twice over, each agent first once. Interrupted, the same command goes on."""
    from noughts.play.tournament import round_robin

    plans = round_robin(rules, agents, games, seed, with_itself, opening, move_seconds)
    results, shown = hold(plans, seed, workers, store, as_json)
    return tell(results, shown, as_json)


def hold(
    plans: "Sequence[MatchPlan]", seed: int, workers: int | None, store: str | None, as_json: bool
) -> "tuple[list[tuple[MatchPlan, MatchResult]], dict[str, Any]]":
    """Play the matches of a round robin, or go on with them; the results, and the same for JSON."""
    from noughts.agents import build_agent
    from noughts.cli.match import match_json
    from noughts.cli.output import watch
    from noughts.play.match import match_games
    from noughts.play.tournament import ranking, standings
    from noughts.questions.session import Game, agents_code, carry_out
    from noughts.store.results import Store

    players = list(dict.fromkeys(plan.a for plan in plans))
    for agent in players:
        build_agent(agent)
    rules = plans[0].rules
    planned = [game for plan in plans for game in match_games(plan)]
    planned.sort(key=lambda game: game.key.rpartition(" / ")[2])  # so that all pairs fill up together
    identity = {"plans": [plan.model_dump(mode="json") for plan in plans], "agents_code": agents_code(players)}
    with Store.open(store).begin("tournament", rules, identity, seed) as run:
        watch(
            carry_out([Game(game) for game in planned], run, workers),
            f"tournament of {rules}",
            lambda: cross_table(rules, standings(plans, run.games())),
            quiet=as_json,
        )
        results = standings(plans, run.games())
        shown = {
            "rules": rules,
            "ranking": [{"agent": agent, "score": score, "games": n} for agent, score, n in ranking(results)],
            "matches": [match_json(rules, result) for _, result in results],
        }
        run.finish(json.dumps(shown))
    return results, shown


def tell(results: "Sequence[tuple[MatchPlan, MatchResult]]", shown: "Mapping[str, Any]", as_json: bool) -> int:
    """Show what came of a tournament; the exit code."""
    from noughts.cli.output import print_json, print_tables

    problems = [problem for _, result in results for problem in result.problems]
    if as_json:
        print_json(shown)
    else:
        print_tables(cross_table(shown["rules"], results))
        for problem in problems:
            typer.echo(f"broken off: {problem}", err=True)
    return 1 if problems else 0


def cross_table(rules: str, results: "Sequence[tuple[MatchPlan, MatchResult]]") -> "Group":
    """Who beat whom, and the ranking."""
    from rich.console import Group
    from rich.table import Table

    from noughts.play.tournament import ranking

    names = list(dict.fromkeys(plan.a for plan, _ in results))
    found = {(plan.a, plan.b): result for plan, result in results}
    table = Table(title=f"{rules}: wins - draws - losses of the first player", title_justify="left")
    table.add_column("first \\ second")
    for number, _ in enumerate(names, 1):
        table.add_column(str(number), justify="right")
    for number, a in enumerate(names, 1):
        scores = [found[a, b].total if (a, b) in found else None for b in names]
        cells = [f"{s.wins}-{s.draws}-{s.losses}" if s is not None else "" for s in scores]
        table.add_row(f"{number} {a}", *cells)
    repeating = [f"{plan.a} - {plan.b}" for plan, result in results if result.repeats]
    if repeating:
        table.caption = f"some games were played more than once: {', '.join(repeating)}"
        table.caption_justify = "left"
    order = Table(title="ranking: mean score (win 1, draw 1/2)", title_justify="left")
    for column in ("agent", "score", "games"):
        order.add_column(column, justify="left" if column == "agent" else "right")
    for agent, score, games in ranking(results):
        order.add_row(agent, f"{score:.3f}", str(games))
    return Group(table, order)
