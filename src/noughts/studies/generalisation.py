"""Does AlphaZero generalise? Trained on one brick square or a few, played and proved on all of them, and far beyond."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import Figure, Row, Table, beside
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.networks.spec import parse_network
from noughts.play.score import Score
from noughts.positions import Rng, derive_seed
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.played import MatchResult, Played
from noughts.questions.question import Question
from noughts.questions.solved import Solved
from noughts.questions.trained import REUSED, Trained, Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, format_game, format_task, parse_rules, parse_task, task_of
from noughts.rules.squares import square_name
from noughts.rules.symmetry import image_classes
from noughts.statistics import ClusteredShare, clustered_share
from noughts.store.run_folder import training_folder
from noughts.studies.brick_squares import BOARD, CLASSES, SQUARES
from noughts.studies.bttt_tournament import VARIANTS as TABLE_4
from noughts.studies.claims import (
    Claim,
    Measured,
    between,
    curve_figure,
    interval_series,
    line_of,
    notes,
    optimal_row,
    percent,
    table_of,
)
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.augmentation import turning
from noughts.training.schedule import Schedule

TRAINED_ON = {"D4": "bttt(D4)", "D3 D4": "bttt(D3|D4)", "C3 D3 D4": "bttt(C3|D3|D4)"}
PAPER, RESNET, LINE = "paper's resnet", "resnet", "line"
NETWORKS = {PAPER: "resnet:preset=paper", RESNET: "resnet", LINE: "line"}
MINIMAX = parse_agent("minimax:depth=2")
OPPONENTS = {"random": MINIMAX, "first": parse_agent("minimax:depth=2,ties=first")}
"""By how they break ties."""
VARIANTS = {rules.brick_names(): rules for rules in TABLE_4.values()}
"""The squares of the paper's Tables 4 and 6."""

PAPER_ITERATIONS, PAPER_49, PAPER_VARIANT = 850, 490, 100
TABLE_7 = {
    ("D4", 100): 139,
    ("D3 D4", 100): 306,
    ("C3 D3 D4", 100): 443,
    ("D4", 1000): 364,
    ("D3 D4", 1000): 415,
    ("C3 D3 D4", 1000): 483,
}
"""Wins of 490 games, by squares and simulations; Minimax wins all of them."""
TABLE_6 = {
    **{("D4", sims, square): wins for sims in (0, 100, 1000) for square, wins in zip(VARIANTS, (100, 0), strict=True)},
    **{(squares, 100, square): 100 for squares in ("D3 D4", "C3 D3 D4") for square in VARIANTS},
}
"""Tables 4 and 6: wins of 100 games, by squares, simulations and the brick's square; Minimax wins all of them."""
_WHO, _WON = ("Network", "Trained on", "Simulations"), "games won as first player, percent"


class Contender(NamedTuple):
    """Who plays first: a trained network, or Minimax, which has no training.

    Attributes:
        network, squares: Keys of `NETWORKS` and `TRAINED_ON`.
        iterations: Of training.
        played, proved, moved: With how many simulations a move it plays on the 49 squares, is walked against every
            reply, and plays on boards it was not trained on.
        training: Where it comes from.
        reached: After how many iterations it plays, of a training that goes on; None for all of them.
    """

    network: str
    squares: str
    iterations: int
    played: tuple[int, ...]
    proved: tuple[int, ...]
    moved: tuple[int, ...]
    training: Training | None = None
    reached: int | None = None

    @property
    def is_claimed(self) -> bool:
        """Whether what the paper found bears on it: of networks only on the paper's own, after as many iterations."""
        return self.training is None or (
            self.network == PAPER and min(self.iterations, self.reached or self.iterations) >= PAPER_ITERATIONS
        )

    @property
    def judged(self) -> tuple[int, ...]:
        """With how many simulations it is set beside exact truth: those it plays with, up to 100."""
        return tuple(sims for sims in self.played if sims <= 100)

    @property
    def best(self) -> int:
        """The most of these."""
        return max(self.judged)

    @property
    def label(self) -> str:
        """What people call it."""
        return f"{self.network} on {self.squares}" if self.squares else self.network

    def labels(self, sims: int) -> tuple[str, str, str]:
        """What names a row."""
        return (self.network, self.squares, f"{sims:,}" if self.training else "(depth 2)")

    def called(self, sims: int) -> str:
        """It and its search, in words."""
        return f"{self.label}, {simulations(sims)}" if self.training else self.label

    def agent(self, sims: int, view: str = "plain") -> AgentSpec:
        """The agent; `view` is how a trained one sees positions."""
        return MINIMAX if self.training is None else self.training.agent(sims, iteration=self.reached, view=view)

    def seen(self) -> frozenset[int]:
        """The bricks that training showed it, after augmentation."""
        return frozenset() if self.training is None else seen_squares(cast(AlphaZeroConfig, self.training.config))

    def saw(self, rules: Rules) -> bool:
        """Whether the brick of a game is one of these."""
        return rules.bricks[0] in self.seen()


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


