"""Shared by studies that train several learners on one class of brick squares, with frozen settings from a file, and examine
their checkpoints: games on seen and unseen classes, and unseen wins at equal seen score."""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib.resources import files
from statistics import fmean
from types import SimpleNamespace
from typing import ClassVar, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.result import Row, Series
from noughts.play.score import Score
from noughts.positions import derive_seed
from noughts.questions.played import GameScore, Played
from noughts.questions.trained import Point, Training
from noughts.rules import Rules, parse_task, task_of
from noughts.statistics import Interval, clustered_share, mean_share
from noughts.studies.claims import interval_series, notes, percent, share_row
from noughts.studies.games import CLASSES, moving_first
from noughts.studies.study import Conclusion, Settings, Study, section
from noughts.studies.trainings import alphazero, numbered_runs

_SEEDS = "certified-generalisation"
"""Seeds derive from this study's name, so another study with equal settings shares its trainings and games."""


def read_settings(name: str) -> tuple[SimpleNamespace, dict[str, str]]:
    """Read settings that were fixed before anything was measured, from a file of this package; also return its SHA-256 by its
    name, for `Study.frozen`. Fields in brackets may be left out.

        trained_on              the training game, unless a learner's fields have another task
        opponent                the opponent of all games
        seen_score              learners are compared where they first win this share of the games on their training classes
        margin                  the difference between shares that still counts as equal
        [networks], [variants]  the learners by name: either networks, or variants of one
            about               the difference of a variant, in words
            changes             fields of the configuration
            [group]             the figure that shows it; none for the base
            [beside]            the variant to compare it with, which differs in one thing; the base unless given
        [groups]                titles of the figures, by the group of variants
        [validation], [test]    first squares of the classes that choose a checkpoint, and of those that test it
        scales                  the size of each scale, by name
            seeds, [fewer]      trainings of each learner; fewer, by learner, of costly ones that would take most of the time
            iterations          iterations of training, by learner or for all
            [variants]          the variants that are trained; all unless given
            squares             first squares of the classes that are played; empty for all
            games               games of every checkpoint against the opponent, on one square of each class
            every               iterations between two checkpoints
            training            fields of the configuration that differ from Gumbel AlphaZero's
            [most], [hunt]      positions after which a walk is given up, and those that a narrow walk keeps at each level
            [plies], [per_ply]  plies of random play that are judged, and positions of each ply on one square of each class
            [nodes]             the solver's nodes for a position
            [own_games]         games that supply the agent's own positions
            [own_positions]     how many of these are judged

    The result also has `learners`: by name, the fields of the configuration in which they differ.
    """
    content = files("noughts.studies").joinpath(name).read_bytes()
    found = SimpleNamespace(**{"networks": {}, "variants": {}} | json.loads(content))
    found.scales = {
        scale: SimpleNamespace(**{"fewer": {}, "variants": ()} | size) for scale, size in found.scales.items()
    }
    found.variants = {
        variant: SimpleNamespace(**{"group": "", "beside": "line"} | fields)
        for variant, fields in found.variants.items()
    }
    networks = {learner: {"network": network} for learner, network in found.networks.items()}
    found.learners = networks | {name: variant.changes for name, variant in found.variants.items()}
    return found, {f"studies/{name}": hashlib.sha256(content).hexdigest()}


class TrainedUntil(NamedTuple):
    """A checkpoint: a learner, the number of its seed, and the iterations of its training."""

    learner: str
    seed: int
    iteration: int


Share = Callable[[TrainedUntil], Interval | None]
"""A share at a checkpoint, with its interval; None while unknown."""

RowOf = Callable[[str, Sequence[TrainedUntil], str], Row]
"""A row about checkpoints of a learner, one of each seed, with a note."""

UNSEEN_WINS = "won on unseen classes, percent"
OVER_SEEDS = "the mean of the seeds with its 95 percent interval; of one seed, the interval of its own"


