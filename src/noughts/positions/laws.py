"""The laws of all backends: invariants that can be checked for any backend and any `Rules`.

    turns      The first player moves first, then the sides alternate; also at the end of the game.
    bricks     The bricks are the cells that the rules name. None ever changes, and none is in a line.
    marks      The first board is empty except for its bricks. A move adds one mark, the mover's, on the cell
               played, and changes nothing else. With shared marks, every mark is FIRST_MARK.
    legal      A cell is a legal move if and only if it is empty, its board holds no line, and the game is not over.
    over       The game is over if and only if every board holds a line, or no board without one has an empty cell.
    outcome    The side that completes the line on the last board wins or loses, by `Rules.line`; if the cells
               run out instead, `Rules.full` names the winner.
    symmetry   A symmetry of the rules, applied to every move of a game, gives at every ply its image: the
               images of the cells and of the legal moves, and the same outcome. (Of large groups, some are drawn.)
    agreement  Two backends show the same snapshots in the same game. (`check_agreement`; the others: `check_laws`.)

To check a backend, make it a `Backend`: a name, and a function from games to snapshots. The module `backends` has those of this package:

    check_laws(KERNELS, parse_rules("bttt(D4)"), games=100, rng=Rng(1))
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from random import Random
from typing import NoReturn

from noughts.positions.backends import Backend, Games, Moves, Snapshot
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.rules import NoughtsError, Rules, Symmetry, line_table, symmetries
from noughts.rules.squares import lines_on_board
from noughts.rules.text import counted, format_game

LAWS: dict[str, str] = {
    "turns": "the first player moves first, then the sides alternate",
    "bricks": "a brick is never in a line and never changes",
    "marks": "a move adds one mark, the mover's, on the cell played",
    "legal": "a cell is legal if and only if it is empty, its board holds no line, and the game is not over",
    "over": "the game is over if and only if every board holds a line or no legal move is left",
    "outcome": "a finished game has the result that the rules define",
    "symmetry": "symmetric positions have symmetric moves and equal outcomes",
    "agreement": "all backends show the same game",
}
"""Each law's name, and the law in one line."""

_MOST_SYMMETRIES = 16  # joined edges give a board hundreds of symmetries


def random_game(rules: Rules, rng: Random) -> tuple[int, ...]:
    """The moves of a whole game, each drawn uniformly from the legal moves."""
    position = Position.start(rules)
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
    return position.moves


def check_laws(backend: Backend, rules: Rules, games: int, rng: Random) -> int:
    """Play random games on a backend, and check every law except agreement at every ply.

    Args:
        backend: The backend.
        rules: The game.
        games: How many games, as `random_game` draws them.
        rng: Draws the moves.

    Returns:
        The number of plies checked.

    Raises:
        NoughtsError: its one-line message gives the law, the backend, the rules, the moves, and what was found; or the
            backend gives too few or too many games or snapshots.
    """
    played = [(rules, random_game(rules, rng)) for _ in range(games)]
    for (_, moves), shown in zip(played, _traces(backend, played), strict=True):
        _check_start(backend, rules, shown[0])
        for ply in range(1, len(moves) + 1):
            _check_move(backend, rules, moves[:ply], shown[ply - 1], shown[ply])
        _check_symmetry(backend, rules, moves, shown, rng)
    return sum(len(moves) for _, moves in played)


def check_agreement(backends: Sequence[Backend], games: Games) -> int:
    """Play the same games on several backends and compare every snapshot.

    Args:
        backends: Two or more; each is compared with the first.
        games: Rules, and legal moves such as those of `random_game`.

    Returns:
        The number of plies compared.

    Raises:
        NoughtsError: a backend differs from the first, or gives too few or too many games or snapshots.
    """
    first, *others = backends
    expected = _traces(first, games)
    for other in others:
        for (rules, moves), wanted, found in zip(games, expected, _traces(other, games), strict=True):
            for ply, (one, two) in enumerate(zip(wanted, found, strict=True)):
                if one != two:
                    _broken("agreement", other, rules, moves[:ply], f"{_difference(two, one)} on {first.name}")
    return sum(len(moves) for _, moves in games)


def _traces(backend: Backend, games: Games) -> list[list[Snapshot]]:
    """The snapshots of each game; raise NoughtsError unless there is one of the empty board and one after each move."""
    traces = backend.traces(games)
    if len(traces) != len(games):
        raise NoughtsError(f"{backend.name} gives {counted(len(traces), 'trace')} of {counted(len(games), 'game')}")
    for (rules, moves), trace in zip(games, traces, strict=True):
        if len(trace) != len(moves) + 1:
            given = f"{counted(len(trace), 'snapshot')} of {format_game(rules, moves)}"
            raise NoughtsError(f"{backend.name} gives {given}: give {len(moves) + 1}, the empty board first")
    return traces


def _check_start(backend: Backend, rules: Rules, start: Snapshot) -> None:
    bare = bytes(BRICK if cell in rules.brick_cells else EMPTY for cell in range(rules.size))
    if start.to_move is not Side.FIRST:
        _broken("turns", backend, rules, (), "the second player is to move")
    _check_bricks(backend, rules, (), start)
    if start.cells != bare:
        _broken("marks", backend, rules, (), f"cells are {start.cells.hex()}, not {bare.hex()}")
    if start.outcome is not Outcome.ONGOING:
        _broken("over", backend, rules, (), f"the outcome is {start.outcome.name}")
    _check_legal(backend, rules, (), start)