class GeneralisationScale(NamedTuple):
    """The size of the study."""

    line_up: tuple[Contender, ...]
    most: int  # decisions after which a walk that has met no loss is given up, where the network plays alone
    most_searched: int  # the same where it searches
    plies: range  # of positions that are judged, so many of each in each class of squares
    per_ply: int
    nodes: int  # the solver's for each of them
    brick_sets: int  # of two, and of three bricks
    moved_games: int  # on each game of the boards that the weights are moved to
    truth_nodes: int  # the solver's, for who wins there; 0 to ask no solver
    games: int = 10  # on each square, against random ties
    variant_games: int = 100  # on each of the paper's two squares, those among them
    training: Mapping[str, Any] = {}  # fields of the configuration that differ from those of the presets
    cores: int | None = None  # of each training: one, so that several go side by side, or None for all
    proved: tuple[str, ...] = ()  # squares on which every reply is walked; none for all of them
    boards: tuple[str, ...] = tuple(BOARDS)  # which boards the weights are moved to
    every: int = 1  # of the squares of a board, every so-manieth is played
    measured_every: int | None = None  # iterations between two measurements, on squares trained and never seen
    goes_on: bool = False  # whether the checkpoints play that the trainings have reached, and nothing is trained


PAPER_SCALE = GeneralisationScale(
    tuple(Contender(PAPER, squares, PAPER_ITERATIONS, (0, 100, 1000), (0, 100), ()) for squares in TRAINED_ON),
    most=200_000,
    most_searched=5_000,
    plies=range(4, 31, 4),
    per_ply=10,
    nodes=200_000,
    brick_sets=0,
    moved_games=0,
    truth_nodes=0,
    training={"measure_games": 4, "measure_simulations": 100},
    cores=1,
    boards=(),
    measured_every=50,
)
"""The protocol of ``docs/papers.md``, line by line. A training has one core: so three go side by side, and any number of cores gives
the same run."""

SCALES = {
    "quick": GeneralisationScale(
        (Contender(LINE, "D4", 15, (0, 32), (0,), (32,)), Contender(RESNET, "D4", 15, (0, 32), (0,), (32,))),
        most=100_000,
        most_searched=100_000,
        plies=range(8, 13, 4),
        per_ply=3,
        nodes=50_000,
        brick_sets=0,
        moved_games=1,
        truth_nodes=0,
        games=2,
        variant_games=6,
        training={
            **{"games": 128, "plies": 12, "batch": 128, "steps": 48, "window": 16384},
            "search": {"simulations": 12},
        },
        cores=1,
        proved=("D4",),
        boards=("9x9",),
        every=11,
    ),
    "laptop": GeneralisationScale(
        (
            Contender(LINE, "D4", 40, _FULL, (0, 32), (0, 32, 100)),
            Contender(RESNET, "D4", 40, (0, 32, 100), (0,), (0, 32, 100)),
            Contender(PAPER, "D4", 12, (0, 100), (0,), ()),
            Contender(LINE, "D3 D4", 40, (0, 100), (0,), ()),
            Contender(LINE, "C3 D3 D4", 40, (0, 100), (0,), ()),
            Contender(RESNET, "D3 D4", 40, (0, 100), (), ()),
            Contender(RESNET, "C3 D3 D4", 40, (0, 100), (), ()),
        ),
        most=200_000,
        most_searched=200_000,
        plies=range(4, 31, 4),
        per_ply=10,
        nodes=200_000,
        brick_sets=50,
        moved_games=2,
        truth_nodes=2_000_000,
    ),
    "paper": PAPER_SCALE,
    "reached": PAPER_SCALE._replace(goes_on=True),
}


