"""`Timed`: how long an agent takes for an opening move: measured alone, with nothing of ours beside it."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from noughts.agents import AgentSpec, build_agent, choose
from noughts.machine import Recorder
from noughts.positions import Position, Rng, derive_seed
from noughts.questions.question import PLAYING, Question
from noughts.rules import Rules, Value


class Seconds(Value):
    """Seconds of each move, in order."""

    moves: tuple[float, ...]


class Timed(Question[Seconds]):
    """Opening moves of an agent, timed.

    Attributes:
        agent: The agent to time; a new one for each move, so that none answers from memory.
        rules: The game.
        moves: How many; one more goes before, to warm up.
        seed: Each move's generator is derived from it.
        move_seconds: What a move may take; None for no limit.
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

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Seconds:
        """Time it."""
        position = Position.start(self.rules)
        seconds = []
        for number in range(self.moves + 1):
            agent = build_agent(self.agent)
            rng = Rng(derive_seed(self.seed, "opening move", number))
            notes.note(f"opening move {number}", self.move_seconds)
            begun = time.perf_counter()
            choose(agent, position, rng)
            seconds.append(time.perf_counter() - begun)
        return Seconds(moves=tuple(seconds[1:]))
