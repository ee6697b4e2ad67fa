"""Evolution against an omniscient adversary: the published result, its negative results, and proofs about both."""

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import mean, median
from types import SimpleNamespace
from typing import Any, NamedTuple

from noughts.document.citations import BETAZERO_PAPER
from noughts.document.result import BoardFigure, Row, Series, game_figure
from noughts.play.playthrough import SIDES
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import Trained, Training
from noughts.rules import format_task
from noughts.rules.text import counted
from noughts.statistics import LEVEL, Comparison, compare, compare_with_always, holm, same_rate
from noughts.studies.claims import curve_figure, line_of, notes, percent, rate_row
from noughts.studies.games import TIC_TAC_TOE, TOE_TASK, moving_first
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes
from noughts.studies.trainings import (
    MARK,
    NumberedRun,
    Walks,
    evolution,
    known_walks,
    numbered_runs,
    on_both_sides,
    unbeatable,
)
from noughts.training.evolution.config import PRESETS

PAPER_RUNS, PAPER_KEPT = 10, 5
CLAIMS = {
    "half": f"{PAPER_KEPT} of {PAPER_RUNS} reach and keep 0 losses",
    "never": "0 losses never reached",
    "rarely": "0 losses rarely reached, and not kept",
}
"""The paper's claims, by the key that a condition names."""


class EvolutionCondition(NamedTuple):
    """A way to train."""

    name: str  # as tables show it
    changes: dict[str, Any]  # fields of its `EvolutionConfig` that differ from the paper's text
    claim: str = ""  # a key of `CLAIMS`; empty where the paper claims nothing
    many: bool = False  # whether it has as many runs as the paper's main experiment; others have fewer

    @property
    def share(self) -> float:
        """The share of generations with equally many games; below 1 for a larger population."""
        return POPULATION / int(self.changes.get("population", POPULATION))


POPULATION = 23
"""The paper's population. Generations are counted in units of this size, so equal numbers mean equally many games."""

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
"""From the paper's text to the authors' program, one difference at a time."""

BETTER = (
    EvolutionCondition("seeds redrawn, sigma 0.5", {"seeds": "redrawn", "sigma": 0.5}),
    EvolutionCondition("seeds redrawn, sigma 0.5, population 230", {"seeds": "redrawn", "sigma": 0.5, **_LARGE}),
    EvolutionCondition(OURS, {**PRESETS["betazero-unbeatable"]}, many=True),
)
"""From redrawn seeds on, one more change at a time, with equally many games: ten times the population for a tenth of the
generations, then a diagonal covariance matrix."""


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
"""The paper's negative results, each with the program's settings except for the change in its name."""

CONDITIONS = DIFFERENCES + BETTER + NEGATIVES
SELECTED = PROGRAM
"""The condition whose runs play each other, to select the best."""


# For a condition of each kind: the number of runs, and the generations of each, in units of 23 candidates.
SCALES = sizes(
    main=((2, 1200), (10, 10_000), (20, 10_000)),
    other=((1, 1200), (10, 10_000), (20, 10_000)),
    negative=((1, 1200), (10, 3000), (20, 10_000)),
    rounds=(10, 100, 100),  # for each ordered pair in the round robin
    judges=(False, True, True),  # whether runs are long enough for a verdict on the paper's claims
    conditions=((TEXT, PROGRAM, "previous best"), (TEXT, PROGRAM, OURS), ()),  # by name; empty for all
)
_KINDS = {"main": "main condition", "other": "other", "negative": "negative result"}
_EVERY = 50  # generations of 23 candidates between two measurements of strength


def _kind(condition: EvolutionCondition) -> str:
    return "negative" if condition in NEGATIVES else "main" if condition.many else "other"


def chosen(size: SimpleNamespace) -> list[EvolutionCondition]:
    """The conditions of a scale."""
    return [condition for condition in CONDITIONS if not size.conditions or condition.name in size.conditions]


def _about(size: SimpleNamespace) -> str:
    found, each = Counter(map(_kind, chosen(size))), []
    for kind, called in _KINDS.items():
        runs, generations = getattr(size, kind)
        of_each = f"{counted(runs, 'run')} each of {generations:,} generations"
        each += [f"{counted(found[kind], called)} ({of_each})"] if kind in found else []
    return f"{', '.join(each)}; a generation has 24 x 100 rounds; of larger ones there are fewer, with as many games"


_FRESH = 500  # seeds below this were used to choose the settings


_CONDITIONS = json.dumps([condition._asdict() for condition in CONDITIONS], sort_keys=True)
"""The settings of all conditions, fixed before any of these seeds was run."""


