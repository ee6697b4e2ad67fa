"""What does it cost not to know the rules? MuZero beside AlphaZero, everything else being equal."""

from collections.abc import Sequence
from typing import Any

from noughts.document.citations import BRICK_PAPER, MUZERO_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.studies.not_knowing_the_rules.findings import findings
from noughts.studies.not_knowing_the_rules.plan import SCALES, STUDY, ModelPlan, everything
from noughts.studies.not_knowing_the_rules.tables import figures, tables
from noughts.studies.study import Conclusion, Settings, Study, with_minutes


class NotKnowingTheRules(Study):
    """A learned model beside the rules."""

    name = STUDY
    title = "What it costs not to know the rules"
    question = (
        "With networks of one kind, equal positions and simulations: what does MuZero, which learns a model of the game, lose to "
        "AlphaZero, which is told the rules; what is wrong with its model; and what repairs it?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe, which names MuZero as what should come next; and the README of "
        "enpasos/muzero, by which every possible decision on 3x3 is right"
    )
    citations = (BRICK_PAPER, MUZERO_PAPER)
    scales = with_minutes(
        {
            scale: f"3x3: {size.seeds} seed{'s' if size.seeds > 1 else ''} of {size.positions[-1]:,} positions; D4: {size.bricks:,}; "
            f"{', '.join(f'{game}: {points[-1]:,}' for game, points in size.notakto.items())}; "
            f"{len(size.repairs) - 1} repair{'s' if len(size.repairs) > 2 else ''}, {size.repair_seeds} seed{'s' if size.repair_seeds > 1 else ''} each"
            + {
                "quick": ": shows the page in small, and settles nothing",
                "laptop": "; planned for two hours on two cores",
                "paper": "; planned for a day on eight cores, most of it on D4",
            }[scale]
            for scale, size in SCALES.items()
        },
        quick=3,
    )
    deviations = (
        "The paper has no MuZero; nothing here is set beside a number of its. enpasos/muzero gives no network, time or count of positions; its claim is taken as: with search, every position in which the choice matters is decided right.",
        "Both learners have networks of the same kind and options, the same search, simulations, games, batches and steps. MuZero's model has the layers twice, to see and to imagine, and each of its steps unrolls five moves, so that it computes more for a position.",
        "Both play games that begin after random moves, with one move in twenty random on 3x3 and Notakto, which shows them, and the model, what good play never does.",
        "Both train each on one core, side by side with others; seconds are theirs.",
        "The model is told the legal moves at the root alone, and that sides alternate. A probe, a decoder that is trained beside it and changes nothing of what it learns, reads the boards, sides and ends that it believes. What is wrong there may be the model's or the probe's: how often the probe errs on positions that are not imagined is not measured.",
        "On D4 and on Notakto there is one training of each learner; what tells them apart there may be their seeds. Learners are proved at the measurements that the plan names: one that is proved at the first may have got there sooner.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, then every reply, decisions, games and imagined positions."""
        return list(everything(ModelPlan(settings)))

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each part, and one for what is imagined."""
        plan = ModelPlan(settings)
        shown = tables(plan, answers)
        return Conclusion(shown, figures(plan, answers, shown), tuple(findings(plan, answers)))
