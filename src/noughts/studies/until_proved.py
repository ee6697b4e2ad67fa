"""When does self-play become unbeatable, does it stay so, and what helps: restarts from refutations, or random moves?

The games, conditions and budgets below, and the rule that picks a checkpoint, were fixed before anything was measured. The rule
picks the first check from which on no reply beats the agent until training has half as many positions again (`STANDS`).
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import Any, ClassVar, NamedTuple

from noughts.agents import AgentSpec
from noughts.document.result import Figure, Row
from noughts.machine import Recorder
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.question import TRAINING, Question
from noughts.questions.trained import Point, Trained, Training
from noughts.rules import Rules, StoreError, Value, parse_task
from noughts.rules.text import counted
from noughts.statistics import Interval
from noughts.store.run_folder import RunFolder
from noughts.studies.claims import curve_figure, difference_row, exact_share, line_of, notes, percent, rate_row
from noughts.studies.study import Conclusion, Settings, Study, concluded, section, with_minutes
from noughts.studies.trainings import (
    NumberedRun,
    alphazero,
    by_kind,
    known_walks,
    numbered_runs,
    on_both_sides,
    unbeatable,
)

STANDS = 1.5
"""A proof lasts if every check holds up to the first one with at least this many times as many positions."""

SIMULATIONS = 32
"""Simulations for each move of the checked agent."""

_NEVER = 1000  # proofs in a row that end a training: more than it has checks
_RESTARTS = {"share": 0.25, "plies": 6, "age": 50}

PLAIN = "plain"
CONDITIONS: dict[str, Mapping[str, Any]] = {
    PLAIN: {},
    "random moves": {"random_moves": 0.1},
    "uniform restarts": {"restarts": _RESTARTS | {"source": "uniform"}},
    "refutations": {"restarts": _RESTARTS},
    "refutations and random moves": {"restarts": _RESTARTS, "random_moves": 0.1},
}
"""Changes to the preset, by name of the condition."""

_BRIEFLY = 24
ABLATION: dict[str, Mapping[str, Any]] = {
    PLAIN: {},
    "no averaging of weights": {"averaging": 0.0},
    "learning rate to zero": {"optimiser": {"zero_after": 32 * _BRIEFLY}},  # the preset learns 32 batches an iteration
    "random moves": {"random_moves": 0.1},
    "a quarter of the width": {"network": "mlp:widths=32x32"},
    "twice the width": {"network": "mlp:widths=256x256"},
}
"""The same at scale ablation, which removes or adds one part of the recipe at a time."""
PLAYED = tuple((sims, view) for sims in (0, 8, 32, 128) for view in ("plain", "canonical"))
"""Simulations and views with which the last weights play at that scale."""


class ProvedGame(NamedTuple):
    """A game, the side that must be unbeatable, the preset that learns it, and the iterations between two checks."""

    task: str
    seat: Player | None  # None for both sides
    preset: str
    every: int

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.task}, {self.seat or 'both sides'}"


_TOE = ProvedGame("tic-tac-toe", None, "tic-tac-toe-fast", 2)
_MISERE = ProvedGame("mnk(3,3,3,line=loses)", None, "tic-tac-toe-fast", 2)
_NOTAKTO_3 = ProvedGame("notakto(3)", "first", "tic-tac-toe-fast", 2)
_NOTAKTO_4 = ProvedGame("notakto(4)", "second", "notakto-fast", 4)
_FOUR = ProvedGame("mnk(4,4,4)", "second", "gumbel", 2)
_THREE_ON_FOUR = ProvedGame("mnk(4,4,3)", "first", "gumbel", 2)
_BRICK = ProvedGame("bttt(D4)", "first", "gumbel", 10)
_BRICKS = ProvedGame("bttt(D3|D4)", "first", "gumbel", 10)


SCALES: dict[str, dict[ProvedGame, tuple[int, int]]] = {
    "quick": {_TOE: (24, 2), _NOTAKTO_3: (24, 1)},
    "laptop": {
        **dict.fromkeys((_TOE, _MISERE, _NOTAKTO_3), (40, 6)),
        _NOTAKTO_4: (60, 2),
        **dict.fromkeys((_FOUR, _THREE_ON_FOUR), (20, 1)),
    },
    "paper": {
        **dict.fromkeys((_TOE, _MISERE, _NOTAKTO_3), (60, 10)),
        **dict.fromkeys((_NOTAKTO_4, _FOUR, _THREE_ON_FOUR), (120, 10)),
        **dict.fromkeys((_BRICK, _BRICKS), (240, 10)),
    },
    "ablation": dict.fromkeys((_TOE, _MISERE, _NOTAKTO_3), (_BRIEFLY, 5)),
}
"""The trainings of each scale: by game, the iterations and seeds of each condition."""


def conditions(scale: str) -> Mapping[str, Mapping[str, Any]]:
    """Changes to the preset, by name of the condition."""
    return ABLATION if scale == "ablation" else CONDITIONS


class LostGames(Value):
    """Games that beat a run after it was proved: the iterations at which they were found, and their moves."""

    error_type: ClassVar = StoreError
    called: ClassVar = "games that were lost"

    games: tuple[tuple[int, tuple[int, ...]], ...]


class LostAgain(Question[LostGames]):
    """The games that beat a training at the first check after a proof."""

    packages: ClassVar = TRAINING

    training: Training

    def needs(self) -> Sequence[Training]:
        """The training."""
        return (self.training,)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> LostGames:
        """Check the weights of these checks again."""
        from noughts.training.proving import RunProver  # loads array libraries

        (trained,) = needed
        until = self.training.settings.schedule.proof
        assert until is not None
        prover = RunProver(RunFolder.open(self.training.makes()), until)
        lost = ((point.iteration, prover.check(point.iteration).lost) for point in lost_again(trained))
        return LostGames(games=tuple((iteration, games[0].moves) for iteration, games in lost if games))


class UntilProvedStudy(Study):
    """Self-play until no reply beats the agent, and beyond."""

    name = "until-proved"
    title = "Training until proved, and whether proofs last"
    question = "After how many positions of self-play does no reply beat the agent, does that last, and what helps?"
    scales = with_minutes(
        {
            scale: "; ".join(
                f"{game.title}: {counted(seeds, 'seed')} of {iterations} iterations"
                for game, (iterations, seeds) in games.items()
            )
            + f"; each in {len(conditions(scale))} conditions"
            + ": what makes proofs last, one part of the recipe at a time" * (scale == "ablation")
            for scale, games in SCALES.items()
        },
        quick=": too small for conclusions; about 4 minutes on two cores",
        laptop=90,
        paper="; planned for many cores",
    )
    deviations = (
        f"Games, conditions, budgets and the rule that picks a checkpoint were fixed in advance. The rule picks the first one that is proved at every check until there are {STANDS - 1:.0%} more positions.",
        f"Every few iterations all replies to the network with {SIMULATIONS} simulations a move are tried, on each side that must not lose, in the order of the network's own values. No solver and no exact value is used, and the independent checker accepts each certificate.",
        f"Restarts: {_RESTARTS['share']:.0%} of the new games begin on one of the last {_RESTARTS['plies']} positions of a game that a check of the last {_RESTARTS['age']} iterations found, or, where they are uniform, anywhere in the latest own games. The checks supply only positions, no values; notes count them.",
        "Seconds are those of a training on one core, with others on the other cores, including compilation and checks.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, first seeds first; then the games by which proofs were lost."""
        study = self.at(settings)
        trainings = [run.training for run in study.runs]
        lost = [LostAgain(training=training) for training in trainings]
        return [*trainings, *lost, *(walk for run, how in study.played for walk in on_both_sides(*_playing(run, *how)))]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """When agents are proved, how often proofs are lost again, and each condition compared with plain training."""
        study = self.at(settings, answers)
        sections = [_proved(study), _lost(study), _beside_plain(study)]
        return concluded(*sections, *([_played(study)] if study.played else []))

    def _plan(self, settings: Settings) -> None:
        """The trainings of each game in each condition, first seeds first; and those whose last weights play, in which way."""
        self.seed, self.games = settings.seed, SCALES[settings.scale]
        self.conditions = conditions(settings.scale)
        seeds = {(game, condition): n for game, (_, n) in self.games.items() for condition in self.conditions}
        self.runs = numbered_runs(seeds.items(), self._training)
        plain = [run for run in self.runs if run.kind[1] == PLAIN] if self.conditions is ABLATION else []
        self.played = [(run, how) for run in plain for how in PLAYED]

    @cached_property
    def known(self) -> dict[tuple[ProvedGame, str], dict[int, Trained]]:
        """The finished trainings by game and condition, then by number of the seed."""
        return {
            kind: {run.number: trained for run in runs if (trained := self.answers[run.training])}
            for kind, runs in by_kind(self.runs).items()
        }

    def _training(self, kind: tuple[ProvedGame, str], number: int) -> Training:
        game, condition = kind
        until = f"proved:sims={SIMULATIONS},as={game.seat or 'both'},stable={_NEVER}"
        label, (iterations, _) = f"{game.title}, {condition}, seed {number}", self.games[game]
        schedule, changes = {"until": until, "measure_iterations": game.every}, self.conditions[condition]
        return alphazero(label, game.preset, game.task, self.seed + number, iterations, schedule, **changes)


