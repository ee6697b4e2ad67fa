"""noughts for Pgx: every game of the family as an environment with Pgx's fields and dtypes.

    import noughts.bridges.pgx as pgx      # in place of `import pgx`

    env = pgx.make("bttt(D4)")
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), 1024))
    state = jax.jit(jax.vmap(env.step))(state, actions)

`noughts.positions.batched` plays the games. As in Pgx's own games, the player who moves first is drawn for each game, and
``rewards`` are by player. Pgx's list of games does not contain these, so use `make` and the pictures of this module.
"""

import math
from dataclasses import field
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

from noughts.positions import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.rules import Rules, line_table, parse_rules, read_rules
from noughts.rules.errors import MissingLibraryError
from noughts.store.files import write_atomically

try:
    import pgx
except ModuleNotFoundError:
    raise MissingLibraryError.of("Pgx", "pgx") from None

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.positions.batched import Batched, BatchedState, RulesArrays, rules_arrays

__version__: str = pgx.__version__
"""The version of Pgx."""

Env = pgx.core.Env
State = pgx.core.State
EnvId = str
"""The name of an environment: the text of its rules."""

_VERSION = "v0"
_WORDS = 2
"""On boards of more than _WORDS * 32 cells, lines are looked for along the rays from a cell."""

_DRAWN = 64
"""The most games of a batch in one picture."""


