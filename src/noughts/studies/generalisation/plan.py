"""What `generalisation` trains and measures: the line-up at each scale, the games, and the names of all that is done."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from noughts.positions import Rng, derive_seed
from noughts.rules import Rules, format_rules, parse_rules, parse_task
from noughts.rules.squares import square_name
from noughts.rules.symmetry import image_classes
from noughts.studies.study import Settings
from noughts.studies.trained import Training
from noughts.training.alphazero.augmentation import turning
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "generalisation"
SQUARES = "bttt(*)"
TRAINED_ON = {"D4": "bttt(D4)", "D3 D4": "bttt(D3|D4)", "C3 D3 D4": "bttt(C3|D3|D4)"}
PAPER, RESNET, LINE = "paper's resnet", "resnet", "line"
NETWORKS = {PAPER: "resnet:preset=paper", RESNET: "resnet", LINE: "line"}
MINIMAX, FIRST_TIES = "minimax:depth=2", "minimax:depth=2,ties=first"
OPPONENTS = {"random": MINIMAX, "first": FIRST_TIES}
"""By how they break ties."""
VARIANTS = ("D4", "E5")
"""The squares of the paper's Tables 4 and 6."""
_CHECKPOINT_SECONDS = 30.0


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


class Scale(NamedTuple):
    """The size of the study.

    Attributes:
        line_up: What is trained.
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
BOARDS = {
    "6x7": "mnk(6,7,4,bricks=*,full=second)",
    "8x8": "mnk(8,8,4,bricks=*,full=second)",
    "9x9": "mnk(9,9,4,bricks=*,full=second)",
    "11x11": "mnk(11,11,4,bricks=*,full=second)",
    "7x7, two bricks": "2",
    "7x7, three bricks": "3",
    "7x7, k = 5": "mnk(7,7,5,bricks=*,full=second)",
    "9x9, k = 5": "mnk(9,9,5,bricks=*,full=second)",
}
"""By name: a task, or of how many bricks sets are drawn."""

SCALES = {
    "quick": Scale(
        (Entry(LINE, "D4", 8, (0, 32), (0,), (32,)), Entry(RESNET, "D4", 4, (0, 32), (0,), (32,))),
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
    "laptop": Scale(
        (
            Entry(LINE, "D4", 60, _FULL, (0, 32), (0, 32, 100)),
            Entry(RESNET, "D4", 40, (0, 32, 100), (0,), (0, 32, 100)),
            Entry(PAPER, "D4", 12, (0, 100), (0,), ()),
            Entry(LINE, "D3 D4", 60, (0, 100), (0,), ()),
            Entry(LINE, "C3 D3 D4", 60, (0, 100), (0,), ()),
            Entry(RESNET, "D3 D4", 40, (0, 100), (), ()),
            Entry(RESNET, "C3 D3 D4", 40, (0, 100), (), ()),
        ),
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
    "paper": Scale(
        tuple(
            Entry(network, squares, iterations, _FULL, (0, 32, 100), (0, 32, 100))
            for network, iterations in ((LINE, 300), (RESNET, 600), (PAPER, 850))
            for squares in TRAINED_ON
        ),
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
    training: Training[AlphaZeroConfig] | None

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
    def played(self) -> tuple[int, ...]:
        """With how many simulations it plays; Minimax has none."""
        return (0,) if self.entry is None else self.entry.played

    @property
    def moved(self) -> tuple[int, ...]:
        """The same on boards it was not trained on."""
        return (0,) if self.entry is None else self.entry.moved

    def agent(self, sims: int, view: str = "plain") -> str:
        """Its text; `view` is how a trained agent sees positions."""
        return MINIMAX if self.training is None else self.training.agent(sims, view=view)

    def called(self, sims: int) -> str:
        """It and its search, in words; names what is measured of it."""
        return self.label if self.training is None else f"{self.label}, {simulations(sims)}"

    def seen(self) -> frozenset[int]:
        """The bricks that training showed it, after augmentation."""
        return frozenset() if self.training is None else seen_squares(self.training.config)


class Plan:
    """All that a scale holds, for one seed."""

    def __init__(self, settings: Settings) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds

    @cached_property
    def contenders(self) -> tuple[Contender, ...]:
        """Those that are trained, in the order of the line-up."""
        return tuple(Contender(entry, _training(entry, self.seed)) for entry in self.size.line_up)

    @cached_property
    def everybody(self) -> tuple[Contender, ...]:
        """They and Minimax."""
        return (*self.contenders, Contender(None, None))

    @cached_property
    def proved(self) -> tuple[Rules, ...]:
        """Games in which every reply is walked."""
        return tuple(
            rules for rules in all_squares() if not self.size.proved or rules.brick_names() in self.size.proved
        )

    @cached_property
    def walked(self) -> tuple[tuple[Rules, ...], ...]:
        """The same games, those together that one walk settles.

        In walks agents see positions from one side: so they play alike in games that are images of one another, and a
        walk has an eighth of the positions where the brick is in the middle.
        """
        return tuple(map(tuple, image_classes(self.proved)))

    @cached_property
    def boards(self) -> dict[str, tuple[Rules, ...]]:
        """The games the weights are moved to, by the board's name."""
        found = {}
        for name, text in BOARDS.items():
            if text.isdecimal():
                if self.size.brick_sets:
                    found[name] = brick_sets(int(text), self.size.brick_sets, self.seed)
            elif not self.size.boards or name in self.size.boards:
                found[name] = parse_task(text).rules[:: self.size.every]
        return found

    def squares(self) -> Iterator[tuple[Rules, int]]:
        """The 49 games, and how often each is played against random ties."""
        for rules in all_squares():
            yield rules, self.size.variant_games if rules.brick_names() in VARIANTS else self.size.games

    def game_seed(self, ties: str, rules: Rules, number: int) -> int:
        """Whoever plays first, the opponent draws alike."""
        return derive_seed(self.seed, STUDY, ties, rules.to_json(), number)


