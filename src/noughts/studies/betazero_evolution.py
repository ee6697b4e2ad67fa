"""Evolution against an omniscient adversary: the published result, its negative results, and what proofs say of them."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import mean, median
from typing import Any, NamedTuple

from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import BoardFigure, Figure, Row, Series, Table, beside
from noughts.play.playthrough import SIDES
from noughts.play.score import Player, Score
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import REUSED, Point, Trained, Training
from noughts.rules import format_task
from noughts.rules.text import counted
from noughts.statistics import LEVEL, Comparison, compare, compare_with_always, holm, same_rate
from noughts.studies.both_sides import Walks, known_walks, on_both_sides, unbeatable
from noughts.studies.claims import curve_figure, game_figure, line_of, notes, percent, rate_row
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.studies.tic_tac_toe import RULES, TASK
from noughts.training.evolution.config import PRESETS, EvolutionConfig
from noughts.training.schedule import Schedule

PAPER_RUNS, PAPER_KEPT = 10, 5
CLAIMS = {
    "half": f"{PAPER_KEPT} of {PAPER_RUNS} reach and keep 0 losses",
    "never": "0 losses never reached",
    "rarely": "0 losses rarely reached, and not kept",
}
"""What the paper says of a condition."""


class EvolutionCondition(NamedTuple):
    """A way to train.

    Attributes:
        name: What people call it.
        changes: Fields of its `EvolutionConfig` that differ from the text's.
        claim: A key of `CLAIMS`; empty where the paper says nothing.
        many: Whether it is run as often as the paper's main experiment; the others less often.
    """

    name: str
    changes: dict[str, Any]
    claim: str = ""
    many: bool = False

    @property
    def share(self) -> float:
        """Of a run's generations, so many are as many games: larger populations have fewer generations."""
        return POPULATION / int(self.changes.get("population", POPULATION))


POPULATION = 23
"""The paper's; generations are counted in those of so many candidates, so that equal numbers are as many games."""

TEXT, PROGRAM, REDRAWN, OWN = "the text", "the program", "seeds redrawn", "seeds drawn for each candidate"
OURS = "seeds redrawn, sigma 0.5, population 230, diagonal"
_PROGRAM = PRESETS["betazero-program"]
_LARGE = {"population": PRESETS["betazero-unbeatable"]["population"]}

DIFFERENCES = (
    EvolutionCondition(TEXT, {}, "half", many=True),
    EvolutionCondition(PROGRAM, _PROGRAM, "half", many=True),
    EvolutionCondition(REDRAWN, {"seeds": "redrawn"}),
    EvolutionCondition(OWN, {"seeds": "own"}),
    EvolutionCondition("tie tolerance 1e-2", {"tie_tolerance": 1e-2}),
    EvolutionCondition("the text, two-point step size", {"step_size": "tpa"}),
    EvolutionCondition("seeds redrawn, two-point step size", {"seeds": "redrawn", "step_size": "tpa"}),
)
"""From the text to the program, one thing at a time."""

BETTER = (
    EvolutionCondition("seeds redrawn, sigma 0.5", {"seeds": "redrawn", "sigma": 0.5}),
    EvolutionCondition("seeds redrawn, sigma 0.5, population 230", {"seeds": "redrawn", "sigma": 0.5, **_LARGE}),
    EvolutionCondition(OURS, {**PRESETS["betazero-unbeatable"]}, many=True),
)
"""From seeds redrawn on, one thing more at a time, within as many games: ten times the population for a tenth of the
generations; then a covariance matrix that is a diagonal."""


def _negative(name: str, claim: str, **changes: Any) -> EvolutionCondition:
    return EvolutionCondition(name, {**_PROGRAM, **changes}, claim)


NEGATIVES = (
    _negative("nPlay = 10", "never", simulations=10),
    _negative("maximise the return", "never", objective="return"),
    _negative("previous best, pRand = 0.1", "never", omniscient=False, random_moves=0.1),
    _negative("previous best, pRand = 0.5", "never", omniscient=False, random_moves=0.5),
    _negative("pure self-play", "never", opponent="self", omniscient=False),
    _negative("previous best", "never", omniscient=False),
    _negative("hall of fame: all former bests", "never", opponent="hall", omniscient=False),
    _negative("hall of fame: the last ten", "never", opponent="recent", omniscient=False),
    _negative("flat Monte Carlo, growing", "rarely", opponent="random", growth=0.1),
    _negative("the adversary with the agent itself inside", "rarely", opponent="self"),
)
"""The paper's, each with the program's settings but for what its name says."""

