"""``noughts score``: how often an agent keeps the value of a position, by ply, in one game or in each of a task."""

import re
from pathlib import Path
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
    from collections.abc import Callable, Sequence

    from rich.console import Group

    from noughts.document.names import Names
    from noughts.document.result import BoardFigure, CurveFigure
    from noughts.examine.judge import Tally
    from noughts.questions.judged import Judged, JudgedGame


def score(
    agent: Annotated[
        str,
        typer.Argument(
            help="An agent, e.g. mcts:sims=1000, or NAME=AGENT; `noughts agents` lists them.",
            autocompletion=complete_agent,
        ),
    ],
    rules: TaskOption = "tic-tac-toe",
    per_ply: Annotated[int, typer.Option("--per-ply", "-n", help="Positions drawn for each ply of a large game.")] = 50,
    all_up_to: Annotated[
        int, typer.Option("--all-up-to", help="Ask about all positions, if the game has no more than this.")
    ] = 20_000,
    plies: Annotated[
        str | None, typer.Option("--plies", metavar="LOW-HIGH", help="Only positions after so many moves.")
    ] = None,
    nodes: Annotated[
        int, typer.Option("--nodes", help="What the solver may spend on one position, in its own unit.")
    ] = 1_000_000,
    memory: Annotated[
        int, typer.Option("--memory", metavar="GIB", help="What each solver's tables may take, in each worker.")
    ] = 1,
    chunk: Annotated[
        int, typer.Option("--chunk", help="Positions in one piece of work; they share what the solver proves.")
    ] = 25,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    on: OnOption = None,
    move_seconds: MoveSecondsOption = None,
    store: StoreOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FOLDER", help="Save a figure of the accuracy by ply there.")
    ] = None,
    again: AgainOption = False,
    as_json: JsonOption = False,
) -> int:
    """Score an agent against exact truth: optimal moves, blunders and value error by ply, with intervals.

    It names the first positions that the agent blunders in; --json has ten of each ply. Of an agent that has a learned model of the game it is also told what is wrong with what it imagines. Interrupted, the same command goes on.
    """
    from noughts.cli.ask import ask
    from noughts.cli.output import print_json, print_tables, save_figure
    from noughts.cli.score_model import model_json, model_question, model_tables
    from noughts.document.names import read_names
    from noughts.library.asking import executor_at
    from noughts.library.examining import score_name, score_question
    from noughts.store.files import make_folder
    from noughts.store.results import Store

    asked_plies = None if plies is None else read_plies(plies)
    (agent,), names = read_names([agent])
    judged = score_question(
        agent, rules, per_ply, all_up_to, asked_plies, nodes, memory, chunk, seed, move_seconds, workers
    )
    model = model_question(judged)
    if report is not None:
        make_folder(report)
    answers = ask(
        [judged] if model is None else [judged, model],
        Store.open(store),
        "score",
        score_name(judged.named[0], rules),
        lambda answers: score_tables(judged, answers[judged].games, names),
        seed,
        executor_at(workers, on),
        quiet=as_json,
        again=again,
        title=f"{names.show(judged.named[0])} on {rules}",
    )
    games = answers[judged].games
    figure = accuracy_figure(games[0], names) if len(games) == 1 else score_heatmap(judged, games, names)
    drawn = save_figure(figure, report, judged.key)
    total, imagined = _total(games), None if model is None else answers[model]
    if as_json:
        shown = score_json(judged, rules, games) | ({} if imagined is None else {"imagined": model_json(imagined)})
        print_json(shown | ({} if drawn is None else {"figure": str(drawn)}), names)
    else:
        print_tables(score_tables(judged, games, names), names)
        if imagined is not None and imagined.depths:
            typer.echo("")
            print_tables(model_tables(imagined, names.show(judged.named[0])), names)
        if drawn is not None:
            typer.echo(f"\nfigure: {drawn}")
        for problem in total.problems:
            typer.echo(f"failed: {names.within(problem)}", err=True)
    return 1 if total.errors else 0


def _total(games: "Sequence[JudgedGame]") -> "Tally":
    from noughts.examine.judge import Tally

    return sum((game.total for game in games), Tally(complete=True))


