"""Evolution against an omniscient adversary: the published result, its negative results, and what proofs say of them."""

from collections.abc import Sequence
from typing import Any

from noughts.document.citations import BETAZERO_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.studies.betazero_evolution.findings import findings
from noughts.studies.betazero_evolution.outcome import RunOutcome
from noughts.studies.betazero_evolution.plan import (
    SCALES,
    STUDY,
    conditions,
    conditions_hash,
    round_robin,
    runs,
)
from noughts.studies.betazero_evolution.tables import figures, standings, tables
from noughts.studies.both_sides import on_both_sides
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.studies.tic_tac_toe import RULES


class BetazeroEvolution(Study):
    """Does evolution from self-play alone reach perfect play, and which part of it matters?"""

    name = STUDY
    title = "Evolution against an omniscient adversary"
    question = "Does a network of 703 numbers, evolved against an adversary that knows its mind, learn tic-tac-toe so that no reply beats it, and which part of the method makes it so?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018), Results and Discussion"
    citations = (BETAZERO_PAPER,)
    scales = with_minutes({scale: size.about for scale, size in SCALES.items()}, quick=3, laptop=108)
    deviations = (
        "The paper does not say how long its runs were; here those of one table have as many games each. A generation of 230 candidates counts as ten.",
        "A round is two games from one seed, the network first as X and then as O; the paper's n = 100 counts such rounds, which its halves show.",
        "The text fixes the 100 seeds at the start, the authors' program draws new ones for each generation and takes values within 1e-2 for equal, where the text says 1e-6. Both are rows here; the negative results have the program's settings.",
        "The step size adapts by CSA, as pycma's did in 2018. Today's pycma takes the two-point method (TPA) for so many parameters: rows of their own.",
        "All randomness of a game, ties included, comes from its seed; in the authors' program ties are unseeded, which the row with seeds drawn for each candidate comes nearest to.",
        "The mean that is compared with the threshold is the one that a generation was sampled around, so that it plays together with its candidates: one generation later than after the update.",
        '"Reach and keep": some measurement shows 0 lost of 100 rounds, so do nine of ten from then on, and the last does. That is our definition; the paper writes "continues to achieve (or revert to) zero losses", whose widest reading, no loss at the last measurement, is counted beside it.',
        "The settings of all conditions were chosen on seeds below 500; runs have seeds from 500 on, so that none of those is among them. The hash of the settings is at the end of this page.",
        '"Hall of fame" is described as "various ideas" only; here the opponent of each game is drawn from all former bests (the latest 1,000), or from the last ten. Flat Monte Carlo is the adversary with random moves inside; its rounds grow by 10 percent whenever the mean loses fewer than 10 of them, up to 1,000: against an unbeatable network they would grow for ever.',
        "Whether an agent can be beaten is settled by walking every reply and every tie, which the paper did not do.",
        REUSED,
    )
    takes_guests = False
    frozen = {"settings of all conditions": conditions_hash()}

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, one on each core; then walks, and the round robin."""
        trainings = [run.training for run in runs(settings)]
        walks = [walk for training in trainings for walk in on_both_sides(RULES, training.agent())]
        return [*trainings, *walks, *(played for *_, played in round_robin(settings))]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Reached, kept and proved, by condition; the runs that play each other; curves; lost games."""
        outcomes = [RunOutcome.read(run, answers) for run in runs(settings)]
        found = {
            condition.name: [outcome for outcome in outcomes if outcome.run.condition is condition]
            for condition in conditions(settings)
        }
        scores = standings(settings, answers)
        shown = tables(settings, found, scores)
        drawn, asked = figures(found, shown), tuple(table for table in shown if table.rows)
        return Conclusion(asked, drawn, tuple(findings(settings, found, scores)))
