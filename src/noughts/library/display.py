"""How notebooks show our values: positions and figures as drawings, results as tables, studies as pages.

`show` is what `noughts.showing` asks. What draws is imported when something is to be drawn.
"""

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from noughts.positions import Position
from noughts.rules import Rules
from noughts.rules.text import name_cell
from noughts.showing import Form
from noughts.store.records import GameRecord

if TYPE_CHECKING:
    from noughts.document.result import StudyResult
    from noughts.play.score import Score
    from noughts.questions.best_replies import LosingChances
    from noughts.questions.judged import JudgedTask
    from noughts.questions.played import MatchResult
    from noughts.questions.solved import SolvedTask
    from noughts.questions.walked import WalkedTask
    from noughts.search import SearchResult
    from noughts.solvers import MoveSolution, Solution
    from noughts.statistics import Interval

_FRAME_PIXELS = 700  # height of a study's page


def show(value: object, form: Form) -> str | None:
    """A value as a drawing or as a piece of a page; None if it is not shown in that form."""
    return _svg(value) if form == "svg" else _html(value)


def _svg(value: object) -> str | None:
    from noughts.reports.boards import BoardOptions, board_svg

    if isinstance(value, Position):
        return board_svg(value)
    if isinstance(value, Rules):
        return board_svg(Position.start(value))
    if isinstance(value, GameRecord):
        title = f"{value.first} - {value.second}: {value.ending}"
        return board_svg(Position.start(value.game, value.moves), BoardOptions(numbers=True), title=title)
    return _figure(value)


def _figure(value: object) -> str | None:
    from noughts.document.result import BoardFigure, CurveFigure, MatrixFigure
    from noughts.reports.figures import figure_svg

    return figure_svg(value) if isinstance(value, BoardFigure | CurveFigure | MatrixFigure) else None


def _html(value: object) -> str | None:
    from noughts.document.result import StudyResult
    from noughts.questions.best_replies import LosingChances
    from noughts.questions.judged import JudgedTask
    from noughts.questions.played import MatchResult
    from noughts.questions.solved import SolvedTask
    from noughts.questions.walked import WalkedTask
    from noughts.search import SearchResult
    from noughts.solvers import Solution

    match value:
        case Solution():
            return _solution(value)
        case MatchResult():
            return _match(value)
        case WalkedTask():
            return _walks(value)
        case JudgedTask():
            return _scores(value)
        case SolvedTask():
            return _values(value)
        case SearchResult():
            return _search(value)
        case LosingChances():
            return _chances(value)
        case StudyResult():
            return _page(value)
        case _:
            return None


def _match(result: "MatchResult") -> str:
    """Who won, with intervals."""
    from noughts.document.shares import REPEATS_SAY_NOTHING, different_games, share_text

    def row(label: str, score: "Score", won: "Interval") -> Sequence[object]:
        interval = share_text(won, exact=False) if score.games else ""
        return (label, score.games, score.wins, score.draws, score.losses, interval)

    several = result.by_game if len(result.by_game) > 1 else ()
    rows = [
        *(row(str(game.rules), game.score, game.win_interval) for game in several),
        row("moving first", result.a_first, result.win_interval_first),
        row("moving second", result.a_second, result.win_interval_second),
        row("in all", result.total, result.win_interval),
    ]
    heads = ("", "games", "wins", "draws", "losses", "won, 95 % interval")
    repeated = f": {REPEATS_SAY_NOTHING}" if result.repeats else ""
    notes = [different_games(result.distinct, result.total.games) + repeated, *result.problems[:10]]
    return _table(f"{result.a} against {result.b}", heads, rows, notes)


def _walks(answer: "WalkedTask") -> str:
    """What every walk showed, and a game that is lost or drawn, drawn."""
    from noughts.reports.boards import BoardOptions, board_svg

    rows = [
        (str(rules), result.verb if result.proved else str(result), f"{result.decisions:,}", f"{result.games:,}")
        for rules, result in answer.games
    ]
    table = _table("every reply", ("game", "answer", "positions", "games"), rows)
    for rules, result in answer.games[:1] if len(answer.games) == 1 else ():
        shown = result.drawn_game if result.lost_game is None else result.lost_game
        if shown is not None:
            title = "a game that it loses" if result.lost_game is not None else "a game that it draws"
            drawn = board_svg(Position.start(rules, shown), BoardOptions(numbers=True), title=title)
            table += drawn[drawn.index("<svg") :]  # within a page nothing stands before it
    return table


