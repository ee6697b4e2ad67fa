"""Does AlphaZero generalise? Trained on one brick square or a few, played and proved on all of them, and far beyond."""

from collections.abc import Sequence
from typing import Any

from noughts.document.citations import BRICK_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.studies.generalisation import tables as shown
from noughts.studies.generalisation.findings import findings
from noughts.studies.generalisation.outcome import Found
from noughts.studies.generalisation.plan import OPPONENTS, Plan
from noughts.studies.study import Conclusion, Settings, Study, with_minutes


class Generalisation(Study):
    """Networks, training squares and search, on every brick square and on boards nobody trained on."""

    name = "generalisation"
    title = "Does AlphaZero generalise to brick squares it has never seen?"
    question = "Does AlphaZero, trained with the brick on one square or a few, win with the brick anywhere, on other boards, with more bricks and longer lines?"
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments, Tables 4, 6 and 7"
    )
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {
            "quick": "the line network and a residual one, trained for a moment on D4 alone; 2 games a square: shows everything in small, and settles nothing",
            "laptop": "both networks on the paper's three sets of squares, the paper's network on D4 for six minutes; 10 games a square, every reply, other boards",
            "paper": "three networks on three sets of squares, the paper's for its 850 iterations; 0, 32, 100 and 1,000 simulations",
        },
        quick=2,
    )
    deviations = (
        "Budgets are ours, and stand beside every row; the paper trained for two weeks on a GPU (850 iterations). Only the scale `paper` trains its network as long; a row of another budget or another network has the paper's number beside it, and no verdict.",
        "Minimax sums Table 2 exactly, prefers a win to any sum, and breaks ties at random; the authors' rounding makes it open always the same way. A second table is against Minimax that takes the first of equal moves: then neither side leaves anything to chance, all games on a square are one game, and it is played once.",
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw.",
        "The line network and the residual one are trained by Gumbel AlphaZero with 24 simulations and all 8 symmetries; the paper's by its own settings, with 4 reflections.",
        "Squares count as seen where augmentation turns a training brick to; the paper's test square E5 is seen by agents trained on C3.",
        "Games with 32 simulations, the walks of every reply, the share of optimal moves, and all boards but 7x7 with one brick and k = 4 are ours: the paper has none of these.",
        "Where every reply is walked, agents see positions from one side, so that squares which are images of one another are one, and ten walks settle all 49. In games they see them as they are.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, games, every reply, moves beside the truth, and who wins the games on other boards."""
        plan = Plan(settings)
        trainings = [contender.training for contender in plan.contenders if contender.training is not None]
        truths = [asked for board in plan.boards if (asked := plan.truth(board)) is not None]
        players = [(contender, sims) for contender in plan.everybody for sims in contender.played]
        games = [plan.on_squares(*player, ties) for player in players for ties in OPPONENTS]
        games += [plan.on_variants(*player) for player in players]
        games += [
            plan.elsewhere(contender, sims, board)
            for contender in plan.everybody
            for sims in contender.moved
            for board in plan.boards
        ]
        walks = [plan.walk(contender, sims) for contender in plan.contenders for sims in contender.proved]
        judging = [plan.judging(ply) for ply in plan.size.plies]
        return [*trainings, *truths, *games, *walks, *judging]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables 7, 4 and 6, the walks, the judging, the other boards; a board of squares for everybody."""
        plan = Plan(settings)
        found = Found(plan, answers)
        tables = (
            shown.training_table(plan, found),
            *(shown.table_7(plan, found, ties) for ties in OPPONENTS),
            shown.variants_table(plan, found),
            shown.proof_table(plan, found),
            shown.judged_table(plan, found),
            shown.moved_table(plan, found),
        )
        return Conclusion(tables, tuple(shown.figures(plan, found, tables)), tuple(findings(plan, found)))
