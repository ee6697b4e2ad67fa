"""`OnPolicy`: an agent's moves beside exact truth in positions that its own games lead to, and not random ones.

Positions of random play are mostly decided long before; those that an agent brings about by its own moves are the ones in
which its mistakes count.
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
    """What became of the positions.

    Attributes:
        games: Played; `distinct` of them differ.
        met: Different positions in which the agent had to move, of the plies that were asked about.
        tally: Of those that were judged.
    """

    games: int
    distinct: int
    met: int
    tally: Tally


class OnPolicy(Question[OnPolicyTally]):
    """An agent in positions of its own games.

    Attributes:
        agent, side: The agent, and the side that it plays.
        opponent: The agent that it plays against.
        rules: The game.
        games: How many.
        plies: Only positions of these plies, the first and the last.
        most: So many positions are judged, drawn from those that were met.
        nodes: What a solver may spend on one position.
        seed: Of the games and of the draw.
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
        """Play, and judge.

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