class Generalisation(Study):
    """Networks, training squares and search, on every brick square and on boards nobody trained on."""

    name = "generalisation"
    title = "Does AlphaZero generalise to brick squares it has never seen?"
    question = "Does AlphaZero, trained with the brick on one square or a few, win with the brick anywhere, on other boards, with more bricks and longer lines?"
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments, Tables 4, 6 and 7"
    )
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {
            "quick": "the line network and a residual one, trained for a moment on D4 alone; 2 games a square: shows everything in small, and settles nothing",
            "laptop": "both networks on the paper's three sets of squares, the paper's network on D4 for six minutes; 10 games a square, every reply, other boards",
            "paper": "the paper's network for its 850 iterations on each of its three sets of squares; 0, 100 and 1,000 simulations; a day or two",
            "reached": "the same games, played by the checkpoints that the trainings of scale paper have reached; trains nothing",
        },
        quick=2,
    )
    deviations = (
        "Budgets are ours, and stand beside every row; the paper trained for two weeks on a GPU (850 iterations). Only the scale `paper` trains its network as long, by the protocol in `docs/papers.md`; a row of another budget or another network has the paper's number beside it, and no verdict.",
        "Minimax sums Table 2 exactly, prefers a win to any sum, and breaks ties at random; the authors' rounding makes it open always the same way. A second table is against Minimax that takes the first of equal moves: then neither side leaves anything to chance, all games on a square are one game, and it is played once.",
        "A full board is the second player's win, as the paper's text says; its authors' program counts a draw.",
        "The line network and the residual one are trained by Gumbel AlphaZero with 24 simulations and all 8 symmetries; the paper's by its own settings, with 4 reflections.",
        "Squares count as seen where augmentation turns a training brick to; the paper's test square E5 is seen by agents trained on C3.",
        "Games with 32 simulations, the walks of every reply, the share of optimal moves, and all boards but 7x7 with one brick and k = 4 are ours: the paper has none of these.",
        "Where every reply is walked, agents see positions from one side, so that squares which are images of one another are one, and ten walks settle all 49. In games they see them as they are.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, games, every reply, moves beside the truth, and who wins the games on other boards."""
        work = GeneralisingWork(settings)
        truths = [asked for board in work.boards if (asked := work.truth(board)) is not None]
        games = [work.on_squares(*player, ties) for player in work.players for ties in OPPONENTS]
        games += [work.on_variants(*player) for player in work.players]
        games += [work.elsewhere(c, sims, board) for c in work.everybody for sims in c.moved for board in work.boards]
        walks = [work.walk(contender, sims) for contender in work.everybody for sims in contender.proved]
        trainings = () if work.size.goes_on else (c.training for c in work.contenders if c.training)
        return [*trainings, *truths, *games, *walks, *work.judging.values()]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables 7, 4 and 6, the walks, the judging, the other boards; a board of squares for everybody."""
        work = GeneralisingWork(settings, answers)
        random, first = (_table_7(work, ties) for ties in OPPONENTS)
        proofs, judged = _proof_table(work), _judged_table(work)
        trainings = _training_table(work)
        tables = (trainings, random, first, _variants_table(work), proofs, judged, _moved_table(work))
        figures = (
            *beside(
                trainings,
                _learning_figures(work),
                "Measured while training, with 100 simulations, 4 games a square against Minimax with random ties.",
            ),
            *beside(
                random,
                _squares_figures(work),
                "Each square stands for the games with the brick there. If training on few squares carried over to all, the whole board "
                "would be shaded like the squares with a star.",
            ),
            *beside(
                proofs,
                _proofs_figures(work),
                "What no number of games can show: with the brick there no reply beats it, or a shortest one that does.",
            ),
            *beside(
                judged,
                _optimal_figures(work),
                "Of random positions in which some moves keep the value and some do not, the share in which it is kept, with 95% "
                "intervals, everybody in the same positions.",
            ),
        )
        return Conclusion(tuple(table for table in tables if table.rows), figures, tuple(_findings(work)))


class Optimal(NamedTuple):
    """A contender's tallies with so many simulations: by ply, and by whether the square was seen in training."""

    plies: dict[int, Tally]
    seen: Tally
    unseen: Tally


class GeneralisingWork:
    """All that a scale asks, for one seed, and what is known of it."""

    def __init__(self, settings: Settings, answers: Answers | None = None) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds
        self.answers = answers or Answers()

    @cached_property
    def contenders(self) -> tuple[Contender, ...]:
        """Those that are trained, in the order of the line-up."""
        trained = (contender._replace(training=self._training(contender)) for contender in self.size.line_up)
        if not self.size.goes_on:
            return tuple(trained)
        return tuple(one._replace(reached=_last_kept(training_folder(), one.training)) for one in trained)

    @cached_property
    def everybody(self) -> tuple[Contender, ...]:
        """Those of them that can play, and Minimax."""
        able = (contender for contender in self.contenders if contender.reached != 0)
        return (*able, Contender("Minimax", "", 0, (0,), (), (0,)))

    @property
    def players(self) -> Sequence[tuple[Contender, int]]:
        """Everybody with all numbers of simulations."""
        return [(contender, sims) for contender in self.everybody for sims in contender.played]

    def walked(self, last: int = 0) -> Iterator[tuple[Contender, int, Mapping[Rules, WalkResult]]]:
        """Whoever is walked, with all numbers of simulations or the last ones, and the walks by square."""
        for contender in self.everybody:
            for sims in contender.proved[-last:]:
                yield contender, sims, self.answers[self.walk(contender, sims)].by_rules

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
                if self.size.brick_sets and name in self.size.boards:
                    found[name] = task_of(*brick_sets(games, self.size.brick_sets, self.seed))
            elif name in self.size.boards:
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
            hunt=300 if sims > 0 or contender.network == PAPER else None,
            most=self.limit(sims),
            images_once=True,
        )

    def limit(self, sims: int) -> int:
        """After how many decisions a walk that has met no loss is given up."""
        return self.size.most_searched if sims else self.size.most

    @cached_property
    def judging(self) -> dict[int, Judged]:
        """By ply: everybody in the same positions, in each class of squares."""
        judged = Judged(
            task=task_of(*(group[0] for group in CLASSES)),
            named=tuple(contender.agent(sims) for contender in self.everybody for sims in contender.judged),
            all_up_to=0,
            per_ply=self.size.per_ply,
            nodes=self.size.nodes,
            seed=self.seed,
        )
        return {ply: judged.model_copy(update={"plies": (ply, ply)}) for ply in self.size.plies}

    def truth(self, board: str) -> Solved | None:
        """Who wins the games of a board, of those with a solver's size and k = 4; None if there are none."""
        games = [rules for rules in self.boards[board].rules if rules.size <= 64 and rules.k == 4]
        if not games or not self.size.truth_nodes:
            return None
        return Solved(task=task_of(*games), nodes=self.size.truth_nodes)

    def trained(self, contender: Contender) -> Trained | None:
        """What became of its training; of one that takes days, what it has come to."""
        if contender.training is None:
            return None
        done = self.answers[contender.training]
        return contender.training.so_far() if done is None and self.size.measured_every else done

    def budget(self, contender: Contender) -> str:
        """What that took, in words."""
        if (trained := self.trained(contender)) is None:
            return ""
        if contender.reached is not None:
            return f"the checkpoint after {contender.reached} of {contender.iterations} iterations"
        return trained.budget

    def by_square(self, contender: Contender, sims: int, ties: str = "random") -> dict[Rules, Score]:
        """The games that count for Table 7: so many on each square."""
        return _scores(self.answers[self.on_squares(contender, sims, ties)])

    def lost_game(self, contender: Contender, sims: int, rules: Rules) -> str:
        """The first game on a square that it lost against random ties, as text; empty if it lost none."""
        among = rules in VARIANTS.values()
        played = self.on_variants(contender, sims) if among else self.on_squares(contender, sims, "random")
        record = played.lost(self.answers, rules)
        return "" if record is None else format_game(rules, record.moves)

    def optimal(self, contender: Contender, sims: int) -> Optimal:
        """Its tallies."""
        plies, halves = dict.fromkeys(self.size.plies, Tally()), {True: Tally(), False: Tally()}
        for ply, asked in self.judging.items():
            found = self.answers[asked]
            for rules, *_ in CLASSES:
                tally = found.of(contender.agent(sims), rules).get(ply, Tally())
                plies[ply] += tally
                halves[contender.saw(rules)] += tally
        return Optimal(plies, halves[True], halves[False])

    def _training(self, entry: Contender) -> Training:
        schedule = Schedule(
            iterations=entry.iterations,
            measure_minutes=None,
            measure_iterations=self.size.measured_every,
            checkpoint_seconds=30.0,
        )
        fields: dict[str, Any] = {
            "measure_games": 1,
            "measure_simulations": 0,
            **self.size.training,
            "task": TRAINED_ON[entry.squares],
            "network": NETWORKS[entry.network],
            "seed": self.seed,
            "schedule": schedule,
            "measure_positions": 0,
        }
        config = AlphaZeroConfig.preset("brick-tic-tac-toe" if entry.network == PAPER else "gumbel", **fields)
        if self.size.measured_every:
            seen = seen_squares(config)
            unseen = task_of(*(rules for rules in SQUARES.rules if rules.bricks[0] not in seen))
            config = config.model_copy(update={"held_out": format_task(unseen)})
        return Training(label=entry.label, config=config, cores=self.size.cores)

    def _played(self, contender: Contender, sims: int, ties: str, task: Task, each: int) -> Played:
        """So many of each game of a task; whoever moves first, the opponent draws alike."""
        return Played(
            task=task,
            a=contender.agent(sims),
            b=OPPONENTS[ties],
            games=each * len(task.rules),
            moves_first="a",
            seed=self.seed,
            draws=(Generalisation.name, ties),
            move_seconds=self.move_seconds,
        )


