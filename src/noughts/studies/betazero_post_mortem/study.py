"""Why BetaZero lost every game of tic-tac-toe: the paper done right, and its mistakes one at a time."""

from collections.abc import Sequence
from typing import Any

from noughts.document.citations import ZHAO_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.studies.betazero_post_mortem.findings import findings
from noughts.studies.betazero_post_mortem.outcome import Examined, Opposed
from noughts.studies.betazero_post_mortem.plan import (
    RIGHT,
    SCALES,
    beside_truth,
    fast_runs,
    matches,
    matches_by_condition,
    network_values,
    runs,
    runs_by_condition,
)
from noughts.studies.betazero_post_mortem.tables import figures, tables
from noughts.studies.both_sides import on_both_sides
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.studies.tic_tac_toe import RULES


class BetazeroPostMortem(Study):
    """Which of the authors' choices made BetaZero lose?"""

    name = "betazero-post-mortem"
    title = "BetaZero: the paper done right, and which mistake broke it"
    question = "Does AlphaZero learn tic-tac-toe so that no reply beats it, and which of the authors' choices kept BetaZero from it?"
    paper = "Zhao, Investigation of self-play deep reinforcement learning for Tic-Tac-Toe (2019), Experiments"
    citations = (ZHAO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{size.seeds} training{'s' if size.seeds > 1 else ''} of {size.iterations} iterations with {size.simulations} simulations for each of six conditions; {size.games} games at each of {len(size.budgets)} budgets done right, and at the largest with each mistake; {size.fast} of the fast preset"
            for scale, size in SCALES.items()
        },
        quick=3,
        laptop=22,
    )
    deviations = (
        "The authors do not say how long they trained. Here each condition gets the same iterations, games and steps.",
        "The paper's policy targets are mean values less the smallest, as shares; here they are shares of visits, as in AlphaZero.",
        "The network asked where the game is over, the ReLU before the softmax, the missing move sampling and the learning rate of 0.2 are in the authors' program; the text mentions none of them, and gives 0.02 as the learning rate.",
        "The opponent is MCTS with 750 iterations that plays the move of best mean value. It can be beaten, so our wins are not losses: the paper counts draws alone, and held its opponent to be perfect.",
        "Half of the games are played as X and half as O; the paper does not say.",
        "Whether an agent can be beaten is settled by walking every reply; the network plays the same move whenever it meets the same position.",
        "A network trained with the network asked at ends also searches so when it plays.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, then games, walks, judgements and values."""
        size, examined = SCALES[settings.scale], runs(settings)
        trainings = [run.training for run in (*examined, *fast_runs(settings))]
        agents = [training.agent(sims) for training in trainings for sims in (0, size.sims)]
        return [
            *trainings,
            *(played for each in matches(settings).values() for played in each),
            *(played for name, each in matches_by_condition(settings).items() if name != RIGHT for played in each),
            *(walk for agent in agents for walk in on_both_sides(RULES, agent)),
            *(beside_truth(run, settings) for run in examined),
            *map(network_values, examined),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """The paper's table, its positions, the conditions side by side, and the fast preset."""
        size, kinds = SCALES[settings.scale], runs_by_condition(settings)
        scores = {budget: Opposed.read(each, answers) for budget, each in matches(settings).items()}
        opposed = {name: Opposed.read(each, answers) for name, each in matches_by_condition(settings).items()}
        found, bare = (
            {name: [Examined.read(run, sims, settings, answers) for run in of_kind] for name, of_kind in kinds.items()}
            for sims in (size.sims, 0)
        )
        shown = tables(settings, scores, opposed, found, bare, answers)
        return Conclusion(
            shown,
            figures(scores, found, shown),
            tuple(findings(settings, answers, scores, opposed, found, bare)),
        )