def _check_move(backend: Backend, rules: Rules, moves: Moves, before: Snapshot, after: Snapshot) -> None:
    mover, mark = before.to_move, FIRST_MARK if rules.marks == "shared" else FIRST_MARK + before.to_move
    if after.to_move is not mover.other:
        _broken("turns", backend, rules, moves, f"{mover.name} moved and {after.to_move.name} is to move")
    _check_bricks(backend, rules, moves, after)
    cells = before.cells[: moves[-1]] + bytes((mark,)) + before.cells[moves[-1] + 1 :]
    if after.cells != cells:
        _broken("marks", backend, rules, moves, f"cells are {after.cells.hex()}, not {cells.hex()}")
    _check_outcome(backend, rules, moves, after)
    _check_legal(backend, rules, moves, after)


def _check_bricks(backend: Backend, rules: Rules, moves: Moves, shown: Snapshot) -> None:
    bricks = {cell for cell, content in enumerate(shown.cells) if content == BRICK}
    if bricks != rules.brick_cells:
        _broken("bricks", backend, rules, moves, f"bricks are on {_names(rules, sorted(bricks))}")


def _check_outcome(backend: Backend, rules: Rules, moves: Moves, shown: Snapshot) -> None:
    closed = _closed(rules, shown.cells)
    every_board = len(closed) == rules.boards
    over = every_board or not _open_cells(rules, shown.cells, closed)
    if (shown.outcome is not Outcome.ONGOING) != over:
        why = "every board holds a line" if every_board else "no cell is left" if over else "a cell is left"
        law = "bricks" if not over and _closed_by_bricks(rules, shown.cells) else "over"
        _broken(law, backend, rules, moves, f"the outcome is {shown.outcome.name}, and {why}")
    if over:
        last_mover = Side((len(moves) - 1) & 1)
        wanted = Outcome.line_by(last_mover, rules) if every_board else Outcome.full_board(rules)
        if shown.outcome is not wanted:
            _broken("outcome", backend, rules, moves, f"the outcome is {shown.outcome.name}, not {wanted.name}")


def _check_legal(backend: Backend, rules: Rules, moves: Moves, shown: Snapshot) -> None:
    legal = tuple(_open_cells(rules, shown.cells, _closed(rules, shown.cells)))
    if shown.outcome is not Outcome.ONGOING:
        legal = ()
    if shown.legal != legal:
        seen = f"legal are {_names(rules, shown.legal)}, not {_names(rules, legal)}"
        _broken("legal", backend, rules, moves, seen)


def _check_symmetry(backend: Backend, rules: Rules, moves: Moves, shown: Sequence[Snapshot], rng: Random) -> None:
    maps: Sequence[Symmetry] = symmetries(rules)
    if len(maps) > _MOST_SYMMETRIES:
        maps = rng.sample(maps, _MOST_SYMMETRIES)
    images = [(rules, [symmetry.image[move] for move in moves]) for symmetry in maps]
    for symmetry, (_, image_moves), trace in zip(maps, images, _traces(backend, images), strict=True):
        for ply, (original, found) in enumerate(zip(shown, trace, strict=True)):
            cells = bytearray(rules.size)
            for cell, content in enumerate(original.cells):
                cells[symmetry.image[cell]] = content
            legal = tuple(sorted(symmetry.image[cell] for cell in original.legal))
            wanted = original._replace(cells=bytes(cells), legal=legal)
            if found != wanted:
                what = f"{_difference(found, wanted)} by {symmetry.name} of the same game"
                _broken("symmetry", backend, rules, image_moves[:ply], what)


def _closed(rules: Rules, cells: bytes) -> set[int]:
    """The boards that contain a line."""
    return {
        line[0] // rules.board_size
        for line in line_table(rules).cells
        if cells[line[0]] in (FIRST_MARK, SECOND_MARK) and len({cells[cell] for cell in line}) == 1
    }


def _closed_by_bricks(rules: Rules, cells: bytes) -> bool:
    """Whether a line would be complete if bricks counted as marks."""
    on_one = list(lines_on_board(rules.rows, rules.cols, rules.k, wrap=rules.wrap))
    for board in range(rules.boards):
        for line in on_one:
            held = {cells[board * rules.board_size + cell] for cell in line}
            if BRICK in held and held != {BRICK} and len(held - {BRICK}) == 1 and EMPTY not in held:
                return True
    return False


def _open_cells(rules: Rules, cells: bytes, closed: set[int]) -> list[int]:
    """The empty cells of boards that are not closed."""
    return [cell for cell, content in enumerate(cells) if content == EMPTY and cell // rules.board_size not in closed]


def _difference(found: Snapshot, wanted: Snapshot) -> str:
    """Describe the first field that differs, for a message."""
    for field, one, two in zip(Snapshot._fields, found, wanted, strict=True):
        if one != two:
            return f"{field} is {_shown(one)}, but {_shown(two)}"
    return "nothing differs"


def _shown(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value.name if isinstance(value, Enum) else value


def _names(rules: Rules, cells: Iterable[int]) -> str:
    return " ".join(map(rules.name_of, cells)) or "none"


def _broken(law: str, backend: Backend, rules: Rules, moves: Moves, seen: str) -> NoReturn:
    played = " ".join(map(rules.name_of, moves)) or "no moves"
    raise NoughtsError(f"{backend.name} breaks the law of {law} ({LAWS[law]}) in {rules} after {played}: {seen}")