@cache
def _last_kept(place: Path, training: Training) -> int:
    """The last iteration of which the run of a training holds weights, 0 if none: looked up once, as the training may go on
    while its checkpoint plays."""
    so_far = training.so_far()
    return so_far.curve[-1].iteration if so_far is not None and so_far.curve else 0


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
    rng, found = Rng(derive_seed(seed, Generalisation.name, "bricks", bricks)), dict[Rules, None]()
    while len(found) < number:
        free = [square_name(cell, 7, 7) for cell in range(49)]
        drawn = [free.pop(rng.below(len(free))) for _ in range(bricks)]
        found[parse_rules(f"mnk(7,7,4,bricks={'+'.join(drawn)},full=second)")] = None
    return tuple(found)


def total(scores: Mapping[Rules, Score]) -> Score:
    """The scores of some games together."""
    return sum(scores.values(), Score())


def by_class(scores: Mapping[Rules, Score]) -> ClusteredShare:
    """The share of wins, its interval by classes of games that are images of one another."""
    classes = [sum((scores[rules] for rules in group), Score()) for group in image_classes(scores)]
    return clustered_share([score.wins for score in classes], [score.games for score in classes])


def _scores(result: MatchResult) -> dict[Rules, Score]:
    return {game.rules: game.score for game in result.by_game}


