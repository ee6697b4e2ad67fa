"""`OnPolicy`: compare an agent's moves with exact values in positions of its own games, instead of random ones.

Most random positions are already decided. In positions that an agent reaches by its own moves, its mistakes matter.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from noughts.agents import AgentSpec, build_agent
from noughts.examine.judge import Tally, judge
from noughts.examine.sample import Plies
from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, derive_seed
from noughts.questions.played import Played, Playthrough
from noughts.questions.question import Question
from noughts.rules import AgentError, Rules, task_of
from noughts.rules.text import counted
from noughts.solvers.solve import Truth


class OnPolicy(Question[Tally]):
    """Evaluate an agent in positions of its own games.

    Attributes:
        agent, opponent: The agent, which moves first, and its opponent.
        rules: The game.
        games: The number of games.
        plies: The first and last ply of the positions.
        most: The most positions to evaluate, drawn at random from those of the games.
        nodes: The limit of a solver's work on one position.
        seed: The seed of the games and of the draw.
    """

    error_type: ClassVar = AgentError

    agent: AgentSpec
    opponent: AgentSpec
    rules: Rules
    games: int = Field(ge=1, le=100_000)
    plies: Plies
    most: int = Field(ge=1, le=100_000)
    nodes: int = Field(ge=1)
    seed: int = 0

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Tally:
        """Play the games, and evaluate the moves.

        Raises:
            AgentError: there is no such agent.
        """
        played = Played(
            task=task_of(self.rules),
            a=self.agent,
            b=self.opponent,
            games=self.games,
            moves_first="a",
            seed=self.seed,
            draws=("on policy",),
        )
        records = Playthrough.answer_many(played.needs(), {}, notes)
        met: dict[bytes, Position] = {}
        for record in records:
            for ply in range(0, len(record.moves), 2):
                if self.plies[0] <= ply <= self.plies[1]:
                    position = Position.start(self.rules, record.moves[:ply])
                    met.setdefault(bytes(position.cells), position)
        rng = Rng(derive_seed(self.seed, "on policy", self.rules.to_json()))
        drawn = rng.sample(list(met.values()), min(self.most, len(met)))
        notes.note(f"{self.agent} in {self.rules}, exact values in its own games: {counted(len(drawn), 'position')}")
        solve = Truth(self.rules, GIB).solve
        return sum(judge(partial(build_agent, self.agent), drawn, solve, self.seed, self.nodes, notes), Tally())
