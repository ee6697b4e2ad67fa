"""Why does the line network generalise? One thing at a time is taken from it, and its wins on squares never seen are watched.

How far a network carries is another question than how soon it learns: one that has not learned its own square yet wins nowhere.
So variants are compared at equal seen score, each where it first wins nearly all games on the squares it trains on.
"""

from collections.abc import Sequence
from typing import Any

from noughts.document.citations import BRICK_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.studies.checkpoints.outcome import CheckpointsFound
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.studies.why_it_generalises import tables as shown
from noughts.studies.why_it_generalises.findings import findings
from noughts.studies.why_it_generalises.plan import FROZEN, SETTINGS, STUDY, AblationPlan


class WhyItGeneralises(Study):
    """Ablations of the line network."""

    name = STUDY
    title = "Why the line network generalises"
    question = (
        "What of the line network and its training makes it win on brick squares that it never saw, and what does not?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments: it finds that more training squares help, and asks what else does"
    )
    citations = (BRICK_PAPER,)
    takes_guests = False
    frozen = FROZEN
    scales = with_minutes(
        {
            scale: f"{len(size.variants or SETTINGS.variants)} variants, {size.seeds} seed{'s' if size.seeds > 1 else ''} each, {size.iterations} iterations, a checkpoint every {size.every}"
            + (": shows the page in small, and settles nothing" if scale == "quick" else "")
            for scale, size in SETTINGS.scales.items()
        },
        quick=3,
        laptop=54,
    )
    deviations = (
        "The paper has no ablations; nothing here is set beside a number of its.",
        "Every variant differs from the line network, trained by Gumbel AlphaZero on D4 alone, in one thing; one differs from the convolution.",
        "Classes never seen are the same for all: the seven to which no augmentation turns D4, D3 or C3, so that none of them was seen by anybody. One square of each is played on.",
        "Strength is that of the bare policy, without search, as first player against depth-2 Minimax with random ties. It sees positions from one side: so images of a square are one to it, and the sample is of classes.",
        "Intervals are Student's over seeds, and never narrower than those of the seeds' own games are on average; of one seed, they are of its own games. Differences between variants are of means over seeds, joined as MOVER does, and only at equal seen score.",
        "At scale laptop, trainings have the settings of certified-generalisation, and the seeds: what both train is trained once.",
        "Variants, games, margins and what counts as mastered stand in a file that was fixed before; its hash is at the end of this page.",
        REUSED,
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings of the first seeds first; then the games of their checkpoints."""
        plan = AblationPlan(settings)
        return [*(plan.training(*pair) for pair in plan.pairs), *map(plan.played, plan.checkpoints)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table of variants at equal seen score, one of where each ends, and a figure for each kind of change."""
        found = CheckpointsFound(AblationPlan(settings), answers)
        ends = shown.at_the_end(found)
        return Conclusion((shown.at_equal_seen(found), ends), shown.figures(found, ends), tuple(findings(found)))
