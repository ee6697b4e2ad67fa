"""What studies share that train several learners on one class of brick squares, as a file of frozen settings has it, and look at
their checkpoints: their games on classes seen and unseen, and how far they carry at equal seen score."""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.result import Row, Series
from noughts.examine.sample import Plies
from noughts.play.score import Score
from noughts.positions import derive_seed
from noughts.questions.answers import Answers
from noughts.questions.played import GameScore, Played
from noughts.questions.trained import Point, Training
from noughts.rules import Rules, Value, parse_task, task_of
from noughts.statistics import Interval, clustered_share, mean_share
from noughts.studies.claims import interval_series, notes, percent, share_row
from noughts.studies.games import CLASSES, moving_first
from noughts.studies.study import Conclusion, Settings, section
from noughts.studies.trainings import alphazero, numbered_runs

_SEEDS = "certified-generalisation"
"""The study that asked first: seeds derive from its name, so that trainings and games of another with equal settings are its own."""


class Variant(Value):
    """One change to a learner or its training, or to another variant.

    Attributes:
        about: What is different, in words.
        changes: Fields of the configuration.
        group: Which figure it is drawn in; empty for the base.
        beside: The variant from which it differs in one thing.
    """

    called: ClassVar = "variant"

    about: str
    changes: dict[str, Any]
    group: str = ""
    beside: str = "line"


class RunSizes(Value):
    """How much is run at a scale.

    Attributes:
        seeds, fewer: Trainings of each learner, and of those that have fewer: a costly one would take most of the time.
        iterations: Of training, by learner or of all.
        variants: Those that are trained; none for all.
        squares: First squares of the classes that are asked about; none for all.
        games: Against the opponent on a square of each class, at every checkpoint.
        every: A checkpoint comes after so many iterations each.
        training: Fields of the configuration that differ from Gumbel AlphaZero's.
        most, hunt: Positions of a walk, and those that a narrow one keeps of each level.
        plies, per_ply, nodes: Positions of random play that are judged, on a square of each class.
        own_games, own_positions: Games in which the agent's own positions are met, and how many of them are judged.
    """

    called: ClassVar = "settings of a scale"

    seeds: int
    squares: tuple[str, ...]
    games: int
    every: int
    training: dict[str, Any]
    iterations: int | dict[str, int]
    fewer: dict[str, int] = {}
    variants: tuple[str, ...] = ()
    most: int = 0
    hunt: int = 0
    plies: Plies = (0, 0)
    per_ply: int = 0
    own_games: int = 0
    own_positions: int = 0
    nodes: int = 0


class FrozenSettings(Value):
    """What was fixed before anything was measured.

    Attributes:
        trained_on: The game that training shows, unless a learner differs in that.
        opponent: Against which games are played.
        seen_score: From this share of wins on its training classes on, learners are compared at equal seen score.
        margin: Shares that are less apart count as equal.
        scales: By name.
        networks, variants: What learns, by what it is called: either networks, or variants of one.
        groups: Titles of the figures, by the group of variants.
        validation, test: First squares of the classes by which a checkpoint is chosen, and of those on which it is tested.
    """

    called: ClassVar = "frozen settings"

    about: str
    trained_on: str
    opponent: str
    seen_score: float
    margin: float
    scales: Mapping[str, RunSizes]
    networks: dict[str, str] = {}
    variants: dict[str, Variant] = {}
    groups: dict[str, str] = {}
    validation: tuple[str, ...] = ()
    test: tuple[str, ...] = ()

    @cached_property
    def learners(self) -> dict[str, dict[str, Any]]:
        """Fields of the configuration in which learners differ from each other, those of all scales."""
        networks = {name: {"network": network} for name, network in self.networks.items()}
        return networks | {name: variant.changes for name, variant in self.variants.items()}


def read_settings(name: str) -> tuple[FrozenSettings, dict[str, str]]:
    """The frozen settings of a file in this package; its name with its SHA-256, as `Study.frozen` has it."""
    content = files("noughts.studies").joinpath(name).read_bytes()
    return FrozenSettings(**json.loads(content)), {f"studies/{name}": hashlib.sha256(content).hexdigest()}


class TrainedUntil(NamedTuple):
    """A learner in training: the one of a seed, after so many iterations."""

    learner: str
    seed: int
    iteration: int


Share = Callable[[TrainedUntil], Interval | None]
"""A share of something at a checkpoint, with its interval; None where it is not known."""

RowOf = Callable[[str, Sequence[TrainedUntil], str], Row]
"""A row about checkpoints of a learner, one of each seed, with a note."""

