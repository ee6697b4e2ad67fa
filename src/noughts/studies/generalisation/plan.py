"""What `generalisation` trains and asks: the line-up at each scale, the games, and every question about them."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from noughts.agents import AgentSpec, parse_agent
from noughts.positions import Rng, derive_seed
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.solved import Solved
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, parse_rules, parse_task, task_of
from noughts.rules.squares import square_name
from noughts.studies.brick_squares import CLASSES, SQUARES
from noughts.studies.bttt_tournament import VARIANTS as TABLE_4
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.augmentation import turning
from noughts.training.schedule import Schedule

STUDY = "generalisation"
TRAINED_ON = {"D4": "bttt(D4)", "D3 D4": "bttt(D3|D4)", "C3 D3 D4": "bttt(C3|D3|D4)"}
PAPER, RESNET, LINE = "paper's resnet", "resnet", "line"
NETWORKS = {PAPER: "resnet:preset=paper", RESNET: "resnet", LINE: "line"}
MINIMAX = parse_agent("minimax:depth=2")
OPPONENTS = {"random": MINIMAX, "first": parse_agent("minimax:depth=2,ties=first")}
"""By how they break ties."""
VARIANTS = {rules.brick_names(): rules for rules in TABLE_4.values()}
"""The squares of the paper's Tables 4 and 6."""
PAPER_ITERATIONS = 850
_CHECKPOINT_SECONDS = 30.0
_HUNT = 300  # positions of each level that a narrow walk keeps


class Entry(NamedTuple):
    """A network in the line-up of a scale.

    Attributes:
        network, squares: Keys of `NETWORKS` and `TRAINED_ON`.
        iterations: Of training.
        played, proved, moved: With how many simulations a move it plays on the 49 squares, is walked against every
            reply, and plays on boards it was not trained on.
    """

    network: str
    squares: str
    iterations: int
    played: tuple[int, ...]
    proved: tuple[int, ...]
    moved: tuple[int, ...]


class GeneralisationScale(NamedTuple):
    """The size of the study.

    Attributes:
        line_up: What is trained.
        training: Fields of the configuration that differ from those of the line-up's presets.
        cores: Of each training: one, so that several go side by side, or None for all.
        games: On each square, against random ties.
        variant_games: On each of the paper's two squares, those among them.
        proved: Squares on which every reply is walked; none for all of them.
        most: Decisions after which a walk that has met no loss is given up.
        plies, per_ply, nodes: Positions judged: their plies, how many of each in each class of squares, and the
            solver's nodes for each.
        boards: Which boards the weights are moved to, keys of `BOARDS`; none for all.
        every: Of the squares of a board, every so-manieth is played.
        brick_sets: Of two, and of three bricks.
        moved_games: On each game of those boards.
        truth_nodes: The solver's, for who wins on a board the weights are moved to; 0 to ask no solver.
    """

    line_up: tuple[Entry, ...]
    training: Mapping[str, Any]
    cores: int | None
    games: int
    variant_games: int
    proved: tuple[str, ...]
    most: int
    plies: range
    per_ply: int
    nodes: int
    boards: tuple[str, ...]
    every: int
    brick_sets: int
    moved_games: int
    truth_nodes: int


_FULL = (0, 32, 100, 1000)
BOARDS: dict[str, Task | int] = {
    "6x7": parse_task("mnk(6,7,4,bricks=*,full=second)"),
    "8x8": parse_task("mnk(8,8,4,bricks=*,full=second)"),
    "9x9": parse_task("mnk(9,9,4,bricks=*,full=second)"),
    "11x11": parse_task("mnk(11,11,4,bricks=*,full=second)"),
    "7x7, two bricks": 2,
    "7x7, three bricks": 3,
    "7x7, k = 5": parse_task("mnk(7,7,5,bricks=*,full=second)"),
    "9x9, k = 5": parse_task("mnk(9,9,5,bricks=*,full=second)"),
}
"""By name: the games, or of how many bricks sets are drawn."""

