"""Gymnasium's vector environment: many episodes of `LearnerEnv` at once, with compiled kernels.

    envs = gymnasium.make_vec("noughts/mnk-v0", num_envs=256, rules="tic-tac-toe", opponent="random")

For the same seeds, each row gives at each step what a `LearnerEnv` in a `SyncVectorEnv` gives. If the opponent is the agent
``random``, no Python code runs within a call; any other agent chooses its moves in all rows as one batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.bridges.boards import Game, rendered
from noughts.bridges.gymnasium import LearnerEnv, Plays, first_stream
from noughts.positions import Position, Rng
from noughts.positions.side_by_side import (
    begin,
    move,
    new_rows,
    position_in,
    reply,
    reply_at_random,
    see,
    side_number,
    stack_games,
)
from noughts.rules import AgentError, Rules, RulesError
from noughts.rules.errors import MissingLibraryError, shortened
from noughts.rules.text import unknown

try:
    from gymnasium import error
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise MissingLibraryError.of("Gymnasium", "gymnasium") from None

Observations = NDArray[np.float32]
Stepped = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class LearnerVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many episodes against an agent; each row works like a `LearnerEnv`.

    - Actions are cells, int ``[num_envs]``; observations float32 ``[num_envs, boards * rows, cols, 6]``.
    - ``info["action_mask"]``, int8 ``[num_envs, size]``, and `action_masks`.
    - Row i after `reset(seed=s)` begins like `LearnerEnv.reset(seed=s + i)`. A list of seeds gives each row its own.

    Args:
        num_envs: The number of rows.
        rules, opponent, plays, illegal_reward: As in `LearnerEnv`. An opponent that is an object must be able to play many
            games at once.
        autoreset_mode: When a new episode follows one that is over: at the next step, whose action is then ignored
            (``NextStep``); at once, with the final observation in ``info["final_obs"]`` (``SameStep``); or when the caller
            calls ``reset(options={"reset_mask": ...})`` (``Disabled``).
        render_mode: ``ansi``, ``rgb_array``, or None.

    Raises:
        RulesError: as in `LearnerEnv`; or there are no rows, or not one action per row.
        AgentError: as in `LearnerEnv`; or the opponent cannot play many games at once.
        gymnasium.error.ResetNeeded: `step` before `reset`, or, without autoreset, while an episode is over.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Game = "tic-tac-toe",
        opponent: Any = "random",
        plays: Plays = "drawn",
        illegal_reward: float = -1.0,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if np.asarray(num_envs).dtype.kind not in "iu" or num_envs < 1:
            raise RulesError(f"num_envs={shortened(repr(num_envs), 50)}: give a whole number from 1 on")
        one = LearnerEnv(rules, opponent, plays, illegal_reward, render_mode)  # what all rows share
        self.plays, self.opponent, self.illegal_reward = one.plays, one.opponent, one.illegal_reward
        if not (self.opponent.is_shared or self.opponent.can_be_made_anew):
            raise AgentError(
                f"the opponent {self.opponent} depends on earlier positions, so it cannot play {num_envs} games at once: "
                "give it by a text such as python:file.py:Class"
            )
        self.num_envs, self.render_mode = num_envs, one.render_mode
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**LearnerEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all_rules = one.starts.rules
        self._games = stack_games(self._all_rules, one.starts.until)
        self._rows = new_rows(self._all_rules, num_envs)
        self._plays = side_number(plays)
        self._no_board_closed = np.zeros(self._all_rules[0].boards, np.int8)
        self._everywhere = np.ones(num_envs, np.bool_)
        self._has_streams = False
        self._agents: list[Agent | None] = [None] * num_envs
        self._rngs = [Rng()] * num_envs  # each row gets its own when its episode begins

    def positions(self) -> list[Position]:
        """The current positions, row by row."""
        return [position_in(self._rows, row, self._all_rules) for row in range(self.num_envs)]

    @property
    def rules(self) -> list[Rules]:
        """The current games, row by row."""
        return [self._all_rules[game] for game in self._rows.game]

    @property
    def sides(self) -> NDArray[np.int64]:
        """The learners' sides, int64 [num_envs]: 0 for the first player."""
        return self._rows.side.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [num_envs, size]: the legal cells; all true in rows whose episode is over."""
        return self._seen()[1].astype(np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode in each row, or in those of ``options["reset_mask"]``, bool [num_envs]."""
        which = self._reset_mask(options)
        seeds = self._seeds(seed)
        for row in np.flatnonzero(which):
            if (own := seeds[row]) is not None:
                self._rows.stream[row] = first_stream(own).getstate()[0]
            elif not self._has_streams:
                self._rows.stream[row] = self.np_random.integers(1 << 63)
        self._has_streams = True
        self._begin(which)
        seen, mask = self._seen()
        return seen, {"action_mask": np.where(which[:, None], mask, 0).astype(np.int8), "_action_mask": which.copy()}

    def step(self, actions: Any) -> Stepped:
        """Play the learners' moves and the opponents' replies; see `autoreset_mode` for rows that are over."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise RulesError(f"actions of {self.num_envs} environments are as many whole numbers, not {actions!r:.100}")
        rows, ended = self._rows, self._rows.over.copy()
        if not self._has_streams or (ended.any() and self.autoreset_mode != AutoresetMode.NEXT_STEP):
            raise error.ResetNeeded("an episode is over, or none has begun: call reset() before step()")
        move(self._games, rows, ~ended, actions.astype(np.int64), self.illegal_reward)
        if ended.any():
            self._begin(ended, reply=False)
        self._reply()
        rewards, over = rows.reward.copy(), rows.over.copy()
        seen, mask = self._seen()
        infos: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos |= _final(seen, mask, over)
            self._begin(over)
            seen, mask = self._seen()
        infos |= {"action_mask": mask, "_action_mask": self._everywhere.copy()}
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def render(self) -> Any:
        """A picture or a text of each row, in order; None without a mode."""
        if self.render_mode is None:
            return None
        return tuple(rendered(at, self.render_mode) for at in self.positions())

    def _begin(self, which: NDArray[np.bool_], reply: bool = True) -> None:
        begin(self._games, self._rows, which, self._plays, self._no_board_closed)
        if not self.opponent.is_random:
            for row in np.flatnonzero(which):
                self._rngs[row] = Rng(int(self._rows.opponent[row]))
                self._agents[row] = self.opponent.for_episode()
        if reply:
            self._reply()

    def _reply(self) -> None:
        """Make the opponents' moves in the rows that wait for one."""
        if self.opponent.is_random:
            reply_at_random(self._games, self._rows)
            return
        awaited = np.flatnonzero(self._rows.awaited)
        if not len(awaited):
            return
        groups = [awaited] if self.opponent.is_shared else [awaited[n : n + 1] for n in range(len(awaited))]
        replies = np.zeros(self.num_envs, np.int64)
        for group in groups:
            positions = [position_in(self._rows, row, self._all_rules) for row in group]
            rngs = [self._rngs[row] for row in group]
            try:
                replies[group] = self.opponent.replies(self._agents[group[0]], positions, rngs)
            except AgentError:
                self._rows.over[awaited], self._rows.awaited[awaited] = True, False  # or learners would move for them
                raise
        reply(self._games, self._rows, replies)

    def _seen(self) -> tuple[Observations, NDArray[np.int8]]:
        """The observations and masks, as new arrays that the caller may keep."""
        size = self._rows.cells.shape[1]
        seen = np.empty(self.observation_space.shape or (), np.float32)
        mask = np.empty((self.num_envs, size), np.int8)
        see(self._games, self._rows, seen.reshape(self.num_envs, size, -1), mask)
        return seen, mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """A seed for each row; None where its stream of random numbers continues."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return [int(seed) + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise RulesError(f"{len(seed)} seeds were given for {self.num_envs} environments: give one for each")
        return list(seed)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        if not options or "reset_mask" not in options:
            return self._everywhere.copy()
        given = options["reset_mask"]
        if not isinstance(given, np.ndarray) or given.shape != (self.num_envs,) or given.dtype != np.bool_:
            raise RulesError(f"reset_mask must be an array of {self.num_envs} bools, not {given!r:.100}")
        if not given.any() or not self._has_streams:
            raise RulesError("reset_mask must name a row, and all rows must have begun before")
        return given


def _mode(given: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        raise RulesError(unknown("autoreset mode", str(given), [mode.value for mode in AutoresetMode])) from None


def _final(seen: Observations, mask: NDArray[np.int8], over: NDArray[np.bool_]) -> dict[str, Any]:
    """The final observations of the rows that are over, in the form of `SyncVectorEnv`."""
    final = np.full(len(over), None, dtype=object)
    for row in np.flatnonzero(over):
        final[row] = seen[row]
    return {
        "final_obs": final,
        "_final_obs": over.copy(),
        "final_info": {"action_mask": np.where(over[:, None], mask, 0).astype(np.int8), "_action_mask": over.copy()},
        "_final_info": over.copy(),
    }
