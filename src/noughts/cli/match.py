"""``noughts match``: two agents, many games, of one kind or of a whole task."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.options import (
    AgainOption,
    FigureOption,
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
    from rich.console import Group

    from noughts.document.names import Names
    from noughts.document.result import BoardFigure
    from noughts.play.score import Score
    from noughts.questions.played import MatchResult, Played
    from noughts.statistics import Interval


def match(
    a: Annotated[
        str,
        typer.Argument(
            help="An agent, e.g. minimax:depth=2, or NAME=AGENT; `noughts agents` lists them.",
            autocompletion=complete_agent,
        ),
    ],
    b: Annotated[str, typer.Argument(help="Its opponent.", autocompletion=complete_agent)],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games in all.")] = 100,
    fixed: Annotated[
        bool, typer.Option("--fixed/--swapped", help="The first agent always begins, or they take turns.")
    ] = False,
    opening: Annotated[
        int, typer.Option("--opening", help="Random moves before the agents begin; the same for each pair of games.")
    ] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    on: OnOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    report: FigureOption = None,
    again: AgainOption = False,
    as_json: JsonOption = False,
) -> int:
    """Play a match and show who won, with intervals. Interrupted, the same command goes on; finished, it shows what is kept.

    With several games, such as bttt(*), each is played as often as every other.
    """
    from noughts.cli.ask import ask
    from noughts.cli.output import print_json, print_tables, save_figure
    from noughts.document.names import read_names
    from noughts.library.asking import executor_at
    from noughts.library.games import match_name, match_question
    from noughts.store.results import Store

    (a, b), names = read_names([a, b])
    played = match_question(a, b, rules, games, fixed, opening, seed, move_seconds, workers)
    answers = ask(
        [played],
        Store.open(store),
        "match",
        match_name(played),
        lambda answers: match_table(played, answers[played], names),
        seed,
        executor_at(workers, on),
        quiet=as_json,
        again=again,
        title=f"{names.show(played.a)} - {names.show(played.b)}",
    )
    result = answers[played]
    figure = match_heatmap(played, result, names)
    drawn = save_figure(figure, report, played.key)
    if as_json:
        print_json({"rules": rules} | match_json(result) | ({} if drawn is None else {"figure": str(drawn)}), names)
    else:
        print_tables(match_table(played, result, names), names)
        if drawn is not None:
            typer.echo(f"\nfigure: {drawn}")
        for problem in result.problems:
            typer.echo(f"broken off: {names.within(problem)}", err=True)
    return 1 if result.problems else 0


def match_json(result: "MatchResult") -> dict[str, Any]:
    """A result with its intervals, for programs."""
    from noughts.rules import format_rules

    def score(of: "Score", won: "Interval") -> dict[str, Any]:
        return of.model_dump() | {"win_interval": won._asdict()}

    points = result.points_interval
    return result.model_dump(mode="json") | {
        "total": score(result.total, result.win_interval)
        | {"points_interval": {"points": points.share, "low": points.low, "high": points.high}},
        "a_first": score(result.a_first, result.win_interval_first),
        "a_second": score(result.a_second, result.win_interval_second),
        "by_game": [
            {"rules": format_rules(game.rules), "distinct": game.distinct} | score(game.score, game.win_interval)
            for game in result.by_game
        ],
    }


def match_table(played: "Played", result: "MatchResult", names: "Names") -> "Group":
    """A result as tables for the terminal; with several games one by game, and a heatmap where they differ by a brick."""
    from rich.console import Group
    from rich.table import Table

    from noughts.document.shares import REPEATS_SAY_NOTHING, different_games, share_text
    from noughts.reports.terminal import heatmap
    from noughts.rules import format_rules

    several = len(played.task.rules) > 1
    where = f"{len(played.task.rules)} games" if several else format_rules(played.task.rules[0])
    table = Table(
        title=f"{where}: {names.show(result.a)} (wins - draws - losses) against {names.show(result.b)}",
        title_justify="left",
    )
    for column in ("", "games", "wins", "draws", "losses", "won, 95 % interval"):
        table.add_column(column, justify="right" if column else "left", overflow="fold")

    def row(label: str, score: "Score", won: "Interval") -> None:
        if score.games + score.errors:
            counts = map(str, (score.games, score.wins, score.draws, score.losses))
            table.add_row(label, *counts, share_text(won, exact=False) if score.games else "")

    for game in result.by_game if several else ():
        row(format_rules(game.rules), game.score, game.win_interval)
    if several:
        table.add_section()
    row("moving first", result.a_first, result.win_interval_first)
    row("moving second", result.a_second, result.win_interval_second)
    row("in all", result.total, result.win_interval)
    notes = [different_games(result.distinct, result.total.games)]
    if result.repeats:
        notes[0] += f": {REPEATS_SAY_NOTHING}"
    if result.total.draws:
        notes.append(f"points, a draw half a one: {share_text(result.points_interval, exact=False)}")
    notes.append(f"seconds a move: {result.seconds_a:.2g} and {result.seconds_b:.2g}")
    if result.problems:
        notes.append(f"{len(result.problems)} broken off")
    table.caption = "; ".join(notes)
    table.caption_justify = "left"
    figure = match_heatmap(played, result, names)
    return Group(table) if figure is None else Group(table, heatmap(figure))


def match_heatmap(played: "Played", result: "MatchResult", names: "Names") -> "BoardFigure | None":
    """The share of games won by the brick's square, where the games of a task differ by it."""
    from noughts.document.heatmap import Shade, brick_heatmap

    shades = {
        game.rules: Shade(100 * game.win_interval.share, str(game.score.wins))
        for game in result.by_game
        if game.score.games
    }
    title = f"{names.show(played.a)} against {names.show(played.b)}: games won, by the brick's square"
    return brick_heatmap("match", title, "with the brick there: games won; the shade is their share", shades)