def read_plies(text: str) -> tuple[int, int]:
    """``4-10`` or ``4`` as first and last ply; AgentError if it is neither."""
    from noughts.questions.judged import Judged
    from noughts.rules import AgentError

    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", text)
    if found is None:
        raise AgentError(f"impossible score: plies={text!r} is not allowed: {Judged.allowed['plies']}")
    return int(found[1]), int(found[2] or found[1])


def score_json(judged: "Judged", task: str, games: "Sequence[JudgedGame]") -> dict[str, Any]:
    """A result with its intervals, for programs: one object for each game, in the order of the task."""
    from noughts.rules import format_rules

    def shown(tally: "Tally") -> dict[str, Any]:
        error = tally.value_error
        counts = tally.model_dump(mode="json", exclude={"error", "squared_error", "chance"})
        return counts | {
            "indifferent": tally.indifferent,
            "exact": tally.exact,
            "optimal_interval": tally.optimal_interval._asdict() if tally.choices else None,
            "optimal_by_chance": tally.chance_share if tally.choices else None,
            "won_blundered": tally.won_interval._asdict() if tally.won else None,
            "drawn_blundered": tally.drawn_interval._asdict() if tally.choices > tally.won else None,
            "value_error": None if error is None else error._asdict(),
        }

    return {
        "rules": task,
        "agent": str(judged.named[0]),
        "seed": judged.seed,
        "games": [
            {
                "rules": format_rules(game.rules),
                "sampled": game.sampled,
                "plies": [{"ply": ply} | shown(tally) for ply, tally in game.plies.items()],
                "total": shown(game.total),
            }
            for game in games
        ],
        "total": shown(_total(games)),
    }


def score_tables(judged: "Judged", games: "Sequence[JudgedGame]", names: "Names") -> "Group":
    """A result by ply, and what it comes to; with several games by game, with a heatmap where they differ by a brick."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from noughts.document.shares import EVERY_POSITION
    from noughts.reports.terminal import heatmap
    from noughts.rules import format_rules

    one = len(judged.task.rules) == 1
    sampled, total = any(game.sampled for game in games), _total(games)
    rows = [
        (str(label), tally)
        for game in games
        for label, tally in (game.plies.items() if one else [(format_rules(game.rules), game.total)])
    ]
    rows.append(("all", total))
    where = format_rules(judged.task.rules[0]) if one else f"{len(judged.task.rules)} games"
    title = Text(
        f"{names.show(judged.named[0])} on {where}, {'a sample' if sampled else 'every position'}", style="bold"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    columns = {
        head: [cell(tally) for _, tally in rows]
        for head, cell in _COLUMNS.items()
        if head in _ALWAYS or any(cell(tally) not in ("", EVERY_POSITION) for _, tally in rows)
    }
    table.add_column("ply" if one else "game", justify="right" if one else "left", overflow="fold")
    for head in columns:
        table.add_column(head, justify="right", no_wrap=True)
    for (label, _), *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(label, *cells)
    said = _sentences(total, sampled)
    if len({unit.rules for unit in judged.units()}) < len(judged.task.rules):
        said.append("images of a game are one to this agent: each was judged once for all")
    figure = score_heatmap(judged, games, names)
    return Group(title, table, *([] if figure is None else [heatmap(figure)]), Text("\n".join(said)))


def score_heatmap(judged: "Judged", games: "Sequence[JudgedGame]", names: "Names") -> "BoardFigure | None":
    """The share of optimal moves by the brick's square, where the games of a task differ by it."""
    from noughts.document.heatmap import Shade, brick_heatmap

    shares = {game.rules: 100 * game.total.optimal_interval.share for game in games if game.total.choices}
    shades = {rules: Shade(share, f"{share:.0f}") for rules, share in shares.items()}
    title = f"{names.show(judged.named[0])}: optimal moves, by the brick's square"
    return brick_heatmap(
        "optimal", title, "with the brick there: optimal moves where the choice matters, percent", shades
    )


