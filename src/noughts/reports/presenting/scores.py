"""Moves compared with exact values, by ply or by game, and errors of positions that a learned model imagines."""

from collections.abc import Callable, Sequence
from typing import Any

from noughts.document.document import Block, Document, Listing
from noughts.document.heatmap import Shade, brick_heatmap
from noughts.document.names import Names
from noughts.document.result import BoardFigure, CurveFigure
from noughts.document.shares import EVERY_POSITION, share_text
from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.questions.imagined import ImaginedJudged, ImaginedTallies
from noughts.questions.judged import Judged, JudgedGame, JudgedTask
from noughts.rules import format_rules, format_task
from noughts.rules.text import counted
from noughts.statistics import Interval
from noughts.studies.claims import interval_series, line_of, percent

_BLUNDERS = 3  # the most that are shown; the JSON has all that are saved


def present_score(answer: JudgedTask, judged: Judged | None, names: Names) -> Document:
    """The share of optimal moves: a table for each agent, and a figure."""
    agents = list(dict.fromkeys(game.agent for game in answer.games))
    if judged is not None and not agents:
        agents = [str(judged.named[0])]
    blocks: list[Block] = []
    for agent in agents:
        blocks += _agent(agent, [game for game in answer.games if game.agent == agent], judged, names)
    total = _total(answer.games)
    data = {} if judged is None else _score_json(judged, answer.games, total)
    return Document(tuple(blocks), data, tuple(f"failed: {names.within(problem)}" for problem in total.problems))


def _agent(agent: str, games: Sequence[JudgedGame], judged: Judged | None, names: Names) -> list[Block]:
    task = [game.rules for game in games] if judged is None else list(judged.task.rules)
    one = len(task) == 1
    sampled, total = any(game.sampled for game in games), _total(games)
    rows = [
        (str(label), tally)
        for game in games
        for label, tally in (game.plies.items() if one else [(format_rules(game.rules), game.total)])
    ]
    rows.append(("all", total))
    where = format_rules(task[0]) if one else f"{len(task)} games"
    columns = {head: [cell(tally) for _, tally in rows] for head, cell in _COLUMNS.items()}
    shown = [head for head, texts in columns.items() if head in _ALWAYS or set(texts) - {"", EVERY_POSITION}]
    title = f"{names.show(agent)} on {where}, {'a sample' if sampled else 'every position'}"
    cells = zip((label for label, _ in rows), *(columns[head] for head in shown), strict=True)
    grid = Listing(title, ("ply" if one else "game", *shown), tuple(cells), labels=0 if one else 1)
    figure = _curve(games[0], names) if one and games else _heatmap(agent, games, names)
    return [grid, *([] if figure is None else [figure]), "\n".join(_notes(total, sampled))]


def _total(games: Sequence[JudgedGame]) -> Tally:
    return sum((game.total for game in games), Tally(complete=True))


def _score_json(judged: Judged, games: Sequence[JudgedGame], total: Tally) -> dict[str, Any]:
    """The scores as JSON data: one object for each game, in the order of the task."""

    def shown(tally: Tally) -> dict[str, Any]:
        error = tally.value_error
        counts = tally.model_dump(mode="json", exclude={"error", "squared_error", "chance"})
        return counts | {
            "indifferent": tally.indifferent,
            "exact": tally.exact,
            "optimal_interval": tally.optimal_interval.as_data("share") if tally.choices else None,
            "optimal_by_chance": tally.chance_share if tally.choices else None,
            "won_blundered": tally.won_interval.as_data("share") if tally.won else None,
            "drawn_blundered": tally.drawn_interval.as_data("share") if tally.choices > tally.won else None,
            "value_error": None if error is None else error.as_data("mean"),
        }

    return {
        "rules": format_task(judged.task),
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
        "total": shown(total),
    }


def _heatmap(agent: str, games: Sequence[JudgedGame], names: Names) -> BoardFigure | None:
    """The share of optimal moves by the brick's square, if a task's games differ by it."""
    shares = {game.rules: 100 * game.total.optimal_interval.value for game in games if game.total.choices}
    return brick_heatmap(
        "optimal",
        f"{names.show(agent)}: optimal moves, by the brick's square",
        "with the brick there: optimal moves in non-trivial positions, percent",
        {rules: Shade(share, f"{share:.0f}") for rules, share in shares.items()},
    )


def _curve(game: JudgedGame, names: Names) -> CurveFigure:
    """The share of optimal moves by ply, beside a random player's."""
    choices = {ply: tally for ply, tally in game.plies.items() if tally.choices}
    by_chance = line_of("a random player", {ply: percent(tally.chance_share) for ply, tally in choices.items()})
    return CurveFigure(
        name="accuracy",
        title=f"{names.show(game.agent)} on {format_rules(game.rules)}: optimal moves in non-trivial positions",
        x_label="moves made before",
        y_label="optimal, percent",
        y_range=(0.0, 100.0),
        series=(
            interval_series(names.show(game.agent), {ply: tally.optimal_interval for ply, tally in choices.items()}),
            by_chance,
        ),
    )


def _interval(tally: Tally) -> str:
    if not tally.choices:
        return ""
    share = tally.optimal_interval
    return EVERY_POSITION if tally.exact else f"{100 * share.low:.1f}-{100 * share.high:.1f}"