UNSEEN_WINS = "won on unseen classes, percent"
OVER_SEEDS = "the mean of the seeds with its 95 percent interval; of one seed, the interval of its own"


class PlannedCheckpoints:
    """What a scale of a study trains, the games of its checkpoints, and what is known of them. Whatever two studies both ask is
    asked once.

    Args:
        settings: How it is run.
        frozen: What was fixed before.
        answers: What is known.
    """

    def __init__(self, settings: Settings, frozen: FrozenSettings, answers: Answers | None = None) -> None:
        size = self.size = frozen.scales[settings.scale]
        self.seed, self.frozen, self.answers = settings.seed, frozen, answers or Answers()
        self.opponent = parse_agent(frozen.opponent)
        self.learners = {name: frozen.learners[name] for name in size.variants or frozen.learners}
        first = [squares[0] for squares in CLASSES]
        self.classes = task_of(*(r for r in first if not size.squares or r.brick_names() in size.squares))
        shown = frozenset[Rules]().union(*map(self._shown, frozen.learners))
        self.unseen = tuple(rules for rules in self.classes.rules if rules not in shown)
        """Those that no learner's training shows, of this scale or another: so that all scales ask about the same."""
        self._games = dict[TrainedUntil, dict[Rules, GameScore]]()

    def _shown(self, learner: str) -> frozenset[Rules]:
        """First squares of the classes that a learner's training shows."""
        games = set(parse_task(self.frozen.learners[learner].get("task", self.frozen.trained_on)).rules)
        return frozenset(squares[0] for squares in CLASSES if games.intersection(squares))

    def seen(self, learner: str) -> tuple[Rules, ...]:
        """Those that a learner's training shows."""
        return tuple(rules for rules in self.classes.rules if rules in self._shown(learner))

    def last_iteration(self, learner: str) -> int:
        """Where a learner's training ends."""
        iterations = self.size.iterations
        return iterations if isinstance(iterations, int) else iterations[learner]

    def seeds_of(self, learner: str) -> int:
        """How many trainings a learner has."""
        return self.size.fewer.get(learner, self.size.seeds)

    def iterations(self, learner: str) -> list[int]:
        """After which ones there is a checkpoint: one of them is where the shortest training ends, so that all have one after
        equal positions."""
        last = self.last_iteration(learner)
        return sorted({*range(self.size.every, last, self.size.every), self._shortest, last})

    @cached_property
    def _shortest(self) -> int:
        """Iterations of the shortest training."""
        return min(map(self.last_iteration, self.learners))

    @cached_property
    def checkpoints(self) -> tuple[TrainedUntil, ...]:
        """All of them, first seeds first."""
        return tuple(
            TrainedUntil(*pair, iteration) for pair in self.trainings for iteration in self.iterations(pair[0])
        )

    @cached_property
    def trainings(self) -> dict[tuple[str, int], Training]:
        """By learner and number of the seed, first seeds first. Each has one core: so that several go side by side, and a second
        means the same for all."""
        seeds = ((learner, self.seeds_of(learner)) for learner in self.learners)
        return {(run.kind, run.number): run.training for run in numbered_runs(seeds, self._training)}

    def _training(self, learner: str, seed: int) -> Training:
        fields = {"task": self.frozen.trained_on, **self.size.training, **self.learners[learner]}
        label, task, drawn = f"{learner}, seed {seed}", fields.pop("task"), derive_seed(self.seed, _SEEDS, seed) >> 1
        schedule = {"measure_iterations": math.gcd(self.size.every, self._shortest)}
        return alphazero(label, "gumbel", task, drawn, self.last_iteration(learner), schedule, **fields)

    @cached_property
    def agents(self) -> dict[TrainedUntil, AgentSpec]:
        """The networks' own moves, without search. They see positions from one side, so that images are one to them."""
        return {
            at: self.trainings[at.learner, at.seed].agent(0, iteration=at.iteration, view="canonical")
            for at in self.checkpoints
        }

    def played(self, at: TrainedUntil) -> Played:
        """Its games as first player."""
        return moving_first(self.agents[at], self.opponent, self.classes, self.size.games, self.seed, _SEEDS)

    def point(self, at: TrainedUntil) -> Point | None:
        """What its training had taken there; None if it is not trained."""
        trained = self.answers[self.trainings[at.learner, at.seed]]
        return next((point for point in trained.curve if point.iteration == at.iteration), None) if trained else None

    def scores(self, at: TrainedUntil, where: Iterable[Rules]) -> list[GameScore]:
        """Its games on some squares."""
        if at not in self._games:
            self._games[at] = {game.rules: game for game in self.answers[self.played(at)].by_game}
        return [self._games[at][rules] for rules in where if rules in self._games[at]]

    def total(self, at: TrainedUntil, where: Iterable[Rules]) -> Score:
        """All games on some squares together."""
        return sum((game.score for game in self.scores(at, where)), Score())

    def of_seeds(self, learner: str) -> list[list[TrainedUntil]]:
        """The checkpoints that have played, of each training that has some."""
        found = (
            [TrainedUntil(learner, seed, iteration) for iteration in self.iterations(learner)]
            for seed in range(self.seeds_of(learner))
        )
        played = ([at for at in some if self.point(at) and self.total(at, self.classes.rules).games] for some in found)
        return [some for some in played if some]

    def ends(self, learner: str) -> list[TrainedUntil]:
        """The last of these, of each seed."""
        return [some[-1] for some in self.of_seeds(learner)]

    def mastered(self, learner: str) -> list[TrainedUntil]:
        """Of each seed that gets there: the first checkpoint that wins its training classes as often as the settings ask."""
        found = (next(filter(self._masters, some), None) for some in self.of_seeds(learner))
        return [at for at in found if at is not None]

    def _masters(self, at: TrainedUntil) -> bool:
        seen = self.total(at, self.seen(at.learner))
        return seen.games > 0 and seen.wins >= self.frozen.seen_score * seen.games

    def won(self, at: TrainedUntil, where: Sequence[Rules]) -> Interval | None:
        """The share of wins of a checkpoint; on one class by its games, on several by bootstrap over these."""
        scores = [game.score for game in self.scores(at, where) if game.score.games]
        if len(scores) < 2:
            return scores[0].win_interval if scores else None
        return clustered_share([score.wins for score in scores], [score.games for score in scores]).interval

    def won_unseen(self, at: TrainedUntil) -> Interval | None:
        """The same on the classes that no training shows."""
        return self.won(at, self.unseen)

    def won_seen(self, at: TrainedUntil) -> Interval | None:
        """The same on the classes that its training shows."""
        return self.won(at, self.seen(at.learner))

    def unseen_row(self, labels: tuple[str, ...], at: Sequence[TrainedUntil], *more: str) -> Row:
        """The games that some checkpoints, one of each seed, won on classes never seen."""
        share, seen = over_seeds(at, self.won_unseen), over_seeds(at, self.won_seen)
        if share is None:
            return Row(labels=labels, note=notes(*more))
        games = [score for one in at for score in self.scores(one, self.unseen)]
        return share_row(
            labels,
            f"{percent(share.share):.0f} percent",
            share,
            sum(game.score.games for game in games),
            distinct=sum(game.distinct for game in games),
            note=notes(f"won seen {percent(seen.share):.0f} percent" if seen else "", *more),
        )

    def equal_seen(self, label_columns: tuple[str, ...], row: RowOf, findings: Iterable[str] = ()) -> Conclusion:
        """Every learner where it first wins its own training classes: how far it carries, and not how soon it learns."""
        found = {learner: (self.mastered(learner), len(self.ends(learner))) for learner in self.learners}
        rows = (
            row(learner, at, f"{len(at)} of {trained} seeds reach this" * (trained > len(at)))
            for learner, (at, trained) in found.items()
        )
        return section(
            "At equal seen score",
            label_columns,
            UNSEEN_WINS,
            rows,
            f"The first checkpoint that wins {percent(self.frozen.seen_score):.0f} percent of its games on what it was trained on. {label_columns[0]}s that never reach this have not learned their own game, so their generalisation is unknown.",
            findings=findings,
            measured="unseen wins",
        )

    def curve(self, learner: str, share: Share) -> Series:
        """A share at each checkpoint, over the positions seen until then."""
        shares = dict[float, Interval]()
        for iteration in self.iterations(learner):
            at = [TrainedUntil(learner, seed, iteration) for seed in range(self.seeds_of(learner))]
            known = {one: point for one in at if (point := self.point(one)) is not None}
            if (interval := over_seeds(list(known), share)) is not None:
                shares[fmean(point.positions for point in known.values())] = interval
        return interval_series(learner, shares)


def over_seeds(checkpoints: Sequence[TrainedUntil], share: Share) -> Interval | None:
    """The mean over checkpoints of different seeds, of those whose share is known; None without any."""
    known = [found for at in checkpoints if (found := share(at)) is not None]
    return mean_share(known) if known else None