SCALES = {
    "quick": GeneralisationScale(
        (Entry(LINE, "D4", 15, (0, 32), (0,), (32,)), Entry(RESNET, "D4", 15, (0, 32), (0,), (32,))),
        training={
            "games": 128,
            "plies": 12,
            "batch": 128,
            "steps": 48,
            "window": 16384,
            "search": {"simulations": 12},
        },
        cores=1,
        games=2,
        variant_games=6,
        proved=("D4",),
        most=100_000,
        plies=range(8, 13, 4),
        per_ply=3,
        nodes=50_000,
        boards=("9x9",),
        every=11,
        brick_sets=0,
        moved_games=1,
        truth_nodes=0,
    ),
    "laptop": GeneralisationScale(
        (
            Entry(LINE, "D4", 40, _FULL, (0, 32), (0, 32, 100)),
            Entry(RESNET, "D4", 40, (0, 32, 100), (0,), (0, 32, 100)),
            Entry(PAPER, "D4", 12, (0, 100), (0,), ()),
            Entry(LINE, "D3 D4", 40, (0, 100), (0,), ()),
            Entry(LINE, "C3 D3 D4", 40, (0, 100), (0,), ()),
            Entry(RESNET, "D3 D4", 40, (0, 100), (), ()),
            Entry(RESNET, "C3 D3 D4", 40, (0, 100), (), ()),
        ),
        training={},
        cores=None,
        games=10,
        variant_games=100,
        proved=(),
        most=200_000,
        plies=range(4, 31, 4),
        per_ply=10,
        nodes=200_000,
        boards=(),
        every=1,
        brick_sets=50,
        moved_games=2,
        truth_nodes=2_000_000,
    ),
    "paper": GeneralisationScale(
        tuple(
            Entry(network, squares, iterations, _FULL, (0, 32, 100), (0, 32, 100))
            for network, iterations in ((LINE, 600), (RESNET, 600), (PAPER, PAPER_ITERATIONS))
            for squares in TRAINED_ON
        ),
        training={},
        cores=None,
        games=10,
        variant_games=100,
        proved=(),
        most=10_000_000,
        plies=range(4, 31, 2),
        per_ply=60,
        nodes=1_000_000,
        boards=(),
        every=1,
        brick_sets=200,
        moved_games=10,
        truth_nodes=100_000_000,
    ),
}


class Contender(NamedTuple):
    """Somebody who plays first: a trained network, or Minimax.

    Attributes:
        entry: What is trained; None for Minimax.
        training: How.
    """

    entry: Entry | None
    training: Training | None

    @property
    def network(self) -> str:
        """What people call it."""
        return "Minimax" if self.entry is None else self.entry.network

    @property
    def squares(self) -> str:
        """What it was trained on."""
        return "" if self.entry is None else self.entry.squares

    @property
    def label(self) -> str:
        """Both."""
        return self.network if self.training is None else self.training.label

    @property
    def is_paper_protocol(self) -> bool:
        """Whether it is the paper's network, trained as long as the paper's."""
        return self.entry is not None and self.entry.network == PAPER and self.entry.iterations >= PAPER_ITERATIONS

    @property
    def played(self) -> tuple[int, ...]:
        """With how many simulations it plays; Minimax has none."""
        return (0,) if self.entry is None else self.entry.played

    @property
    def moved(self) -> tuple[int, ...]:
        """The same on boards it was not trained on."""
        return (0,) if self.entry is None else self.entry.moved

    @property
    def judged(self) -> tuple[int, ...]:
        """With how many simulations it is set beside exact truth: those it plays with, up to 100."""
        return tuple(sims for sims in self.played if sims <= 100)

    @property
    def proved(self) -> tuple[int, ...]:
        """With how many simulations every reply to it is walked."""
        return () if self.entry is None else self.entry.proved

    def agent(self, sims: int, view: str = "plain") -> AgentSpec:
        """The agent; `view` is how a trained one sees positions."""
        return MINIMAX if self.training is None else self.training.agent(sims, view=view)

    def called(self, sims: int) -> str:
        """It and its search, in words."""
        return self.label if self.training is None else f"{self.label}, {simulations(sims)}"

    def seen(self) -> frozenset[int]:
        """The bricks that training showed it, after augmentation."""
        return frozenset() if self.training is None else seen_squares(cast(AlphaZeroConfig, self.training.config))