def _playing(run: NumberedRun[tuple[ProvedGame, str]], sims: int, view: str) -> tuple[Rules, AgentSpec]:
    """The game of a run, and the agent of its last weights with these simulations and this view."""
    return parse_task(run.kind[0].task).rules[0], run.training.agent(sims, view=view)


def is_proved(point: Point) -> bool:
    """Whether no reply beat the agent at a check."""
    return point.values.get("proved") == 1.0


def first_proved_check(trained: Trained) -> Point | None:
    """The first check at which no reply beat the agent."""
    return next(filter(is_proved, trained.curve), None)


def lasting_proof(trained: Trained) -> Point | None:
    """The first check whose proof lasts, as defined by `STANDS`; None if there is none or training ends too early."""
    for number, point in enumerate(trained.curve):
        ends = (n for n, later in enumerate(trained.curve) if later.positions >= STANDS * point.positions)
        end = next(ends, None)
        if end is not None and all(map(is_proved, trained.curve[number : end + 1])):
            return point
    return None


def lost_again(trained: Trained) -> list[Point]:
    """The checks at which some reply beats the agent, although it was proved at the check before."""
    pairs = zip(trained.curve, trained.curve[1:], strict=False)
    return [after for before, after in pairs if is_proved(before) and not is_proved(after)]


