"""After training with a brick on one square, on how many squares does the agent win against every reply? Which setting helps?

The games, conditions, seeds and iterations below were fixed before anything was measured. All saved weights are examined; no
checkpoint is chosen.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from statistics import fmean
from types import SimpleNamespace
from typing import Any

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import Figure, Row
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.questions.walked import HUNT, Walked
from noughts.rules import Rules, parse_rules, parse_task
from noughts.rules.symmetry import least_image
from noughts.rules.text import counted
from noughts.statistics import Interval, mean_share
from noughts.studies.claims import (
    curve_figure,
    difference_row,
    exact_share,
    line_of,
    notes,
    percent,
    rate_row,
    share_row,
)
from noughts.studies.study import Conclusion, Settings, Study, concluded, section, sizes, with_minutes
from noughts.studies.trainings import NumberedRun, alphazero, numbered_runs

PLAIN = "neither"
CONDITIONS: dict[str, Mapping[str, Any]] = {
    PLAIN: {},
    "random moves": {"random_moves": 0.1},
    "averaging": {"averaging": 0.998},
    "both": {"random_moves": 0.1, "averaging": 0.998},
}
"""Changes to the preset, by name of the condition."""

PLAYED: dict[str, Mapping[str, Any]] = {
    "32 simulations, canonical view": {"sims": 32, "view": "canonical"},
    "no search": {"sims": 0, "view": "plain"},
    "no search, canonical view": {"sims": 0, "view": "canonical"},
}
"""How weights play. With the canonical view the agent plays alike on symmetric squares, so one walk covers all of them."""

SEARCHED, RAW, RAW_CANONICAL = PLAYED


SCALES = sizes(
    trained_on=("mnk(4,4,3,bricks=B2)", "bttt(D4)", "bttt(D4)"),
    asked=("mnk(4,4,3,bricks=*)", "bttt(*)", "bttt(*)"),
    seeds=(1, 1, 10),
    keep_every=(2, 35, 35),  # iterations between saved weights
    kept=((2, 4, 6), (35, 70), (35, 70, 105)),  # iterations whose weights are examined; the last ends training
    played=((SEARCHED, RAW), (RAW_CANONICAL,), (SEARCHED, RAW)),
)
SCALES["searched"] = SimpleNamespace(**vars(SCALES["laptop"]) | {"kept": (70,), "played": (SEARCHED,)})


class HeldOutProofs(Study):
    """One brick square in training, proofs on all."""

    name = "held-out-proofs"
    title = "Proofs on squares that were never seen in training"
    question = "An agent is trained with a brick on one square alone. On how many squares does it win against every reply, and do random moves or averaged weights do it?"
    citations = (BRICK_PAPER,)
    takes_guests = False
    scales = with_minutes(
        {
            scale: f"trained on {size.trained_on}, asked on {size.asked}; {counted(size.seeds, 'seed')} of {size.kept[-1]} iterations in {len(CONDITIONS)} conditions; played with {' and with '.join(size.played)}"
            for scale, size in SCALES.items()
        },
        quick=": too small for conclusions; about 2 minutes on two cores",
        laptop="; planned for two hours on two cores",
        paper="; planned for many cores",
    )
    deviations = (
        "The conditions differ from plain Gumbel AlphaZero in the share of random moves in self-play, and in the share of the averaged weights that each step keeps. The Brick Tic-Tac-Toe paper has neither.",
        "Weights are kept after equal numbers of iterations. All are examined; no checkpoint is chosen.",
        "A square counts if the first player wins against every reply and the independent checker accepts the certificate.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, first seeds first; then every reply to the saved weights, the last weights first."""
        study = self.at(settings)
        return [*(run.training for run in study.runs), *(study.walked(*asked) for asked in study.asked)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Seeds that win everywhere; unseen squares that are won, also compared with plain training; and curves."""
        study = self.at(settings, answers)
        return concluded(_everywhere(study), _unseen(study), _beside_plain(study))

    def _plan(self, settings: Settings) -> None:
        self.seed, self.size = settings.seed, SCALES[settings.scale]
        self.seen, self.task = parse_rules(self.size.trained_on), parse_task(self.size.asked)
        self.runs = numbered_runs(dict.fromkeys(CONDITIONS, self.size.seeds).items(), self._training)
        kept, played = self.size.kept, self.size.played
        self.asked = [(run, how, at) for at in reversed(kept) for how in played for run in self.runs]
        self.kinds = list(product(played, CONDITIONS, kept))  # rows: ways of playing, conditions and iterations

    def _training(self, condition: str, number: int) -> Training:
        size, schedule = self.size, {"measure_iterations": self.size.keep_every}
        label, seed, changes = f"{condition}, seed {number}", self.seed + number, CONDITIONS[condition]
        return alphazero(label, "gumbel", size.trained_on, seed, size.kept[-1], schedule, **changes)

    def walked(self, run: NumberedRun[str], how: str, at: int) -> Walked:
        """Every reply, on every square, to the weights of a run at iteration `at`, which play as `how` in `PLAYED`."""
        agent = run.training.agent(iteration=at, **PLAYED[how])
        return Walked(
            task=self.task, agent=agent, side="first", images_once=PLAYED[how]["view"] == "canonical", hunt=HUNT
        )

    @cached_property
    def won(self) -> dict[tuple[str, str, int], dict[int, dict[Rules, bool]]]:
        """Whether an agent wins each game against every reply: by condition, way of playing and iteration, then by number of the
        seed. Contains only seeds with all games walked.
        """
        found = {(condition, how, at): dict[int, dict[Rules, bool]]() for how, condition, at in self.kinds}
        for run, how, at in self.asked:
            walked = self.answers[self.walked(run, how, at)]
            if len(walked.games) == len(self.task.rules):
                won = {game.rules: game.result.wins for game in walked.games}
                found[run.kind, how, at][run.number] = won
        return found

    @cached_property
    def unseen(self) -> list[Rules]:
        """The games that are not symmetric to the seen one."""
        seen = least_image(self.seen)
        return [rules for rules in self.task.rules if least_image(rules) != seen]

    def unseen_won(self, condition: str, how: str, at: int) -> dict[int, Interval]:
        """By number of the seed, the exact share of the unseen games in which it wins against every reply."""
        return {
            number: exact_share(fmean(won[rules] for rules in self.unseen))
            for number, won in self.won[condition, how, at].items()
        }


_COLUMNS = ("Condition", "Iterations", "Played with")


def _everywhere(study: HeldOutProofs) -> Conclusion:
    def row(how: str, condition: str, at: int) -> Row:
        known = study.won[condition, how, at]
        everywhere = sum(all(games.values()) for games in known.values())
        squares = ", ".join(f"{sum(games.values())}" for games in known.values())
        seen = f"{sum(games[study.seen] for games in known.values())} of {len(known)}"
        note = notes(f"squares won by seed: {squares}", f"the square of the training: {seen}") if known else ""
        return rate_row((condition, f"{at}", how), everywhere, len(known), note=note)

    figures = list[Figure]()
    for how in study.size.played:
        lines, title = (
            [line_of(condition, _curve(study, condition, how)) for condition in CONDITIONS],
            f"Unseen squares, {how}",
        )
        figures += curve_figure(f"unseen {how}", title, lines, "iterations", "won against every reply, percent")
    return section(
        "Seeds that win on every square",
        _COLUMNS,
        "seeds that win against every reply on every square, percent",
        (row(*kind) for kind in study.kinds),
        f"Trained on {study.size.trained_on} alone, asked on {study.size.asked}.",
        figures={"The mean over seeds, of the squares that the training never saw.": figures},
        finding=f"Seeds that win against every reply on every square after {study.size.kept[-1]} iterations",
        in_finding=lambda row: row.labels[1] == f"{study.size.kept[-1]}",
    )


def _unseen(study: HeldOutProofs) -> Conclusion:
    def row(how: str, condition: str, at: int) -> Row:
        labels, shares = (condition, f"{at}", how), [*study.unseen_won(condition, how, at).values()]
        if not shares:
            return Row(labels=labels)
        mean = mean_share(shares)
        ours = f"{mean.value * len(study.unseen):.3g} of {len(study.unseen)}"
        found = share_row(labels, ours, mean, len(shares))
        return found if mean.low < mean.high else found.model_copy(update={"low": None, "high": None})

    return section(
        "Unseen squares that are won",
        _COLUMNS,
        "unseen squares won against every reply, percent",
        (row(*kind) for kind in study.kinds),
        f"The mean over seeds; {study.size.trained_on} and its images were seen. One seed has no interval.",
        finding="Unseen squares won against every reply",
    )


def _curve(study: HeldOutProofs, condition: str, how: str) -> dict[int, float]:
    """The percentage of unseen squares that are won, by iterations."""
    known = {at: study.unseen_won(condition, how, at) for at in study.size.kept}
    return {at: percent(fmean(share.value for share in shares.values())) for at, shares in known.items() if shares}


def _beside_plain(study: HeldOutProofs) -> Conclusion:
    rows = (
        difference_row(
            (condition, f"{at}", how), study.unseen_won(condition, how, at), study.unseen_won(PLAIN, how, at)
        )
        for how, condition, at in study.kinds
        if condition != PLAIN
    )
    return section(
        "Beside training with neither",
        _COLUMNS,
        "unseen squares won against every reply, difference from neither with the same seed in points",
        filter(None, rows),
        "The mean over pairs of equal seeds, with its 95 percent interval.",
        finding=f"Unseen squares after {study.size.kept[-1]} iterations, difference from training with neither, same seeds",
        in_finding=lambda row: row.labels[1] == f"{study.size.kept[-1]}",
        spread="difference",
    )
