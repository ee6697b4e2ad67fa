"""PettingZoo: tic-tac-toe as a turn-based (AEC) environment, in a Python loop."""

import os
import random

from benchmarks.case import PLAYOUTS_3, Case, Work
from benchmarks.ours import PYTHON


def cases() -> list[Case]:
    """Two cases: with the wrappers that check calls, and without."""
    return [
        _playouts("PettingZoo, without wrappers", "raw_env"),
        _playouts("PettingZoo, as documented", "env"),
    ]


def _playouts(program: str, make: str) -> Case:
    def prepare() -> Work:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from pettingzoo.classic import tictactoe_v3

        env, draw = getattr(tictactoe_v3, make)(), random.Random(1).random

        def chunk() -> int:
            env.reset()
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    return 1
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))

        return Work(chunk)

    call = f"a Python loop over `last` and `step` of `pettingzoo.classic.tictactoe_v3.{make}()`, moves drawn by `random.Random`"
    return Case(PLAYOUTS_3, program, call, prepare, ("pettingzoo", "pygame"), alike=PYTHON)
