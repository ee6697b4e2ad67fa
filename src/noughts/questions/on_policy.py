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
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.positions import Position, Rng, derive_seed
from noughts.questions.played import Played, Playthrough
from noughts.questions.question import Question
from noughts.rules import AgentError, Rules, Value, task_of
from noughts.rules.text import counted
from noughts.solvers.solve import Truth


class OnPolicyTally(Value):
    """The counts of the games and positions.

    Attributes:
        games, distinct: The number of games, and of different ones.
        met: The number of different positions in which the agent had to move, at the requested plies.
        tally: The counts of the evaluated positions.
    """

    games: int
    distinct: int
    met: int
    tally: Tally


class OnPolicy(Question[OnPolicyTally]):
    """Evaluate an agent in positions of its own games.

    Attributes:
        agent, side: The agent, and the side that it plays.
        opponent: The opponent.
        rules: The game.
        games: The number of games.
        plies: The first and last ply of the positions.
        most: The most positions to evaluate, drawn at random from those of the games.
        nodes: The limit of a solver's work on one position.
        seed: The seed of the games and of the draw.
    """

    error_type: ClassVar = AgentError

    agent: AgentSpec
    side: Player = "first"
    opponent: AgentSpec
    rules: Rules
    games: int = Field(ge=1, le=100_000)
    plies: Plies
    most: int = Field(ge=1, le=100_000)
    nodes: int = Field(ge=1)
    seed: int = 0

    def answer(self, needed: Sequence[Any], notes: Recorder) -> OnPolicyTally:
        """Play the games, and evaluate the moves.

        Raises:
            AgentError: there is no such agent.
        """
        played = Played(
            task=task_of(self.rules),
            a=self.agent,
            b=self.opponent,
            games=self.games,
            moves_first="a" if self.side == "first" else "b",
            seed=self.seed,
            draws=("on policy",),
        )
        records = Playthrough.answer_many(played.needs(), {}, notes)
        met: dict[bytes, Position] = {}
        for record in records:
            for ply in range(SIDES.index(self.side), len(record.moves), 2):
                if self.plies[0] <= ply <= self.plies[1]:
                    position = Position.start(self.rules, record.moves[:ply])
                    met.setdefault(bytes(position.cells), position)
        rng = Rng(derive_seed(self.seed, "on policy", self.rules.to_json()))
        drawn = rng.sample(list(met.values()), min(self.most, len(met)))
        notes.note(f"{self.agent} in {self.rules}, exact values in its own games: {counted(len(drawn), 'position')}")
        solve = Truth(self.rules, GIB).solve
        tallies = judge(partial(build_agent, self.agent), drawn, solve, self.seed, self.nodes, notes)
        return OnPolicyTally(
            games=len(records),
            distinct=len({record.moves for record in records}),
            met=len(met),
            tally=sum(tallies, Tally()),
        )
