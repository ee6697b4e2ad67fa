"""What `notakto` trains and asks: boards, networks, opponents, and the training on small boards that is tried on larger ones."""

from collections.abc import Iterable
from typing import NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.play.score import Player
from noughts.positions import derive_seed
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, format_task, parse_rules, task_of
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "notakto"
NETWORKS = {
    "fully connected": "mlp:preset=notakto",
    "fully connected, wide": "mlp:widths=256x256",
    "convolutional": "resnet:blocks=0,channels=64,heads=dense",
    "residual": "resnet:blocks=2,channels=32,heads=dense",
    "line": "line",
}
OPPONENTS = {
    "random": parse_agent("random"),
    "avoids an immediate loss": parse_agent("minimax:depth=2,eval=none"),
    "exact": parse_agent("perfect"),
}
"""The second is the paper's "random": it never completes a line while it has another move, and is random otherwise;
looking two plies ahead, it also completes none that leaves the other side nothing but to complete one."""
PRESET = "notakto-fast"


def _notakto(size: int) -> Rules:
    return parse_rules(f"notakto({size})")


class PaperBoard(NamedTuple):
    """A board of the paper.

    Attributes:
        rules: The game.
        side: Who wins it.
        paper: Percent that the paper's networks won, None where it gave up.
        paper_text: What it says, as printed.
        walked: Whether every reply is walked; 5x5 has too many.
    """

    rules: Rules
    side: Player
    paper: int | None
    paper_text: str
    walked: bool = True

    @property
    def size(self) -> int:
        """Rows and columns."""
        return self.rules.rows

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.size}x{self.size}, {self.side}"


_THREE, _FOUR, _FIVE = (_notakto(size) for size in (3, 4, 5))

BOARDS = (
    PaperBoard(_THREE, "first", 100, "100 percent"),
    PaperBoard(_FOUR, "second", 46, "at best 46 percent"),
    PaperBoard(_FIVE, "first", None, "out of reach", walked=False),
)


class NotaktoScale(NamedTuple):
    """What is trained: by size of board, networks and how many seeds of each, iterations, and measurements on the way; games
    against each opponent; iterations of the training on small boards; simulations; and positions of each ply on larger boards."""

    networks: dict[int, dict[str, int]]
    iterations: dict[int, int]
    measured: dict[int, int]
    games: int
    transfer_iterations: int
    sims: int
    per_ply: dict[int, int]


_WIDE = "fully connected, wide"
SCALES = {
    "quick": NotaktoScale({3: {"fully connected": 1}, 4: {_WIDE: 1}}, {3: 8, 4: 12}, {3: 2, 4: 1}, 20, 10, 32, {5: 10}),
    "laptop": NotaktoScale(
        {
            3: dict.fromkeys(NETWORKS, 3),
            4: {"fully connected": 3, _WIDE: 3, "convolutional": 3, "residual": 1, "line": 1},
            5: {_WIDE: 1, "line": 1},
        },
        {3: 30, 4: 120, 5: 100},
        {3: 6, 4: 6, 5: 4},
        100,
        100,
        100,
        {5: 60, 6: 20},
    ),
    "paper": NotaktoScale(
        {3: dict.fromkeys(NETWORKS, 10), 4: dict.fromkeys(NETWORKS, 10), 5: dict.fromkeys(NETWORKS, 3)},
        {3: 100, 4: 600, 5: 600},
        {3: 10, 4: 12, 5: 6},
        1000,
        600,
        100,
        {5: 400, 6: 100},
    ),
}

# A table of 6x6 from its first ply on takes 8 GiB; from this ply on each position has one of 128 MiB or less.
FIRST_PLY = {5: 0, 6: 6}
TRANSFER = "line, trained up to 4x4"


