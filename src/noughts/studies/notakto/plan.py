"""What `notakto` trains and plays: boards, networks, opponents, and the training on small boards that is tried on larger ones."""

from typing import NamedTuple

from noughts.play.match import MatchPlan
from noughts.positions import Side
from noughts.rules import format_rules, parse_rules
from noughts.studies.examined import Match, way
from noughts.studies.study import Settings
from noughts.studies.trained import Training
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
    "random": "random",
    "avoids an immediate loss": "minimax:depth=2,eval=none",
    "exact": "perfect",
}
"""The second is the paper's "random": it never completes a line while it has another move, and is random otherwise;
looking two plies ahead, it also completes none that leaves the other side nothing but to complete one."""
PRESET = "notakto-fast"


class Board(NamedTuple):
    """A board of the paper.

    Attributes:
        size: Rows and columns.
        side: Who wins it.
        paper: Percent that the paper's networks won, None where it gave up.
        paper_text: What it says, as printed.
        walked: Whether every reply is walked; 5x5 has too many.
    """

    size: int
    side: Side
    paper: int | None
    paper_text: str
    walked: bool = True

    @property
    def rules(self) -> str:
        """Text form."""
        return f"notakto({self.size})"

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.size}x{self.size}, {self.side.name.lower()}"


BOARDS = (
    Board(3, Side.FIRST, 100, "100 percent"),
    Board(4, Side.SECOND, 46, "at best 46 percent"),
    Board(5, Side.FIRST, None, "out of reach", walked=False),
)


class Scale(NamedTuple):
    """What is trained: by size of board, networks, iterations, and measurements on the way; games against each
    opponent; iterations of the training on small boards; simulations; and positions of each ply on larger boards."""

    networks: dict[int, tuple[str, ...]]
    iterations: dict[int, int]
    measured: dict[int, int]
    games: int
    transfer_iterations: int
    sims: int
    per_ply: dict[int, int]


_ALL = tuple(NETWORKS)
_WIDE = "fully connected, wide"
SCALES = {
    "quick": Scale({3: ("fully connected",), 4: (_WIDE,)}, {3: 8, 4: 12}, {3: 2, 4: 1}, 20, 10, 32, {5: 10}),
    "laptop": Scale(
        {3: _ALL, 4: _ALL, 5: (_WIDE, "line")},
        {3: 30, 4: 120, 5: 100},
        {3: 6, 4: 6, 5: 4},
        100,
        100,
        100,
        {5: 60, 6: 20},
    ),
    "paper": Scale(
        {3: _ALL, 4: _ALL, 5: _ALL},
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


class Run(NamedTuple):
    """A training of one network on one board."""

    board: Board
    network: str
    training: Training[AlphaZeroConfig]
    step: int

    @property
    def iterations(self) -> tuple[int, ...]:
        """Those at which it is measured."""
        return tuple(range(self.step, self.training.iterations + 1, self.step))

    def examined(self, number: int, sims: int) -> str:
        """What its measurements at the number-th of those are called."""
        return f"{self.training.label} / point {number} / {way(sims)}"


def all_runs(settings: Settings) -> list[Run]:
    """Of every network on every board."""
    size, runs = SCALES[settings.scale], []
    for board in BOARDS:
        for network in size.networks.get(board.size, ()):
            iterations = size.iterations[board.size]
            step = iterations // size.measured[board.size]
            config = _config(board.rules, NETWORKS[network], iterations, step, size.sims, settings.seed)
            training = Training(STUDY, f"{board.size}x{board.size} {network}", config)
            runs.append(Run(board, network, training, step))
    return runs


def small_boards_task() -> str:
    """3x3, in the corner of a board of 4x4, and 4x4: text of a task."""
    from noughts.positions.batched import embed

    return f"{format_rules(embed(parse_rules('notakto(3)'), 4, 4))} | notakto(4)"


def transfer_training(settings: Settings) -> Training[AlphaZeroConfig]:
    """The line network on boards up to 4x4, which is tried on larger ones."""
    size = SCALES[settings.scale]
    iterations = size.transfer_iterations
    config = _config(small_boards_task(), NETWORKS["line"], iterations, iterations, size.sims, settings.seed)
    return Training(STUDY, "up to 4x4 line", config)


def transfer_name(size: int, sims: int) -> str:
    """What its measurements on a larger board are called."""
    return f"{TRANSFER} / {size}x{size} / {way(sims)}"


def matches(run: Run, settings: Settings) -> dict[str, Match]:
    """By opponent; the agent plays the side that can win."""
    size, own = SCALES[settings.scale], run.training.agent(SCALES[settings.scale].sims, view="one-side")
    found = {}
    for name, text in OPPONENTS.items():
        first, second = (own, text) if run.board.side is Side.FIRST else (text, own)
        plan = MatchPlan(rules=run.board.rules, a=first, b=second, games=size.games, seed=settings.seed)
        found[name] = Match(f"{run.training.label} / {name}", plan)
    return found


def _config(task: str, network: str, iterations: int, step: int, sims: int, seed: int) -> AlphaZeroConfig:
    return AlphaZeroConfig.preset(
        PRESET,
        task=task,
        network=network,
        seed=seed,
        schedule=Schedule(iterations=iterations, measure_iterations=step, measure_minutes=None),
        measure_simulations=sims,
    )