class PlannedCheckpoints(Study):
    """A study of trainings and the games of their checkpoints. Two studies with equal settings share their answers."""

    fixed: ClassVar[SimpleNamespace]
    """The settings that were fixed in advance, from `read_settings`."""

    def _plan(self, settings: Settings) -> None:
        size = self.size = self.fixed.scales[settings.scale]
        self.seed, self.opponent = settings.seed, parse_agent(self.fixed.opponent)
        self.learners = {name: self.fixed.learners[name] for name in size.variants or self.fixed.learners}
        first = [squares[0] for squares in CLASSES]
        self.classes = task_of(*(r for r in first if not size.squares or r.brick_names() in size.squares))
        shown = frozenset[Rules]().union(*map(self._shown, self.fixed.learners))
        self.unseen = tuple(rules for rules in self.classes.rules if rules not in shown)
        """The classes that no learner trains on at any scale, so that all scales have the same."""
        self._games = dict[TrainedUntil, dict[Rules, GameScore]]()

    def _shown(self, learner: str) -> frozenset[Rules]:
        """First squares of the classes that a learner trains on."""
        games = set(parse_task(self.fixed.learners[learner].get("task", self.fixed.trained_on)).rules)
        return frozenset(squares[0] for squares in CLASSES if games.intersection(squares))

    def seen(self, learner: str) -> tuple[Rules, ...]:
        """The classes that a learner trains on."""
        return tuple(rules for rules in self.classes.rules if rules in self._shown(learner))

    def last_iteration(self, learner: str) -> int:
        """The iterations of a learner's training."""
        iterations: int | dict[str, int] = self.size.iterations
        return iterations if isinstance(iterations, int) else iterations[learner]

    def seeds_of(self, learner: str) -> int:
        """The number of trainings of a learner."""
        seeds: int = self.size.fewer.get(learner, self.size.seeds)
        return seeds

    def iterations(self, learner: str) -> list[int]:
        """The iterations after which there is a checkpoint. One of them is the end of the shortest training, so that all learners
        have one after equal positions."""
        last = self.last_iteration(learner)
        return sorted({*range(self.size.every, last, self.size.every), self._shortest, last})

    @cached_property
    def _shortest(self) -> int:
        """Iterations of the shortest training."""
        return min(map(self.last_iteration, self.learners))

    @cached_property
    def checkpoints(self) -> tuple[TrainedUntil, ...]:
        """All checkpoints, first seeds first."""
        return tuple(
            TrainedUntil(*pair, iteration) for pair in self.trainings for iteration in self.iterations(pair[0])
        )

    @cached_property
    def trainings(self) -> dict[tuple[str, int], Training]:
        """The trainings by learner and number of the seed, first seeds first. Each has one core, so that several run side by side
        and their seconds are comparable."""
        seeds = ((learner, self.seeds_of(learner)) for learner in self.learners)
        return {(run.kind, run.number): run.training for run in numbered_runs(seeds, self._training)}

    def _training(self, learner: str, seed: int) -> Training:
        fields = {"task": self.fixed.trained_on, **self.size.training, **self.learners[learner]}
        label, task, drawn = f"{learner}, seed {seed}", fields.pop("task"), derive_seed(self.seed, _SEEDS, seed) >> 1
        schedule = {"measure_iterations": math.gcd(self.size.every, self._shortest)}
        return alphazero(label, "gumbel", task, drawn, self.last_iteration(learner), schedule, **fields)

    @cached_property
    def agents(self) -> dict[TrainedUntil, AgentSpec]:
        """The networks without search. They see positions in canonical form, so they play alike in symmetric ones."""
        return {
            at: self.trainings[at.learner, at.seed].agent(0, iteration=at.iteration, view="canonical")
            for at in self.checkpoints
        }

    def played(self, at: TrainedUntil) -> Played:
        """The games of a checkpoint as first player."""
        return moving_first(self.agents[at], self.opponent, self.classes, self.size.games, self.seed, _SEEDS)

    def point(self, at: TrainedUntil) -> Point | None:
        """The cost of training until a checkpoint; None if it is not trained."""
        trained = self.answers[self.trainings[at.learner, at.seed]]
        return next((point for point in trained.curve if point.iteration == at.iteration), None) if trained else None

    def scores(self, at: TrainedUntil, where: Iterable[Rules]) -> list[GameScore]:
        """The scores of a checkpoint on some squares, game by game."""
        if at not in self._games:
            self._games[at] = {game.rules: game for game in self.answers[self.played(at)].by_game}
        return [self._games[at][rules] for rules in where if rules in self._games[at]]

    def total(self, at: TrainedUntil, where: Iterable[Rules]) -> Score:
        """The total score of a checkpoint on some squares."""
        return sum((game.score for game in self.scores(at, where)), Score())

    def of_seeds(self, learner: str) -> list[list[TrainedUntil]]:
        """For each training with checkpoints that have played, these checkpoints."""
        found = (
            [TrainedUntil(learner, seed, iteration) for iteration in self.iterations(learner)]
            for seed in range(self.seeds_of(learner))
        )
        played = ([at for at in some if self.point(at) and self.total(at, self.classes.rules).games] for some in found)
        return [some for some in played if some]

    def ends(self, learner: str) -> list[TrainedUntil]:
        """The last of these for each seed."""
        return [some[-1] for some in self.of_seeds(learner)]

    def mastered(self, learner: str) -> list[TrainedUntil]:
        """For each seed, the first checkpoint that reaches `seen_score` on its training classes, if there is one."""
        found = (next(filter(self._masters, some), None) for some in self.of_seeds(learner))
        return [at for at in found if at is not None]

    def _masters(self, at: TrainedUntil) -> bool:
        seen = self.total(at, self.seen(at.learner))
        return seen.games > 0 and seen.wins >= self.fixed.seen_score * seen.games

    def won(self, at: TrainedUntil, where: Sequence[Rules]) -> Interval | None:
        """The share of wins of a checkpoint; the interval is Wilson's on one class, bootstrapped over several."""
        scores = [game.score for game in self.scores(at, where) if game.score.games]
        if len(scores) < 2:
            return scores[0].win_interval if scores else None
        return clustered_share([score.wins for score in scores], [score.games for score in scores]).interval

    def won_unseen(self, at: TrainedUntil) -> Interval | None:
        """The same on the classes that no learner trains on."""
        return self.won(at, self.unseen)

    def won_seen(self, at: TrainedUntil) -> Interval | None:
        """The same on the classes that its learner trains on."""
        return self.won(at, self.seen(at.learner))

    def unseen_row(self, labels: tuple[str, ...], at: Sequence[TrainedUntil], *more: str) -> Row:
        """A row about the games that some checkpoints, one of each seed, won on unseen classes."""
        share, seen = over_seeds(at, self.won_unseen), over_seeds(at, self.won_seen)
        if share is None:
            return Row(labels=labels, note=notes(*more))
        games = [score for one in at for score in self.scores(one, self.unseen)]
        return share_row(
            labels,
            f"{percent(share.value):.0f} percent",
            share,
            sum(game.score.games for game in games),
            distinct=sum(game.distinct for game in games),
            note=notes(f"won seen {percent(seen.value):.0f} percent" if seen else "", *more),
        )

    def equal_seen(self, label_columns: tuple[str, ...], row: RowOf, findings: Iterable[str] = ()) -> Conclusion:
        """Every learner where it first masters its training classes, so that the speed of learning does not matter."""
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
            f"The first checkpoint that wins {percent(self.fixed.seen_score):.0f} percent of its games on what it was trained on. {label_columns[0]}s that never reach this have not learned their own game, so their generalisation is unknown.",
            findings=findings,
            measured="unseen wins",
        )

    def curve(self, learner: str, share: Share) -> Series:
        """A line of a share at each checkpoint, over the positions seen by then."""
        shares = dict[float, Interval]()
        for iteration in self.iterations(learner):
            at = [TrainedUntil(learner, seed, iteration) for seed in range(self.seeds_of(learner))]
            known = {one: point for one in at if (point := self.point(one)) is not None}
            if (interval := over_seeds(list(known), share)) is not None:
                shares[fmean(point.positions for point in known.values())] = interval
        return interval_series(learner, shares)


def over_seeds(checkpoints: Sequence[TrainedUntil], share: Share) -> Interval | None:
    """The mean share over checkpoints of different seeds; None if all are unknown."""
    known = [found for at in checkpoints if (found := share(at)) is not None]
    return mean_share(known) if known else None
