"""Does AlphaZero generalise? Trained on one brick square or a few, played and proved on all of them, and far beyond."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER
from noughts.document.heatmap import Shade, brick_board
from noughts.document.result import Figure, Row
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
from noughts.statistics import clustered_share
from noughts.store.run_folder import training_folder
from noughts.studies.claims import (
    Claim,
    Measured,
    Section,
    concluded,
    curve_figure,
    games_claim,
    interval_series,
    line_while_training,
    listed,
    notes,
    optimal_row,
    percent,
    section,
)
from noughts.studies.games import BOARD, CLASS_TASK, SQUARES
from noughts.studies.study import Conclusion, Settings, Study, with_minutes
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.augmentation import turning
from noughts.training.schedule import Schedule

# What the paper says: wins of the first player against Minimax, by training squares and simulations. Minimax wins all games.
PAPER_49, PAPER_VARIANT, PAPER_ITERATIONS = 490, 100, 850
TABLE_7 = {
    ("D4", 100): 139,
    ("D3 D4", 100): 306,
    ("C3 D3 D4", 100): 443,
    ("D4", 1000): 364,
    ("D3 D4", 1000): 415,
    ("C3 D3 D4", 1000): 483,
}
"""Of 490 games, ten on each square."""
VARIANTS = {"D4": parse_rules("bttt(D4)"), "E5": parse_rules("bttt(E5)")}
TABLE_6 = {
    **{("D4", sims, square): wins for sims in (0, 100, 1000) for square, wins in (("D4", 100), ("E5", 0))},
    **{(squares, 100, square): 100 for squares in ("D3 D4", "C3 D3 D4") for square in VARIANTS},
}
"""Of 100 games with the brick on one of two squares; the rows of Table 4 among them."""

# Who plays whom.
TRAINED_ON = {"D4": "bttt(D4)", "D3 D4": "bttt(D3|D4)", "C3 D3 D4": "bttt(C3|D3|D4)"}
PAPER, RESNET, LINE = "paper's resnet", "resnet", "line"
NETWORKS = {PAPER: "resnet:preset=paper", RESNET: "resnet", LINE: "line"}
MINIMAX = parse_agent("minimax:depth=2")
OPPONENTS = {"random": MINIMAX, "first": parse_agent("minimax:depth=2,ties=first")}
"""By how they break ties."""


class Contender(NamedTuple):
    """Who plays first: a trained network, or Minimax, which has no training."""

    network: str  # a key of `NETWORKS`
    squares: str  # a key of `TRAINED_ON`
    iterations: int  # of training
    played: tuple[int, ...]  # with how many simulations a move it plays on the 49 squares
    proved: tuple[int, ...]  # with how many it is walked against every reply
    moved: tuple[int, ...]  # with how many it plays on boards that it was not trained on
    training: Training | None = None
    reached: int | None = None  # after how many iterations it plays, of a training that goes on; None for all of them

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
    def label(self) -> str:
        """What people call it."""
        return f"{self.network} on {self.squares}" if self.squares else self.network

    def labels(self, sims: int) -> tuple[str, str, str]:
        """What names a row."""
        return (self.network, self.squares, f"{sims:,}" if self.training else "(depth 2)")

    def called(self, sims: int) -> str:
        """It and its search, in words."""
        searched = f"{sims:,} simulations" if sims else "no search"
        return f"{self.label}, {searched}" if self.training else self.label

    def agent(self, sims: int, view: str = "plain") -> AgentSpec:
        """The agent; `view` is how a trained one sees positions."""
        return MINIMAX if self.training is None else self.training.agent(sims, iteration=self.reached, view=view)

    def saw(self, rules: Rules) -> bool:
        """Whether training showed it the brick of a game, after augmentation."""
        return self.training is not None and rules.bricks[0] in seen_squares(
            cast(AlphaZeroConfig, self.training.config)
        )


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
            Contender(LINE, "D4", 40, (0, 32, 100, 1000), (0, 32), (0, 32, 100)),
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
        return concluded(
            _trainings(work),
            _table_7(work, "random"),
            _table_7(work, "first"),
            _variants(work),
            _proofs(work),
            _judged(work),
            _moved(work),
        )


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

    def on_squares(self, contender: Contender, sims: int, ties: str = "random") -> Played:
        """The 49 squares: against the first of equal moves all games on one are the same, and one is played."""
        return self._played(contender, sims, SQUARES, self.size.games if ties == "random" else 1, ties)

    def on_variants(self, contender: Contender, sims: int) -> Played:
        """The paper's two squares; the games on them among the 49 are these, too."""
        return self._played(contender, sims, task_of(*VARIANTS.values()), self.size.variant_games)

    def elsewhere(self, contender: Contender, sims: int, board: str) -> Played:
        """Games on a board that nobody was trained on."""
        return self._played(contender, sims, self.boards[board], self.size.moved_games)

    def _played(self, contender: Contender, sims: int, task: Task, each: int, ties: str = "random") -> Played:
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
            task=CLASS_TASK,
            named=tuple(contender.agent(sims) for contender in self.everybody for sims in contender.judged),
            all_up_to=0,
            per_ply=self.size.per_ply,
            nodes=self.size.nodes,
            seed=self.seed,
        )
        return {ply: judged.model_copy(update={"plies": (ply, ply)}) for ply in self.size.plies}

    def optimal(self, contender: Contender, sims: int, ply: int | None = None, saw: bool | None = None) -> Tally:
        """Its moves beside the truth: at one ply or at all, on squares that training showed it, on the others, or on both."""
        answers = (self.answers[judged] for at, judged in self.judging.items() if ply in (None, at))
        squares = [rules for rules in CLASS_TASK.rules if saw in (None, contender.saw(rules))]
        agent = contender.agent(sims)
        found = (answer.of(agent, rules) for answer in answers for rules in squares)
        return sum((tally for tallies in found for tally in tallies.values()), Tally())

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

    def lost_game(self, contender: Contender, sims: int, rules: Rules) -> str:
        """The first game on a square that it lost against random ties, as text; empty if it lost none."""
        played = self.on_variants if rules in VARIANTS.values() else self.on_squares
        record = played(contender, sims).lost(self.answers, rules)
        return "" if record is None else format_game(rules, record.moves)

    def _training(self, contender: Contender) -> Training:
        schedule = Schedule(
            iterations=contender.iterations,
            measure_minutes=None,
            measure_iterations=self.size.measured_every,
            checkpoint_seconds=30.0,
        )
        fields: dict[str, Any] = {
            "measure_games": 1,
            "measure_simulations": 0,
            **self.size.training,
            "task": TRAINED_ON[contender.squares],
            "network": NETWORKS[contender.network],
            "seed": self.seed,
            "schedule": schedule,
            "measure_positions": 0,
        }
        config = AlphaZeroConfig.preset("brick-tic-tac-toe" if contender.network == PAPER else "gumbel", **fields)
        if self.size.measured_every:
            seen = seen_squares(config)
            unseen = task_of(*(rules for rules in SQUARES.rules if rules.bricks[0] not in seen))
            config = config.model_copy(update={"held_out": format_task(unseen)})
        return Training(label=contender.label, config=config, cores=self.size.cores)


