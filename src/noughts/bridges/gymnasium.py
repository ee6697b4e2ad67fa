"""Gymnasium: a learner plays one side and an agent the other, in one game or in a task that draws a game for each episode.

    import noughts.bridges.gymnasium                                                      # registers the environment
    env = gymnasium.make("noughts/mnk-v0", rules="bttt(*)", opponent="minimax:depth=2")
    envs = gymnasium.make_vec("noughts/mnk-v0", num_envs=256, rules="tic-tac-toe")        # see `gymnasium_vector`

``gymnasium.make("noughts.bridges.gymnasium:noughts/mnk-v0")`` imports the module and makes the environment; so does
``gymnasium.make("noughts:noughts/mnk-v0")``, unless noughts was imported before Gymnasium.
"""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from noughts.bridges.boards import (
    LEGAL,
    Game,
    Starts,
    cell_of_action,
    observation_shape,
    observe,
    read_choice,
    read_reward,
    rendered,
    require_second_move,
)
from noughts.positions import Position, Rng, Side, derive_seed
from noughts.rules import AgentError, IllegalMoveError, Rules, read_task
from noughts.rules.errors import MissingLibraryError

try:
    import gymnasium
    from gymnasium import error, spaces

    import noughts.registration  # noqa: F401 # registers the name
except ModuleNotFoundError:
    raise MissingLibraryError.of("Gymnasium", "gymnasium") from None

RenderMode = Literal["ansi", "rgb_array"]
Plays = Literal["drawn", "first", "second"]
Observation: TypeAlias = NDArray[np.float32]


class LearnerEnv(gymnasium.Env[Observation, np.int64]):
    """A game against an agent.

    - An action is a cell, `Discrete(size)`.
    - An observation is float32 ``[boards * rows, cols, 6]``, from the learner's point of view, as in `noughts.bridges.boards`.
      It shows bricks and closed boards; where the games of a task differ in more (k, who wins), see `rules`.
    - ``info["action_mask"]``, int8 ``[size]``, has ones for the legal cells; `action_masks` returns the same as bools, for
      sb3-contrib. After the end it is all ones, so that a softmax over the allowed actions stays finite.
    - The reward is +1 won, -1 lost, 0 drawn, at the end; an illegal move ends the episode with `illegal_reward`.

    `reset(seed)` seeds everything random in this and the following episodes: the games drawn, the learner's side, and the
    opponent's random numbers.

    Args:
        rules: A text such as ``bttt(D4)``, `Rules`, or a task such as ``bttt(*)``, which draws a game for each episode.
        opponent: The other side: an agent's text, such as ``mcts:sims=100``, its `AgentSpec`, or an object that has
            `decide` or `choose`. An agent whose moves depend on earlier positions is created again for each episode; an
            object is used as it is.
        plays: Whether the learner plays ``first``, ``second``, or a side ``drawn`` for each episode.
        illegal_reward: The reward for an illegal move.
        render_mode: ``ansi``, ``rgb_array``, or None. With ``human``, `gymnasium.make` shows the pictures in a window.

    Raises:
        RulesError: impossible rules, or an unknown value of an option; or the learner may be second in a game that ends with
            the first move.
        AgentError: there is no such agent, or it refuses one of the games; later, `AgentFailedError` if it fails in a game.
        gymnasium.error.ResetNeeded: `step` was called outside an episode.
    """

    metadata: dict[str, Any] = {"render_modes": list(get_args(RenderMode)), "render_fps": 2}

    def __init__(
        self,
        rules: Game = "tic-tac-toe",
        opponent: Any = "random",
        plays: Plays = "drawn",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        from noughts.bridges.opponents import Opponent  # here, because importing the agents takes time

        task = read_task(rules)
        self.plays = read_choice("plays", plays, Plays)
        if plays != "first":
            require_second_move(task)
        self.illegal_reward = read_reward(illegal_reward)
        self.opponent = Opponent(opponent)
        self.opponent.require(task.rules)
        self.render_mode = None if render_mode is None else read_choice("render_mode", render_mode, RenderMode)
        self.starts = Starts(task)
        self._stream: Rng | None = None
        self._position = Position.start(task.rules[0])
        self._side = Side.FIRST
        self._under_way = False
        self.observation_space = spaces.Box(0, 1, observation_shape(task.rules[0]), np.float32)
        self.action_space = spaces.Discrete(task.rules[0].size)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def rules(self) -> Rules:
        """The game of this episode."""
        return self._position.rules

    @property
    def side(self) -> Side:
        """The learner's side in this episode."""
        return self._side

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [size]: the legal cells; all true once the episode is over."""
        if not self._under_way:
            return np.ones(self.rules.size, np.bool_)
        return observe(self._position, self._side)[:, :, LEGAL].reshape(-1).astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; if the learner is second, the opponent makes its first move. Options are ignored."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._stream = first_stream(seed)
        elif self._stream is None:
            self._stream = Rng(int(self.np_random.integers(1 << 63)))
        opponent_seed, rules, drawn = self.starts.draw(self._stream)
        self._side = {"drawn": drawn, "first": Side.FIRST, "second": Side.SECOND}[self.plays]
        self._agent, self._opponents_rng = self.opponent.for_episode(), Rng(opponent_seed)
        self._position, self._under_way = Position.start(rules), True
        if self._side == Side.SECOND:
            self._reply()
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's move, and unless that ends the game, the opponent's reply. Episodes are never truncated."""
        if not self._under_way:
            raise error.ResetNeeded("no episode is under way: call reset() before step()")
        reward = 0.0
        try:
            self._position = self._position.play(cell_of_action(action))
        except IllegalMoveError:
            self._under_way, reward = False, self.illegal_reward
        else:
            if not self._position.is_over:
                self._reply()
            if self._position.is_over:
                self._under_way, reward = False, float(self._position.outcome.value(self._side))
        seen, info = self._seen()
        return seen, reward, not self._under_way, False, info

    def render(self) -> Any:
        """The position in the environment's mode: text, or uint8 ``[height, width, 3]``."""
        return rendered(self._position, self.render_mode)

    def _reply(self) -> None:
        try:
            move = self.opponent.reply(self._agent, self._position, self._opponents_rng)
        except AgentError:
            self._under_way = False  # otherwise the learner would move for the opponent next
            raise
        self._position = self._position.play(move)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        seen = observe(self._position, self._side)
        mask = seen[:, :, LEGAL].reshape(-1) if self._under_way else np.ones(self.rules.size, np.int8)
        return seen.astype(np.float32), {"action_mask": mask}


def first_stream(seed: int) -> Rng:
    """The stream of random numbers for the episodes after `reset(seed)`."""
    return Rng(derive_seed(seed, "episodes"))