_COLUMNS: dict[str, Callable[[Tally], str]] = {
    "positions": lambda tally: f"{tally.positions:,}",
    "non-\ntrivial": lambda tally: f"{tally.choices:,}",
    "optimal\n%": lambda tally: f"{100 * tally.optimal_interval.value:.1f}" if tally.choices else "",
    "95 %": _interval,
    "random\n%": lambda tally: f"{100 * tally.chance_share:.1f}" if tally.choices else "",
    "win\n→draw": lambda tally: f"{tally.won_drawn:,}" if tally.won else "",
    "win\n→loss": lambda tally: f"{tally.won_lost:,}" if tally.won else "",
    "draw\n→loss": lambda tally: f"{tally.drawn_lost:,}" if tally.choices > tally.won else "",
    "value\nerror": lambda tally: "" if tally.value_error is None else f"{tally.value_error.value:.3f}",
    "not\njudged": lambda tally: f"{tally.undecided + tally.errors:,}" if tally.undecided + tally.errors else "",
}
"""The cells of a row by their heads. A column is left out if it is empty or repeats the title in all rows, except `_ALWAYS`."""
_ALWAYS = ("positions", "non-\ntrivial", "optimal\n%")


def _notes(total: Tally, sampled: bool) -> list[str]:
    """The available numbers of the last row, in words."""

    def share(name: str, of: Interval, count: int) -> list[str]:
        return [f"{name}: {share_text(of, total.exact)} of {counted(count, 'position')}"] if count else []

    notes = share("optimal in non-trivial positions", total.optimal_interval, total.choices)
    if notes:
        notes[0] += f"; a random player: {100 * total.chance_share:.1f} %"
    else:
        notes = ["no non-trivial position"]
    notes += share("won positions drawn or lost", total.won_interval, total.won)
    notes += share("drawn positions lost", total.drawn_interval, total.choices - total.won)
    if (error := total.value_error) is not None:
        width = "" if total.exact else f" ({error.low:.3f} to {error.high:.3f})"
        notes.append(f"mean error of its values: {error.value:.3f}{width}, over {counted(total.values, 'position')}")
    if total.blunders:
        first = "first " if total.choices - total.optimal > _BLUNDERS else ""
        notes += [f"{first}blunders:", *(f"  {blunder}" for blunder in total.blunders[:_BLUNDERS])]
    notes.append(f"{counted(total.indifferent, 'position')} left out as trivial, because every move is optimal")
    if total.undecided:
        notes.append(f"the solver could not decide {total.undecided:,} within its nodes: raise --nodes")
    if total.refusal:
        notes.append(f"of those it refused some, the first because {total.refusal}")
    if total.errors:
        notes.append(f"the agent failed in {counted(total.errors, 'position')}")
    if sampled:
        how = "the last row averages over all sampled positions; intervals are 95 % Wilson intervals"
    elif total.exact:
        how = "every position was scored: the shares are exact for this agent and this seed"
    else:
        how = "not all positions could be scored; intervals are 95 % Wilson intervals"
    return [*notes, how]


def present_model(found: ImaginedTallies, asked: ImaginedJudged | None, names: Names) -> Document:
    """Errors of the positions that a model's searches imagine, by depth."""
    total = sum(found.depths.values(), ImaginedTally())
    rows = [*((str(depth), tally) for depth, tally in found.depths.items()), ("all", total)]
    who = "" if asked is None else f"{names.show(asked.agent)}: "
    grid = Listing(
        f"{who}positions that its searches imagine, by moves from the root",
        ("depth", *_MODEL_COLUMNS),
        tuple((label, *(cell(tally) for cell in _MODEL_COLUMNS.values())) for label, tally in rows),
        (
            "each position that a search imagined counts once; beyond: it follows an illegal move or the end of the game, "
            "so that there is none; the rest is compared with the real position after the same moves",
        ),
        labels=0,
    )
    return Document(
        (grid,), [{"depth": depth} | tally.model_dump(mode="json") for depth, tally in found.depths.items()]
    )


def _share(part: str, whole: str) -> Callable[[ImaginedTally], str]:
    """A function that gives one count as percent of another, as text; empty without the other."""

    def cell(tally: ImaginedTally) -> str:
        share = tally.share(part, whole)
        return "" if share is None else f"{100 * share.value:.1f}"

    return cell


def _beyond(tally: ImaginedTally) -> str:
    made = tally.made + tally.beyond
    return f"{100 * tally.beyond / made:.1f}" if made else ""


_MODEL_COLUMNS: dict[str, Callable[[ImaginedTally], str]] = {
    "imagined": lambda tally: f"{tally.made + tally.beyond:,}",
    "beyond\n%": _beyond,
    "illegal\n%": _share("illegal", "made"),
    "ends\nmissed %": _share("missed", "ended"),
    "ends\ninvented %": _share("invented", "going"),
    "side\nmistaken %": _share("sides_mistaken", "sides"),
    "board\nwrong %": _share("boards_wrong", "boards"),
    "value\nerror": lambda tally: "" if tally.value_error is None else f"{tally.value_error.value:.3f}",
    "value\nwrong %": _share("values_wrong", "values"),
}
