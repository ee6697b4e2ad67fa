"""Backends, as the checks of `laws` see them: functions from games to what a backend shows at every ply.

To check your own backend, give its name and such a function to a `Backend`. The examples below are the three backends of
this package, and `Position`. Each loads its array library only when a game starts, so importing this module is cheap.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from noughts.positions.position import Outcome, Position, Side
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, embed

if TYPE_CHECKING:
    from noughts.positions.batched import Batched

Moves: TypeAlias = Sequence[int]
Games: TypeAlias = Sequence[tuple[Rules, Moves]]
"""Rules, and legal moves such as those of `laws.random_game`."""


class Snapshot(NamedTuple):
    """What every backend shows of a position.

    Attributes:
        to_move: The side to move; it keeps alternating at the end of the game.
        legal: The legal moves as cell indices, ascending; empty once the game is over.
        outcome: ONGOING until the game is over.
        cells: The content of each cell, one byte each: EMPTY, FIRST_MARK, SECOND_MARK or BRICK.
    """

    to_move: Side
    legal: tuple[int, ...]
    outcome: Outcome
    cells: bytes


class Backend(NamedTuple):
    """A backend, as the checks see it.

    Attributes:
        name: Its name in error messages.
        traces: The ``len(moves) + 1`` snapshots of each game, the empty board first, from rules and legal moves.
    """

    name: str
    traces: Callable[[Games], list[list[Snapshot]]]


def one_by_one(name: str, trace: Callable[[Rules, Moves], list[Snapshot]]) -> Backend:
    """A backend that plays each game by itself."""
    return Backend(name, lambda games: [trace(rules, moves) for rules, moves in games])


def _position(rules: Rules, moves: Moves) -> list[Snapshot]:
    positions = accumulate(moves, Position.play, initial=Position.start(rules))
    return [Snapshot(each.to_move, each.legal_moves, each.outcome, each.cells) for each in positions]


def _reference(rules: Rules, moves: Moves) -> list[Snapshot]:
    position = ReferencePosition(rules)
    return _after_each(
        moves,
        position.play,
        lambda: Snapshot(position.to_move, position.legal_moves, position.outcome, bytes(position.cells)),
    )


def _kernels(rules: Rules, moves: Moves) -> list[Snapshot]:
    from noughts.positions import kernels

    tables, board = kernels.tables(rules), kernels.board_at(Position.start(rules))

    def snapshot() -> Snapshot:
        counts = board.counts.tolist()
        outcome = Outcome(counts[kernels.OUTCOME])
        free = board.free[: counts[kernels.FREE]].tolist() if outcome is Outcome.ONGOING else []
        return Snapshot(Side(counts[kernels.PLY] & 1), tuple(sorted(free)), outcome, board.cells.tobytes())

    return _after_each(moves, lambda move: kernels.play(tables, board, move), snapshot)


def _after_each(moves: Moves, play: Callable[[int], None], snapshot: Callable[[], Snapshot]) -> list[Snapshot]:
    """The snapshots of a board that `play` changes, before the first move and after each."""
    snapshots = [snapshot()]
    for move in moves:
        play(move)
        snapshots.append(snapshot())
    return snapshots


POSITION = one_by_one("position", _position)
"""`Position`, the immutable value."""

REFERENCE = one_by_one("reference", _reference)
"""`ReferencePosition`, the reference implementation."""

KERNELS = one_by_one("kernels", _kernels)
"""The kernels, compiled by Numba."""


def batched(canvas: tuple[int, int] | None = None) -> Backend:
    """The JAX backend. It compiles once per board size, or only once if all games share a canvas.

    Args:
        canvas: Rows and columns of the board for all games, which are in its top left corner with bricks
            around them; None gives each game a board of its own size.
    """

    def traces(games: Games) -> list[list[Snapshot]]:
        from noughts.positions.batched import Batched

        on_canvas = {rules: rules if canvas is None else embed(rules, *canvas) for rules, _ in games}
        groups: dict[Batched, list[int]] = {}
        for number, (rules, _) in enumerate(games):
            groups.setdefault(Batched.of(on_canvas[rules]), []).append(number)
        found: dict[int, list[Snapshot]] = {}
        for env, numbers in groups.items():
            of_one_size = _traces_of_one_size(env, [games[number] for number in numbers], on_canvas)
            found.update(zip(numbers, of_one_size, strict=True))
        return [found[number] for number in range(len(games))]

    return Backend("batched", traces)


def _traces_of_one_size(env: "Batched", games: Games, on_canvas: Mapping[Rules, Rules]) -> list[list[Snapshot]]:
    """The snapshots of games whose boards on the canvas have one size, by one compiled call."""
    import numpy as np

    from noughts.positions.batched import stack_rules

    # Powers of two, so that few shapes are compiled; the games that fill up the batch are copies, and are ignored.
    count = max(8, 1 << (len(games) - 1).bit_length())
    plies = max(16, 1 << max(len(moves) for _, moves in games).bit_length())  # at least one more than the moves
    padded = [*games, *[games[0]] * (count - len(games))]
    table = np.full((plies, count), -1, np.int32)  # -1 is never legal, and leaves a game unchanged
    places = {rules: _cells_on_canvas(rules, on_canvas[rules]) for rules, _ in games}
    for number, (rules, moves) in enumerate(games):
        table[: len(moves), number] = [places[rules][move] for move in moves]
    stacked = stack_rules([on_canvas[rules] for rules, _ in padded])
    ply, legal, outcome, cells = map(np.asarray, _player(env)(stacked, table))
    return [
        [
            Snapshot(
                to_move=Side(int(ply[time, number]) & 1),
                legal=tuple(legal[time, number, places[rules]].nonzero()[0].tolist()),
                outcome=Outcome(int(outcome[time, number])),
                cells=cells[time, number, places[rules]].tobytes(),
            )
            for time in range(len(moves) + 1)
        ]
        for number, (rules, moves) in enumerate(games)
    ]


def _cells_on_canvas(rules: Rules, on: Rules) -> list[int]:
    """The index of each cell of `rules` on the canvas."""
    return [
        board * on.board_size + row * on.cols + col
        for board in range(rules.boards)
        for row in range(rules.rows)
        for col in range(rules.cols)
    ]


@functools.cache
def _player(env: "Batched") -> Any:
    """The compiled function that plays many games of an environment."""
    import jax

    def play(rules: Any, moves: Any) -> Any:
        """The state before each of `moves`, each [plies, games, ...], from rules [games, ...]."""

        def step(states: Any, move: Any) -> Any:
            shown = states.ply, states.legal_action_mask, states.outcome, states.cells
            return jax.vmap(env.step)(states, move), shown

        return jax.lax.scan(step, jax.vmap(env.init)(rules), moves)[1]

    return jax.jit(play)