class BetazeroEvolution(Study):
    """Does evolution from self-play alone reach perfect play, and which part of it matters?"""

    name = "betazero-evolution"
    title = "Evolution against an omniscient adversary"
    question = "Does a network of 703 numbers, evolved against an adversary that knows its replies, learn tic-tac-toe so that no reply beats it? Which part of the method matters?"
    paper = "BetaZero: Tabula Rasa Tic-Tac-Toe (2018), Results and Discussion"
    citations = (BETAZERO_PAPER,)
    scales = with_minutes({scale: _about(size) for scale, size in SCALES.items()}, quick=3, laptop=108)
    deviations = (
        "The paper does not state how long its runs were. Here all runs of one table have equally many games, so a generation of 230 candidates counts as ten.",
        "A round is two games with one seed, in which the network is first X and then O. The paper's n = 100 counts such rounds, because it prints halves.",
        "The text fixes the 100 seeds at the start and treats values within 1e-6 as equal. The authors' program draws new seeds for each generation and treats values within 1e-2 as equal. Both are rows here; the negative results have the program's settings.",
        "The step size adapts by CSA, as pycma's did in 2018. Today's pycma uses the two-point method (TPA) for this many parameters, which has its own rows.",
        "All randomness of a game, including ties, comes from its seed. In the authors' program ties are unseeded; the row with seeds drawn for each candidate is closest to that.",
        "The mean that is compared with the threshold is the one around which a generation was sampled, so it plays together with its candidates, one generation later than after the update.",
        '"Reach and keep" means that a measurement shows 0 lost of 100 rounds, as do nine of ten later ones and the last. This is our definition. The paper writes "continues to achieve (or revert to) zero losses"; notes count its widest reading, no loss at the last measurement.',
        "The settings of all conditions were chosen on seeds below 500. Runs have seeds from 500 on, so none was used for the choice. The hash of the settings is at the end of this page.",
        'The paper describes "hall of fame" only as "various ideas". Here the opponent of each game is drawn from all former bests (the latest 1,000), or from the last ten. Flat Monte Carlo is the adversary with random moves inside. Its rounds grow by 10 percent whenever the mean loses fewer than 10 of them, up to 1,000, because they would grow without end against an unbeatable network.',
        "We try every reply and every tie to find out whether an agent can be beaten. The paper did not.",
    )
    takes_guests = False
    frozen = {"settings of all conditions": hashlib.sha256(_CONDITIONS.encode()).hexdigest()}

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, one on each core; then walks, and the round robin."""
        trainings = [run.training for run in runs(settings)]
        walks = [walk for training in trainings for walk in on_both_sides(TIC_TAC_TOE, training.agent())]
        return [*trainings, *walks, *(played for *_, played in round_robin(settings))]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables by condition of 0 losses reached, kept and proved; the round robin; curves; lost games."""
        size = SCALES[settings.scale]
        outcomes = [
            RunOutcome(run, answers[run.training], known_walks(TIC_TAC_TOE, run.training.agent(), answers))
            for run in runs(settings)
        ]
        found = {one.name: [each for each in outcomes if each.run.kind is one] for one in chosen(size)}
        reached = [_reached(title, name, own, found, size.judges) for title, name, own in _REACHED]
        known = [outcome for outcome in outcomes if outcome.losses and unbeatable(outcome.walks) is not None]
        everywhere = {outcome.run.kind.name for outcome in known} == found.keys()
        tests = _more_than_the_text(known) if size.judges and everywhere else ()
        return concluded(*reached, _proved(found, tests), _selection(found[SELECTED], standings(settings, answers)))


def runs(settings: Settings) -> list[NumberedRun[EvolutionCondition]]:
    """All trainings, first seeds first, so that all conditions fill up evenly."""
    size = SCALES[settings.scale]
    seeds = ((condition, getattr(size, _kind(condition))[0]) for condition in chosen(size))
    return numbered_runs(seeds, partial(_training, settings))


def round_robin(
    settings: Settings,
) -> Iterator[tuple[NumberedRun[EvolutionCondition], NumberedRun[EvolutionCondition], Played]]:
    """Every ordered pair of the selected condition's runs with its match; the first run moves first."""
    for a, b in itertools.permutations([run for run in runs(settings) if run.kind.name == SELECTED], 2):
        (first, second), each = (run.training.agent() for run in (a, b)), SCALES[settings.scale].rounds
        draws = (BetazeroEvolution.name, a.training.label, b.training.label)
        yield a, b, moving_first(first, second, TOE_TASK, each, settings.seed, *draws)


def _training(settings: Settings, condition: EvolutionCondition, number: int) -> Training:
    label, seed = f"{condition.name}, run {number + 1}", settings.seed * 1000 + _FRESH + number
    _, whole = getattr(SCALES[settings.scale], _kind(condition))
    generations, every = round(whole * condition.share), max(1, round(_EVERY * condition.share))
    return evolution(label, format_task(TOE_TASK), seed, generations, every, **condition.changes)