@cache
def _last_kept(place: Path, training: Training) -> int:
    """The last iteration of which the run of a training holds weights, 0 if none: looked up once, as the training may go on
    while its checkpoint plays."""
    so_far = training.so_far()
    return so_far.curve[-1].iteration if so_far is not None and so_far.curve else 0


@cache
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


# The page, section by section.

_WHO, _WON = ("Network", "Trained on", "Simulations"), "games won as first player, percent"
_PLAYED_BY = (
    "Their numbers are of the paper's network after 850 iterations, two weeks. Only that network with that budget gets a "
    "verdict; the paper's numbers beside other rows are no claim about them."
)
_CLUSTERED = (
    "Squares that are images of one another have like games: intervals are bootstrapped over the 10 classes of squares."
)


def _trainings(work: GeneralisingWork) -> Section:
    rows, lines, counts = [], [], dict[str, int]()
    for contender in work.contenders:
        done = work.trained(contender)
        counts[contender.squares] = 0 if done is None else done.iterations
        seen = " ".join(rules.brick_names() for rules in SQUARES.rules if contender.saw(rules))
        network = parse_network(NETWORKS[contender.network])
        rows.append(
            Row(
                labels=(contender.network, contender.squares),
                paper="850 iterations, two weeks on a GPU" if contender.network == PAPER else "",
                ours=work.budget(contender),
                value=None if done is None else float(done.positions),
                count=counts[contender.squares],
                note=f"{network}; of {contender.iterations} iterations; seen after augmentation: {seen}",
            )
        )
        for name, metric in (("trained on", "first_score"), ("never seen", "held_out_first_score")):
            title = f"{contender.squares}: squares {name}"
            lines += [line_while_training(title, done, metric, "iteration", 100.0)] * bool(work.size.measured_every)
    goes_on = work.size.measured_every and min(counts.values()) < PAPER_ITERATIONS
    goes_on_by = f"trained so far, of {PAPER_ITERATIONS} iterations; `noughts study run generalisation --scale paper --seed {work.seed} --workers 3` goes on, and `--scale reached` plays with what there is"
    figures = curve_figure("learning", "Games won while learning", lines, "iterations", "games won, percent")
    about = "Measured while training, with 100 simulations, 4 games a square against Minimax with random ties."
    return section(
        "The trainings",
        _WHO[:2],
        "positions of self-play",
        rows,
        "Measuring included; each had as many cores as its row says.",
        {about: figures},
        findings=listed(goes_on_by[0].upper() + goes_on_by[1:], counts) if goes_on else (),
    )


