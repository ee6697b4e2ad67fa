"""`Timed`: how long an agent takes for an opening move, measured while no other job runs."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec, build_agent, choose
from noughts.machine import Recorder
from noughts.positions import Position, Rng, derive_seed
from noughts.questions.question import PLAYING, Numbers, Question
from noughts.rules import Rules


class Timed(Question[Numbers]):
    """Time opening moves of an agent: the seconds of each, in order.

    Attributes:
        agent: The agent to time. It is built anew for each move, so that it cannot reuse earlier work.
        rules: The game.
        moves: The number of timed moves, after one to warm up.
        seed: The seed from which each move's generator is derived.
        move_seconds: The time limit for a move; None for no limit.
    """

    packages: ClassVar = PLAYING

    agent: AgentSpec
    rules: Rules
    moves: int
    seed: int
    move_seconds: float | None = None

    @property
    def alone(self) -> bool:
        """Always."""
        return True

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Numbers:
        """Choose and time the moves."""
        position = Position.start(self.rules)
        seconds = []
        for number in range(self.moves + 1):
            agent = build_agent(self.agent)
            rng = Rng(derive_seed(self.seed, "opening move", number))
            notes.note(f"opening move {number}", self.move_seconds)
            begun = time.perf_counter()
            choose(agent, position, rng)
            seconds.append(time.perf_counter() - begun)
        return Numbers(values=tuple(seconds[1:]))