class Plan:
    """All that a scale holds, for one seed."""

    def __init__(self, settings: Settings) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds

    @cached_property
    def contenders(self) -> tuple[Contender, ...]:
        """Those that are trained, in the order of the line-up."""
        return tuple(Contender(entry, self._training(entry)) for entry in self.size.line_up)

    @cached_property
    def everybody(self) -> tuple[Contender, ...]:
        """They and Minimax."""
        return (*self.contenders, Contender(None, None))

    @cached_property
    def proved(self) -> Task:
        """Games in which every reply is walked."""
        return task_of(*(r for r in SQUARES.rules if not self.size.proved or r.brick_names() in self.size.proved))

    @cached_property
    def boards(self) -> dict[str, Task]:
        """The games the weights are moved to, by the board's name."""
        found = {}
        for name, games in BOARDS.items():
            if isinstance(games, int):
                if self.size.brick_sets:
                    found[name] = task_of(*brick_sets(games, self.size.brick_sets, self.seed))
            elif not self.size.boards or name in self.size.boards:
                found[name] = task_of(*games.rules[:: self.size.every])
        return found

    def on_squares(self, contender: Contender, sims: int, ties: str) -> Played:
        """The 49 squares: against the first of equal moves all games on one are the same, and one is played."""
        return self._played(contender, sims, ties, SQUARES, self.size.games if ties == "random" else 1)

    def on_variants(self, contender: Contender, sims: int) -> Played:
        """The paper's two squares; the games on them among the 49 are these, too."""
        return self._played(contender, sims, "random", task_of(*VARIANTS.values()), self.size.variant_games)

    def elsewhere(self, contender: Contender, sims: int, board: str) -> Played:
        """Games on a board that nobody was trained on."""
        return self._played(contender, sims, "random", self.boards[board], self.size.moved_games)

    def walk(self, contender: Contender, sims: int) -> Walked:
        """Every reply to a contender.

        It sees positions from one side: so it plays alike in games that are images of one another, one walk settles
        them all, and a walk has an eighth of the positions where the brick is in the middle. Where a whole walk costs
        much, a narrow one first looks for a loss, which need not be a shortest.
        """
        return Walked(
            task=self.proved,
            agent=contender.agent(sims, view="one-side"),
            side="first",
            hunt=_HUNT if sims > 0 or contender.network == PAPER else None,
            most=self.size.most,
            images_once=True,
        )

    def judging(self, ply: int) -> Judged:
        """Everybody in the same positions of one ply, in each class of squares."""
        return Judged(
            task=task_of(*(group[0] for group in CLASSES)),
            named=tuple(contender.agent(sims) for contender in self.everybody for sims in contender.judged),
            all_up_to=0,
            per_ply=self.size.per_ply,
            plies=(ply, ply),
            nodes=self.size.nodes,
            seed=self.seed,
        )

    def truth(self, board: str) -> Solved | None:
        """Who wins the games of a board, of those with a solver's size and k = 4; None if there are none."""
        games = [rules for rules in self.boards[board].rules if rules.size <= 64 and rules.k == 4]
        if not games or not self.size.truth_nodes:
            return None
        return Solved(task=task_of(*games), nodes=self.size.truth_nodes)

    def _training(self, entry: Entry) -> Training:
        schedule = Schedule(iterations=entry.iterations, measure_minutes=None, checkpoint_seconds=_CHECKPOINT_SECONDS)
        fields: dict[str, Any] = {
            **self.size.training,
            "task": TRAINED_ON[entry.squares],
            "network": NETWORKS[entry.network],
            "seed": self.seed,
            "schedule": schedule,
            "measure_games": 1,
            "measure_simulations": 0,
            "measure_positions": 0,
        }
        config = AlphaZeroConfig.preset("brick-tic-tac-toe" if entry.network == PAPER else "gumbel", **fields)
        return Training(label=f"{entry.network} on {entry.squares}", config=config, cores=self.size.cores)

    def _played(self, contender: Contender, sims: int, ties: str, task: Task, each: int) -> Played:
        """So many of each game of a task; whoever moves first, the opponent draws alike."""
        return Played(
            task=task,
            a=contender.agent(sims),
            b=OPPONENTS[ties],
            games=each * len(task.rules),
            moves_first="a",
            seed=self.seed,
            draws=(STUDY, ties),
            move_seconds=self.move_seconds,
        )


def simulations(sims: int) -> str:
    """A number of simulations in words."""
    return f"{sims:,} simulations" if sims else "no search"


def seen_squares(config: AlphaZeroConfig) -> frozenset[int]:
    """Cells on which training shows a brick: the task's own, and where augmentation turns them."""
    return frozenset(
        symmetry.image[brick]
        for rules in parse_task(config.task).rules
        for symmetry in turning(rules, config.augmentation)
        for brick in rules.bricks
    )


def brick_sets(bricks: int, number: int, seed: int) -> tuple[Rules, ...]:
    """So many different games on 7x7 with so many bricks, drawn from all there are; equal seeds give equal ones."""
    rng, found = Rng(derive_seed(seed, STUDY, "bricks", bricks)), dict[Rules, None]()
    while len(found) < number:
        free = [square_name(cell, 7, 7) for cell in range(49)]
        drawn = [free.pop(rng.below(len(free))) for _ in range(bricks)]
        found[parse_rules(f"mnk(7,7,4,bricks={'+'.join(drawn)},full=second)")] = None
    return tuple(found)