def _table_7(work: GeneralisingWork, ties: str) -> Section:
    """All 49 squares against Minimax, by how it breaks ties; the paper's has random ties."""
    taken, each, more = {
        "random": ("a random one", f"{work.size.games} games a square.", ""),
        "first": (
            "the first",
            "one game a square, as all on it are the same.",
            " Neither side leaves anything to chance.",
        ),
    }[ties]
    rows, boards = [], list[Figure]()
    for contender, sims in work.players:
        boards += _squares(work, contender, sims) if ties == "random" else ()
        asked = work.on_squares(contender, sims, ties)
        wins = TABLE_7.get((contender.squares, sims)) if contender.training else PAPER_49
        distinct = len({record.moves for record in asked.records(work.answers)}) if ties == "first" else None
        metric = partial(_won_on_squares, contender, distinct)
        compared = ties == "random" and contender.is_claimed
        claim = games_claim(contender.labels(sims), asked, metric, wins, PAPER_49, compared, work.budget(contender))
        rows.append(claim.measured(work.answers))
    about = (
        "Each square stands for the games with the brick there. If training on few squares carried over to all, the whole board "
        "would be shaded like the squares with a star."
    )
    return section(
        f"Table 7: every brick square, against Minimax that takes {taken} of equal moves",
        _WHO,
        _WON,
        rows,
        f"{each} {_PLAYED_BY} {_CLUSTERED}{more}",
        {about: boards},
        f"Games won on all squares against Minimax that takes {taken} of equal moves (the paper's agent, trained on D4: 139 of 490 with 100 simulations)",
    )


def _squares(work: GeneralisingWork, contender: Contender, sims: int) -> Iterator[Figure]:
    scores = _scores(work.answers[work.on_squares(contender, sims)])
    if scores and contender.training is not None:
        most = work.size.games
        yield brick_board(
            _slug("squares", contender, sims),
            f"{contender.called(sims)}: games won, by the brick's square",
            f"with the brick there: games won of {most} as first player against Minimax; * a square seen in training",
            {
                r: Shade(float(won.wins), f"{won.wins}{_star(contender, r)}", work.lost_game(contender, sims, r))
                for r, won in scores.items()
            },
            BOARD,
            (0.0, float(most)),
        )


def _variants(work: GeneralisingWork) -> Section:
    """The paper's two squares."""
    rows = []
    for contender, sims in work.players:
        for square, rules in VARIANTS.items():
            wins = TABLE_6.get((contender.squares, sims, square)) if contender.training else PAPER_VARIANT
            seen = ("seen in training" if contender.saw(rules) else "unseen") if contender.training else ""
            labels, asked = (*contender.labels(sims), square), work.on_variants(contender, sims)
            metric = partial(_won_on_one, rules)
            claim = games_claim(labels, asked, metric, wins, PAPER_VARIANT, contender.is_claimed, seen)
            rows.append(claim.measured(work.answers))
    title = "Tables 4 and 6: the brick on D4 and on E5, against Minimax with random ties"
    return section(title, (*_WHO, "Brick"), _WON, rows, _PLAYED_BY)