class KnownLines(Batched):
    """Plays on one small board, whose lines are constants of the compiled program, which tests them all at once, as bits.

    This works for one board only: on several, a line that closed a board earlier would be found again.
    """

    _lines: NDArray[np.uint32]  # [lines, words]: a bit for each cell of a line
    _bits: NDArray[np.uint32]  # [words, size]: the bit of each cell

    @classmethod
    def best_for(cls, rules: Rules) -> Batched:
        """One of these, or a plain `Batched` for larger or several boards and for games without lines."""
        lines = line_table(rules).cells
        if not lines or rules.boards > 1 or rules.size > _WORDS * 32:
            return Batched.of(rules)
        made = cls(rules.rows, rules.cols, rules.boards)
        words, cells = -(-rules.size // 32), np.arange(rules.size)
        bits = np.zeros((words, rules.size), np.uint32)
        bits[cells // 32, cells] = np.left_shift(1, cells % 32)
        object.__setattr__(made, "_bits", bits)
        object.__setattr__(made, "_lines", np.array([bits[:, line].sum(axis=1, dtype=np.uint32) for line in lines]))
        return made

    def _makes_line(self, mine: jax.Array, cell: jax.Array, rules: RulesArrays) -> jax.Array:
        words = jnp.where(mine, self._bits, jnp.uint32(0)).sum(axis=1, dtype=jnp.uint32)
        return ((words & self._lines) == self._lines).all(axis=1).any()


@pgx.core.dataclass
class NoughtsPgxState(pgx.core.State):  # type: ignore[misc] # the library has no types
    """A state of one game, or of a batch with a leading axis. Fields with an underscore are not part of Pgx's interface.

    Attributes:
        current_player: int32 [], the player to move, 0 or 1; it alternates after the last move, too.
        observation: bool [boards * rows, cols, 2 or 3], from that player's point of view: its own marks, or with shared
            marks all; the other's, or none; and, if there are bricks or several boards, the cells that no player can use.
        rewards: float32 [2], by player, for the latest step: +1 won, 0, -1 lost.
        terminated: bool [], whether the game is over.
        truncated: bool [], False.
        legal_action_mask: bool [size], the legal cells; all true once the game is over.
    """

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    _step_count: jax.Array
    _cells: jax.Array  # int8 [size], as in `BatchedState`
    _closed: jax.Array  # bool [boards], likewise
    _game: str = field(metadata={"pytree_node": False})

    @property
    def env_id(self) -> str:
        """The text of the rules."""
        return self._game

    def to_svg(self, *, color_theme: Literal["light", "dark"] | None = None, scale: float | None = None) -> str:
        """A drawing of the boards, of up to 64 games of a batch.

        Args:
            color_theme: As in Pgx, with Pgx's configuration as the default.
            scale: Likewise.
        """
        from pgx._src.visualizer import global_config

        from noughts.reports.palette import recoloured

        svg = _picture(self, global_config.scale if scale is None else scale)
        return recoloured(svg) if (color_theme or global_config.color_theme) == "dark" else svg

    def save_svg(
        self,
        filename: str | Path,
        *,
        color_theme: Literal["light", "dark"] | None = None,
        scale: float | None = None,
    ) -> None:
        """Write `to_svg` to a file."""
        write_atomically(filename, self.to_svg(color_theme=color_theme, scale=scale))


class NoughtsPgx(pgx.core.Env):  # type: ignore[misc]
    """The environment of one game. It has one action per cell, bricks included.

    Attributes:
        rules: The game.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.rules = rules
        self._batched = KnownLines.best_for(rules)
        self._arrays = rules_arrays(rules)
        self._planes = 3 if rules.bricks or rules.boards > 1 else 2

    @property
    def id(self) -> str:
        """The text of the rules, which `make` reads."""
        return str(self.rules)

    @property
    def version(self) -> str:
        """The version of the environment."""
        return _VERSION

    @property
    def num_players(self) -> int:
        """Two."""
        return 2

    def _init(self, key: jax.Array) -> NoughtsPgxState:
        start = self._batched.init(RulesArrays(*map(jnp.asarray, self._arrays)))
        return NoughtsPgxState(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=jnp.zeros((*self._batched.observation_shape[:2], self._planes), jnp.bool_),
            rewards=start.rewards,
            terminated=jnp.zeros((), jnp.bool_),
            truncated=jnp.zeros((), jnp.bool_),
            legal_action_mask=start.legal_action_mask,
            _step_count=jnp.zeros((), jnp.int32),
            _cells=start.cells,
            _closed=start.closed,
            _game=self.id,
        )

    def step(self, state: NoughtsPgxState, action: jax.Array, key: jax.Array | None = None) -> NoughtsPgxState:
        """Play a cell for the player to move, as Pgx's own `step` does, but with one check for lines and no branches.

        An illegal action ends the game, with rewards of -1 for the player who made it and +1 for the other. A game that is
        over does not change, and its rewards are 0.
        """
        stepped = self._step(state, action, key)
        observed: NoughtsPgxState = stepped.replace(observation=self._observe(stepped, stepped.current_player))
        return observed

    def _step(self, state: NoughtsPgxState, action: jax.Array, key: jax.Array | None) -> NoughtsPgxState:
        mover = state.current_player
        goes_on = ~(state.terminated | state.truncated)
        before = BatchedState(
            rules=RulesArrays(*map(jnp.asarray, self._arrays)),
            cells=state._cells,
            closed=state._closed,
            ply=state._step_count,
            outcome=jnp.full((), int(Outcome.ONGOING), jnp.int32),
            legal_action_mask=state.legal_action_mask & goes_on,
            rewards=jnp.zeros(2, jnp.float32),
        )
        after = self._batched.step(before, action)
        illegal = goes_on & (after.ply == before.ply)
        first_moved = before.ply & 1 == 0
        by_player = jnp.where((mover == 0) == first_moved, after.rewards, after.rewards[::-1])
        penalty = jnp.where(jnp.arange(2) == mover, self._illegal_action_penalty, -self._illegal_action_penalty)
        terminated = state.terminated | after.is_terminal | illegal
        stepped: NoughtsPgxState = state.replace(
            current_player=mover ^ goes_on,
            rewards=jnp.where(illegal, penalty, by_player),
            terminated=terminated,
            legal_action_mask=after.legal_action_mask | terminated,
            _step_count=state._step_count + goes_on,
            _cells=after.cells,
            _closed=after.closed,
        )
        return stepped

    def _observe(self, state: NoughtsPgxState, player_id: jax.Array) -> jax.Array:
        cells, closed = state._cells, state._closed
        second_to_move = state._step_count & 1 == 1
        is_second = jnp.where(player_id == state.current_player, second_to_move, ~second_to_move)
        first, second = cells == FIRST_MARK, cells == SECOND_MARK
        if self.rules.marks == "shared":
            planes = [first, second]
        else:
            planes = [jnp.where(is_second, second, first), jnp.where(is_second, first, second)]
        if self._planes > 2:
            on_closed = jnp.repeat(closed, self.rules.board_size, total_repeat_length=self.rules.size)
            planes.append((cells == BRICK) | on_closed)
        return jnp.stack(planes, axis=-1).reshape(*self._batched.observation_shape[:2], self._planes)


def save_svg(state: NoughtsPgxState, filename: str | Path, **options: Any) -> None:
    """Write a picture to a file; see `NoughtsPgxState.to_svg`."""
    state.save_svg(filename, **options)


def make(env_id: str | Rules) -> NoughtsPgx:
    """Make the environment of a game, from its rules or their text, such as ``bttt(D4)``.

    Raises:
        RulesError: the text is malformed, or the rules are impossible.
    """
    return NoughtsPgx(read_rules(env_id))


def _picture(state: NoughtsPgxState, scale: float) -> str:
    """A drawing of one game, or of the first games of a batch, as SVG."""
    from noughts.reports.boards import BoardOptions, board_drawing
    from noughts.reports.drawing import drawing_svg, side_by_side

    options = BoardOptions(ordered=False)
    if state._step_count.ndim == 0:
        return drawing_svg(board_drawing(position_of(state), options), scale=scale)
    games = [jax.tree.map(itemgetter(number), state) for number in range(min(len(state._step_count), _DRAWN))]
    drawings = [board_drawing(position_of(game), options) for game in games]
    title = f"{len(games)} of {len(state._step_count)} games of {state.env_id}"
    return drawing_svg(side_by_side(drawings, math.isqrt(len(drawings) - 1) + 1, title), scale=scale)


def position_of(state: NoughtsPgxState) -> Position:
    """The position of one game. A state has no order of moves, so the moves of each side are ordered by cell."""
    rules, (held, is_closed) = parse_rules(state.env_id), jax.device_get((state._cells, state._closed))
    cells = bytes(map(int, held))
    first, second = ([cell for cell, on in enumerate(cells) if on == mark] for mark in (FIRST_MARK, SECOND_MARK))
    if rules.marks == "shared":
        moves = first
    else:
        moves = [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]
    closed = frozenset(number for number, on in enumerate(is_closed) if on)
    outcome = Outcome.ONGOING
    if len(closed) == rules.boards:
        outcome = Outcome.line_by(Side((len(moves) - 1) % 2), rules)
    elif not any(on == EMPTY and cell // rules.board_size not in closed for cell, on in enumerate(cells)):
        outcome = Outcome.full_board(rules)
    return Position(rules, tuple(moves), cells, closed, outcome)
