"""PettingZoo: every game as an environment of two agents that take turns (AEC).

    import noughts.bridges.pettingzoo                                     # registers the environments
    env = pettingzoo.make("aec", "noughts/mnk-v0", rules="bttt(D4)")      # any rules, by text
    env = pettingzoo.make("aec", "noughts/gomoku-v0")                     # each preset that takes no argument

There is no parallel environment, because these games are turn-based: a side that must wait would need an action that does
not exist. PettingZoo's `aec_to_parallel` rejects such environments; its `turn_based_aec_to_parallel` accepts ours.
"""

import time
import warnings
from typing import Any, Literal, get_args

import numpy as np

from noughts.bridges.boards import (
    LEGAL,
    Game,
    Starts,
    cell_of_action,
    observation_shape,
    observe,
    picture,
    read_choice,
    read_reward,
    rendered,
)
from noughts.positions import Position, Rng, Side, derive_seed
from noughts.rules import PRESETS, IllegalMoveError, Rules, read_task
from noughts.rules.errors import MissingLibraryError

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise MissingLibraryError.of("PettingZoo", "pettingzoo") from None

RenderMode = Literal["human", "ansi", "rgb_array"]

PLAYERS = ("player_0", "player_1")
"""The first and the second player."""

_WINDOW = "noughts"  # the title; all environments of a process share the window
_SIDES = dict(zip(PLAYERS, Side, strict=True))


def env(rules: Game = "tic-tac-toe", render_mode: str | None = None, illegal_reward: float = -1.0) -> Any:
    """The environment with PettingZoo's defaults: an illegal move ends the game, and steps out of order raise errors.

    Args:
        rules, render_mode: As in `TurnTakingEnv`, whose errors may be raised.
        illegal_reward: The reward of the agent that makes an illegal move; the other agent gets 0.
    """
    return wrappers.OrderEnforcingWrapper(TurnTakingEnv(rules, render_mode, illegal_reward))


def raw_env(rules: Game = "tic-tac-toe", render_mode: str | None = None) -> "TurnTakingEnv":
    """The environment without wrappers, where an illegal move raises an error."""
    return TurnTakingEnv(rules, render_mode)


class TurnTakingEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Two agents, ``player_0`` and ``player_1``, that take turns; ``player_0`` begins.

    - An action is a cell, `Discrete(size)`.
    - An observation is a dict: ``observation``, int8 ``[boards * rows, cols, 6]``, from that agent's point of view, as in
      `noughts.bridges.boards`; ``action_mask``, int8 ``[size]``: ones for the legal cells if it is that agent's turn, else
      zeros. Once an agent is done, its only action is None and its mask is all ones, so that a softmax over the allowed
      actions stays finite.
    - Rewards are +1 won, -1 lost, 0 drawn, at the end. The rules decide who won, also where lines lose and where both
      sides place the same mark.
    - A task, such as ``bttt(*)``, draws a game at each reset; `rules` is the current one.

    `reset(seed)` seeds a task's draws, which are all that is random; without a seed their stream continues.

    Args:
        rules: A text, `Rules`, or a `Task`.
        render_mode: ``ansi``, ``rgb_array``, ``human`` for a window, or None.
        illegal_reward: The reward of an agent that makes an illegal move, which ends the game with 0 for the other agent.
            None if an illegal move is an error.

    Raises:
        RulesError: impossible rules, or an unknown mode.
        IllegalMoveError: `step` is given an illegal move, and `illegal_reward` is None.
    """

    metadata: dict[str, Any] = {
        "name": "mnk_v0",
        "render_modes": list(get_args(RenderMode)),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self, rules: Game = "tic-tac-toe", render_mode: str | None = None, illegal_reward: float | None = None
    ) -> None:
        super().__init__()
        task = read_task(rules)
        self.illegal_reward = None if illegal_reward is None else read_reward(illegal_reward)
        self.render_mode = None if render_mode is None else read_choice("render_mode", render_mode, RenderMode)
        self._shown = 0.0  # when the window last showed a position, by `time.monotonic`
        if self.render_mode == "human" and not _has_window():
            warnings.warn(
                "matplotlib has no window here, so mode human shows nothing: use ansi or rgb_array", stacklevel=2
            )
        self._starts = Starts(task)
        self._rng: Rng | None = None
        self._position = Position.start(task.rules[0])
        self.possible_agents = list(PLAYERS)
        self.agents = list(PLAYERS)
        shape, size = observation_shape(task.rules[0]), task.rules[0].size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in PLAYERS
        }
        self.action_spaces = {agent: spaces.Discrete(size) for agent in PLAYERS}

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def rules(self) -> Rules:
        """The current game."""
        return self._position.rules

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Options are ignored."""
        if seed is not None:
            self._rng = Rng(derive_seed(seed, "episodes"))
        elif self._rng is None:
            self._rng = Rng(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))
        self._position = Position.start(self._starts.draw_rules(self._rng))
        self.agents = list(PLAYERS)
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in PLAYERS}
        self.agent_selection = PLAYERS[0]
        self._skip_agent_selection = None
        self._show()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, np.dtype[np.int8]]]:
        """Return an agent's observation, also when it is not its turn."""
        side, position = _SIDES[agent], self._position
        seen = observe(position, side)
        if self.terminations.get(agent, True):
            mask = np.ones(position.rules.size, np.int8)
        elif side == position.to_move:
            mask = seen[:, :, LEGAL].reshape(-1)
        else:
            mask = np.zeros(position.rules.size, np.int8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a cell for the agent whose turn it is; a done agent plays None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            position = self._position = self._position.play(cell_of_action(action))
        except IllegalMoveError:
            if self.illegal_reward is None:
                raise
            self._end({**dict.fromkeys(PLAYERS, 0.0), agent: self.illegal_reward})
            return
        if position.is_over:
            self._end({agent: float(position.outcome.value(side)) for agent, side in _SIDES.items()})
        self.agent_selection = PLAYERS[position.ply & 1]
        self._show()

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(PLAYERS, True)
        self._accumulate_rewards()

    def render(self) -> Any:
        """The position in the environment's mode: text, uint8 ``[height, width, 3]``, or None once the window shows it."""
        if self.render_mode != "human":
            return rendered(self._position, self.render_mode)
        self._show()
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self.render_mode == "human":
            from matplotlib import pyplot

            pyplot.close(_WINDOW)

    def _show(self) -> None:
        """In mode `human`, draw the position in the window, and wait for what `render_fps` leaves of the time since the last one."""
        if self.render_mode == "human":
            from matplotlib import pyplot

            pyplot.figure(_WINDOW, clear=True)
            pyplot.axis("off")
            pyplot.imshow(picture(self._position))
            period = 1 / self.metadata["render_fps"]
            left = period - (time.monotonic() - self._shown)
            # A copy may have the clock of another machine, and a pause of 0 would wait for ever.
            pyplot.pause(min(max(left, 0.001), period))
            self._shown = time.monotonic()


def _has_window() -> bool:
    """Whether matplotlib has found a backend that draws windows."""
    from matplotlib import get_backend
    from matplotlib.backends.registry import BackendFilter, backend_registry

    without = backend_registry.list_builtin(BackendFilter.NON_INTERACTIVE)  # type: ignore[no-untyped-call]
    return get_backend().lower() not in without


def _register() -> None:
    """Register each environment once, even if this module is loaded again, because PettingZoo warns of duplicates."""
    from pettingzoo.env_registry.registration import aec_registry

    games = {"mnk": "tic-tac-toe"} | {name: name for name, preset in PRESETS.items() if not preset.parameters}
    for name, rules in games.items():
        if (known := f"noughts/{name}-v0") not in aec_registry:
            register("aec", known, entry_point="noughts.bridges.pettingzoo:env", kwargs={"rules": rules})


_register()