def _halves(contender: Contender, scores: Mapping[Rules, Score]) -> tuple[Score, Score]:
    """On squares that it saw in training, and on the others."""
    seen = sum((score for rules, score in scores.items() if contender.saw(rules)), Score())
    return seen, sum((score for rules, score in scores.items() if not contender.saw(rules)), Score())


def _training_table(work: GeneralisingWork) -> Table:
    rows = []
    for contender in work.contenders:
        done = work.trained(contender)
        seen = " ".join(rules.brick_names() for rules in SQUARES.rules if contender.saw(rules))
        rows.append(
            Row(
                labels=(contender.network, contender.squares),
                paper="850 iterations, two weeks on a GPU" if contender.network == PAPER else "",
                ours=work.budget(contender),
                value=None if done is None else float(done.positions),
                count=0 if done is None else done.iterations,
                note=f"{parse_network(NETWORKS[contender.network])}; of {contender.iterations} iterations; seen after augmentation: {seen}",
            )
        )
    return Table(
        title="The trainings",
        label_columns=("Network", "Trained on"),
        unit="positions of self-play",
        rows=tuple(rows),
        caption="Measuring included; each had as many cores as its row says.",
    )


_PLAYED_BY = (
    "Their numbers are of the paper's network after 850 iterations, two weeks. Only that network with that budget gets a "
    "verdict; the paper's numbers beside other rows are no claim about them."
)
_CLUSTERED = (
    "Squares that are images of one another have like games: intervals are bootstrapped over the 10 classes of squares."
)
_TIES = {
    "random": ("a random one", f"{{}} games a square. {_PLAYED_BY} {_CLUSTERED}"),
    "first": (
        "the first",
        f"one game a square, as all on it are the same. {_PLAYED_BY} {_CLUSTERED} Neither side leaves anything to chance.",
    ),
}
"""Which of equal moves Minimax takes, and what its table is of."""


def _table_7(work: GeneralisingWork, ties: str) -> Table:
    """All 49 squares against Minimax; the paper's has random ties."""
    taken, caption = _TIES[ties]
    title, claims = f"Table 7: every brick square, against Minimax that takes {taken} of equal moves", []
    for contender, sims in work.players:
        asked = work.on_squares(contender, sims, ties)
        wins = TABLE_7.get((contender.squares, sims)) if contender.training else PAPER_49
        distinct = len({record.moves for record in asked.records(work.answers)}) if ties == "first" else None
        claims.append(
            Claim(
                title,
                row=contender.labels(sims),
                ask=asked,
                metric=partial(_won_by_class, contender, distinct),
                paper="" if wins is None else f"{wins} - {PAPER_49 - wins}",
                won=wins if ties == "random" and contender.is_claimed else None,
                of=PAPER_49,
                note=work.budget(contender),
            )
        )
    return table_of(claims, work.answers, title, _WHO, _WON, caption.format(work.size.games))


