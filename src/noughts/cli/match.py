"""``noughts match``: two agents, many games."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import JsonOption, MoveSecondsOption, RulesOption, SeedOption, StoreOption, WorkersOption

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.play.match import MatchResult, Score


def match(
    a: Annotated[str, typer.Argument(help="An agent, e.g. minimax:depth=2; `noughts agents` lists them.")],
    b: Annotated[str, typer.Argument(help="Its opponent.")],
    rules: RulesOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 100,
    fixed: Annotated[
        bool, typer.Option("--fixed/--swapped", help="The first agent always begins, or they take turns.")
    ] = False,
    opening: Annotated[
        int, typer.Option("--opening", help="Random moves before the agents begin; the same for each pair of games.")
    ] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> int:
    """Play a match and show who won, with intervals. Interrupted, the same command goes on."""
    from noughts.agents import build_agent
    from noughts.cli.output import print_json, print_tables, watch
    from noughts.play.match import MatchPlan, make_match, match_games, match_result
    from noughts.questions.session import Game, agents_code, carry_out
    from noughts.store.results import Store

    plan = make_match(
        MatchPlan(
            rules=rules,
            a=a,
            b=b,
            games=games,
            colours="fixed" if fixed else "swapped",
            opening_plies=opening,
            seed=seed,
            move_seconds=move_seconds,
        )
    )
    for agent in (plan.a, plan.b):
        build_agent(agent)  # what cannot be made is said before anything is stored
    work = [Game(game) for game in match_games(plan)]
    identity = plan.model_dump(mode="json") | {"agents_code": agents_code((plan.a, plan.b))}
    with Store.open(store).begin("match", plan.name, identity, seed) as run:
        watch(
            carry_out(work, run, workers),
            f"{plan.a} - {plan.b}",
            lambda: match_table(plan.rules, match_result(plan, run.games())),
            quiet=as_json,
        )
        result = match_result(plan, run.games())
        run.finish(result.to_json())
    if as_json:
        print_json(match_json(plan.rules, result))
    else:
        print_tables(match_table(plan.rules, result))
        for problem in result.problems:
            typer.echo(f"broken off: {problem}", err=True)
    return 1 if result.problems else 0


def match_json(rules: str, result: "MatchResult") -> dict[str, Any]:
    """A result with its intervals, for programs."""

    def score(of: "Score") -> dict[str, Any]:
        return of.model_dump() | {"win_interval": of.win_interval._asdict()}

    return (
        {"rules": rules}
        | result.model_dump(mode="json")
        | {
            "total": score(result.total),
            "a_first": score(result.a_first),
            "a_second": score(result.a_second),
        }
    )


def match_table(rules: str, result: "MatchResult") -> "Table":
    """A result as a table for the terminal."""
    from rich.table import Table

    table = Table(title=f"{rules}: {result.a} (wins - draws - losses) against {result.b}", title_justify="left")
    for column in ("", "games", "wins", "draws", "losses", "won, 95 % interval"):
        table.add_column(column, justify="left" if not column else "right")
    for label, score in (
        ("moving first", result.a_first),
        ("moving second", result.a_second),
        ("in all", result.total),
    ):
        if score.games + score.errors == 0:
            continue
        share = score.win_interval
        interval = f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
        table.add_row(label, *map(str, (score.games, score.wins, score.draws, score.losses)), interval)
    notes = [f"{result.distinct} different games"]
    if result.repeats:
        notes[0] += f" of {result.total.games}: repeated games are no further evidence"
    notes.append(f"seconds a move: {result.seconds_a:.2g} and {result.seconds_b:.2g}")
    if result.problems:
        notes.append(f"{len(result.problems)} broken off")
    table.caption = "; ".join(notes)
    table.caption_justify = "left"
    return table