def _proofs(work: GeneralisingWork) -> Section:
    rows, boards = [], list[Figure]()
    for contender, sims in [(one, sims) for one in work.everybody for sims in one.proved]:
        walks = work.answers[work.walk(contender, sims)].by_rules
        won = {True: list[bool](), False: list[bool]()}
        for rules, walk in walks.items():
            won[contender.saw(rules)].append(walk.wins)
        halves = [f"{half} {sum(won[saw])} of {len(won[saw])}" for saw, half in _HALVES.items() if won[saw]]
        classes = [walks[group[0]].wins for group in image_classes(walks)]
        lost = [walk for walk in walks.values() if walk.lost_game]
        lengths = sorted(len(walk.lost_game or ()) for walk in lost)
        span = " to ".join(map(str, dict.fromkeys((*lengths[:1], *lengths[-1:]))))
        kind = "a shortest loss" if all(walk.whole for walk in lost) else "a loss"
        given_up = sum(walk.limit is not None for walk in walks.values())
        left = f"{given_up} not decided within {work.limit(sims):,} decisions, without a loss so far"
        note = notes(
            ", ".join(halves),
            f"{sum(classes)} of {len(classes)} classes of images" * bool(classes),
            f"on {len(lost)} it can be beaten, {kind} takes {span} plies" * bool(lost),
            left * bool(given_up),
        )
        proved = sum(walk.wins for walk in walks.values())
        ours, value = (f"{proved} of {len(walks)} squares", percent(proved / len(walks))) if walks else ("", None)
        rows.append(Row(labels=contender.labels(sims), ours=ours, value=value, count=len(walks), note=note))
        if walks and sims == contender.proved[-1]:
            name, title = (
                _slug("proved", contender, sims),
                f"{contender.called(sims)}: every reply, by the brick's square",
            )
            shades = {rules: _shade(rules, walk, _star(contender, rules)) for rules, walk in walks.items()}
            boards.append(brick_board(name, title, _REPLIES, shades, BOARD))
    return section(
        "Proved: squares on which it wins against every reply as first player",
        _WHO,
        "squares proved, percent",
        rows,
        "Every reply is walked until the agent first loses, or to the end; where it searches, a narrow walk looks for a loss first. "
        "These are all squares that were walked, and no sample; perfect play wins on all 49.",
        {_BY_REPLY: boards},
        "Proved to win against every reply, seen from one side, one training of one seed each",
    )


_HALVES = {True: "seen", False: "unseen"}
_REPLIES = "with the brick there: won against every reply, or L and the plies of a game that it loses, or ? where neither was found; * seen in training"
_BY_REPLY = "What no number of games can show: with the brick there no reply beats it, or a shortest one that does."


def _shade(rules: Rules, walk: WalkResult, star: str) -> Shade:
    if walk.lost_game:
        return Shade(0.0, f"L{len(walk.lost_game)}{star}", format_game(rules, walk.lost_game))
    return Shade(100.0, f"won{star}") if walk.wins else Shade(50.0, f"?{star}")


def _star(contender: Contender, rules: Rules) -> str:
    return "*" * contender.saw(rules)


def _slug(kind: str, contender: Contender, sims: int) -> str:
    return "-".join(f"{kind} {contender.label} {sims}".lower().replace("'", "").split())


def _judged(work: GeneralisingWork) -> Section:
    rows = (
        optimal_row((*contender.labels(sims), half), work.optimal(contender, sims, saw=saw))
        for contender in work.everybody
        for sims in contender.judged
        for saw, half in (_HALVES if contender.training else {False: "any"}).items()
    )
    about = (
        "Of random positions in which some moves keep the value and some do not, the share in which it is kept, with 95% "
        "intervals, everybody in the same positions."
    )
    return section(
        "Optimal moves in random positions where the choice matters",
        (*_WHO, "Squares"),
        "optimal moves, percent",
        rows,
        f"The same positions for everybody, {work.size.per_ply} for each of the 10 classes of squares and each of plies "
        f"{', '.join(map(str, work.size.plies))}. A choice matters where some moves keep the value and some do not.",
        {about: _optimal_figures(work)},
        "Random positions in which it keeps the value, on squares that it never saw",
        lambda row: row.labels[-1] == "unseen",
    )