def _won_by_class(contender: Contender, distinct: int | None, result: MatchResult) -> Measured:
    """Games won, those of images of one another together, and how many of them on squares that training showed."""
    scores = _scores(result)
    seen, unseen = _halves(contender, scores)
    split = f"seen squares {seen.wins} of {seen.games}, unseen {unseen.wins} of {unseen.games}"
    return _won(result, split if contender.training is not None and scores else "", distinct)


def _won_elsewhere(result: MatchResult) -> Measured:
    scores = _scores(result)
    return _won(result, f"all games won on {_won_whole(scores)} of {len(scores)}" if scores else "")


def _won(result: MatchResult, note: str, distinct: int | None = None) -> Measured:
    scores = _scores(result)
    differ = result.distinct if distinct is None else distinct
    return Measured(total(scores).wins, total(scores).games, str(total(scores)), differ, note, by_class(scores))


def _variants_table(work: GeneralisingWork) -> Table:
    """The paper's two squares."""
    title, claims = "Tables 4 and 6: the brick on D4 and on E5, against Minimax with random ties", []
    for contender, sims in work.players:
        for square, rules in VARIANTS.items():
            wins = TABLE_6.get((contender.squares, sims, square)) if contender.training else PAPER_VARIANT
            seen = "seen in training" if contender.saw(rules) else "unseen"
            claims.append(
                Claim(
                    title,
                    row=(*contender.labels(sims), square),
                    ask=work.on_variants(contender, sims),
                    metric=partial(_won_on, rules),
                    paper="" if wins is None else f"{wins} - {PAPER_VARIANT - wins}",
                    won=wins if contender.is_claimed else None,
                    of=PAPER_VARIANT,
                    note=seen if contender.training else "",
                )
            )
    return table_of(claims, work.answers, title, (*_WHO, "Brick"), _WON, _PLAYED_BY)


def _won_on(rules: Rules, result: MatchResult) -> Measured:
    """Games won on one square."""
    own = [(game.score, game.distinct) for game in result.by_game if game.rules == rules]
    score, distinct = own[0] if own else (Score(), 0)
    return Measured(score.wins, score.games, str(score), distinct)


def _proof_table(work: GeneralisingWork) -> Table:
    rows = []
    for contender, sims, walks in work.walked():
        proved = sum(walk.wins for walk in walks.values())
        own = [walk.wins for rules, walk in walks.items() if contender.saw(rules)]
        others = [walk.wins for rules, walk in walks.items() if not contender.saw(rules)]
        halves = [f"{half} {sum(won)} of {len(won)}" for half, won in (("seen", own), ("unseen", others)) if won]
        lost = [walk for walk in walks.values() if walk.lost_game]
        lengths = {len(walk.lost_game or ()) for walk in lost}
        span = " to ".join(map(str, sorted({min(lengths), max(lengths)}))) if lost else ""
        kind = "a shortest loss" if all(walk.whole for walk in lost) else "a loss"
        given_up = sum(walk.limit is not None for walk in walks.values())
        rows.append(
            Row(
                labels=contender.labels(sims),
                ours=f"{proved} of {len(walks)} squares" if walks else "",
                value=percent(proved / len(walks)) if walks else None,
                count=len(walks),
                note=notes(
                    ", ".join(halves),
                    f"on {len(lost)} it can be beaten, {kind} takes {span} plies" if lost else "",
                    f"{given_up} not decided within {work.limit(sims):,} decisions, without a loss so far"
                    if given_up
                    else "",
                ),
            )
        )
    return Table(
        title="Proved: squares on which it wins against every reply as first player",
        label_columns=_WHO,
        unit="squares proved, percent",
        rows=tuple(rows),
        caption="Every reply is walked until the agent first loses, or to the end; where it searches, a narrow walk looks for a loss first. "
        "These are all squares that were walked, and no sample; perfect play wins on all 49.",
    )


def _judged_table(work: GeneralisingWork) -> Table:
    rows = []
    for contender in work.everybody:
        for sims in contender.judged:
            found = work.optimal(contender, sims)
            halves = {"seen": found.seen, "unseen": found.unseen} if contender.training else {"any": found.unseen}
            rows += [_judged_row((*contender.labels(sims), half), tally) for half, tally in halves.items()]
    return Table(
        title="Optimal moves in random positions where the choice matters",
        label_columns=(*_WHO, "Squares"),
        unit="optimal moves, percent",
        rows=tuple(rows),
        caption=f"The same positions for everybody, {work.size.per_ply} for each of the 10 classes of squares and each of plies "
        f"{', '.join(map(str, work.size.plies))}. A choice matters where some moves keep the value and some do not.",
    )