@lru_cache(maxsize=1)
def all_squares() -> tuple[Rules, ...]:
    """The 49 games."""
    return parse_task(SQUARES).rules


@lru_cache(maxsize=1)
def square_classes() -> tuple[tuple[Rules, ...], ...]:
    """The 49 games in groups that are images of one another."""
    return tuple(map(tuple, image_classes(all_squares())))


def match_name(contender: Contender, sims: int, ties: str, rules: Rules) -> str:
    """Names the games of a contender in one game."""
    return f"{contender.called(sims)} / {ties} / {format_rules(rules)}"


def walk_key(contender: Contender, sims: int, rules: Rules) -> str:
    """Names a walk."""
    return f"walk / {contender.called(sims)} / {format_rules(rules)}"


def judge_key(rules: Rules, ply: int) -> str:
    """Names the judging of everybody in positions of one ply."""
    return f"judge / {format_rules(rules)} / {ply:02d}"


def truth_key(rules: Rules) -> str:
    """Names the question who wins a game."""
    return f"truth / {format_rules(rules)}"


def truth_classes(games: Sequence[Rules]) -> list[list[Rules]]:
    """Games of a solver's size and k = 4 in groups that are images of one another; no others are asked about."""
    return image_classes(rules for rules in games if rules.size <= 64 and rules.k == 4)


def judged_sims(contender: Contender) -> tuple[int, ...]:
    """With how many simulations a contender is judged: those it plays with, up to 100."""
    return tuple(sims for sims in contender.played if sims <= 100)


def is_hunted(contender: Contender, sims: int) -> bool:
    """Whether a loss is first looked for in a narrow walk, because the whole one costs much: it need not be a shortest."""
    return sims > 0 or contender.network == PAPER


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


def _training(entry: Entry, seed: int) -> Training[AlphaZeroConfig]:
    label = f"{entry.network} on {entry.squares}"
    config = AlphaZeroConfig.preset(
        "brick-tic-tac-toe" if entry.network == PAPER else "gumbel",
        task=TRAINED_ON[entry.squares],
        network=NETWORKS[entry.network],
        seed=seed,
        schedule=Schedule(iterations=entry.iterations, measure_minutes=None, checkpoint_seconds=_CHECKPOINT_SECONDS),
        measure_games=1,
        measure_simulations=0,
        measure_positions=0,
    )
    return Training(STUDY, label, config)