def _optimal_figures(work: GeneralisingWork) -> Iterator[Figure]:
    for slug, how, searches in (("policy", "the policy alone", False), ("search", "with search", True)):
        lines = []
        for contender in work.everybody:
            sims = max(contender.judged) if searches else 0
            found = {ply: work.optimal(contender, sims, ply) for ply in work.size.plies}
            known = {ply: tally.optimal_interval for ply, tally in found.items() if tally.choices}
            lines.append(interval_series(contender.called(sims), known))
        title = f"Optimal moves by ply where the choice matters, {how}"
        yield from curve_figure(f"optimal-{slug}", title, lines, "ply", "optimal moves, percent")


def _moved(work: GeneralisingWork) -> Section:
    """The same weights on boards they were never trained on."""
    rows = []
    for board in work.boards:
        expected = _expected(work, board)
        for one in work.everybody:
            for sims in one.moved:
                labels, asked = (board, *one.labels(sims)), work.elsewhere(one, sims, board)
                rows.append(Claim(labels, asked, _won_elsewhere, note=expected).measured(work.answers))
    return section(
        "The same weights elsewhere, never retrained: against Minimax with random ties",
        ("Board", *_WHO),
        _WON,
        rows,
        f"k = 4 and one brick unless it says otherwise, {work.size.moved_games} games for each place of the bricks. "
        "The paper's network has dense heads and serves 7x7 alone. Intervals are bootstrapped over classes of places that are images of one another. "
        "A full board is the second player's win, and what Minimax itself wins as first player shows how hard a board is.",
        finding="On boards it was never trained on, games won against Minimax",
    )


def _expected(work: GeneralisingWork, board: str) -> str:
    """What perfect play would do, where that is known."""
    asked = work.truth(board)
    values = [] if asked is None else [game.found.value for game in work.answers[asked].games]
    first, second = values.count(1), values.count(-1)
    unknown = len(work.boards[board].rules) - first - second
    if not first and not second:
        return "who wins under perfect play was not asked or not decided"
    return f"under perfect play the first player on {first}, the second on {second}, not decided on {unknown}"


# What is read from games, by game.


def _scores(result: MatchResult) -> dict[Rules, Score]:
    return {game.rules: game.score for game in result.by_game}


def _total(scores: Iterable[Score]) -> Score:
    return sum(scores, Score())


def _won_on_squares(contender: Contender, distinct: int | None, result: MatchResult) -> Measured:
    """Games won, those of images of one another together, and how many of them on squares that training showed."""
    scores = _scores(result).items()
    seen, unseen = (_total(score for rules, score in scores if contender.saw(rules) == saw) for saw in _HALVES)
    split = f"seen squares {seen.wins} of {seen.games}, unseen {unseen.wins} of {unseen.games}"
    return _won(result, split * bool(contender.training is not None and scores), distinct)


def _won_on_one(rules: Rules, result: MatchResult) -> Measured:
    own = [(game.score, game.distinct) for game in result.by_game if game.rules == rules]
    score, distinct = own[0] if own else (Score(), 0)
    return Measured(score.wins, score.games, str(score), distinct)


def _won_elsewhere(result: MatchResult) -> Measured:
    whole = sum(game.score.wins == game.score.games > 0 for game in result.by_game)
    return _won(result, f"all games won on {whole} of {len(result.by_game)}" * bool(result.by_game))


def _won(result: MatchResult, note: str, distinct: int | None = None) -> Measured:
    """Games won, their interval by classes of games that are images of one another."""
    total, scores = result.total, _scores(result)
    classes = [_total(scores[rules] for rules in group) for group in image_classes(scores)]
    share = clustered_share([score.wins for score in classes], [score.games for score in classes])
    return Measured(total.wins, total.games, str(total), result.distinct if distinct is None else distinct, note, share)
