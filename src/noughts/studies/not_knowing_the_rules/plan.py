"""What `not-knowing-the-rules` trains and asks: pairs of learners that differ in one thing, whether they are told the rules."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.play.score import Player
from noughts.questions.imagined import ImaginedJudged
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import Task, format_task, parse_task
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.schedule import Schedule

STUDY = "not-knowing-the-rules"
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
_CHECKPOINT_SECONDS = 60.0

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
    """The size of the study.

    Attributes:
        seeds: Of the trainings on 3x3.
        positions: At which these are measured; the last ends them.
        bricks: Of the training on D4; 0 for none.
        network: What learns there.
        games: Against Minimax, on each of the 49 squares.
        per_ply: Positions of each ply judged on the seen square, and on each unseen one.
        most: Decisions after which a walk of D4 is given up.
        notakto: By game, positions at which the trainings are measured.
        repairs: Which repairs, with how many seeds, after how many positions.
        imagined: Positions of each ply from which searches are looked into.
    """

    seeds: int
    positions: tuple[int, ...]
    bricks: int
    network: str
    games: int
    per_ply: int
    most: int
    notakto: dict[str, tuple[int, ...]]
    repairs: tuple[str, ...]
    repair_seeds: int
    repair_positions: int
    imagined: int


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


class PlannedRun(NamedTuple):
    """One training.

    Attributes:
        learner, seed: Who learns, and the number of its seed.
        training: What is asked.
        points: Positions at which it is measured.
    """

    learner: Learner
    seed: int
    training: Training
    points: tuple[int, ...]

    def agent(self, sims: int, point: int | None = None, view: str = "plain") -> AgentSpec:
        """What comes of it, after so many positions or at its end; `view` is how it sees positions."""
        return self.training.agent(sims, positions=self.points[-1] if point is None else point, view=view)


class ModelPlan:
    """All that a scale holds, for one seed."""

    def __init__(self, settings: Settings) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds

    # (a) 3x3

    def on_toe(self) -> list[PlannedRun]:
        """Both learners with every seed, first seeds first."""
        size = self.size
        return [
            self._run(learner, number, TOE, size.positions, {}, f"{learner} on 3x3, seed {number}")
            for number in range(size.seeds)
            for learner in LEARNERS
        ]

    def toe_walks(self, run: PlannedRun) -> dict[tuple[int, int, Player], Walked]:
        """Every reply, by positions, simulations and side."""
        sides: tuple[Player, ...] = ("first", "second")
        return {
            (point, sims, side): Walked(task=TOE, agent=run.agent(sims, point), side=side)
            for point in run.points
            for sims in (0, 32)
            for side in sides
        }

    def toe_judged(self) -> Judged:
        """All decisions there are on 3x3, of everybody's last weights."""
        named = tuple(run.agent(sims) for run in self.on_toe() for sims in (0, 32))
        return Judged(task=TOE, named=named, all_up_to=20_000, nodes=None, seed=self.seed)

    def toe_imagined(self) -> dict[int, ImaginedJudged]:
        """What is imagined on 3x3, by seed."""
        return {run.seed: self._imagined(run, TOE, 32) for run in self.on_toe() if run.learner == "MuZero"}

    # (b) bricks

    def on_bricks(self) -> list[PlannedRun]:
        """Both learners on D4."""
        size = self.size
        changes = _ON_BRICKS | {"network": size.network}
        points = (size.bricks,)
        return [self._run(learner, 0, SEEN, points, changes, f"{learner} on D4") for learner in LEARNERS]

    def games(self, run: PlannedRun) -> Played:
        """On the 49 squares, first, against Minimax with random ties."""
        return Played(
            task=SQUARES,
            a=run.agent(24),
            b=MINIMAX,
            games=self.size.games * len(SQUARES.rules),
            moves_first="a",
            seed=self.seed,
            draws=(STUDY, "squares"),
            move_seconds=self.move_seconds,
        )

    def brick_judged(self, task: Task) -> Judged:
        """Both, without search and with it, in the same positions."""
        return Judged(
            task=task,
            named=tuple(run.agent(sims) for run in self.on_bricks() for sims in (0, 24)),
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

    def brick_imagined(self, task: Task) -> ImaginedJudged:
        """What MuZero imagines there."""
        run = next(run for run in self.on_bricks() if run.learner == "MuZero")
        return self._imagined(run, task, 24, plies=(8, 28))

    # (c) Notakto

    def on_notakto(self, game: str) -> list[PlannedRun]:
        """Both learners on one board."""
        points = self.size.notakto[game]
        task, _ = NOTAKTO[game]
        return [self._run(learner, 0, task, points, _ON_NOTAKTO, f"{learner} on {game}") for learner in LEARNERS]

    def notakto_walks(self, game: str, run: PlannedRun) -> dict[tuple[int, int], Walked]:
        """Every reply to the side that can win, by positions and simulations."""
        task, side = NOTAKTO[game]
        return {
            (point, sims): Walked(task=task, agent=run.agent(sims, point, view="one-side"), side=side)
            for point in run.points
            for sims in (0, 64)
        }

    # (d) repairs

    def repaired(self) -> dict[str, list[PlannedRun]]:
        """MuZero on 3x3 with one thing added, by its name, and its seeds."""
        size = self.size
        points = (size.repair_positions,)
        return {
            name: [
                self._run("MuZero", number, TOE, points, dict(REPAIRS[name]), f"repair {name}, seed {number}")
                for number in range(size.repair_seeds)
            ]
            for name in size.repairs
        }

    def repair_judged(self) -> Judged:
        """All decisions there are on 3x3."""
        named = tuple(run.agent(sims) for runs in self.repaired().values() for run in runs for sims in (0, 32))
        return Judged(task=TOE, named=named, all_up_to=20_000, nodes=None, seed=self.seed)

    def repair_imagined(self, run: PlannedRun) -> ImaginedJudged:
        """What it imagines."""
        return self._imagined(run, TOE, 32)

    def _imagined(self, run: PlannedRun, task: Task, sims: int, plies: tuple[int, int] | None = None) -> ImaginedJudged:
        return ImaginedJudged(
            task=task,
            agent=run.agent(sims),
            all_up_to=0,
            per_ply=self.size.imagined,
            plies=plies,
            seed=self.seed,
        )

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
                checkpoint_seconds=_CHECKPOINT_SECONDS,
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


def everything(plan: ModelPlan) -> Iterator[Any]:
    """All that is asked, trainings first."""
    size = plan.size
    toe, bricks = plan.on_toe(), plan.on_bricks()
    boards = {game: plan.on_notakto(game) for game in size.notakto}
    repaired = plan.repaired()
    for runs in (toe, bricks, *boards.values(), *repaired.values()):
        yield from (run.training for run in runs)
    for run in toe:
        yield from plan.toe_walks(run).values()
    yield plan.toe_judged()
    yield from plan.toe_imagined().values()
    for run in bricks:
        yield plan.games(run)
        yield from (plan.brick_walk(run, sims) for sims in (0, 24))
    for task in (SEEN, UNSEEN):
        yield plan.brick_judged(task)
        yield plan.brick_imagined(task)
    for game, runs in boards.items():
        for run in runs:
            yield from plan.notakto_walks(game, run).values()
    yield plan.repair_judged()
    for runs in repaired.values():
        yield from (plan.repair_imagined(run) for run in runs)