def proved_share(trained: Trained) -> Interval:
    """The share of a training's checks at which no reply beats the agent: larger if it is proved sooner, and if proofs last. It
    is exact, because all checks count."""
    return exact_share(sum(map(is_proved, trained.curve)) / len(trained.curve))


def _spread(name: str, values: Sequence[float], unit: str) -> str:
    """The median and the range of some numbers, in words; empty without numbers."""
    if not values:
        return ""
    return f"{name} {median(values):,.0f} {unit} ({min(values):,.0f} to {max(values):,.0f})"


def _proved(study: UntilProvedStudy) -> Conclusion:
    def row(game: ProvedGame, condition: str) -> Row:
        known = study.known[game, condition].values()
        firsts, lasting = (
            [point for trained in known if (point := find(trained))] for find in (first_proved_check, lasting_proof)
        )
        supplied = [trained.curve[-1].values.get("supplied") or 0.0 for trained in known]
        return rate_row(
            (game.title, condition),
            len(lasting),
            len(known),
            note=notes(
                f"proved once: {len(firsts)} of {len(known)}" * bool(known),
                _spread("first after", [point.positions for point in firsts], "positions"),
                _spread("in", [point.seconds for point in firsts], "s"),
                _spread("lasting from", [point.positions for point in lasting], "positions"),
                _spread("the checks supplied", supplied, "positions") if any(supplied) else "",
            ),
        )

    figures = list[Figure]()
    for game in study.games:
        lines = [line_of(condition, _curve(known)) for (own, condition), known in study.known.items() if own == game]
        title, label = f"{game.title}: seeds that no reply beats", "seeds proved at a check, percent"
        figures += curve_figure(f"proved {game.task}", title, lines, "positions of self-play", label)
    return section(
        "A proof that lasts",
        _COLUMNS,
        "seeds with a proof that lasts, percent",
        (row(*kind) for kind in study.known),
        f"Proved at a check and at all later ones until there are {STANDS - 1:.0%} more positions. Medians and ranges are over the seeds that reach this.",
        figures={"Each check of every seed.": figures},
        finding=f"Seeds with a proof that lasts through {STANDS - 1:.0%} more training",
    )


