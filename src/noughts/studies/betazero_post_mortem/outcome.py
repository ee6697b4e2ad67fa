"""What is known of a training: the proof against every reply, and its moves beside exact truth."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.studies.betazero_post_mortem.plan import PostMortemRun, beside_truth
from noughts.studies.both_sides import Walks, known_walks, unbeatable
from noughts.studies.study import Settings
from noughts.studies.tic_tac_toe import RULES


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