def _judged_row(labels: tuple[str, ...], tally: Tally) -> Row:
    note = notes(
        f"of {tally.positions:,} positions; a random player {percent(tally.chance_share):.0f} percent",
        f"{tally.undecided:,} not decided" if tally.undecided else "",
        f"{tally.errors:,} errors" if tally.errors else "",
    )
    return optimal_row(labels, tally, note if tally.choices else "")


def _moved_table(work: GeneralisingWork) -> Table:
    """The same weights on boards they were never trained on."""
    title = "The same weights elsewhere, never retrained: against Minimax with random ties"
    claims = [
        Claim(
            title,
            row=(board, *contender.labels(sims)),
            ask=work.elsewhere(contender, sims, board),
            metric=_won_elsewhere,
            note=_expected(work, board),
        )
        for board in work.boards
        for contender in work.everybody
        for sims in contender.moved
    ]
    caption = (
        f"k = 4 and one brick unless it says otherwise, {work.size.moved_games} games for each place of the bricks. "
        "The paper's network has dense heads and serves 7x7 alone. Intervals are bootstrapped over classes of places that are images of one another. "
        "A full board is the second player's win, and what Minimax itself wins as first player shows how hard a board is."
    )
    return table_of(claims, work.answers, title, ("Board", *_WHO), _WON, caption)


def _won_whole(scores: Mapping[Rules, Score]) -> int:
    """On how many it won every game."""
    return sum(score.wins == score.games > 0 for score in scores.values())


def _expected(work: GeneralisingWork, board: str) -> str:
    """What perfect play would do, where that is known."""
    asked = work.truth(board)
    values = [] if asked is None else [game.found.value for game in work.answers[asked].games]
    first, second = values.count(1), values.count(-1)
    unknown = len(work.boards[board].rules) - first - second
    if not first and not second:
        return "who wins under perfect play was not asked or not decided"
    return f"under perfect play the first player on {first}, the second on {second}, not decided on {unknown}"


def _learning_figures(work: GeneralisingWork) -> Iterator[Figure]:
    """Games won as first player, on squares trained on and on squares never seen, over iterations."""
    lines = []
    for contender in work.contenders if work.size.measured_every else ():
        done = work.trained(contender)
        for name, metric in (("trained on", "first_score"), ("never seen", "held_out_first_score")):
            curve = () if done is None else done.curve
            points = {
                point.iteration: percent(score) for point in curve if (score := point.values.get(metric)) is not None
            }
            lines.append(line_of(f"{contender.squares}: squares {name}", points))
    yield from curve_figure("learning", "Games won while learning", lines, "iterations", "games won, percent")


def _squares_figures(work: GeneralisingWork) -> Iterator[Figure]:
    for contender, sims in work.players:
        scores = work.by_square(contender, sims)
        if scores and contender.training is not None:
            yield brick_board(
                _slug("squares", contender, sims),
                f"{contender.called(sims)}: games won, by the brick's square",
                f"with the brick there: games won of {work.size.games} as first player against Minimax; * a square seen in training",
                {
                    r: Shade(float(won.wins), f"{won.wins}{_star(contender, r)}", work.lost_game(contender, sims, r))
                    for r, won in scores.items()
                },
                BOARD,
                (0.0, float(work.size.games)),
            )


def _proofs_figures(work: GeneralisingWork) -> Iterator[Figure]:
    for contender, sims, walks in work.walked(1):
        if walks:
            yield brick_board(
                _slug("proved", contender, sims),
                f"{contender.called(sims)}: every reply, by the brick's square",
                "with the brick there: won against every reply, or L and the plies of a game that it loses, or ? where neither was found; * seen in training",
                {rules: _shade(rules, walk, _star(contender, rules)) for rules, walk in walks.items()},
                BOARD,
            )


def _shade(rules: Rules, walk: WalkResult, star: str) -> Shade:
    if walk.wins:
        return Shade(100.0, f"won{star}")
    if walk.lost_game:
        return Shade(0.0, f"L{len(walk.lost_game)}{star}", format_game(rules, walk.lost_game))
    return Shade(50.0, f"?{star}")


def _star(contender: Contender, rules: Rules) -> str:
    return "*" if contender.saw(rules) else ""


def _optimal_figures(work: GeneralisingWork) -> Iterator[Figure]:
    for name, with_search in (("the policy alone", False), ("with search", True)):
        lines = []
        for contender in work.everybody:
            sims = contender.best if with_search else 0
            found = work.optimal(contender, sims).plies
            known = {ply: tally.optimal_interval for ply, tally in found.items() if tally.choices}
            lines.append(interval_series(contender.called(sims), known))
        title = f"Optimal moves by ply where the choice matters, {name}"
        yield from curve_figure(f"optimal-{name.split()[1]}", title, lines, "ply", "optimal moves, percent")


