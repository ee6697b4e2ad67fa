"""The JAX backend: thousands of games at once, with any mixture of rules, in one compiled program.

Only what changes an array's shape is static: rows, columns and the number of boards. Everything else that
`Rules` hold (bricks, k, marks, line, full, wrap) is part of the state, so one program plays, and one network trains
on, any mixture of them. A smaller board is a larger one with bricks outside it: see `noughts.rules.embed`.

Every function here handles one game, without a leading axis; add batching with `jax.jit` and `jax.vmap`:

    env = Batched.of(parse_rules("bttt(D4)"))
    rules = stack_rules(parse_task("bttt(*)").rules)                        # arrays [49, ...]
    states = jax.jit(jax.vmap(env.init))(jax.tree.map(lambda a: a[drawn], rules))  # drawn: int32 [games]
    states = jax.jit(jax.vmap(env.step))(states, actions)                    # actions: int32 [games]

In the shapes below ``size = boards * rows * cols``, as in `Rules.size`, with the cells in the same order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from numpy.typing import NDArray

from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Position
from noughts.rules import Rules, RulesError
from noughts.rules.squares import WRAPS, joins_columns, joins_rows

Array: TypeAlias = jax.Array
AnyArray: TypeAlias = jax.Array | NDArray[np.generic]

PLANES = 4
"""Planes of `Batched.observe`."""


class RulesArrays(NamedTuple):
    """The part of `Rules` that is state. All arrays may have the same leading axes: see `stack_rules`.

    Attributes:
        bricks: bool [size], the cells that no player can use, on every board.
        k: int32 [], cells in a complete line.
        shared: bool [], whether both sides place FIRST_MARK.
        line_wins: bool [], whether the side that completes the deciding line wins; otherwise it loses.
        full: int32 [], the number of the `Outcome` when no cell is left.
        wrap: int32 [], the number of the `Wrap` in `WRAPS`: which edges are joined.
    """

    bricks: AnyArray
    k: AnyArray
    shared: AnyArray
    line_wins: AnyArray
    full: AnyArray
    wrap: AnyArray


class BatchedState(NamedTuple):
    """A position, with the rewards of the last step.

    Attributes:
        rules: The game.
        cells: int8 [size], the content of each cell: EMPTY, FIRST_MARK, SECOND_MARK or BRICK.
        closed: bool [boards], the boards that contain a line.
        ply: int32 [], moves made so far.
        outcome: int32 [], the number of the `Outcome`; ONGOING until the game is over.
        legal_action_mask: bool [size], the legal moves; all false once the game is over.
        rewards: float32 [2], the first and the second player's: +1 won, 0 drawn, -1 lost in the step that
            ended the game; zeros after every other step.
    """

    rules: RulesArrays
    cells: Array
    closed: Array
    ply: Array
    outcome: Array
    legal_action_mask: Array
    rewards: Array

    @property
    def current_player(self) -> Array:
        """int32 [], the side to move: 0 the first player, 1 the second. It keeps alternating at the end."""
        return self.ply & 1

    @property
    def is_terminal(self) -> Array:
        """bool [], whether the game is over."""
        return self.outcome != int(Outcome.ONGOING)


@lru_cache(maxsize=1024)
def rules_arrays(rules: Rules) -> RulesArrays:
    """The arrays of one game, in NumPy, so that they can still be constants of a program. They are cached: do not modify them."""
    bricks = np.zeros(rules.size, np.bool_)
    bricks[sorted(rules.brick_cells)] = True
    return RulesArrays(
        bricks=bricks,
        k=np.asarray(rules.k, np.int32),
        shared=np.asarray(rules.marks == "shared"),
        line_wins=np.asarray(rules.line == "wins"),
        full=np.asarray(int(Outcome.full_board(rules)), np.int32),
        wrap=np.asarray(WRAPS.index(rules.wrap), np.int32),
    )


def stack_rules(games: Sequence[Rules]) -> RulesArrays:
    """The arrays of several games, such as ``task.rules``, along a leading axis [games]; index it to select one.

    Raises:
        RulesError: there are no games, or their board sizes differ.
    """
    if not games:
        raise RulesError("there are no rules to stack: give at least one game")
    shapes = {(rules.rows, rules.cols, rules.boards): rules for rules in games}
    if len(shapes) > 1:
        shown = " and ".join(str(rules) for rules in list(shapes.values())[:2])
        raise RulesError(f"rules stacked together must share rows, cols and boards, unlike {shown}")
    return RulesArrays(*(np.stack(column) for column in zip(*map(rules_arrays, games), strict=True)))


@dataclass(frozen=True)
class Batched:
    """Plays all games of one board size.

    Attributes:
        rows, cols, boards: As in `Rules`; the only static fields.
    """

    rows: int
    cols: int
    boards: int = 1

    @classmethod
    def of(cls, rules: Rules) -> "Batched":
        """The environment for `rules`, and for all other games of this size."""
        return cls(rules.rows, rules.cols, rules.boards)

    @property
    def board_size(self) -> int:
        """Cells on one board, bricks included."""
        return self.rows * self.cols

    @property
    def size(self) -> int:
        """Cells on all boards, bricks included: the number of actions."""
        return self.board_size * self.boards

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The shape of `observe`: the boards one above the other."""
        return (self.boards * self.rows, self.cols, PLANES)

    def init(self, rules: RulesArrays) -> BatchedState:
        """Return the empty board.

        Args:
            rules: The game, for this board size, without a leading axis.

        Raises:
            RulesError: `rules` have another size. (The shapes alone do not distinguish 2x3 from 3x2.)
        """
        if rules.bricks.shape != (self.size,):
            raise RulesError(
                f"rules with bricks of shape {rules.bricks.shape} are not for {self.rows}x{self.cols}"
                f" x{self.boards}, which takes ({self.size},); many games at once need jax.vmap"
            )
        bricks = jnp.asarray(rules.bricks)
        return BatchedState(
            rules=RulesArrays(*map(jnp.asarray, rules)),
            cells=jnp.where(bricks, BRICK, EMPTY).astype(jnp.int8),
            closed=jnp.zeros(self.boards, jnp.bool_),
            ply=jnp.zeros((), jnp.int32),
            outcome=jnp.full((), int(Outcome.ONGOING), jnp.int32),
            legal_action_mask=~bricks,
            rewards=jnp.zeros(2, jnp.float32),
        )

    def states(self, positions: Sequence[Position]) -> BatchedState:
        """Stack positions into one state with a leading axis [positions], in NumPy; rewards are zeros.

        Raises:
            RulesError: there are no positions, or they have another size.
        """
        rules = stack_rules([position.rules for position in positions])
        if rules.bricks.shape[1:] != (self.size,):
            raise RulesError(f"positions of {positions[0].rules} are not for {self.rows}x{self.cols} x{self.boards}")
        cells = np.frombuffer(b"".join(position.cells for position in positions), np.int8).reshape(-1, self.size)
        closed = np.zeros((len(positions), self.boards), np.bool_)
        for number, position in enumerate(positions):
            closed[number, sorted(position.closed)] = True
        outcome = np.array([int(position.outcome) for position in positions], np.int32)
        playable = (cells == EMPTY) & ~np.repeat(closed, self.board_size, axis=1)
        return BatchedState(
            rules=rules,
            cells=cells,  # type: ignore[arg-type] # NumPy's arrays work as well
            closed=closed,  # type: ignore[arg-type]
            ply=np.array([position.ply for position in positions], np.int32),  # type: ignore[arg-type]
            outcome=outcome,  # type: ignore[arg-type]
            legal_action_mask=playable & (outcome == int(Outcome.ONGOING))[:, None],
            rewards=np.zeros((len(positions), 2), np.float32),  # type: ignore[arg-type]
        )

    def step(self, state: BatchedState, action: ArrayLike) -> BatchedState:
        """Play a cell for the side to move.

        A step that cannot be made (the game is over, or the action is illegal or off the board) leaves the
        state as it is with zero rewards: inside a compiled program no error can be raised, and
        a game that ended early can wait in its batch for the others.

        Args:
            state: The position.
            action: int32 [], a cell; other integer types are converted.
        """
        rules, mover = state.rules, state.current_player
        action = jnp.asarray(action, jnp.int32)
        cell = jnp.clip(action, 0, self.size - 1)
        playable = (cell == action) & state.legal_action_mask[cell]
        # For boards of these sizes, comparing with every cell is faster than a scatter under vmap.
        here = jnp.arange(self.size, dtype=jnp.int32) == cell
        mark = jnp.where(rules.shared | (mover == 0), FIRST_MARK, SECOND_MARK).astype(jnp.int8)
        cells = jnp.where(here, mark, state.cells)
        made_line = self._makes_line(cells == mark, cell, rules)
        # Python's // rounds down, which also costs a remainder; a cell is never negative.
        this_board = jnp.arange(self.boards, dtype=jnp.int32) == jax.lax.div(cell, jnp.int32(self.board_size))
        closed = state.closed | (this_board & made_line)
        playable_next = (cells == EMPTY) & ~self._on_cells(closed)
        line_winner = jnp.where(rules.line_wins, mover, 1 - mover)
        outcome = jnp.where(
            closed.all(),
            int(Outcome.FIRST) + line_winner,
            jnp.where(playable_next.any(), int(Outcome.ONGOING), rules.full),
        )
        first_player = jnp.where(
            outcome == int(Outcome.FIRST), 1.0, jnp.where(outcome == int(Outcome.SECOND), -1.0, 0.0)
        )
        rewards = jnp.stack([first_player, -first_player]).astype(jnp.float32)
        return BatchedState(
            rules=rules,
            cells=jnp.where(playable, cells, state.cells),
            closed=jnp.where(playable, closed, state.closed),
            ply=state.ply + playable,
            outcome=jnp.where(playable, outcome, state.outcome),
            legal_action_mask=jnp.where(
                playable, playable_next & (outcome == int(Outcome.ONGOING)), state.legal_action_mask
            ),
            rewards=jnp.where(playable, rewards, jnp.zeros_like(rewards)),
        )

    def observe(self, state: BatchedState) -> Array:
        """Return the observation of the side to move: float32 [boards * rows, cols, 4] of zeros and ones.

        Plane 0: its own marks; with shared marks, all marks.
        Plane 1: the other side's marks; with shared marks, none.
        Plane 2: cells that no player can use: bricks, and every cell of a closed board.
        Plane 3: all ones when the first player is to move, else all zeros.
        """
        rules, mover = state.rules, state.current_player
        mine = jnp.where(rules.shared | (mover == 0), FIRST_MARK, SECOND_MARK)
        theirs = jnp.where(mine == FIRST_MARK, SECOND_MARK, FIRST_MARK)
        planes = [
            state.cells == mine,
            state.cells == theirs,  # never true with shared marks, because all marks, and `mine`, are FIRST_MARK
            (state.cells == BRICK) | self._on_cells(state.closed),
            jnp.broadcast_to(mover == 0, (self.size,)),
        ]
        return jnp.stack(planes, axis=-1).astype(jnp.float32).reshape(self.observation_shape)

    def _on_cells(self, on_boards: Array) -> Array:
        """Expand [boards] to [size]."""
        return jnp.repeat(on_boards, self.board_size, total_repeat_length=self.size)

    def _makes_line(self, mine: Array, cell: Array, rules: RulesArrays) -> Array:
        """bool []: whether at least k cells of `mine`, bool [size], form a run through a cell."""
        return self._longest_run(mine, cell, rules.wrap) >= rules.k

    def _longest_run(self, mine: Array, cell: Array, wrap: AnyArray) -> Array:
        """int32 []: cells of the longest run of `mine`, bool [size], through `cell`; at most the longer side."""
        rays, longest = _rays(self.rows, self.cols, self.boards)
        off_board = jnp.zeros(1, jnp.bool_)
        unbroken = jnp.concatenate([mine, off_board])[jnp.asarray(rays)[wrap, cell]]  # [4 directions, 2 ways, steps]
        steps = unbroken.shape[-1]
        # Our cells that follow without a gap, each way.
        reach = jnp.where(unbroken, steps, jnp.arange(steps, dtype=jnp.int32)).min(axis=-1, initial=steps)
        # Around a joined board, both ways reach the same cells.
        return jnp.minimum(1 + reach.sum(axis=-1, dtype=jnp.int32), jnp.asarray(longest)[wrap]).max()


