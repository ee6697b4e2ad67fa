"""Our games in other libraries' interfaces, compared with the libraries' own: ``uv run python -m benchmarks.bridges``.

Steps a second of tic-tac-toe, every environment in its own library's loop, with random legal moves. The cases alternate,
as in ``python -m benchmarks``. For another row, add a function that returns a `Case` to `CASES`.
"""

import os
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.__main__ import measure, read_options
from benchmarks.bridges_jax import STEPS_3, steps_ours, steps_theirs
from benchmarks.case import Case, Group, Work

BEGIN = "<!-- bridges: begin (written by python -m benchmarks.bridges) -->"
END = "<!-- bridges: end -->"

TURNS_RAW = Group(
    "pettingzoo-without-wrappers", "PettingZoo, tic-tac-toe, without wrappers", "steps", target=1, beside_all=True
)
TURNS = Group("pettingzoo-as-documented", "PettingZoo, tic-tac-toe, as documented", "steps", target=1, beside_all=True)
MANY = Group(
    "gymnasium-vector",
    "Gymnasium, 256 environments of tic-tac-toe, against a random player",
    "steps",
    target=1,
    beside_all=True,
)
GROUPS = (TURNS_RAW, TURNS, MANY, STEPS_3)

ROWS = 256
_COMPILED = "noughts, `LearnerVectorEnv`"
_PYTHON = "noughts, `SyncVectorEnv` of `LearnerEnv`"


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print and write; return 1 if a case of noughts itself failed."""
    options = read_options(words, "python -m benchmarks.bridges", str(__doc__))
    return measure(options, lambda: ([make() for make in CASES], GROUPS), "bridges.json", BEGIN, END)


def _turns(group: Group, program: str, called: str, make: Callable[[], Any], modules: tuple[str, ...] = ()) -> Case:
    """A game of two agents that take turns, played repeatedly in a Python loop."""

    def prepare() -> Work:
        env, draw = make(), random.Random(1).random

        def chunk() -> int:
            env.reset()
            steps = 0
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    return steps
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                steps += 1

        return Work(chunk)

    call = f"a Python loop over `last` and `step` of `{called}`, moves drawn by `random.Random`; moves are counted"
    return Case(group, program, call, prepare, modules)


def _ours_turns(name: str) -> Any:
    from noughts.bridges import pettingzoo

    return getattr(pettingzoo, name)("tic-tac-toe")


def _their_turns(name: str) -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pettingzoo.classic import tictactoe_v3

    return getattr(tictactoe_v3, name)()


def turns(group: Group, name: str) -> tuple[Callable[[], Case], Callable[[], Case]]:
    """The case of noughts, and that of PettingZoo's own game."""
    ours, theirs = f"noughts.bridges.pettingzoo.{name}()", f"pettingzoo.classic.tictactoe_v3.{name}()"
    return (
        lambda: _turns(group, "noughts", ours, lambda: _ours_turns(name)),
        lambda: _turns(group, "PettingZoo", theirs, lambda: _their_turns(name), ("pettingzoo", "pygame")),
    )


def _many(program: str, call: str, make: Callable[[], Any], modules: tuple[str, ...] = (), alike: str = "") -> Case:
    """Many environments at once, stepped together repeatedly."""

    def prepare() -> Work:
        import numpy as np

        envs, rng = make(), np.random.default_rng(1)
        _, infos = envs.reset(seed=1)
        mask = infos["action_mask"]

        def chunk() -> int:
            nonlocal mask
            for _ in range(10):
                actions = (mask * rng.random(mask.shape, dtype=np.float32)).argmax(axis=1)
                *_, infos = envs.step(actions)
                mask = infos["action_mask"]
            return 10 * len(mask)

        return Work(chunk)

    call += "; moves drawn by NumPy among the legal ones, next-step autoreset"
    return Case(MANY, program, call, prepare, modules, alike)


def ours_compiled() -> Case:
    """Our vector environment, with compiled kernels."""

    def make() -> Any:
        from noughts.bridges.gymnasium_vector import LearnerVectorEnv

        return LearnerVectorEnv(ROWS, "tic-tac-toe")

    return _many(_COMPILED, f"`LearnerVectorEnv({ROWS})`", make)


def ours_in_python() -> Case:
    """Our environments, stepped one by one."""

    def make() -> Any:
        from gymnasium.vector import SyncVectorEnv

        from noughts.bridges.gymnasium import LearnerEnv

        return SyncVectorEnv([lambda: LearnerEnv("tic-tac-toe")] * ROWS)

    return _many(_PYTHON, f"`SyncVectorEnv` of {ROWS} `LearnerEnv`", make)


def pettingzoo_in_gymnasium() -> Case:
    """PettingZoo's game, converted to a single-player environment as its users do."""

    def make() -> Any:
        from gymnasium.vector import SyncVectorEnv

        return SyncVectorEnv([one_player] * ROWS)

    call = (
        f"`SyncVectorEnv` of {ROWS} environments in which a random player answers in "
        "`pettingzoo.classic.tictactoe_v3.raw_env()`"
    )
    return _many("PettingZoo in `SyncVectorEnv`", call, make, ("pettingzoo", "pygame"), alike=_PYTHON)


def one_player() -> Any:
    """PettingZoo's tic-tac-toe without wrappers as a Gymnasium environment, with a random player on the other side."""
    import gymnasium
    import numpy as np

    class OnePlayer(gymnasium.Env[Any, Any]):
        def __init__(self) -> None:
            self.game = _their_turns("raw_env")
            self.observation_space = self.game.observation_space("player_1")["observation"]
            self.action_space = self.game.action_space("player_1")

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            self.game.reset()
            if self.np_random.integers(2):
                self._reply()
            self.learner = self.game.agent_selection
            seen = self.game.observe(self.learner)
            return seen["observation"], {"action_mask": seen["action_mask"]}

        def step(self, action: Any) -> Any:
            self.game.step(int(action))
            if not self.game.terminations[self.learner]:
                self._reply()
            over = self.game.terminations[self.learner]
            seen = self.game.observe(self.learner)
            mask = np.ones_like(seen["action_mask"]) if over else seen["action_mask"]
            return seen["observation"], self.game.rewards[self.learner], over, False, {"action_mask": mask}

        def _reply(self) -> None:
            legal = self.game.board.legal_moves()
            self.game.step(legal[self.np_random.integers(len(legal))])

    return OnePlayer()


CASES: tuple[Callable[[], Case], ...] = (
    *turns(TURNS_RAW, "raw_env"),
    *turns(TURNS, "env"),
    ours_compiled,
    ours_in_python,
    pettingzoo_in_gymnasium,
    steps_ours,
    steps_theirs,
)
"""The cases, grouped, with noughts first in each group."""


if __name__ == "__main__":
    sys.exit(main())
