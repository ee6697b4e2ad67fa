"""Does AlphaZero generalise? Trained on one brick square or a few, played and proved on all of them, and far beyond."""

import json
from collections.abc import Iterator, Sequence

from noughts.play.playthrough import GamePlan
from noughts.questions.session import Game, Measurement, Work
from noughts.questions.settle import Question
from noughts.rules import Rules, format_rules
from noughts.studies.examined import STAGE
from noughts.studies.generalisation import tables as shown
from noughts.studies.generalisation.findings import findings
from noughts.studies.generalisation.plan import (
    OPPONENTS,
    Contender,
    Plan,
    is_hunted,
    judge_key,
    judged_sims,
    match_name,
    square_classes,
    truth_classes,
    truth_key,
    walk_key,
)
from noughts.studies.generalisation.results import Found
from noughts.studies.study import Conclusion, Results, Settings, Study
from noughts.studies.trained import REUSED


class Generalisation(Study):
    """Networks, training squares and search, on every brick square and on boards nobody trained on."""

    name = "generalisation"
    title = "Does AlphaZero generalise to brick squares it has never seen?"
    question = "Does AlphaZero, trained with the brick on one square or a few, win with the brick anywhere, on other boards, with more bricks and longer lines?"
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments, Tables 4, 6 and 7"
    )
    scales = {
        "quick": "the line network and a residual one, trained for a moment on D4 alone; 2 games a square: shows everything in small, and settles nothing",
        "laptop": "both networks on the paper's three sets of squares, the paper's network on D4 for six minutes; 10 games a square, every reply, other boards",
        "paper": "three networks on three sets of squares, the paper's for its 850 iterations; 0, 32, 100 and 1,000 simulations",
    }
    deviations = (
        "Budgets are ours, and stand beside every row; the paper trained for two weeks on a GPU (850 iterations). Only the scale `paper` trains its network as long; a row of another budget or another network has the paper's number beside it for comparison, and its verdict says whether it fares alike, not who is right.",
        "Minimax sums Table 2 exactly and breaks ties at random; the authors' rounding makes it open always the same way. A second table is against Minimax that takes the first of equal moves: then neither side leaves anything to chance, all games on a square are one game, and it is played once.",
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw.",
        "The line network and the residual one are trained by Gumbel AlphaZero with 24 simulations and all 8 symmetries; the paper's by its own settings, with 4 reflections.",
        "Squares count as seen where augmentation turns a training brick to; the paper's test square E5 is seen by agents trained on C3.",
        "Games with 32 simulations, the walks of every reply, the share of optimal moves, and all boards but 7x7 with one brick and k = 4 are ours: the paper has none of these.",
        "Where every reply is walked, agents see positions from one side, so that squares which are images of one another are one, and ten walks settle all 49. In games they see them as they are.",
        REUSED,
    )
    takes_guests = False

    def work(self, settings: Settings) -> Sequence[Work]:
        """First the trainings, alone, so that the time they take is not counted among games; then all that is measured."""
        plan = Plan(settings)
        later = [_walks(plan), _judging(plan)]
        games = [piece for contender in plan.everybody for piece in _games(plan, contender)]
        truths = _truths(plan) if plan.size.truth_nodes else ()
        trainings = [contender.training.work() for contender in plan.contenders if contender.training is not None]
        return [*trainings, *truths, *games, *(piece for pieces in later for piece in pieces)]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """Tables 7, 4 and 6, the walks, the judging, the other boards; a board of squares for everybody."""
        plan = Plan(settings)
        found = Found(plan, results)
        tables = (
            shown.training_table(plan, found),
            *(shown.table_7(plan, found, ties) for ties in OPPONENTS),
            shown.variants_table(plan, found),
            shown.proof_table(plan, found),
            shown.judged_table(plan, found),
            shown.moved_table(plan, found),
        )
        return Conclusion(tables, tuple(shown.figures(plan, found)), tuple(findings(plan, found)))


def _games(plan: Plan, contender: Contender) -> Iterator[Game]:
    """A contender's games on the 49 squares against both opponents, and on the other boards."""
    for sims in contender.played:
        for rules, often in plan.squares():
            yield from _match(plan, contender, sims, "random", rules, often)
        for rules, _ in plan.squares():
            yield from _match(plan, contender, sims, "first", rules, 1)
    for sims in contender.moved:
        for games in plan.boards.values():
            for rules in games:
                yield from _match(plan, contender, sims, "random", rules, plan.size.moved_games)


def _match(plan: Plan, contender: Contender, sims: int, ties: str, rules: Rules, often: int) -> Iterator[Game]:
    name, agent, text = match_name(contender, sims, ties, rules), contender.agent(sims), format_rules(rules)
    for number in range(often):
        game = GamePlan(
            key=f"{name} / {number:03d}",
            rules=text,
            first=agent,
            second=OPPONENTS[ties],
            seed=plan.game_seed(ties, rules, number),
            move_seconds=plan.move_seconds,
        )
        yield Game(game, STAGE)


def _walks(plan: Plan) -> Iterator[Measurement]:
    """Every reply to a contender."""
    for contender in plan.contenders:
        assert contender.entry is not None
        for sims in contender.entry.proved:
            for rules, *_ in plan.walked:
                asked = {
                    "label": contender.called(sims),
                    "agent": contender.agent(sims, view="one-side"),
                    "rules": format_rules(rules),
                    "most": plan.size.most,
                    "hunt": is_hunted(contender, sims),
                }
                yield Measurement(
                    walk_key(contender, sims, rules),
                    "noughts.studies.generalisation.jobs:walk_square",
                    json.dumps(asked),
                    stage=STAGE,
                )


def _judging(plan: Plan) -> Iterator[Measurement]:
    """Everybody in the same positions of each class of squares."""
    agents = {c.called(sims): c.agent(sims) for c in plan.everybody for sims in judged_sims(c)}
    for group in square_classes():
        for ply in plan.size.plies:
            asked = {
                "agents": agents,
                "rules": format_rules(group[0]),
                "ply": ply,
                "per_ply": plan.size.per_ply,
                "nodes": plan.size.nodes,
                "seed": plan.seed,
            }
            yield Measurement(
                judge_key(group[0], ply),
                "noughts.studies.generalisation.jobs:judge_position_job",
                json.dumps(asked),
                stage=STAGE,
            )


def _truths(plan: Plan) -> Iterator[Measurement]:
    """Who wins the games on the other boards, where a solver may say."""
    for games in plan.boards.values():
        for group in truth_classes(games):
            asked = Question(games=tuple(map(format_rules, group)), nodes=plan.size.truth_nodes)
            yield Measurement(truth_key(group[0]), "noughts.questions.settle:settle_job", asked.to_json(), stage=STAGE)