CONDITIONS = DIFFERENCES + BETTER + NEGATIVES
SELECTED = PROGRAM
"""Whose runs play each other, for the best to be chosen."""


class EvolutionScale(NamedTuple):
    """The size of the study."""

    runs: int  # of each main condition
    others: int  # of each other
    negatives: int  # of each of the paper's negative results
    generations: int  # of each run, if there are 23 candidates in one
    negative_generations: int
    every: int  # strength is measured after so many of these each
    rounds: int  # of each ordered pair in the round robin
    judges: bool  # whether runs are long enough for a verdict on the paper's claims
    conditions: tuple[str, ...] = ()  # by name; none for all

    def runs_of(self, condition: EvolutionCondition) -> int:
        """How many there are."""
        if condition in NEGATIVES:
            return self.negatives
        return self.runs if condition.many else self.others

    def generations_of(self, condition: EvolutionCondition) -> int:
        """How many each has, of its own population."""
        whole = self.negative_generations if condition in NEGATIVES else self.generations
        return round(whole * condition.share)

    @property
    def chosen(self) -> tuple[EvolutionCondition, ...]:
        """Its conditions."""
        return tuple(condition for condition in CONDITIONS if not self.conditions or condition.name in self.conditions)

    @property
    def about(self) -> str:
        """Its size in words."""
        negative = sum(condition in NEGATIVES for condition in self.chosen)
        main = sum(condition.many for condition in self.chosen)
        kinds = (
            (main, self.runs, "main condition", self.generations),
            (len(self.chosen) - main - negative, self.others, "other", self.generations),
            (negative, self.negatives, "negative result", self.negative_generations),
        )
        each = [
            f"{counted(number, kind)} ({counted(runs, 'run')} each of {generations:,} generations)"
            for number, runs, kind, generations in kinds
            if number
        ]
        return (
            f"{', '.join(each)}; a generation has 24 x 100 rounds; of larger ones there are fewer, with as many games"
        )


SCALES = {
    "quick": EvolutionScale(2, 1, 1, 1200, 1200, 50, 10, False, (TEXT, PROGRAM, "previous best")),
    "laptop": EvolutionScale(10, 10, 10, 10_000, 3000, 50, 100, True, (TEXT, PROGRAM, OURS)),
    "paper": EvolutionScale(20, 20, 20, 10_000, 10_000, 50, 100, True),
}
_FRESH = 500  # seeds below were seen while settings were chosen