class RunOutcome:
    """The results of one run so far.

    Args:
        run: The run.
        trained: Its training's answer; None until it is done.
        walks: The results of walking every reply and every tie, by side.

    Attributes:
        losses: Rounds lost to minimax of 100, by generation in units of 23 candidates.
        lost: Rounds lost at the last measurement; None until it is done.
        reached: The generation of the first measurement without a loss; None without one.
        clean: The share of measurements without a loss, from that one on.
        reverted: Whether it reached 0 and lost nothing at its last measurement: the widest reading of "or revert to".
        kept: Whether also nine of ten measurements from `reached` on are 0: "continues to achieve (or revert to) zero losses".
    """

    def __init__(self, run: NumberedRun[EvolutionCondition], trained: Trained | None, walks: Walks) -> None:
        self.run, self.walks = run, walks
        measured = ((point.iteration, point.values.get("lost_rounds")) for point in (trained.curve if trained else ()))
        share = run.kind.share
        self.losses = {round(iteration / share): lost for iteration, lost in measured if lost is not None}
        self.lost = next(reversed(self.losses.values()), None)
        self.reached = next((generation for generation, lost in self.losses.items() if lost == 0), None)
        later = [lost == 0 for at, lost in self.losses.items() if self.reached is not None and at >= self.reached]
        self.clean = sum(later) / len(later) if later else 0.0
        self.reverted = self.reached is not None and self.lost == 0
        self.kept = self.reverted and self.clean >= 0.9


_Found = Mapping[str, Sequence[RunOutcome]]
"""By condition."""

_REACHED = (
    ("From the text to the program, one thing at a time", "differences", DIFFERENCES),
    ("Beyond both, one thing at a time, within as many games", "better", BETTER),
    ("The paper's negative results", "negative-results", NEGATIVES),
)
"""The tables of runs that reach 0 losses, with the names of their figures."""


def standings(settings: Settings, answers: Answers) -> dict[int, Score]:
    """The score of each run of the selected condition in the round robin, by its number; both sides of every match count."""
    totals: dict[int, Score] = {}
    for a, b, played in round_robin(settings):
        score = answers[played].total
        for number, own in ((a.number, score), (b.number, score.turned())):
            totals[number] = totals.get(number, Score()) + own
    return totals


def best(scores: Mapping[int, Score]) -> tuple[int, ...]:
    """The numbers of the runs with the best average score, several if they tie; empty without games."""
    points = {number: score.points for number, score in scores.items() if score.games}
    most = max(points.values(), default=None)
    return tuple(number for number, score in points.items() if score == most)


def _reached(
    title: str, figure: str, conditions: Sequence[EvolutionCondition], found: _Found, judges: bool
) -> Conclusion:
    own = [condition for condition in conditions if condition.name in found]
    lines, short = [_mean_line(one, found[one.name]) for one in own], " These runs are too short for a verdict."
    about = "The mean of a condition's runs, with the range from the best to the worst."
    return section(
        title,
        ("Trained",),
        "runs that reach 0 losses against minimax and keep it, percent",
        [_reached_row(condition, found[condition.name], judges) for condition in own],
        "Against a minimax player that is random among the quickest wins, 100 rounds of two games at each measurement. A round with one lost game counts a half. The unit of generations is one of 23 candidates."
        + short * (not judges),
        {about: _losses_figure(figure, f"{title}: rounds lost to minimax", lines)},
        f"{title}, runs that reach 0 losses against minimax and keep it",
    )


def _reached_row(condition: EvolutionCondition, outcomes: Sequence[RunOutcome], judges: bool) -> Row:
    known, paper = [outcome for outcome in outcomes if outcome.losses], CLAIMS.get(condition.claim, "")
    if not known:
        return Row(labels=(condition.name,), paper=paper)
    kept = sum(outcome.kept for outcome in known)
    reached = [outcome.reached for outcome in known if outcome.reached is not None]
    losses = [outcome.lost for outcome in known if outcome.lost is not None]
    soon = f", after {median(reached):,.0f} generations (median)" if reached else ""
    back = sum(outcome.reverted for outcome in known)
    return rate_row(
        (condition.name,),
        kept,
        len(known),
        ours=f"{kept} of {len(known)} reach and keep 0",
        paper=paper,
        comparison=_comparison(condition.claim, kept, len(reached), len(known)) if judges else None,
        note=notes(
            f"{len(reached)} reach 0{soon}",
            f"{back} lose none at the end, the widest reading of keeping it",
            f"{mean(losses):.1f} rounds of 100 lost at the end",
        ),
    )


def _comparison(claim: str, kept: int, reached: int, runs: int) -> Comparison | None:
    if claim == "half":
        return compare(kept, runs, PAPER_KEPT, PAPER_RUNS)
    if claim == "never":
        return compare_with_always(reached, runs, False)
    if claim == "rarely":  # the paper gives no number, so a run that keeps 0 losses differs from it but refutes nothing
        return compare_with_always(kept, runs, False, contrary="differs")
    return None