def _scores(answer: "JudgedTask") -> str:
    """Optimal moves by ply, or by game where there are several."""
    from noughts.document.shares import share_text
    from noughts.examine.judge import Tally

    def row(label: object, tally: Tally) -> Sequence[object]:
        optimal = share_text(tally.optimal_interval, tally.exact) if tally.choices else ""
        chance = f"{100 * tally.chance_share:.1f} %" if tally.choices else ""
        return (
            label,
            f"{tally.positions:,}",
            f"{tally.choices:,}",
            optimal,
            chance,
            tally.undecided + tally.errors or "",
        )

    agents = list(dict.fromkeys(game.agent for game in answer.games))
    tables = []
    for agent in agents:
        games = [game for game in answer.games if game.agent == agent]
        if len(games) == 1:
            rows = [*(row(ply, tally) for ply, tally in games[0].plies.items()), row("all", games[0].total)]
        else:
            rows = [row(str(game.rules), game.total) for game in games]
        heads = (
            "ply" if len(games) == 1 else "game",
            "asked",
            "choices",
            "optimal, 95 % interval",
            "random",
            "not judged",
        )
        tables.append(_table(f"{agent} beside exact truth", heads, rows))
    return "".join(tables)


def _solution(found: "Solution") -> str:
    """The value of a position and of each of its moves."""

    def row(label: object, part: "Solution | MoveSolution") -> Sequence[object]:
        span = part.span
        plies = "" if span is None else span.plies if span.plies is not None else f"{span.low} to {span.high or '?'}"
        return (label, part.value if part.value is not None else f"{part.low} to {part.high}", plies)

    rows = [row("position", found), *(row(name_cell(found.rules, move.move), move) for move in found.moves)]
    notes = [f"{found.solver}, {found.nodes:,} nodes; values are for the side to move in the position"]
    return _table("exact values", ("", "value", "plies"), rows, notes)


def _search(found: "SearchResult") -> str:
    """What was found about each move, the best first."""
    rows = [
        (
            name_cell(found.rules, move.move),
            f"{move.value:+.3f}",
            move.kind,
            f"{move.visits:,}",
            "" if move.prior is None else f"{100 * move.prior:.1f} %",
            "" if move.distance is None else move.distance,
        )
        for move in found.ranked
    ]
    line = " ".join(name_cell(found.rules, cell) for cell in found.principal_variation)
    notes = [f"value of the position: {found.value:+.3f} ({found.kind}), for the side to move; expected: {line}"]
    return _table("what it thinks", ("move", "value", "", "visits", "prior", "plies"), rows, notes)


def _chances(answer: "LosingChances") -> str:
    """How often it loses."""
    rows = [(str(rules), str(chance), f"{chance.decisions:,}", f"{chance.ties:,}") for rules, chance in answer.games]
    return _table("best replies", ("game", "games lost, percent", "positions", "of these with ties"), rows)


def _values(answer: "SolvedTask") -> str:
    """Exact values."""
    rows = [
        (
            str(rules),
            found.value if found.value is not None else f"{found.low} to {found.high}",
            "" if found.plies is None else found.plies,
            found.solver,
            f"{found.nodes:,}",
        )
        for rules, found in answer.games
    ]
    return _table("exact values", ("game", "value for the side to move", "plies", "solver", "nodes"), rows)


def _page(result: "StudyResult") -> str:
    """The page of a study, in a frame of its own, as its styles are those of a whole page."""
    from noughts.reports.page import study_page

    page = html.escape(study_page(result), quote=True)
    return f'<iframe sandbox srcdoc="{page}" style="width:100%;height:{_FRAME_PIXELS}px;border:0"></iframe>'


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()) -> str:
    """A table; all that stands in it is text, never markup."""
    return "".join(_lines(title, heads, rows, notes))


def _lines(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str]) -> Iterator[str]:
    yield f"<table><caption>{html.escape(title)}</caption><thead><tr>"
    yield from (f"<th>{html.escape(head)}</th>" for head in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"
    yield from (f"<p>{html.escape(note)}</p>" for note in notes)
