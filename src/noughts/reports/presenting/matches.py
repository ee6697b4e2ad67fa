"""Matches and tournaments: wins, draws and losses with intervals, and a heatmap if the games differ by a brick."""

from typing import Any

from noughts.document.document import Block, Document, Listing
from noughts.document.heatmap import Shade, brick_heatmap
from noughts.document.names import Names
from noughts.document.shares import REPEATS_SAY_NOTHING, different_games, share_text
from noughts.play.score import Score
from noughts.questions.played import MatchResult, Played
from noughts.questions.tournament import Ranked, Tournament, ranking
from noughts.rules import format_rules, format_task
from noughts.statistics import Interval

_COLUMNS = ("", "games", "wins", "draws", "losses", "won, 95 % interval")


def present_match(result: MatchResult, played: Played | None, names: Names) -> Document:
    """A match from the first agent's point of view, with a row for each game if there are several."""
    games = [game.rules for game in result.by_game] if played is None else list(played.task.rules)
    several = len(games) > 1
    where = f"{len(games)} games: " if several else f"{format_rules(games[0])}: " if games else ""
    parts = [(format_rules(game.rules), game.score, game.win_interval) for game in result.by_game if several]
    totals = [
        ("moving first", result.a_first, result.win_interval_first),
        ("moving second", result.a_second, result.win_interval_second),
        ("in all", result.total, result.win_interval),
    ]
    rows, totals_shown = ([_row(*part) for part in some if part[1].games + part[1].errors] for some in (parts, totals))
    different = different_games(result.distinct, result.total.games)
    notes = [f"{different}: {REPEATS_SAY_NOTHING}" if result.repeats else different]
    if result.total.draws:
        notes.append(f"score (draw = ½): {share_text(result.points_interval, exact=False)}")
    notes.append(f"time per move: {_short(result.seconds_a)} and {_short(result.seconds_b)}")
    if result.problems:
        notes.append(f"{len(result.problems)} broken off, lost by the agent that failed if it is known")
    title = f"{where}{names.show(result.a)} against {names.show(result.b)}"
    grid = Listing(title, _COLUMNS, (*rows, *totals_shown), ("; ".join(notes),), totals=len(totals_shown))
    shades = {
        game.rules: Shade(100 * game.win_interval.value, str(game.score.wins))
        for game in result.by_game
        if game.score.games
    }
    heatmap = brick_heatmap(
        "match",
        f"{title}: games won, by the brick's square".removeprefix(where),
        "with the brick there: games won; the shade is their share",
        shades,
    )
    blocks: tuple[Block, ...] = (grid,) if heatmap is None else (grid, heatmap)
    problems = tuple(f"broken off: {names.within(problem)}" for problem in result.problems)
    asked = {} if played is None else {"rules": format_task(played.task)}
    return Document(blocks, asked | _match_json(result), problems)


def _short(seconds: float) -> str:
    """A time as short as that of a move, as text."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _row(label: str, score: Score, won: Interval) -> tuple[str | int, ...]:
    share = share_text(won, exact=False) if score.games else ""
    return (label, score.games, score.wins, score.draws, score.losses, share)


def _match_json(result: MatchResult) -> dict[str, Any]:
    def score(of: Score, won: Interval) -> dict[str, Any]:
        return of.model_dump() | {"win_interval": won.as_data("share")}

    return result.model_dump(mode="json") | {
        "total": score(result.total, result.win_interval)
        | {"points_interval": result.points_interval.as_data("points")},
        "a_first": score(result.a_first, result.win_interval_first),
        "a_second": score(result.a_second, result.win_interval_second),
        "by_game": [
            {"rules": format_rules(game.rules), "distinct": game.distinct} | score(game.score, game.win_interval)
            for game in result.by_game
        ],
    }


def present_tournament(held: Tournament, asked: None, names: Names) -> Document:
    """The cross-table and the ranking."""
    results, agents = held.results, held.agents
    found = {(played.a, played.b): result.total for played, result in results.items()}
    cross = tuple(
        (f"{number} {names.show(a)}", *(_score_text(found.get((a, b))) for b in agents))
        for number, a in enumerate(agents, 1)
    )
    repeating = [
        f"{names.show(played.a)} - {names.show(played.b)}" for played, result in results.items() if result.repeats
    ]
    repeated = (f"some games were played more than once: {', '.join(repeating)}",) if repeating else ()
    numbers = tuple(str(number) for number, _ in enumerate(agents, 1))
    ranked = ranking(results)
    data = {
        "rules": held.rules,
        "ranking": [ranked_json(row) for row in ranked],
        "matches": [{"rules": held.rules} | _match_json(result) for result in results.values()],
    }
    return Document(
        (
            Listing(
                f"{held.rules}: wins - draws - losses of the first player",
                ("first \\ second", *numbers),
                cross,
                repeated,
            ),
            Listing(
                "ranking: mean score (win 1, draw 1/2)",
                ("agent", "score", "95 %", "games"),
                tuple(_ranked_row(row, names) for row in ranked),
                (REPEATS_SAY_NOTHING,) if repeating else (),
            ),
        ),
        data,
        tuple(f"broken off: {names.within(one)}" for result in results.values() for one in result.problems),
    )


def _score_text(score: Score | None) -> str:
    return "" if score is None else f"{score.wins}-{score.draws}-{score.losses}"


def _ranked_row(row: Ranked, names: Names) -> tuple[str | int, ...]:
    interval = f"{row.interval.low:.3f} to {row.interval.high:.3f}" if row.games else ""
    return (names.show(row.agent), f"{row.score:.3f}", interval, row.games)


def ranked_json(row: Ranked) -> dict[str, Any]:
    """A row of the ranking with its interval, for programs."""
    return row._asdict() | {"interval": row.interval.as_data("share")}