def _proved(found: _Found, tests: Iterable[str]) -> Conclusion:
    rows = []
    for name, outcomes in found.items():
        known = [outcome for outcome in outcomes if unbeatable(outcome.walks) is not None]
        both = sum(unbeatable(outcome.walks) is True for outcome in known)
        as_x, as_o = (sum(unbeatable(outcome.walks, side) is True for outcome in known) for side in SIDES)
        clean = [outcome for outcome in known if outcome.lost == 0]
        beaten = sum(unbeatable(outcome.walks) is False for outcome in clean)
        lost = f"of {len(clean)} that lose no round to minimax {beaten} can be beaten" * bool(clean)
        note = notes(f"as X {as_x}, as O {as_o}", lost) if known else ""
        rows.append(rate_row((name,), both, len(known), ours=f"{both} of {len(known)} unbeatable", note=note))
    return section(
        "Every reply and every tie, at the end of each run",
        ("Trained",),
        "runs that no reply beats, as X and as O, percent",
        rows,
        "A proof, not a sample: it covers every reply and every way to break ties.",
        {"Minimax never plays this game, so 0 losses against it are no proof.": _lost_game(found)},
        "Runs that no reply beats, as X and as O",
        findings=tests,
    )


def _selection(outcomes: Sequence[RunOutcome], scores: Mapping[int, Score]) -> Conclusion:
    selected, said = best(scores), {True: "unbeatable", False: "can be beaten", None: ""}

    def row(outcome: RunOutcome) -> Row:
        number, course = outcome.run.number, ""
        if outcome.reached is not None:
            course = f"0 losses from generation {outcome.reached:,} on, in {percent(outcome.clean):.0f} percent"
        elif outcome.lost is not None:
            course = f"never at 0 losses; {outcome.lost:g} rounds lost at the end"
        score = scores.get(number, Score())
        points = score.points if score.games else None
        return Row(
            labels=(f"run {number + 1}",),
            ours=", ".join(filter(None, ["" if points is None else f"{points:.3f}", said[unbeatable(outcome.walks)]])),
            value=points,
            count=score.games,
            note=notes("the best score" * (number in selected), course),
        )

    lines = [line_of(f"run {one.run.number + 1}", one.losses) for one in outcomes]
    figures = _losses_figure("runs", f"Rounds lost to minimax: the runs of {SELECTED}", lines)
    return section(
        f"Selection without an oracle: {SELECTED}, each run against all others",
        ("Run",),
        "average score (win 1, draw 1/2)",
        map(row, outcomes),
        "The paper's ten runs scored 0.367 to 0.556, and it took the best one. The choice uses only games between the runs.",
        {"Each run by itself. A run that reaches 0 losses may lose again later.": figures},
        f"Runs of {SELECTED} that rank first by games between the runs",
        lambda row: "the best score" in row.note,
    )


def _mean_line(condition: EvolutionCondition, outcomes: Sequence[RunOutcome]) -> Series:
    by_generation: dict[int, list[float]] = {}
    for outcome in outcomes:
        for generation, lost in outcome.losses.items():
            by_generation.setdefault(generation, []).append(lost)
    points = ((generation, mean(lost), min(lost), max(lost)) for generation, lost in by_generation.items())
    return Series.through(condition.name, points)


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
        title = f"{name}: a game that beats a run, playing {MARK[side]}, which loses no round of 100 to minimax"
        yield game_figure("lost-game", title, TIC_TAC_TOE, moves)


def _more_than_the_text(outcomes: Sequence[RunOutcome]) -> Iterator[str]:
    """Findings: the settings with which more runs succeed than with the text's, and their p-values."""
    names = [one.name for one in (*DIFFERENCES, *BETTER) if any(run.run.kind is one for run in outcomes)]
    by_name = {name: [run for run in outcomes if run.run.kind.name == name] for name in names}
    for done in ("reach and keep 0 losses", "are proved unbeatable"):
        succeeds = (lambda run: run.kept) if done.startswith("reach") else (lambda run: unbeatable(run.walks) is True)
        rates = {name: (sum(map(succeeds, runs)), len(runs)) for name, runs in by_name.items()}
        text, runs = rates.pop(TEXT)
        adjusted = holm([same_rate(*rate, text, runs) for rate in rates.values()])
        more = {
            name: f"{kept} of {of}, p = {p_value:.2g}"
            for (name, (kept, of)), p_value in zip(rates.items(), adjusted, strict=True)
            if kept * runs > text * of
        }
        legend = f"More runs than with the text's settings ({text} of {runs}) {done} with these; below p = {LEVEL:g} (Fisher's exact test, after Holm) the difference is significant"
        yield from listed(legend, more)