def _slug(kind: str, contender: Contender, sims: int) -> str:
    return "-".join(f"{kind} {contender.label} {sims}".lower().replace("'", "").split())


def _findings(work: GeneralisingWork) -> Iterator[str]:
    """A sentence for each question that was asked, only of what was measured."""
    if work.size.measured_every:
        counts = {one.squares: 0 if (done := work.trained(one)) is None else done.iterations for one in work.contenders}
        if min(counts.values()) < PAPER_ITERATIONS:
            reached = ", ".join(f"{squares}: {count}" for squares, count in counts.items())
            yield f"Trained so far, of {PAPER_ITERATIONS} iterations: {reached}. `noughts study run generalisation --scale paper --seed {work.seed} --workers 3` goes on; `--scale reached` plays with what there is."
    for contender in work.contenders:
        sims, budget, scores = contender.best, work.budget(contender), work.by_square(contender, contender.best)
        if contender.squares == "D4" and budget and scores:
            seen, _ = _halves(contender, scores)
            unseen = {rules: score for rules, score in scores.items() if not contender.saw(rules)}
            yield f"Trained on D4 alone ({budget}), the {contender.network} network wins {_share(unseen)} on squares it never saw and {seen.wins} of {seen.games} on D4, {simulations(sims)}; every game on {_won_whole(scores)} of {len(scores)} squares (the paper's agent: 139 of 490 games with 100 simulations)."
    for contender, sims, walks in work.walked(1):
        if walks:
            proved = sum(walk.wins for walk in walks.values())
            lost = sum(walk.lost_game is not None for walk in walks.values())
            classes = [walks[group[0]].wins for group in image_classes(walks)]
            unseen_classes = [walks[group[0]].wins for group in image_classes(walks) if not contender.saw(group[0])]
            yield f"{contender.called(sims)}, seen from one side: it is proved to win against every reply on {proved} of {len(walks)} squares, and can be beaten on {lost}. To an agent that sees from one side these are {len(classes)} classes of images, of which {sum(classes)} are proved, {sum(unseen_classes)} of the {len(unseen_classes)} never seen; one training of one seed."
    for network in dict.fromkeys(contender.network for contender in work.contenders):
        group = [contender for contender in work.contenders if contender.network == network]
        common = set.intersection(*(set(contender.played) for contender in group))
        if len(group) > 1 and common:
            won = {c.squares: total(work.by_square(c, max(common))) for c in group}
            if all(score.games for score in won.values()):
                shares = ", ".join(f"{s}: {won[s].wins} of {won[s].games}" for s in TRAINED_ON if s in won)
                yield f"More training squares, {network} network, {simulations(max(common))}: wins on all squares after training on {shares}."
    for contender in work.contenders:
        by_sims = {sims: total(work.by_square(contender, sims)) for sims in contender.played}
        if len(by_sims) > 1 and all(score.games for score in by_sims.values()):
            shares = ", ".join(f"{simulations(sims)} {score.wins} of {score.games}" for sims, score in by_sims.items())
            yield f"More search, {contender.label}: {shares}."
    for contender in work.contenders:
        _, own, others = work.optimal(contender, contender.best)
        if own.choices and others.choices:
            yield f"{contender.called(contender.best)}: where the choice matters it keeps the value in {percent(own.optimal_interval.share):.1f} percent of {own.choices:,} random positions on squares it saw, and in {between(others.optimal_interval)} of {others.choices:,} on others."
    for contender in work.contenders:
        for last in contender.moved[-1:]:
            moved = {board: _scores(work.answers[work.elsewhere(contender, last, board)]) for board in work.boards}
            parts = [
                f"{board}: all games on {_won_whole(scores)} of {len(scores)} places of the bricks ({_share(scores)})"
                for board, scores in moved.items()
                if scores
            ]
            if parts:
                yield f"{contender.called(last)}, on boards it was never trained on, wins against Minimax on {'; '.join(parts)}."
    for contender in work.everybody:
        sims = max(contender.played)
        scores, first = work.by_square(contender, sims), total(work.by_square(contender, sims, "first"))
        if total(scores).games and first.games:
            yield f"{contender.called(sims)}: {_share(scores)} against random ties, and {first.wins} of {first.games} squares against an opponent that always plays the first of equal moves."


def _share(scores: Mapping[Rules, Score]) -> str:
    score, (_, low, high) = total(scores), by_class(scores).interval
    return f"{score.wins} of {score.games} games ({percent(low):.1f} to {percent(high):.1f} percent)"