def accuracy_figure(game: "JudgedGame", names: "Names") -> "CurveFigure":
    """The share of optimal moves by ply, beside a random player's."""
    from noughts.document.result import CurveFigure, Series
    from noughts.rules import format_rules
    from noughts.studies.claims import interval_series, percent

    choices = {ply: tally for ply, tally in game.plies.items() if tally.choices}
    by_chance = Series(
        name="a random player",
        x=tuple(map(float, choices)),
        y=tuple(percent(tally.chance_share) for tally in choices.values()),
    )
    return CurveFigure(
        name="accuracy",
        title=f"{names.show(game.agent)} on {format_rules(game.rules)}: optimal moves where the choice matters",
        x_label="moves made before",
        y_label="optimal, percent",
        y_range=(0.0, 100.0),
        series=(
            interval_series(names.show(game.agent), {ply: tally.optimal_interval for ply, tally in choices.items()}),
            by_chance,
        ),
    )


def _interval(tally: "Tally") -> str:
    if not tally.choices:
        return ""
    from noughts.document.shares import EVERY_POSITION

    share = tally.optimal_interval
    return EVERY_POSITION if tally.exact else f"{100 * share.low:.1f}-{100 * share.high:.1f}"


def _value_error(tally: "Tally") -> str:
    return "" if tally.value_error is None else f"{tally.value_error.mean:.3f}"


_COLUMNS: "dict[str, Callable[[Tally], str]]" = {
    "asked": lambda tally: f"{tally.positions:,}",
    "choices": lambda tally: f"{tally.choices:,}",
    "optimal\n%": lambda tally: f"{100 * tally.optimal_interval.share:.1f}" if tally.choices else "",
    "95 %": _interval,
    "random\n%": lambda tally: f"{100 * tally.chance_share:.1f}" if tally.choices else "",
    "won\n→drawn": lambda tally: f"{tally.won_drawn:,}" if tally.won else "",
    "won\n→lost": lambda tally: f"{tally.won_lost:,}" if tally.won else "",
    "drawn\n→lost": lambda tally: f"{tally.drawn_lost:,}" if tally.choices > tally.won else "",
    "value\nerror": _value_error,
    "not\njudged": lambda tally: f"{tally.undecided + tally.errors:,}" if tally.undecided + tally.errors else "",
}
"""A row of the table by its heads; a column that would be empty, or say of all rows what the title says, is left out, but for those of `_ALWAYS`."""
_ALWAYS = ("asked", "choices", "optimal\n%")


_SHOWN_BLUNDERS = 3


def _sentences(total: "Tally", sampled: bool) -> list[str]:
    """What the last row comes to."""
    from noughts.document.shares import share_text
    from noughts.rules.text import counted

    said = []
    if total.choices:
        said.append(
            f"optimal where the choice matters: {share_text(total.optimal_interval, total.exact)} of {counted(total.choices, 'position')}; "
            f"a random player: {100 * total.chance_share:.1f} %"
        )
    else:
        said.append("no position in which the choice matters")
    if total.won:
        said.append(f"won positions drawn or lost: {share_text(total.won_interval, total.exact)} of {total.won:,}")
    if drawn := total.choices - total.won:
        said.append(f"drawn positions lost: {share_text(total.drawn_interval, total.exact)} of {drawn:,}")
    if (error := total.value_error) is not None:
        width = "" if total.exact else f" ({error.low:.3f} to {error.high:.3f})"
        said.append(f"mean error of its values: {error.mean:.3f}{width}, over {counted(total.values, 'position')}")
    if total.blunders:
        more = ", the first of them" if total.choices - total.optimal > _SHOWN_BLUNDERS else ""
        said.append(f"blunders{more}:")
        said += [f"  {blunder}" for blunder in total.blunders[:_SHOWN_BLUNDERS]]
    said.append(f"in {counted(total.indifferent, 'position')} every move keeps the value: they count in no share")
    if total.undecided:
        said.append(f"the solver could not decide {total.undecided:,} within its nodes: more with --nodes")
    if total.refusal:
        said.append(f"of those it refused some, the first because {total.refusal}")
    if total.errors:
        said.append(f"the agent failed in {counted(total.errors, 'position')}")
    if sampled:
        said.append("each position of the sample counts alike in the last row; intervals are 95 % Wilson intervals")
    elif total.exact:
        said.append("all positions there are: the shares are exact for this agent and this seed")
    else:
        said.append("all positions there are, but not all were judged; intervals are 95 % Wilson intervals")
    return said
