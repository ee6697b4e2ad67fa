"""Adapters: each gives one backend the interface that the checks of `laws` need.

To check your own backend, write a `BackendGame`, and pass it to a `Backend` with a name. The examples below are the three
backends of this package, and `Position`. Each loads its array library only when a game starts, so importing this module is cheap.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from noughts.positions.position import Outcome, Position, Side
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, embed

if TYPE_CHECKING:
    from noughts.positions.batched import Batched, BatchedState

Moves: TypeAlias = Sequence[int]


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


class BackendGame(ABC):
    """A game in progress on a backend, from the empty board."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """The current position."""

    @abstractmethod
    def play(self, cell: int) -> None:
        """Play a cell for the side to move; the caller ensures that it is legal."""

    @abstractmethod
    def undo(self) -> None:
        """Undo the last move; the caller ensures that there is one."""

    def memory(self) -> bytes:
        """The backend's whole state of this game, to check undo; empty if the snapshot shows it all."""
        return b""


class Backend:
    """A backend, as the checks see it.

    Attributes:
        name: Its name in error messages.
        start: Starts a game with the given rules, on the empty board.
    """

    def __init__(self, name: str, start: Callable[[Rules], BackendGame]) -> None:
        self.name, self.start = name, start

    def trace(self, rules: Rules, moves: Moves) -> list[Snapshot]:
        """The ``len(moves) + 1`` snapshots of a game, the empty board first."""
        game = self.start(rules)
        snapshots = [game.snapshot()]
        for move in moves:
            game.play(move)
            snapshots.append(game.snapshot())
        return snapshots

    def traces(self, games: Sequence[tuple[Rules, Moves]]) -> list[list[Snapshot]]:
        """`trace` of many games; override it if the backend can play many at once."""
        return [self.trace(rules, moves) for rules, moves in games]


class _PositionGame(BackendGame):
    def __init__(self, rules: Rules) -> None:
        self.position = Position.start(rules)

    def snapshot(self) -> Snapshot:
        position = self.position
        return Snapshot(position.to_move, position.legal_moves, position.outcome, position.cells)

    def play(self, cell: int) -> None:
        self.position = self.position.play(cell)

    def undo(self) -> None:
        self.position = self.position.undo()

    def memory(self) -> bytes:
        return repr((self.position.moves, sorted(self.position.closed))).encode()


POSITION = Backend("position", _PositionGame)
"""`Position`, the immutable value."""


class _ReferenceGame(BackendGame):
    def __init__(self, rules: Rules) -> None:
        self.position = ReferencePosition(rules)

    def snapshot(self) -> Snapshot:
        position = self.position
        return Snapshot(position.to_move, position.legal_moves, position.outcome, bytes(position.cells))

    def play(self, cell: int) -> None:
        self.position.play(cell)

    def undo(self) -> None:
        self.position.undo()

    def memory(self) -> bytes:
        return repr(self.position.moves).encode()


REFERENCE = Backend("reference", _ReferenceGame)
"""`ReferencePosition`, the reference implementation."""


class _KernelGame(BackendGame):
    def __init__(self, rules: Rules) -> None:
        from noughts.positions import kernels

        self.kernels: Any = kernels
        self.tables = kernels.tables(rules)
        self.board = kernels.board_at(Position.start(rules))
        self.moves: list[int] = []

    def snapshot(self) -> Snapshot:
        board, counts = self.board, self.board.counts.tolist()
        outcome = Outcome(counts[self.kernels.OUTCOME])
        free = board.free[: counts[self.kernels.FREE]].tolist() if outcome is Outcome.ONGOING else []
        return Snapshot(
            to_move=Side(counts[self.kernels.PLY] & 1),
            legal=tuple(sorted(free)),
            outcome=outcome,
            cells=board.cells.tobytes(),
        )

    def play(self, cell: int) -> None:
        self.kernels.play(self.tables, self.board, cell)
        self.moves.append(cell)

    def undo(self) -> None:
        self.kernels.undo(self.tables, self.board, self.moves.pop())

    def memory(self) -> bytes:
        return b"".join(array.tobytes() for array in self.board)


KERNELS = Backend("kernels", _KernelGame)
"""The kernels, compiled by Numba."""