class BoardTraining(NamedTuple):
    """A training of one network on one board, measured after every so many iterations; the number of its seed counts from 0."""

    board: PaperBoard
    network: str
    number: int
    training: Training
    step: int

    @property
    def iterations(self) -> tuple[int, ...]:
        """Those at which it is measured."""
        return tuple(range(self.step, self.training.iterations + 1, self.step))

    def walks(self, sims: int) -> dict[int, Walked]:
        """Every reply to what it was at each measurement, by iteration; none on a board that has too many."""
        game, iterations = task_of(self.board.rules), self.iterations if self.board.walked else ()
        agents = {iteration: self.training.agent(sims, iteration, view="one-side") for iteration in iterations}
        return {n: Walked(task=game, agent=agent, side=self.board.side) for n, agent in agents.items()}

    def searching(self, settings: Settings) -> AgentSpec:
        """What comes of it, with the scale's simulations."""
        return self.training.agent(SCALES[settings.scale].sims, view="one-side")

    def matches(self, settings: Settings) -> dict[str, Played]:
        """By opponent; the agent plays the side that can win. Only what comes of the first seed plays."""
        if self.number:
            return {}
        size = SCALES[settings.scale]
        return {
            name: Played(
                task=task_of(self.board.rules),
                a=self.searching(settings),
                b=opponent,
                games=size.games,
                moves_first="a" if self.board.side == "first" else "b",
                seed=settings.seed,
                draws=(STUDY, self.training.label, name),
            )
            for name, opponent in OPPONENTS.items()
        }


def all_runs(settings: Settings) -> list[BoardTraining]:
    """Of every network on every board, first seeds first."""
    size, runs = SCALES[settings.scale], []
    most = max(seeds for networks in size.networks.values() for seeds in networks.values())
    for number in range(most):
        seed = derive_seed(settings.seed, STUDY, number) >> 1 if number else settings.seed
        for board in BOARDS:
            iterations = size.iterations.get(board.size, 0)
            for network, seeds in size.networks.get(board.size, {}).items():
                if number < seeds:
                    step = iterations // size.measured[board.size]
                    config = _config(task_of(board.rules), NETWORKS[network], iterations, step, size.sims, seed)
                    label = f"{board.size}x{board.size} {network}{f', seed {number}' if number else ''}"
                    runs.append(
                        BoardTraining(board, network, number, Training(label=label, config=config, cores=1), step)
                    )
    return runs


def first_seeds(runs: Iterable[BoardTraining]) -> list[BoardTraining]:
    """The first training of each network on each board."""
    return [run for run in runs if not run.number]


def small_boards() -> Task:
    """3x3, in the corner of a board of 4x4, and 4x4."""
    from noughts.positions.batched import embed

    return task_of(embed(BOARDS[0].rules, 4, 4), BOARDS[1].rules)


def transfer_training(settings: Settings) -> Training:
    """The line network on boards up to 4x4, which is tried on larger ones."""
    size = SCALES[settings.scale]
    iterations = size.transfer_iterations
    config = _config(small_boards(), NETWORKS["line"], iterations, iterations, size.sims, settings.seed)
    return Training(label="up to 4x4 line", config=config, cores=1)


def transferred(settings: Settings) -> dict[int, AgentSpec]:
    """What comes of that training, by simulations."""
    training = transfer_training(settings)
    return {sims: training.agent(sims, view="one-side") for sims in (0, SCALES[settings.scale].sims)}


def judging(size: int, agents: Iterable[AgentSpec], settings: Settings) -> Judged:
    """Moves on a larger board, beside exact tables."""
    per_ply = SCALES[settings.scale].per_ply[size]
    return Judged(
        task=task_of(_notakto(size)),
        named=tuple(agents),
        all_up_to=min(per_ply, 20_000),
        per_ply=per_ply,
        plies=(FIRST_PLY[size], size * size),
        nodes=None,
        seed=settings.seed,
    )


def _config(task: Task, network: str, iterations: int, step: int, sims: int, seed: int) -> AlphaZeroConfig:
    return AlphaZeroConfig.preset(
        PRESET,
        task=format_task(task),
        network=network,
        seed=seed,
        schedule=Schedule(iterations=iterations, measure_iterations=step, measure_minutes=None),
        measure_simulations=sims,
    )
