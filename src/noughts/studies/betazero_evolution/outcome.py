"""What became of a training: when it first lost nothing to minimax, whether that stayed, and what a proof says."""

from collections.abc import Sequence
from typing import NamedTuple

from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.trained import Point, Trained
from noughts.studies.betazero_evolution.plan import EvolutionRun
from noughts.studies.both_sides import Walks, known_walks, unbeatable
from noughts.studies.tic_tac_toe import RULES

LOST = "lost_rounds"


class RunOutcome(NamedTuple):
    """Of one run.

    Attributes:
        trained: Its curve; None if it is not done.
        walks: What walking every reply and every tie showed, by side.
    """

    run: EvolutionRun
    trained: Trained | None
    walks: Walks

    @classmethod
    def read(cls, run: EvolutionRun, answers: Answers) -> "RunOutcome":
        """What the answers say of a run."""
        return cls(run, answers[run.training], known_walks(RULES, run.training.agent(), answers))

    @property
    def curve(self) -> Sequence[Point]:
        """Strength on the way."""
        return () if self.trained is None else self.trained.curve

    @property
    def lost_by_generation(self) -> dict[int, float]:
        """Rounds of 100 lost to minimax, by the generations of 23 candidates that have as many games."""
        share = self.run.condition.share
        return {
            round(point.iteration / share): lost for point in self.curve if (lost := point.values.get(LOST)) is not None
        }

    @property
    def reached(self) -> int | None:
        """The generation, of 23 candidates, of the first measurement without a loss against minimax."""
        return next((generation for generation, lost in self.lost_by_generation.items() if lost == 0), None)

    @property
    def clean(self) -> float | None:
        """From then on, the share of measurements without a loss, that one included."""
        if self.reached is None:
            return None
        later = [lost for generation, lost in self.lost_by_generation.items() if generation >= self.reached]
        return sum(lost == 0 for lost in later) / len(later)

    @property
    def kept(self) -> bool:
        """Whether it reached 0, nine of ten measurements from then on are 0, and the last one is: "continues to achieve
        (or revert to) zero losses"."""
        return self.clean is not None and self.clean >= 0.9 and self.curve[-1].values.get(LOST) == 0

    @property
    def reverted(self) -> bool:
        """Whether it reached 0 and lost nothing at its last measurement: the widest reading of "or revert to"."""
        return self.reached is not None and self.curve[-1].values.get(LOST) == 0

    @property
    def lost(self) -> float | None:
        """Rounds of 100 that it loses to minimax at the end."""
        return self.curve[-1].values.get(LOST) if self.curve else None

    def proved(self, *sides: Player) -> bool | None:
        """Whether no reply beats it on these sides, both unless given; None while that is not known."""
        return unbeatable(self.walks, *sides)