def _conditions_hash() -> str:
    """SHA-256 of the settings of all conditions, which were fixed before the seeds that are run."""
    text = json.dumps([condition._asdict() for condition in CONDITIONS], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class BetazeroEvolution(Study):
    """Does evolution from self-play alone reach perfect play, and which part of it matters?"""

    name = "betazero-evolution"
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
    frozen = {"settings of all conditions": _conditions_hash()}

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, one on each core; then walks, and the round robin."""
        trainings = [run.training for run in runs(settings)]
        walks = [walk for training in trainings for walk in on_both_sides(RULES, training.agent())]
        return [*trainings, *walks, *(played for *_, played in round_robin(settings))]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Reached, kept and proved, by condition; the runs that play each other; curves; lost games."""
        size = SCALES[settings.scale]
        outcomes = [RunOutcome.read(run, answers) for run in runs(settings)]
        found = {
            condition.name: [outcome for outcome in outcomes if outcome.run.condition is condition]
            for condition in size.chosen
        }
        scores, figures, tables = standings(settings, answers), list[Figure](), list[Table]()
        for title, (name, drawn), conditions in _REACHED:
            table = _reached_table(title, [one for one in conditions if one in size.chosen], found, size.judges)
            tables += [table] if table.rows else []
            lines = [_mean_line(one, found.get(one.name, ())) for one in conditions]
            about = "The mean of the runs of a condition, and from the best to the worst of them."
            figures += beside(table, _losses_figure(name, f"Rounds lost to minimax: {drawn}", lines), about)
        tables += [_proved_table(found), _selection_table(found[SELECTED], scores)]
        about = "Minimax never plays so: 0 losses against it are no proof."
        figures += beside(tables[-2], _lost_game(found), about)
        lines = [line_of(f"run {one.run.number + 1}", one.lost_by_generation) for one in found[SELECTED]]
        title, about = (
            f"Rounds lost to minimax: the runs of {SELECTED}",
            "Each run by itself: what is reached may be lost again.",
        )
        figures += beside(tables[-1], _losses_figure("runs", title, lines), about)
        return Conclusion(tuple(tables), tuple(figures), tuple(_findings(size, found, scores)))


class EvolutionRun(NamedTuple):
    """One training of a condition; `number` tells it from the others of its kind."""

    condition: EvolutionCondition
    number: int
    training: Training


def runs(settings: Settings) -> list[EvolutionRun]:
    """All trainings; the first of each condition first, so that all fill up together."""
    size = SCALES[settings.scale]
    return [
        EvolutionRun(condition, number, _training(condition, number, settings))
        for number in range(size.runs)
        for condition in size.chosen
        if number < size.runs_of(condition)
    ]


def runs_of(settings: Settings, name: str) -> list[EvolutionRun]:
    """Those of one condition."""
    return [run for run in runs(settings) if run.condition.name == name]


def round_robin(settings: Settings) -> Iterator[tuple[EvolutionRun, EvolutionRun, Played]]:
    """Every ordered pair of the selected condition's runs: the first moves first."""
    size, selected = SCALES[settings.scale], runs_of(settings, SELECTED)
    for a in selected:
        for b in selected:
            if a is not b:
                played = Played(
                    task=TASK,
                    a=a.training.agent(),
                    b=b.training.agent(),
                    games=size.rounds,
                    moves_first="a",
                    seed=settings.seed,
                    draws=(BetazeroEvolution.name, a.training.label, b.training.label),
                )
                yield a, b, played


def _training(condition: EvolutionCondition, number: int, settings: Settings) -> Training:
    size = SCALES[settings.scale]
    config = EvolutionConfig(
        task=format_task(TASK),
        seed=settings.seed * 1000 + _FRESH + number,
        schedule=Schedule(
            iterations=size.generations_of(condition),
            measure_iterations=max(1, round(size.every * condition.share)),
            measure_minutes=None,
            checkpoint_seconds=60.0,
        ),
        **condition.changes,
    )
    return Training(label=f"{condition.name}, run {number + 1}", method="es", config=config, cores=1)


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
            round(point.iteration / share): lost
            for point in self.curve
            if (lost := point.values.get("lost_rounds")) is not None
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
        return self.clean is not None and self.clean >= 0.9 and self.curve[-1].values.get("lost_rounds") == 0

    @property
    def reverted(self) -> bool:
        """Whether it reached 0 and lost nothing at its last measurement: the widest reading of "or revert to"."""
        return self.reached is not None and self.curve[-1].values.get("lost_rounds") == 0

    @property
    def lost(self) -> float | None:
        """Rounds of 100 that it loses to minimax at the end."""
        return self.curve[-1].values.get("lost_rounds") if self.curve else None

    def proved(self, *sides: Player) -> bool | None:
        """Whether no reply beats it on these sides, both unless given; None while that is not known."""
        return unbeatable(self.walks, *sides)


_Found = Mapping[str, Sequence[RunOutcome]]
"""By condition."""

_REACHED = (
    (
        "From the text to the program, one thing at a time",
        ("differences", "from the text to the program"),
        DIFFERENCES,
    ),
    ("Beyond both, one thing at a time, within as many games", ("better", "beyond both"), BETTER),
    ("The paper's negative results", ("negative-results", "the paper's negative results"), NEGATIVES),
)
"""The tables of what is reached, and the name and title of the figure beside each."""


def standings(settings: Settings, answers: Answers) -> dict[int, Score]:
    """What each run of the selected condition scored in the round robin, by its number; both sides of every match."""
    totals: dict[int, Score] = {}
    for a, b, played in round_robin(settings):
        score = answers[played].total
        for number, own in ((a.number, score), (b.number, score.turned())):
            totals[number] = totals.get(number, Score()) + own
    return totals


def best(scores: Mapping[int, Score]) -> tuple[int, ...]:
    """The numbers of the runs with the best average score, several where it is equal; none before there are games."""
    points = {number: score.points for number, score in scores.items() if score.games}
    most = max(points.values(), default=None)
    return tuple(number for number, score in points.items() if score == most)


def _reached_table(title: str, conditions: Sequence[EvolutionCondition], found: _Found, judges: bool) -> Table:
    return Table(
        title=title,
        label_columns=("Trained",),
        unit="runs that reach 0 losses against minimax and keep it, percent",
        rows=tuple(_reached_row(condition, found[condition.name], judges) for condition in conditions),
        caption="Against a minimax player that is random among the quickest wins, 100 rounds of two games at each measurement. A round lost once counts a half. Generations are counted in those of 23 candidates."
        + ("" if judges else " These runs are too short for a verdict."),
    )


def _reached_row(condition: EvolutionCondition, outcomes: Sequence[RunOutcome], judges: bool) -> Row:
    known = [outcome for outcome in outcomes if outcome.curve]
    if not known:
        return Row(labels=(condition.name,), paper=CLAIMS.get(condition.claim, ""))
    kept = sum(outcome.kept for outcome in known)
    reached = [outcome.reached for outcome in known if outcome.reached is not None]
    losses = [outcome.lost for outcome in known if outcome.lost is not None]
    return rate_row(
        (condition.name,),
        kept,
        len(known),
        ours=f"{kept} of {len(known)} reach and keep 0",
        paper=CLAIMS.get(condition.claim, ""),
        comparison=_comparison(condition.claim, kept, len(reached), len(known)) if judges else None,
        note=notes(
            f"{len(reached)} reach 0" + (f", after {median(reached):,.0f} generations (median)" if reached else ""),
            f"{sum(outcome.reverted for outcome in known)} lose none at the end, the widest reading of keeping it",
            f"{mean(losses):.1f} rounds of 100 lost at the end",
        ),
    )


def _comparison(claim: str, kept: int, reached: int, runs: int) -> Comparison | None:
    if claim == "half":
        return compare(kept, runs, PAPER_KEPT, PAPER_RUNS)
    if claim == "never":
        return compare_with_always(reached, runs, False)
    if claim == "rarely":  # the paper gives no number: a run that keeps it is against its words, and refutes nothing
        return compare_with_always(kept, runs, False, contrary="differs")
    return None


def _proved_table(found: _Found) -> Table:
    rows = []
    for name, outcomes in found.items():
        known = [outcome for outcome in outcomes if outcome.proved() is not None]
        both = sum(outcome.proved() is True for outcome in known)
        as_x, as_o = (sum(outcome.proved(side) is True for outcome in known) for side in SIDES)
        clean = [outcome for outcome in known if outcome.lost == 0]
        beaten = sum(outcome.proved() is False for outcome in clean)
        lost = f"of {len(clean)} that lose no round to minimax {beaten} can be beaten" if clean else ""
        note = notes(f"as X {as_x}, as O {as_o}", lost) if known else ""
        rows.append(rate_row((name,), both, len(known), ours=f"{both} of {len(known)} unbeatable", note=note))
    return Table(
        title="What 100 games cannot show: every reply and every tie walked, at the end of each run",
        label_columns=("Trained",),
        unit="runs that no reply beats, as X and as O, percent",
        rows=tuple(rows),
        caption="A proof, not a sample: ties may fall as they like, and the opponent may reply as it likes.",
    )


def _selection_table(outcomes: Sequence[RunOutcome], scores: Mapping[int, Score]) -> Table:
    selected, rows = best(scores), []
    for outcome in outcomes:
        number = outcome.run.number
        score = scores.get(number, Score())
        said = {True: "unbeatable", False: "can be beaten", None: ""}[outcome.proved()]
        course = ""
        if outcome.reached is not None:
            course = f"0 losses from generation {outcome.reached:,} on, in {percent(outcome.clean or 0):.0f} percent"
        elif outcome.lost is not None:
            course = f"never at 0 losses; {outcome.lost:g} rounds lost at the end"
        rows.append(
            Row(
                labels=(f"run {number + 1}",),
                ours=", ".join(filter(None, [f"{score.points:.3f}" if score.games else "", said])),
                value=score.points if score.games else None,
                count=score.games,
                note=notes("the best score" if number in selected else "", course),
            )
        )
    return Table(
        title=f"Selection without an oracle: {SELECTED}, each run against all others",
        label_columns=("Run",),
        unit="average score (win 1, draw 1/2)",
        rows=tuple(rows),
        caption="The paper's ten runs scored 0.367 to 0.556, and it took the best of them. Games among themselves are all that the choice rests on.",
    )


def _mean_line(condition: EvolutionCondition, outcomes: Sequence[RunOutcome]) -> Series:
    by_generation: dict[int, list[float]] = {}
    for outcome in outcomes:
        for generation, lost in outcome.lost_by_generation.items():
            by_generation.setdefault(generation, []).append(lost)
    return Series(
        name=condition.name,
        x=tuple(map(float, by_generation)),
        y=tuple(map(mean, by_generation.values())),
        low=tuple(map(min, by_generation.values())),
        high=tuple(map(max, by_generation.values())),
    )


_losses_figure = partial(curve_figure, x_label="generation of 23 candidates", y_label="rounds lost of 100")


def _lost_game(found: _Found) -> Iterator[BoardFigure]:
    """A shortest game that beats an agent which lost no round to minimax."""
    games = [
        (len(walk.lost_game), name, side, walk.lost_game)
        for name, outcomes in found.items()
        for outcome in outcomes
        if outcome.lost == 0
        for side, walk in outcome.walks.items()
        if walk.lost_game is not None
    ]
    if games:
        _, name, side, moves = min(games)
        mark = {"first": "X", "second": "O"}[side]
        title = f"{name}: a game that beats a run, playing {mark}, which loses no round of 100 to minimax"
        yield game_figure("lost-game", title, RULES, moves)


def _findings(size: EvolutionScale, found: _Found, scores: Mapping[int, Score]) -> Iterator[str]:
    """The most important first; of the trainings that are done and walked, and nothing before each condition has one."""
    found = {
        name: [outcome for outcome in outcomes if outcome.curve and outcome.proved() is not None]
        for name, outcomes in found.items()
    }
    if not all(found.values()):
        return
    rates = {
        name: (sum(one.kept for one in outcomes), sum(one.proved() is True for one in outcomes), len(outcomes))
        for name, outcomes in found.items()
    }
    for name in (TEXT, PROGRAM, REDRAWN, OURS):
        if name in rates:
            kept, proved, runs = rates[name]
            back = sum(outcome.reverted for outcome in found[name])
            yield f"With the settings of {name}, {kept} of {runs} runs reach 0 losses against minimax within {size.generations:,} generations of 23 candidates and keep it (nine of ten later measurements are 0), and {back} are back at 0 at the end; the paper, which allows 'or revert to': 5 of 10. Proved unbeatable as X and as O: {proved} of {runs}."
    if not size.judges:
        yield "These runs are too short to say anything about the paper's claims: see scale laptop."
        return
    for place, done in enumerate(("reach and keep 0 losses", "are proved unbeatable")):
        if more := _more_than_the_text({name: (rate[place], rate[2]) for name, rate in rates.items()}):
            text, runs = rates[TEXT][place], rates[TEXT][2]
            yield f"More runs than with the text's settings ({text} of {runs}) {done} with these; below p = {LEVEL:g} (Fisher's exact test, after Holm) the difference is told from chance: {more}."
    clean = [outcome for outcomes in found.values() for outcome in outcomes if outcome.lost == 0]
    beaten = sum(outcome.proved() is False for outcome in clean)
    if clean:
        yield f"0 losses in 100 rounds is no proof: of {len(clean)} networks that lose none at the end of their runs, {beaten} can be beaten by some reply."
    negatives = {one.name: sum(run.reached is not None for run in found.get(one.name, ())) for one in NEGATIVES}
    if said := [f"{name} {n} ({rates[name][0]}) of {rates[name][2]}" for name, n in negatives.items() if name in rates]:
        yield f"Of the paper's ten negative results, runs that reach 0 losses here (and keep it): {'; '.join(said)}."
    selected = [outcome for outcome in found[SELECTED] if outcome.run.number in best(scores)]
    if selected:
        _, proved, runs = rates[SELECTED]
        numbers = ", ".join(str(outcome.run.number + 1) for outcome in selected)
        unbeatable = sum(outcome.proved() is True for outcome in selected)
        yield f"Among the runs of {SELECTED}, games among themselves put these first: {numbers}. {unbeatable} of these {len(selected)} are unbeatable, and {proved} of all {runs}."


def _more_than_the_text(rates: Mapping[str, tuple[int, int]]) -> str:
    """Which other settings succeed in more runs than the text's, each with its p-value.

    Args:
        rates: Runs that succeed, and all, by condition.
    """
    text, runs = rates[TEXT]
    others = [condition.name for condition in (*DIFFERENCES[1:], *BETTER) if condition.name in rates]
    adjusted = holm([same_rate(*rates[name], text, runs) for name in others])
    return "; ".join(
        f"{name} ({rates[name][0]} of {rates[name][1]}, p = {p_value:.2g})"
        for name, p_value in zip(others, adjusted, strict=True)
        if rates[name][0] * runs > text * rates[name][1]
    )
