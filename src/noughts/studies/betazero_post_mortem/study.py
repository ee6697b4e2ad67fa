"""Why BetaZero lost every game of tic-tac-toe: the paper done right, and its mistakes one at a time."""

import json
from collections.abc import Sequence

from noughts.positions import Side
from noughts.questions.session import Game, Measurement, Work
from noughts.studies.betazero_post_mortem.findings import findings
from noughts.studies.betazero_post_mortem.outcome import Examined
from noughts.studies.betazero_post_mortem.plan import (
    SCALES,
    conditions,
    conditions_by_name,
    fast_conditions,
    matches,
    values_key,
)
from noughts.studies.betazero_post_mortem.tables import figures, tables
from noughts.studies.examined import STAGE, judge_work, walk_work
from noughts.studies.study import Conclusion, Results, Settings, Study
from noughts.studies.tic_tac_toe import RULES
from noughts.studies.trained import REUSED


class BetazeroPostMortem(Study):
    """Which of the authors' choices made BetaZero lose?"""

    name = "betazero-post-mortem"
    title = "BetaZero: the paper done right, and which mistake broke it"
    question = "Does AlphaZero learn tic-tac-toe so that no reply beats it, and which of the authors' choices kept BetaZero from it?"
    paper = "Zhao, Investigation of self-play deep reinforcement learning for Tic-Tac-Toe (2019), Experiments"
    scales = {
        scale: f"{size.seeds} training{'s' if size.seeds > 1 else ''} of {size.iterations} iterations with {size.simulations} simulations for each of six conditions; {size.games} games at each of {len(size.budgets)} budgets; {size.fast} of the fast preset"
        for scale, size in SCALES.items()
    }
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

    def work(self, settings: Settings) -> Sequence[Work]:
        """Trainings, then games, walks, judgements and values."""
        size = SCALES[settings.scale]
        trainings = [*conditions(settings), *fast_conditions(settings)]
        games: list[Game] = [game for match in matches(settings).values() for game in match.work()]
        walks = [
            walk_work(found.examined(sims), found.training.agent(sims), RULES, side)
            for found in trainings
            for sims in (0, size.sims)
            for side in Side
        ]
        judgements = [
            judge_work(found.examined(sims), found.training.agent(sims), RULES, 20_000, (0, 8), settings.seed)
            for found in conditions(settings)
            for sims in (0, size.sims)
        ]
        values = [
            Measurement(
                values_key(found),
                "noughts.studies.betazero_post_mortem.jobs:values_job",
                json.dumps({"run": found.training.name, "iteration": found.training.iterations}),
                stage=STAGE,
            )
            for found in conditions(settings)
        ]
        return [*(found.training.work() for found in trainings), *games, *walks, *judgements, *values]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """The paper's table, its positions, the conditions side by side, and the fast preset."""
        size, kinds = SCALES[settings.scale], conditions_by_name(settings)
        scores = {budget: match.score(results) for budget, match in matches(settings).items()}
        found = {name: [Examined.read(one, size.sims, results) for one in of_kind] for name, of_kind in kinds.items()}
        bare = {name: [Examined.read(one, 0, results) for one in of_kind] for name, of_kind in kinds.items()}
        return Conclusion(
            tables(settings, scores, found, bare, results),
            figures(scores, found),
            tuple(findings(settings, results, scores, found, bare)),
        )
