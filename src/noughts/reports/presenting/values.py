"""Exact values of games and positions, and a search's values of moves."""

from pathlib import Path
from typing import Any

from noughts.document.document import Block, Cell, Document, Listing
from noughts.document.heatmap import Shade, brick_heatmap
from noughts.document.names import Names
from noughts.document.result import BoardFigure, game_figure
from noughts.positions import Position
from noughts.questions.question import OfGame
from noughts.questions.solved import GameValue, Solved, SolvedMove, SolvedTask
from noughts.rules import format_rules
from noughts.rules.text import counted, name_cell
from noughts.search import SearchResult
from noughts.solvers import MoveSolution, Solution

_BOUNDS = {
    (1, 1): "{mine} wins",
    (-1, -1): "{theirs} wins",
    (0, 0): "a draw",
    (0, 1): "{mine} wins or draws",
    (-1, 0): "{theirs} wins or draws",
    (-1, 1): "not decided",
}
"""Sentences about the players, by the bounds on the value for the side to move."""


def bounds_text(low: int, high: int, mover: int = 0) -> str:
    """Bounds on a value in words about the players; `mover` is the side to move, 0 the first player and 1 the second."""
    players = ("the first player", "the second player")
    return _BOUNDS[low, high].format(mine=players[mover], theirs=players[1 - mover])


def present_values(answer: SolvedTask, solved: Solved | None, names: Names) -> Document:
    """The value of each game: of one game in words with its moves, of several as a table and a heatmap."""
    games = answer.games
    played = () if solved is None else solved.played
    if solved is not None and len(solved.task.rules) == 1 and games:
        blocks = _one(games[0], Position.start(games[0].rules, played))
    else:
        figure = _heatmap(answer)
        blocks = [_grid(answer), *([] if figure is None else [figure])]
    certificates = [game.result.certificate_of(game.rules) for game in games]
    problems = tuple(f"{written.game}: {written.problem}" for written in certificates if written and written.problem)
    return Document(tuple(blocks), {"games": [_json(game, played) for game in games]}, problems)


def _one(game: OfGame[GameValue], position: Position) -> list[Block]:
    """The position unless it is the start, its value, the cost of the proof, and the bounds of moves."""
    rules, answer = game
    mover = position.ply % 2
    lasts = "" if answer.plies is None else f" in {counted(answer.plies, 'ply', 'plies')}"
    took = f"{answer.nodes:,} nodes, {answer.seconds:.2f} s"
    lines = [
        f"{format_rules(rules)}: {bounds_text(answer.low, answer.high, mover)}{lasts}",
        f"proved by {answer.solver}: {took}"
        if answer.value is not None
        else f"{answer.solver}: {took} were not enough",
    ]
    by_bounds: dict[tuple[int, int], list[SolvedMove]] = {}
    for move in answer.moves:
        if (move.low, move.high) != (-1, 1):  # something is proved about it
            by_bounds.setdefault((move.low, move.high), []).append(move)
    for (low, high), moves in sorted(by_bounds.items(), reverse=True):
        named = (rules.name_of(one.move) + ("" if one.plies is None else f"({one.plies})") for one in moves)
        lines.append(f"  {bounds_text(low, high, mover)} after {' '.join(named)}")
    listed = sum(map(len, by_bounds.values()))
    if 0 < listed < len(answer.moves):
        lines.append(f"  not decided after {counted(len(answer.moves) - listed, 'other move')}")
    if (written := answer.certificate_of(rules)) is not None and written.path:
        lines.append(f"certificate: {written.path}: {counted(written.entries, 'position')}")
    before: list[Block] = []
    if position.moves:
        before = [game_figure("position", "", rules, position.moves), ""]
    return [*before, "\n".join(lines)]


def _grid(answer: SolvedTask) -> Listing:
    rows: list[tuple[Cell, ...]] = []
    folders = set()
    for game in answer.games:
        found, written = game.result, game.result.certificate_of(game.rules)
        entries = None
        if written is not None and written.path:
            folders.add(str(Path(written.path).parent))
            entries = written.entries
        value = bounds_text(found.low, found.high).replace("the ", "").replace(" player", "")
        cells = (format_rules(game.rules), value, found.plies, found.solver, found.nodes, f"{found.seconds:.2f}")
        rows.append((*cells, entries))
    notes = ["nodes and seconds are those of the game and its symmetric games together"]
    if folders:
        notes.append(f"certificates, with their counts of positions, in {' '.join(sorted(folders))}")
    columns = ("game", "value", "plies", "solver", "nodes", "seconds", "certified")
    return Listing("exact values", columns, tuple(rows), ("; ".join(notes),), labels=2).without_empty()


def _heatmap(answer: SolvedTask) -> BoardFigure | None:
    """The winner by the brick's square, if a task's games differ by it."""

    def shade(found: GameValue) -> Shade:
        text = {(1, 1): "1", (-1, -1): "2", (0, 0): "="}.get((found.low, found.high), "?")
        return Shade((found.low + found.high) / 2, text if found.plies is None else f"{text} {found.plies}")

    return brick_heatmap(
        "values",
        "exact values, by the brick's square",
        "with the brick there: the winner, 1 or 2; = a draw; ? not decided; then the plies, if known",
        {game.rules: shade(game.result) for game in answer.games},
        (-1.0, 1.0),
    )


def _json(game: OfGame[GameValue], played: tuple[int, ...]) -> dict[str, Any]:
    """A value as JSON data, with squares by name."""
    rules, found = game
    written = found.certificate_of(rules)
    return {
        "game": format_rules(rules),
        **found.model_dump(mode="json", exclude={"certificates", "effort"}),
        "value": found.value,
        "after": [rules.name_of(move) for move in played],
        "moves": [move.model_dump() | {"move": rules.name_of(move.move)} for move in found.moves],
        "certificate": "" if written is None else written.path,
        "entries": 0 if written is None else written.entries,
    }


def present_solution(found: Solution, asked: None, names: Names) -> Document:
    """The value of a position and of each of its moves."""

    def row(label: str, part: Solution | MoveSolution) -> tuple[Cell, ...]:
        span = part.span
        plies = "" if span is None else span.plies if span.plies is not None else f"{span.low} to {span.high or '?'}"
        return (label, part.value if part.value is not None else f"{part.low} to {part.high}", plies)

    rows = (row("position", found), *(row(name_cell(found.rules, move.move), move) for move in found.moves))
    notes = (f"{found.solver}, {found.nodes:,} nodes; values are for the side to move in the position",)
    return Document((Listing("exact values", ("", "value", "plies"), rows, notes),))


def present_search(found: SearchResult, asked: None, names: Names) -> Document:
    """The value of each move, the best first."""
    rows = tuple(
        (
            name_cell(found.rules, move.move),
            f"{move.value:+.3f}",
            str(move.kind),
            move.visits,
            "" if move.prior is None else f"{100 * move.prior:.1f} %",
            move.distance,
        )
        for move in found.ranked
    )
    line = " ".join(name_cell(found.rules, cell) for cell in found.principal_variation)
    notes = (f"value of the position: {found.value:+.3f} ({found.kind}), for the side to move; expected: {line}",)
    return Document((Listing("its values", ("move", "value", "", "visits", "prior", "plies"), rows, notes),))