_COLUMNS = ("Game and side", "Condition")


def _curve(known: Mapping[int, Trained]) -> dict[float, float]:
    """The percentage of seeds that are proved at each check, by the mean number of their positions."""
    checks = zip(*(trained.curve for trained in known.values()), strict=False)
    return {
        sum(point.positions for point in points) / len(points): percent(sum(map(is_proved, points)) / len(points))
        for points in checks
    }


def _lost(study: UntilProvedStudy) -> Conclusion:
    def row(game: ProvedGame, condition: str) -> Row:
        known, rules = study.known[game, condition].values(), parse_task(game.task).rules[0]
        again = [LostAgain(training=run.training) for run in study.runs if run.kind == (game, condition)]
        found = [moves for asked in again if (answer := study.answers[asked]) for _, moves in answer.games]
        games = list(dict.fromkeys(" ".join(map(rules.name_of, moves)) for moves in found))
        proofs = sum(is_proved(point) for trained in known for point in trained.curve[:-1])
        lost = sum(len(lost_again(trained)) for trained in known)
        shown = f"by {', '.join(games[:3])}" * bool(games) + f" and {len(games) - 3} more" * (len(games) > 3)
        return rate_row((game.title, condition), lost, proofs, note=shown)

    return section(
        "Proofs that are lost again",
        _COLUMNS,
        "proofs that the next check refutes, percent",
        (row(*kind) for kind in study.known),
        "Counts proofs after which the next check finds a game that the agent loses, with the moves of some.",
        finding="Proofs that the next check refutes",
    )


def _beside_plain(study: UntilProvedStudy) -> Conclusion:
    shares = {kind: {seed: proved_share(one) for seed, one in own.items()} for kind, own in study.known.items()}
    rows = (
        difference_row((game.title, condition), own, shares[game, PLAIN])
        for (game, condition), own in shares.items()
        if condition != PLAIN
    )
    return section(
        "Beside plain training",
        _COLUMNS,
        "checks at which no reply beats it, difference from plain training of the same seed in points",
        filter(None, rows),
        "The percentage of all checks of a training, so both an early proof and a lasting one count. The mean is over pairs of equal seeds, with its 95 percent interval if they differ.",
        finding="Checks at which no reply beats it, difference from plain training of the same seeds",
        spread="difference",
    )


def _played(study: UntilProvedStudy) -> Conclusion:
    """The number of seeds that no reply beats after their last iteration, by simulations and view."""
    found: dict[tuple[ProvedGame, int, str], list[bool]] = {}
    for run, (sims, view) in study.played:
        game, walks = run.kind[0], known_walks(*_playing(run, sims, view), study.answers)
        known = unbeatable(walks, *([game.seat] if game.seat else []))
        found.setdefault((game, sims, view), []).extend([] if known is None else [known])
    return section(
        "The last weights, by how they are played",
        ("Game and side", "Simulations", "View"),
        "seeds that no reply beats, percent",
        (rate_row((game.title, f"{sims}", view), sum(own), len(own)) for (game, sims, view), own in found.items()),
        "The same weights of plain training. With a canonical view, images of a position are one, and the agent plays alike in all of them.",
        finding="Seeds that no reply beats after the last iteration, by simulations and view",
    )
