"""What is known of a training: its games, the proof against every reply, and its moves beside exact truth."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from noughts.examine.judge import Tally
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.statistics import ClusteredShare, clustered_share
from noughts.studies.betazero_post_mortem.plan import PostMortemRun, beside_truth
from noughts.studies.both_sides import Walks, known_walks, unbeatable
from noughts.studies.study import Settings
from noughts.studies.tic_tac_toe import RULES


class Opposed(NamedTuple):
    """Games of the trainings of a kind against the paper's opponent.

    Attributes:
        scores: Of each training that played.
        distinct: How many of the games differ, of each training by itself.
    """

    scores: Sequence[Score]
    distinct: int

    @classmethod
    def read(cls, matches: Sequence[Played], answers: Answers) -> "Opposed":
        """What the answers say of them."""
        found = [answers[played] for played in matches]
        return cls([result.total for result in found if result.total.games], sum(result.distinct for result in found))

    @property
    def total(self) -> Score:
        """All games."""
        return sum(self.scores, Score())

    @property
    def not_lost(self) -> int:
        """How many were drawn or won."""
        return self.total.games - self.total.losses

    @property
    def share(self) -> ClusteredShare:
        """The share of these; the games of one training are as alike as they like."""
        return clustered_share(
            [score.games - score.losses for score in self.scores], [score.games for score in self.scores]
        )


class Examined(NamedTuple):
    """What is known of one training with some simulations."""

    run: PostMortemRun
    walks: Walks
    tallies: Mapping[int, Tally]

    @classmethod
    def read(cls, run: PostMortemRun, sims: int, settings: Settings, answers: Answers) -> "Examined":
        """What the answers say of it."""
        agent = run.training.agent(sims)
        return cls(run, known_walks(RULES, agent, answers), answers[beside_truth(run, settings)].of(agent))

    @property
    def unbeatable(self) -> bool | None:
        """Whether no reply beats it on either side; None while that is not known."""
        return unbeatable(self.walks)

    @property
    def total(self) -> Tally:
        """All positions."""
        return sum(self.tallies.values(), Tally(complete=True))