class BatchedBackend(Backend):
    """The JAX backend. It compiles once per board size, or only once if all games share a canvas.

    Args:
        canvas: Rows and columns of the board for all games, which are in its top left corner with bricks
            around them; None gives each game a board of its own size.
    """

    def __init__(self, canvas: tuple[int, int] | None = None) -> None:
        import jax

        from noughts.positions import batched

        super().__init__("batched", lambda rules: _BatchedGame(self, rules))
        self._jax: Any = jax
        self._batched = batched
        self._canvas = canvas
        self._compiled: dict[Batched, Any] = {}

    def traces(self, games: Sequence[tuple[Rules, Moves]]) -> list[list[Snapshot]]:
        """`trace` of many games, with one compiled call per board size."""
        groups: dict[Batched, list[int]] = {}
        for number, (rules, _) in enumerate(games):
            groups.setdefault(self._batched.Batched.of(self._on_canvas(rules)), []).append(number)
        found: dict[int, list[Snapshot]] = {}
        for env, numbers in groups.items():
            found.update(zip(numbers, self._traces_of_one_size(env, [games[n] for n in numbers]), strict=True))
        return [found[number] for number in range(len(games))]

    def _on_canvas(self, rules: Rules) -> Rules:
        return rules if self._canvas is None else embed(rules, *self._canvas)

    def _cells_on_canvas(self, rules: Rules) -> list[int]:
        """The index of each cell of `rules` on the canvas."""
        on = self._on_canvas(rules)
        return [
            board * on.board_size + row * on.cols + col
            for board in range(rules.boards)
            for row in range(rules.rows)
            for col in range(rules.cols)
        ]

    def _functions(self, env: "Batched") -> Any:
        """The compiled (init, step, play many games) of an environment."""
        if env not in self._compiled:
            jax = self._jax

            def play(rules: Any, moves: Any) -> Any:
                """The state before each of `moves`, each [plies, games, ...], from rules [games, ...]."""

                def step(states: Any, move: Any) -> Any:
                    shown = states.ply, states.legal_action_mask, states.outcome, states.cells
                    return jax.vmap(env.step)(states, move), shown

                return jax.lax.scan(step, jax.vmap(env.init)(rules), moves)[1]

            self._compiled[env] = jax.jit(env.init), jax.jit(env.step), jax.jit(play)
        return self._compiled[env]

    def _traces_of_one_size(self, env: "Batched", games: Sequence[tuple[Rules, Moves]]) -> list[list[Snapshot]]:
        import numpy as np

        # Powers of two, so that few shapes are compiled; the games that fill up the batch are copies, and are ignored.
        count = max(8, 1 << (len(games) - 1).bit_length())
        plies = max(16, 1 << max(len(moves) for _, moves in games).bit_length())  # at least one more than the moves
        padded = [*games, *[games[0]] * (count - len(games))]
        table = np.full((plies, count), -1, np.int32)  # -1 is never legal, and leaves a game unchanged
        places = {rules: self._cells_on_canvas(rules) for rules, _ in games}
        for number, (rules, moves) in enumerate(games):
            table[: len(moves), number] = [places[rules][move] for move in moves]
        stacked = self._batched.stack_rules([self._on_canvas(rules) for rules, _ in padded])
        ply, legal, outcome, cells = map(np.asarray, self._functions(env)[2](stacked, table))
        return [
            [
                _snapshot_of_arrays(
                    ply[time, number],
                    legal[time, number, places[rules]],
                    outcome[time, number],
                    cells[time, number, places[rules]],
                )
                for time in range(len(moves) + 1)
            ]
            for number, (rules, moves) in enumerate(games)
        ]


class _BatchedGame(BackendGame):
    def __init__(self, backend: BatchedBackend, rules: Rules) -> None:
        env = backend._batched.Batched.of(backend._on_canvas(rules))
        init, self.step, _ = backend._functions(env)
        self.places = backend._cells_on_canvas(rules)
        self.states: list[BatchedState] = [init(backend._batched.rules_arrays(backend._on_canvas(rules)))]

    def snapshot(self) -> Snapshot:
        import numpy as np

        state = self.states[-1]
        mask, cells = np.asarray(state.legal_action_mask), np.asarray(state.cells)
        return _snapshot_of_arrays(state.ply, mask[self.places], state.outcome, cells[self.places])

    def play(self, cell: int) -> None:
        self.states.append(self.step(self.states[-1], self.places[cell]))

    def undo(self) -> None:
        # States are immutable, so the state before the move is still valid.
        self.states.pop()

    def memory(self) -> bytes:
        import numpy as np

        state = self.states[-1]
        return b"".join(np.asarray(array).tobytes() for array in (*state.rules, *state[1:]))


def _snapshot_of_arrays(ply: Any, legal: Any, outcome: Any, cells: Any) -> Snapshot:
    """From NumPy arrays of one game."""
    return Snapshot(
        to_move=Side(int(ply) & 1),
        legal=tuple(legal.nonzero()[0].tolist()),
        outcome=Outcome(int(outcome)),
        cells=cells.tobytes(),
    )