@lru_cache(maxsize=256)
def _rays(rows: int, cols: int, boards: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Tables of the rays from each cell and the longest runs, for each `Wrap`.

    Returns:
        The cells along each ray in order of distance from each cell: cell indices
        [wraps, size, 4, 2, max(rows, cols) - 1], with `size` for places off the board and after a ray returns to its cell.
        The four directions are those of `lines_on_board`; the two ways along each are opposite.
        Cells of the longest run in each direction: int32 [wraps, 4].
    """
    size = boards * rows * cols
    board, row, col = np.unravel_index(np.arange(size), (boards, rows, cols))
    directions = np.array([[(0, 1), (0, -1)], [(1, 0), (-1, 0)], [(1, 1), (-1, -1)], [(1, -1), (-1, 1)]])
    most = max(rows, cols)
    steps = np.arange(1, most)
    to_row = row[:, None, None, None] + directions[:, :, 0, None] * steps
    to_col = col[:, None, None, None] + directions[:, :, 1, None] * steps
    rays, longest = [], []
    for wrap in WRAPS:
        on_row = to_row % rows if joins_rows(wrap) else to_row
        on_col = to_col % cols if joins_columns(wrap) else to_col
        index = (board[:, None, None, None] * rows + on_row) * cols + on_col
        inside = (on_row >= 0) & (on_row < rows) & (on_col >= 0) & (on_col < cols)
        inside &= np.logical_and.accumulate(index != np.arange(size)[:, None, None, None], axis=-1)
        rays.append(np.where(inside, index, size))
        longest.append([1 + int(inside[:, way].sum(axis=-1).max(initial=0)) for way in range(4)])
    return np.stack(rays).astype(np.int32), np.array(longest, np.int32)
