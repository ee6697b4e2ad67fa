"""What does it cost not to know the rules? MuZero beside AlphaZero, everything else being equal: pairs of learners that differ in
one thing, whether they are told the rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any, Literal, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER, MUZERO_PAPER
from noughts.document.result import Figure, Row, Table, beside
from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.imagined import ImaginedJudged
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import REUSED, Point, Training
from noughts.questions.walked import Walked
from noughts.rules import Task, format_task, parse_task
from noughts.rules.text import counted
from noughts.statistics import Difference, compare, compare_with_always, mean_difference, mean_share
from noughts.studies.claims import between, curve_figure, interval_series, percent, rate_row
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.schedule import Schedule

Learner = Literal["AlphaZero", "MuZero"]
LEARNERS: tuple[Learner, ...] = ("AlphaZero", "MuZero")
METHODS: dict[Learner, str] = {"AlphaZero": "az", "MuZero": "mz"}
TOE = parse_task("tic-tac-toe")
SEEN = parse_task("bttt(D4)")
SQUARES = parse_task("bttt(*)")
UNSEEN = parse_task("bttt(A1|A4|B2|B5|C3|C6|D2)")
"""Squares that no training saw, one of each of some classes of images."""
NOTAKTO: dict[str, tuple[Task, Player]] = {
    "notakto(3)": (parse_task("notakto(3)"), "first"),
    "notakto(4)": (parse_task("notakto(4)"), "second"),
}
"""By name, the game and who wins it."""
MINIMAX = parse_agent("minimax:depth=2")

# Equal for both methods. Games begin after random moves, some moves are random, and all are drawn by visits: see the preset
# `tic-tac-toe-fast` of MuZero.
_COMMON: dict[str, Any] = {
    "network": "mlp",
    "search": {"method": "puct", "simulations": 32, "dirichlet_alpha": 1.0},
    "games": 64,
    "opening_plies": 4,
    "random_moves": 0.05,
    "temperature_plies": 100_000,
    "batch": 128,
    "steps": 32,
    "averaging": 0.95,
    "measure_games": 1,
    "measure_simulations": 0,
    "measure_positions": 0,
}
_ON_BRICKS: dict[str, Any] = {
    "search": {"method": "gumbel", "simulations": 24},
    "opening_plies": 8,
    "temperature_plies": 0,
    "averaging": 0.99,
}
_ON_NOTAKTO: dict[str, Any] = {
    "network": "mlp:widths=256x256",
    "search": {"method": "puct", "simulations": 64, "c_init": 2.0, "dirichlet_alpha": 0.5},
    "optimiser": {"learning_rate": 1e-3},
    "opening_plies": 3,
}
_REPLAY = 2048  # games
REPAIRS: dict[str, Mapping[str, Any]] = {
    "none": {},
    "consistency loss": {"consistency_weight": 2.0},
    "reanalyse": {"reanalyse": 1.0},
    "more unrolling": {"unroll": 9},
    "legality learned": {"model": {"legality": "learned"}},
    "ends learned": {"model": {"ends": "learned"}},
}
"""What is added to MuZero, each alone."""


class RulesScale(NamedTuple):
    """The size of the study."""

    seeds: int  # of the trainings on 3x3
    positions: tuple[int, ...]  # at which these are measured; the last ends them
    bricks: int  # positions of the training on D4
    network: str  # what learns there
    games: int  # against Minimax, on each of the 49 squares
    per_ply: int  # positions of each ply judged on the seen square, and on each unseen one
    most: int  # decisions after which a walk of D4 is given up
    notakto: dict[str, tuple[int, ...]]  # by game, positions at which the trainings are measured
    repairs: tuple[str, ...]
    repair_seeds: int
    repair_positions: int
    imagined: int  # positions of each ply from which searches are looked into


SCALES = {
    "quick": RulesScale(
        seeds=1,
        positions=(4_000, 12_000),
        bricks=2_500,
        network="line:features=12,blocks=1",
        games=1,
        per_ply=2,
        most=20_000,
        notakto={"notakto(3)": (4_000,)},
        repairs=("none", "legality learned"),
        repair_seeds=1,
        repair_positions=6_000,
        imagined=4,
    ),
    "laptop": RulesScale(
        seeds=10,
        positions=(20_000, 40_000, 60_000, 85_000),
        bricks=150_000,
        network="line",
        games=10,
        per_ply=10,
        most=200_000,
        notakto={"notakto(3)": (10_000, 30_000), "notakto(4)": (60_000, 150_000)},
        repairs=tuple(REPAIRS),
        repair_seeds=3,
        repair_positions=30_000,
        imagined=20,
    ),
    "paper": RulesScale(
        seeds=10,
        positions=(20_000, 40_000, 60_000, 85_000, 120_000, 170_000),
        bricks=2_000_000,
        network="line",
        games=10,
        per_ply=60,
        most=10_000_000,
        notakto={"notakto(3)": (10_000, 30_000, 60_000), "notakto(4)": (100_000, 300_000, 1_000_000)},
        repairs=tuple(REPAIRS),
        repair_seeds=10,
        repair_positions=60_000,
        imagined=50,
    ),
}


class NotKnowingTheRules(Study):
    """A learned model beside the rules."""

    name = "not-knowing-the-rules"
    title = "What it costs not to know the rules"
    question = (
        "With networks of one kind, equal positions and simulations: what does MuZero, which learns a model of the game, lose to "
        "AlphaZero, which is told the rules; what is wrong with its model; and what repairs it?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe, which names MuZero as what should come next; and the README of "
        "enpasos/muzero, by which every possible decision on 3x3 is right"
    )
    citations = (BRICK_PAPER, MUZERO_PAPER)
    scales = with_minutes(
        {
            scale: f"3x3: {counted(size.seeds, 'seed')} of {size.positions[-1]:,} positions; D4: {size.bricks:,}; "
            f"{', '.join(f'{game}: {points[-1]:,}' for game, points in size.notakto.items())}; "
            f"{counted(len(size.repairs) - 1, 'repair')}, {counted(size.repair_seeds, 'seed')} each"
            + {
                "quick": ": shows the page in small, and settles nothing",
                "laptop": "; planned for two hours on two cores",
                "paper": "; planned for a day on eight cores, most of it on D4",
            }[scale]
            for scale, size in SCALES.items()
        },
        quick=3,
    )
    deviations = (
        "The paper has no MuZero; nothing here is set beside a number of its. enpasos/muzero gives no network, time or count of positions; its claim is taken as: with search, every position in which the choice matters is decided right.",
        "Both learners have networks of the same kind and options, the same search, simulations, games, batches and steps. MuZero's model has the layers twice, to see and to imagine, and each of its steps unrolls five moves, so that it computes more for a position.",
        "Both play games that begin after random moves, with one move in twenty random on 3x3 and Notakto, which shows them, and the model, what good play never does.",
        "Both train each on one core, side by side with others; seconds are theirs.",
        "The model is told the legal moves at the root alone, and that sides alternate. A probe, a decoder that is trained beside it and changes nothing of what it learns, reads the boards, sides and ends that it believes. What is wrong there may be the model's or the probe's: how often the probe errs on positions that are not imagined is not measured.",
        "On D4 and on Notakto there is one training of each learner; what tells them apart there may be their seeds. Learners are proved at the measurements that the plan names: one that is proved at the first may have got there sooner.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, then every reply, decisions, games and imagined positions."""
        work = ModellingWork(settings)
        everybody = [*work.toe, *work.bricks, *(run for runs in work.notakto.values() for run in runs)]
        repaired = [run for runs in work.repaired.values() for run in runs]
        asked: list[Question[Any]] = [run.training for run in (*everybody, *repaired)]
        for run in work.toe:
            asked += work.toe_walks(run).values()
        asked += [work.toe_judged, *work.imagined["3x3"]]
        for run in work.bricks:
            asked += [work.games(run), *(work.brick_walk(run, sims) for sims in (0, 24))]
        asked += [work.brick_judged(SEEN), *work.imagined["D4, seen"]]
        asked += [work.brick_judged(UNSEEN), *work.imagined["squares never seen"]]
        for game, runs in work.notakto.items():
            for run in runs:
                asked += work.notakto_walks(game, run).values()
        return [*asked, work.repair_judged, *(work.imagining(run, TOE, 32) for run in repaired)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each part, and one for what is imagined."""
        work = ModellingWork(settings, answers)
        models = _model_table(work)
        on_boards = (_toe_table(work), _decisions_table(work), _bricks_table(work), _notakto_table(work))
        about = "By moves from the position that the search sees; with 95% intervals."
        figures = beside(models, _depth_figures(work), about)
        return Conclusion((*on_boards, models, _repairs_table(work)), figures, tuple(_findings(work)))


class PlannedRun(NamedTuple):
    """One training: who learns, the number of its seed, and positions at which it is measured."""

    learner: Learner
    seed: int
    training: Training
    points: tuple[int, ...]

    def agent(self, sims: int, point: int | None = None, view: str = "plain") -> AgentSpec:
        """What comes of it, after so many positions or at its end; `view` is how it sees positions."""
        return self.training.agent(sims, positions=self.points[-1] if point is None else point, view=view)


class ModellingWork:
    """All that a scale asks, for one seed, and what is known of it."""

    def __init__(self, settings: Settings, answers: Answers | None = None) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds
        self.answers = answers or Answers()

    @cached_property
    def toe(self) -> list[PlannedRun]:
        """On 3x3: both learners with every seed, first seeds first."""
        seeds, points = range(self.size.seeds), self.size.positions
        return [self._run(who, n, TOE, points, {}, f"{who} on 3x3, seed {n}") for n in seeds for who in LEARNERS]

    @cached_property
    def bricks(self) -> list[PlannedRun]:
        """Both learners on D4."""
        changes, points = _ON_BRICKS | {"network": self.size.network}, (self.size.bricks,)
        return [self._run(who, 0, SEEN, points, changes, f"{who} on D4") for who in LEARNERS]

    @cached_property
    def notakto(self) -> dict[str, list[PlannedRun]]:
        """Both learners on each board."""
        return {
            game: [self._run(who, 0, NOTAKTO[game][0], points, _ON_NOTAKTO, f"{who} on {game}") for who in LEARNERS]
            for game, points in self.size.notakto.items()
        }

    @cached_property
    def repaired(self) -> dict[str, list[PlannedRun]]:
        """MuZero on 3x3 with one thing added, by its name, and its seeds."""
        seeds, points = range(self.size.repair_seeds), (self.size.repair_positions,)
        return {
            name: [self._run("MuZero", n, TOE, points, dict(REPAIRS[name]), f"repair {name}, seed {n}") for n in seeds]
            for name in self.size.repairs
        }

    def known(self, runs: Iterable[PlannedRun], *learners: Learner) -> list[PlannedRun]:
        """Those that are trained."""
        own = [run for run in runs if run.learner in (learners or LEARNERS)]
        return [run for run in own if self.answers[run.training] is not None]

    def toe_walks(self, run: PlannedRun) -> dict[tuple[int, int, Player], Walked]:
        """Every reply, by positions, simulations and side."""
        return {
            (point, sims, side): Walked(task=TOE, agent=run.agent(sims, point), side=side)
            for point in run.points
            for sims in (0, 32)
            for side in SIDES
        }

    def notakto_walks(self, game: str, run: PlannedRun) -> dict[tuple[int, int], Walked]:
        """Every reply to the side that can win, by positions and simulations."""
        task, side = NOTAKTO[game]
        return {
            (point, sims): Walked(task=task, agent=run.agent(sims, point, view="one-side"), side=side)
            for point in run.points
            for sims in (0, 64)
        }

    def toe_proof(self, run: PlannedRun, sims: int) -> Point | None:
        """The first measurement at which no reply beats a learner on either side of 3x3; None if there is none, or not yet."""
        walks = self.toe_walks(run)
        return self._first(run, {point: [walks[point, sims, side] for side in SIDES] for point in run.points})

    def notakto_proof(self, game: str, run: PlannedRun, sims: int) -> Point | None:
        """The same of the side that wins a game of Notakto."""
        walks = self.notakto_walks(game, run)
        return self._first(run, {point: [walks[point, sims]] for point in run.points})

    def _first(self, run: PlannedRun, walks: Mapping[int, Sequence[Walked]]) -> Point | None:
        trained = self.answers[run.training]
        for point, asked in walks.items() if trained is not None else ():
            results = [game.result for walk in asked for game in self.answers[walk].games]
            reached = [p for p in trained.curve if p.positions >= point] if trained is not None else []
            if len(results) == len(asked) and all(result.proved for result in results) and reached:
                return reached[0]
        return None

    @property
    def toe_judged(self) -> Judged:
        """All decisions there are on 3x3, of everybody's last weights."""
        return self._all_judged(self.toe)

    @property
    def repair_judged(self) -> Judged:
        """The same of those to which something was added."""
        return self._all_judged([run for runs in self.repaired.values() for run in runs])

    def _all_judged(self, runs: Sequence[PlannedRun]) -> Judged:
        named = tuple(run.agent(sims) for run in runs for sims in (0, 32))
        return Judged(task=TOE, named=named, all_up_to=20_000, nodes=None, seed=self.seed)

    def games(self, run: PlannedRun) -> Played:
        """On the 49 squares, first, against Minimax with random ties."""
        return Played(
            task=SQUARES,
            a=run.agent(24),
            b=MINIMAX,
            games=self.size.games * len(SQUARES.rules),
            moves_first="a",
            seed=self.seed,
            draws=(NotKnowingTheRules.name, "squares"),
            move_seconds=self.move_seconds,
        )

    def brick_judged(self, task: Task) -> Judged:
        """Both, without search and with it, in the same positions."""
        return Judged(
            task=task,
            named=tuple(run.agent(sims) for run in self.bricks for sims in (0, 24)),
            all_up_to=0,
            per_ply=self.size.per_ply,
            plies=(8, 28),
            nodes=200_000,
            seed=self.seed,
        )

    def brick_walk(self, run: PlannedRun, sims: int) -> Walked:
        """Every reply on D4."""
        agent = run.agent(sims, view="one-side")
        return Walked(task=SEEN, agent=agent, side="first", hunt=300, most=self.size.most)

    @cached_property
    def imagined(self) -> dict[str, list[ImaginedJudged]]:
        """What MuZero imagines, by where."""
        (on_bricks,) = (run for run in self.bricks if run.learner == "MuZero")
        return {
            "3x3": [self.imagining(run, TOE, 32) for run in self.toe if run.learner == "MuZero"],
            "D4, seen": [self.imagining(on_bricks, SEEN, 24, plies=(8, 28))],
            "squares never seen": [self.imagining(on_bricks, UNSEEN, 24, plies=(8, 28))],
        }

    def imagining(self, run: PlannedRun, task: Task, sims: int, plies: tuple[int, int] | None = None) -> ImaginedJudged:
        """What one of them imagines on a task."""
        return ImaginedJudged(
            task=task, agent=run.agent(sims), all_up_to=0, per_ply=self.size.imagined, plies=plies, seed=self.seed
        )

    def imagined_at(self, where: str) -> dict[int, ImaginedTally]:
        """What was found there, by depth, all together."""
        found: dict[int, ImaginedTally] = {}
        for question in self.imagined[where]:
            for depth, tally in self.answers[question].depths.items():
                found[depth] = found.get(depth, ImaginedTally()) + tally
        return dict(sorted(found.items()))

    @cached_property
    def repair_tallies(self) -> dict[str, dict[int, Tally]]:
        """By what is added to MuZero and by seed: its moves beside truth, with search; of what is known."""
        judged = self.answers[self.repair_judged]
        return {
            name: {run.seed: tally for run in self.known(runs) if (tally := _total(judged.of(run.agent(32)))).choices}
            for name, runs in self.repaired.items()
        }

    @cached_property
    def differences(self) -> dict[str, Difference]:
        """How much larger the share of optimal moves is with each thing added than without, over the seeds that both have;
        nothing with less than two of these."""
        none, found = self.repair_tallies.get("none", {}), {}
        for name, by_seed in self.repair_tallies.items():
            seeds = sorted(by_seed.keys() & none.keys()) if name != "none" else []
            if len(seeds) > 1:
                own, others = ([tallies[seed].optimal_interval for seed in seeds] for tallies in (by_seed, none))
                found[name] = mean_difference(own, others)
        return found

    def _run(
        self, learner: Learner, number: int, task: Task, points: tuple[int, ...], changes: dict[str, Any], label: str
    ) -> PlannedRun:
        fields = {
            **_COMMON,
            **changes,
            "task": format_task(task),
            "seed": self.seed + number,
            "schedule": Schedule(
                positions=points[-1],
                measure_minutes=None,
                measure_at_positions=points,
                checkpoint_seconds=60.0,
            ),
        }
        config: AlphaZeroConfig | MuZeroConfig
        if learner == "AlphaZero":
            # As many positions as games of the other's replay hold, more or less.
            config = AlphaZeroConfig(**fields, whole_games=True, window=_REPLAY * task.rules[0].size // 2)
        else:
            config = MuZeroConfig(**fields, window=_REPLAY)
        return PlannedRun(
            learner, number, Training(label=label, method=METHODS[learner], config=config, cores=1), points
        )


def _total(tallies: Mapping[int, Tally]) -> Tally:
    """All plies together."""
    return sum(tallies.values(), Tally())


def _toe_table(work: ModellingWork) -> Table:
    rows = []
    for sims in (32, 0):
        for learner in LEARNERS:
            own = work.known(work.toe, learner)
            proofs = [proof for run in own if (proof := work.toe_proof(run, sims)) is not None]
            note = ""
            if proofs:
                middle = sorted(proof.positions for proof in proofs)[len(proofs) // 2]
                minutes = [proof.seconds / 60 for proof in proofs]
                note = (
                    f"half of those proved by {middle:,} positions, {middle * 32:,} simulations of "
                    f"self-play; {min(minutes):.1f} to {max(minutes):.1f} minutes on one core each"
                )
            rows.append(rate_row((learner, _searched(sims)), len(proofs), len(own), note=note))
    return Table(
        title="3x3: no reply beats it, on either side",
        label_columns=("Learner", "Plays with"),
        unit="seeds proved on both sides, percent",
        rows=tuple(rows),
        caption="Every reply was walked, as first and as second player, at each measurement: the first proof counts.",
    )


def _decisions_table(work: ModellingWork) -> Table:
    rows, found = [], work.answers[work.toe_judged]
    for sims in (32, 0):
        for learner in LEARNERS:
            tallies = [_total(found.of(run.agent(sims))) for run in work.known(work.toe, learner)]
            total = sum(tallies, Tally())
            right = sum(tally.choices > 0 and tally.optimal == tally.choices for tally in tallies)
            wrong = sorted(tally.choices - tally.optimal for tally in tallies)
            claimed = learner == "MuZero" and sims > 0
            note = ""
            if total.choices:
                note = f"{right} of {len(tallies)} seeds decide right everywhere; wrong in {wrong[0]} to {wrong[-1]} of {tallies[0].choices:,}"
            rows.append(
                rate_row(
                    (learner, _searched(sims)),
                    total.optimal,
                    total.choices,
                    share=total.optimal_interval,
                    paper="every decision" if claimed else "",
                    comparison=compare_with_always(total.optimal, total.choices, contrary="differs")
                    if claimed
                    else None,
                    note=note,
                )
            )
    return Table(
        title="3x3: every decision there is",
        label_columns=("Learner", "Plays with"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        claimed="enpasos/muzero",
        caption="All positions of the game in which some moves keep the value and some do not, also those that good play never reaches; all seeds together.",
    )


def _bricks_table(work: ModellingWork) -> Table:
    """MuZero's rows beside AlphaZero's here, which stand first."""
    rows: list[Row] = []
    known, answers = work.known(work.bricks), work.answers
    scores = {run.learner: answers[work.games(run)].total for run in known}
    counts = {learner: (score.wins, score.games, str(score)) for learner, score in scores.items()}
    rows += _beside_each_other("wins on 49 squares", 24, counts, {})
    for task, what in ((SEEN, "optimal on D4"), (UNSEEN, "optimal on squares never seen")):
        found = answers[work.brick_judged(task)]
        for sims in (24, 0):
            totals = {run.learner: _total(found.of(run.agent(sims))) for run in known}
            counts = {learner: (total.optimal, total.choices, "") for learner, total in totals.items()}
            chance = {learner: percent(total.chance_share) for learner, total in totals.items() if total.choices}
            rows += _beside_each_other(what, sims, counts, chance)
    for run in known:
        for sims in (24, 0):
            trained = answers[run.training]
            for walk in answers[work.brick_walk(run, sims)].games:
                rows.append(
                    Row(
                        labels=(run.learner, "every reply on D4", _searched(sims)),
                        ours=str(walk.result),
                        proved=True,
                        count=walk.result.decisions,
                        note="" if trained is None else f"trained {trained.budget}",
                    )
                )
    return Table(
        title="bttt(D4): networks of one kind, equal positions and simulations",
        label_columns=("Learner", "What", "Plays with"),
        unit="games won or optimal moves, percent",
        rows=tuple(rows),
        claimed="AlphaZero here",
        caption="Both were trained on D4 alone, once each. A verdict compares this MuZero with this AlphaZero, in the same positions; it says nothing of other seeds.",
    )


def _beside_each_other(
    what: str, sims: int, counts: Mapping[Learner, tuple[int, int, str]], chance: Mapping[Learner, float]
) -> Iterator[Row]:
    """A row for each learner, of counts as successes, trials and how they are written; MuZero's is compared with AlphaZero's."""
    base, trials, _ = counts.get("AlphaZero", (0, 0, ""))
    for learner, (successes, of, ours) in counts.items():
        compared = compare(successes, of, base, trials) if learner == "MuZero" else None
        yield rate_row(
            (learner, what, _searched(sims)),
            successes,
            of,
            ours=ours,
            paper=f"{base} of {trials}" if compared is not None else "",
            comparison=compared,
            note=f"a random player {chance[learner]:.0f} percent" if learner in chance else "",
        )


def _notakto_table(work: ModellingWork) -> Table:
    rows = []
    for game, runs in work.notakto.items():
        for run in work.known(runs):
            trained = work.answers[run.training]
            for sims in (64, 0):
                proof = work.notakto_proof(game, run, sims)
                last = work.answers[work.notakto_walks(game, run)[run.points[-1], sims]].games
                ours = "not proved" if last else ""
                rows.append(
                    Row(
                        labels=(f"{game}, {NOTAKTO[game][1]}", run.learner, _searched(sims)),
                        ours=ours if proof is None else f"{proof.positions:,} positions",
                        value=None if proof is None else proof.seconds,
                        count=len(run.points),
                        note=f"trained {trained.budget}" if trained is not None else "",
                    )
                )
    return Table(
        title="Notakto: until no reply beats it",
        label_columns=("Board and side", "Learner", "Plays with"),
        unit="seconds of training, compiling and measuring included",
        rows=tuple(rows),
        caption="The first measurement at which every reply was walked and none wins. One training of each.",
    )


MODEL_FACTS = (
    ("moves that are illegal", "illegal", "made"),
    ("ends missed", "missed", "ended"),
    ("ends invented", "invented", "going"),
    ("sides mistaken", "sides_mistaken", "sides"),
    ("boards wrong in some cell", "boards_wrong", "boards"),
    ("values of the wrong kind", "values_wrong", "values"),
)
"""In words, and as a part of a whole of `ImaginedTally`."""


def _facts(tally: ImaginedTally) -> list[str]:
    """The shares of all of these, in percent, as far as there is a whole."""
    shares = ((name, tally.share(part, whole)) for name, part, whole in MODEL_FACTS)
    return [f"{name} {percent(share.share):.1f}" for name, share in shares if share is not None]


def _model_table(work: ModellingWork) -> Table:
    rows = []
    for where in work.imagined:
        depths = work.imagined_at(where)
        total = sum(depths.values(), ImaginedTally())
        for name, part, whole in MODEL_FACTS:
            shares = {depth: share for depth, tally in depths.items() if (share := tally.share(part, whole))}
            by_depth = ", ".join(f"{depth}: {percent(share.share):.0f}" for depth, share in list(shares.items())[:6])
            if getattr(total, whole):
                note = f"by depth: {by_depth}"
                rows.append(rate_row((where, name), getattr(total, part), getattr(total, whole), note=note))
    return Table(
        title="What is wrong with what MuZero imagines",
        label_columns=("Where", "What"),
        unit="imagined positions, percent",
        rows=tuple(rows),
        caption="All positions that searches went through, from real positions of random play, beside the rules and exact values. Intervals take positions for independent, which those of one search are not.",
    )


def _repairs_table(work: ModellingWork) -> Table:
    rows = []
    for name, by_seed in work.repair_tallies.items():
        if by_seed:
            total = _total(by_seed)
            asked = [work.imagining(run, TOE, 32) for run in work.known(work.repaired[name])]
            seen = (tally for question in asked for tally in work.answers[question].depths.values())
            found = work.differences.get(name)
            rows.append(
                rate_row(
                    (name, str(len(by_seed)), "" if found is None else _in_points(found)),
                    total.optimal,
                    total.choices,
                    share=mean_share([tally.optimal_interval for tally in by_seed.values()]),
                    note="; ".join(_facts(sum(seen, ImaginedTally()))),
                )
            )
    return Table(
        title="What repairs it: one thing added to MuZero on 3x3",
        label_columns=("Added", "Seeds", "Beside none, points"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption=f"After {work.size.repair_positions:,} positions, with 32 simulations, in all positions of the game: the mean over seeds, and its difference from the same seeds without it, with intervals over seeds; notes are shares of what is imagined, percent.",
    )


def _in_points(found: Difference) -> str:
    """A difference of shares in points, with its interval."""
    value, low, high = map(percent, found)
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def _depth_figures(work: ModellingWork) -> Iterator[Figure]:
    for where in work.imagined:
        depths = work.imagined_at(where)
        lines = [
            interval_series(name, {d: share for d, tally in depths.items() if (share := tally.share(part, whole))})
            for name, part, whole in MODEL_FACTS
        ]
        title = f"{where}: what is wrong, by depth of imagination"
        yield from curve_figure(f"imagined {where}", title, lines, "moves from the position that is seen", "percent")


def _searched(sims: int) -> str:
    return f"{sims} simulations" if sims else "no search"


def _findings(work: ModellingWork) -> Iterator[str]:
    """What follows for each part, as far as it is known."""
    size = work.size
    for sims, how in ((32, "with 32 simulations"), (0, "by its bare policy")):
        said = []
        for learner in LEARNERS:
            runs = work.known(work.toe, learner)
            proofs = [proof for run in runs if (proof := work.toe_proof(run, sims)) is not None]
            if runs:
                when = f", the first after {min(proof.positions for proof in proofs):,} positions" if proofs else ""
                said.append(f"{learner} {how}: {len(proofs)} of {len(runs)} seeds{when}")
        if said:
            points = ", ".join(f"{point:,}" for point in size.positions)
            yield f"3x3, proved on both sides when measured after {points} positions: {'; '.join(said)}."
    for task, where in ((SEEN, "on D4"), (UNSEEN, "on squares never seen")):
        judged = work.answers[work.brick_judged(task)]
        totals = {run.learner: _total(judged.of(run.agent(24))) for run in work.known(work.bricks)}
        if said := [f"{who} {between(total.optimal_interval, 0)}" for who, total in totals.items() if total.choices]:
            yield f"Optimal moves {where}, with networks of one kind, equal positions and simulations, one training each: {', '.join(said)}."
    for game, runs in work.notakto.items():
        proved = {run.learner: work.notakto_proof(game, run, 64) for run in work.known(runs)}
        if said := [f"{who} {f'after {p.positions:,} positions' if p else 'not proved'}" for who, p in proved.items()]:
            yield f"{game} as {NOTAKTO[game][1]} player, with search, until no reply beats it, one training each: {', '.join(said)}."
    for where in work.imagined:
        if facts := _facts(sum(work.imagined_at(where).values(), ImaginedTally())):
            yield f"What MuZero imagines as a probe reads it, {where}, percent: {', '.join(facts)}."
    yield from _repairs(work)


def _repairs(work: ModellingWork) -> Iterator[str]:
    """Each difference with its interval over seeds, and which of these leave no doubt of its sign."""
    none, differences = work.repair_tallies.get("none", {}), work.differences
    if not none:
        return
    base = percent(fmean(tally.optimal_interval.share for tally in none.values()))
    told = ", ".join(f"{name} {_in_points(found)}" for name, found in differences.items())
    certain = [name for name, found in differences.items() if found.low > 0 or found.high < 0]
    yield (
        f"Added to MuZero on 3x3, after {work.size.repair_positions:,} positions, beside {base:.1f} percent of decisions right without, in points "
        f"over {counted(len(none), 'seed')} (one seed tells nothing apart): {told or 'none'}. "
        f"Told apart from none at 95 percent, each by itself, not adjusted for {len(differences)} of them: {', '.join(certain) or 'none'}."
    )
