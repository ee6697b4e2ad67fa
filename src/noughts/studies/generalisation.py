"""Does AlphaZero generalise? Training on one to three brick squares; games and proofs on all squares and on other boards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from types import SimpleNamespace
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
from noughts.questions.trained import Trained, Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, format_game, format_task, parse_rules, parse_task, task_of
from noughts.rules.squares import square_name
from noughts.rules.symmetry import image_classes
from noughts.statistics import clustered_share
from noughts.store.run_folder import training_folder
from noughts.studies.claims import Claim, Measured, curve_figure, games_claim, notes, optimal_line, optimal_row, percent
from noughts.studies.games import BOARD, CLASS_TASK, SQUARES, in_random_positions, moving_first
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes
from noughts.studies.trainings import alphazero, line_while_training
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.augmentation import turning

# The paper's results: wins of the first player against Minimax, by training squares and simulations. Minimax wins all games.
PAPER_49, PAPER_VARIANT, PAPER_ITERATIONS = 490, 100, 850
TABLE_7 = {
    ("D4", 100): 139,
    ("D3 D4", 100): 306,
    ("C3 D3 D4", 100): 443,
    ("D4", 1000): 364,
    ("D3 D4", 1000): 415,
    ("C3 D3 D4", 1000): 483,
}
"""Wins of 490 games, ten on each square."""
VARIANTS = {"D4": parse_rules("bttt(D4)"), "E5": parse_rules("bttt(E5)")}
TABLE_6 = {
    **{("D4", sims, square): wins for sims in (0, 100, 1000) for square, wins in (("D4", 100), ("E5", 0))},
    **{(squares, 100, square): 100 for squares in ("D3 D4", "C3 D3 D4") for square in VARIANTS},
}
"""Wins of 100 games with the brick on one of two squares; includes the rows of Table 4."""

# The agents and their opponents.
TRAINED_ON = {"D4": "bttt(D4)", "D3 D4": "bttt(D3|D4)", "C3 D3 D4": "bttt(C3|D3|D4)"}
PAPER, RESNET, LINE = "paper's resnet", "resnet", "line"
NETWORKS = {PAPER: "resnet:preset=paper", RESNET: "resnet", LINE: "line"}
MINIMAX = parse_agent("minimax:depth=2")
OPPONENTS = {"random": MINIMAX, "first": parse_agent("minimax:depth=2,ties=first")}
"""The opponents, by how they break ties."""


class Contender(NamedTuple):
    """The first player: a trained network, or Minimax, which has no training."""

    network: str  # a key of `NETWORKS`
    squares: str  # a key of `TRAINED_ON`
    iterations: int  # iterations of training
    played: tuple[int, ...]  # simulations a move of its games on the 49 squares
    proved: tuple[int, ...]  # simulations a move of its walks of every reply
    moved: tuple[int, ...]  # simulations a move of its games on boards that it was not trained on
    training: Training | None = None
    reached: int | None = None  # the iteration of its checkpoint, if training is not finished; None for the end
    sims: int = 0  # simulations a move in the row at hand

    @property
    def is_claimed(self) -> bool:
        """Whether the paper makes claims about it: of the networks only the paper's own, trained at least as long, has any."""
        enough = (self.reached or self.iterations) >= PAPER_ITERATIONS
        return self.training is None or (self.network == PAPER and enough)

    @property
    def judged(self) -> tuple[int, ...]:
        """The simulations with which its moves are compared with exact values: those of its games, up to 100."""
        return tuple(sims for sims in self.played if sims <= 100)

    @property
    def label(self) -> str:
        """Its name."""
        return f"{self.network} on {self.squares}" if self.squares else self.network

    @property
    def labels(self) -> tuple[str, str, str]:
        """The labels of its rows."""
        return (self.network, self.squares, f"{self.sims:,}" if self.training else "(depth 2)")

    @property
    def called(self) -> str:
        """It and its search, in words."""
        searched = f"{self.sims:,} simulations" if self.sims else "no search"
        return f"{self.label}, {searched}" if self.training else self.label

    def agent(self, view: str = "plain") -> AgentSpec:
        """The agent; `view` is how a trained one sees positions."""
        return MINIMAX if self.training is None else self.training.agent(self.sims, iteration=self.reached, view=view)

    def saw(self, rules: Rules) -> bool:
        """Whether it saw the brick of a game in training, after augmentation."""
        return self.training is not None and rules.bricks[0] in seen_squares(
            cast(AlphaZeroConfig, self.training.config)
        )


BOARDS: dict[str, str | int] = {
    "6x7": "mnk(6,7,4,bricks=*,full=second)",
    "8x8": "mnk(8,8,4,bricks=*,full=second)",
    "9x9": "mnk(9,9,4,bricks=*,full=second)",
    "11x11": "mnk(11,11,4,bricks=*,full=second)",
    "7x7, two bricks": 2,
    "7x7, three bricks": 3,
    "7x7, k = 5": "mnk(7,7,5,bricks=*,full=second)",
    "9x9, k = 5": "mnk(9,9,5,bricks=*,full=second)",
}
"""The games by name, or the number of bricks of games that are drawn at random."""


_LINE_UPS = (
    (Contender(LINE, "D4", 15, (0, 32), (0,), (32,)), Contender(RESNET, "D4", 15, (0, 32), (0,), (32,))),
    (
        Contender(LINE, "D4", 40, (0, 32, 100, 1000), (0, 32), (0, 32, 100)),
        Contender(RESNET, "D4", 40, (0, 32, 100), (0,), (0, 32, 100)),
        Contender(PAPER, "D4", 12, (0, 100), (0,), ()),
        Contender(LINE, "D3 D4", 40, (0, 100), (0,), ()),
        Contender(LINE, "C3 D3 D4", 40, (0, 100), (0,), ()),
        Contender(RESNET, "D3 D4", 40, (0, 100), (), ()),
        Contender(RESNET, "C3 D3 D4", 40, (0, 100), (), ()),
    ),
    tuple(Contender(PAPER, squares, PAPER_ITERATIONS, (0, 100, 1000), (0, 100), ()) for squares in TRAINED_ON),
)
_BRIEFLY = {"games": 128, "plies": 12, "batch": 128, "steps": 48, "window": 16384, "search": {"simulations": 12}}
_MEASURING = {"measure_games": 4, "measure_simulations": 100}
# Scale paper is the protocol of `docs/papers.md`, line by line. Each training has one core there, so that three run side by side.
# Any number of cores gives the same run.
SCALES = sizes(
    line_up=_LINE_UPS,
    iterations_between=(None, None, 50),  # between two measurements, on seen and unseen squares
    training=(_BRIEFLY, {}, _MEASURING),  # fields of the configuration that differ from those of the presets
    cores=(1, None, 1),  # of each training: one, so that several run side by side, or None for all
    games=(2, 10, 10),  # on each square, against random ties
    variant_games=(6, 100, 100),  # on each of the paper's two squares, including the games above
    proved=(("D4",), (), ()),  # squares on which every reply is walked; empty for all
    searched=((), (), ()),  # the same for agents that search; empty for those above
    most=(100_000, 200_000, 200_000),  # decisions after which a walk without a loss is given up, without search
    most_searched=(100_000, 200_000, 5_000),  # the same with search
    plies=(range(8, 13, 4), range(4, 31, 4), range(4, 31, 4)),  # of positions that are judged
    per_ply=(3, 10, 10),  # positions of each of these plies in each class of squares
    nodes=(50_000, 200_000, 200_000),  # of the solver for each position
    boards=(("9x9",), tuple(BOARDS), ()),  # other boards on which the weights play
    every=(11, 1, 1),  # only every n-th square of such a board is played
    brick_sets=(0, 50, 0),  # random games with two bricks, and as many with three
    moved_games=(1, 2, 0),  # on each game of these boards
    goes_on=(False, False, False),  # whether the last checkpoints so far play, and training is not continued
    line_beside=(False, False, True),  # whether to train a line network on as many positions as each contender
)
_ITERATIONS_AS_LONG = 5
"""Iterations of the paper's protocol with about as many positions as one of the line network: 300 each, and 1,536."""
_AS_FAR = {"goes_on": True, "games": 2, "variant_games": 20, "searched": tuple(VARIANTS)}
SCALES["reached"] = SimpleNamespace(**vars(SCALES["paper"]) | _AS_FAR)


class Generalisation(Study):
    """Networks, training squares and search, on every brick square and on boards outside training."""

    name = "generalisation"
    title = "Does AlphaZero generalise to brick squares it has never seen?"
    question = "Does AlphaZero, trained with the brick on one square or a few, win with the brick anywhere, on other boards, with more bricks and longer lines?"
    paper = "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments, Tables 4, 6 and 7"
    citations = (BRICK_PAPER,)
    scales = with_minutes(
        {
            "quick": "the line network and a residual one, trained for a moment on D4 alone; 2 games a square: too small for conclusions",
            "laptop": "both networks on the paper's three sets of squares, the paper's network on D4 for six minutes; 10 games a square, every reply, other boards",
            "paper": "the paper's network for its 850 iterations on each of its three sets of squares; 0, 100 and 1,000 simulations; a day or two",
            "reached": "a fifth of these games, by the checkpoints that the trainings of scale paper have reached; with search, every reply on D4 and E5; it trains the line network alone",
        },
        quick=2,
    )
    deviations = (
        "Budgets are ours, and each row's note lists them. The paper trained for two weeks on a GPU (850 iterations). Only the scale `paper` trains its network as long, by the protocol in `docs/papers.md`. Rows of another budget or network show the paper's number without a verdict.",
        "Minimax sums Table 2 exactly, prefers a win to any sum, and breaks ties at random; the authors' rounding always gives it the same opening. A second table is against Minimax that takes the first of equal moves. Both sides are then deterministic, so there is one game on each square.",
        "A full board is the second player's win, as in the paper's text. The authors' program counts a draw.",
        "The line network and the residual one are trained by Gumbel AlphaZero with 24 simulations and all 8 symmetries; the paper's by its own settings, with 4 reflections.",
        "A square counts as seen if augmentation moves a training brick there. For example, agents trained on C3 have seen the paper's test square E5.",
        "The paper has no games with 32 simulations, no proofs, no optimal moves, and no boards other than 7x7 with one brick and k = 4. These are ours.",
        "For proofs, agents see positions in canonical form, so that equivalent squares are one case and ten proofs cover all 49. In games they see positions as they are.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, games, every reply, and moves compared with exact values."""
        study = self.at(settings)
        players = study.playing("played")
        trainings = (one.training for one in study.contenders if one.training and one.reached is None)
        games = [study.on_squares(player, ties) for player in players for ties in OPPONENTS]
        games += map(study.on_variants, players)
        games += [study.elsewhere(player, board) for player in study.playing("moved") for board in study.boards]
        return [*trainings, *games, *map(study.walk, study.playing("proved")), *study.judging.values()]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Tables 7, 4 and 6, proofs, optimal moves, other boards; and a board of squares for each agent."""
        study = self.at(settings, answers)
        return concluded(
            _trainings(study),
            _table_7(study, "random"),
            _table_7(study, "first"),
            _variants(study),
            _proofs(study),
            _judged(study),
            _moved(study),
        )

    def _plan(self, settings: Settings) -> None:
        self.seed, self.size, self.move_seconds = settings.seed, SCALES[settings.scale], settings.move_seconds

    @cached_property
    def contenders(self) -> tuple[Contender, ...]:
        """The trained contenders, in the order of the line-up."""
        trained = [contender._replace(training=self._training(contender)) for contender in self.size.line_up]
        if self.size.goes_on:
            trained = [one._replace(reached=_last_kept(training_folder(), one.training)) for one in trained]
        if self.size.line_beside:
            trained += [self._line_beside(one) for one in trained if one.reached != 0]
        return tuple(trained)

    @cached_property
    def able(self) -> tuple[Contender, ...]:
        """The contenders that can play already, and Minimax."""
        trained = (contender for contender in self.contenders if contender.reached != 0)
        return (*trained, Contender("Minimax", "", 0, (0,), (), (0,)))

    def playing(self, what: str) -> list[Contender]:
        """Each agent with each number of simulations in its field `what`: `played`, `judged`, `proved` or `moved`."""
        return [one._replace(sims=sims) for one in self.able for sims in getattr(one, what)]

    def proved(self, sims: int = 0) -> Task:
        """Games in which every reply is walked to an agent with `sims` simulations."""
        squares = (self.size.searched if sims else ()) or self.size.proved
        return task_of(*(r for r in SQUARES.rules if not squares or r.brick_names() in squares))

    @cached_property
    def boards(self) -> dict[str, Task]:
        """The games on other boards, by the board's name."""
        found = dict[str, Sequence[Rules]]()
        for name in self.size.boards:
            games = BOARDS[name]
            if isinstance(games, int):
                found[name] = brick_sets(games, self.size.brick_sets, self.seed)
            else:
                found[name] = parse_task(games).rules[:: self.size.every]
        return {name: task_of(*games) for name, games in found.items() if games}

    def on_squares(self, player: Contender, ties: str = "random") -> Played:
        """Games on the 49 squares. If Minimax takes the first of equal moves, a square has one possible game, so one is played."""
        return self._played(player, SQUARES, self.size.games if ties == "random" else 1, ties)

    def on_variants(self, player: Contender) -> Played:
        """Games on the paper's two squares, which are also their games among the 49."""
        return self._played(player, task_of(*VARIANTS.values()), self.size.variant_games)

    def elsewhere(self, player: Contender, board: str) -> Played:
        """Games on a board on which no agent was trained."""
        return self._played(player, self.boards[board], self.size.moved_games)

    def _played(self, player: Contender, task: Task, each: int, ties: str = "random") -> Played:
        """`each` playthroughs of every game of a task. The opponent draws the same numbers against every agent."""
        opponent, draws = OPPONENTS[ties], (Generalisation.name, ties)
        return moving_first(player.agent(), opponent, task, each, self.seed, *draws, move_seconds=self.move_seconds)

    def walk(self, player: Contender) -> Walked:
        """Every reply to an agent.

        The agent sees positions in canonical form, so it plays alike in symmetric games. One walk therefore covers them
        all, and with the brick in the middle it has an eighth of the positions. If a whole walk is costly, a narrow one
        first searches for a loss, which need not be a shortest.
        """
        return Walked(
            task=self.proved(player.sims),
            agent=player.agent(view="canonical"),
            side="first",
            hunt=300 if player.sims > 0 or player.network == PAPER else None,
            most=self.size.most_searched if player.sims else self.size.most,
            images_once=True,
        )

    @cached_property
    def judging(self) -> dict[int, Judged]:
        """The moves of all agents in the same positions of each class of squares, by ply."""
        agents, size = [player.agent() for player in self.playing("judged")], self.size
        return {
            ply: in_random_positions(agents, CLASS_TASK, (ply, ply), size.per_ply, size.nodes, seed=self.seed)
            for ply in size.plies
        }

    def optimal(self, player: Contender, ply: int | None = None, saw: bool | None = None) -> Tally:
        """Its moves compared with exact values: at one ply or all; on squares it saw in training (`saw`), the others, or both."""
        answers = (self.answers[judged] for at, judged in self.judging.items() if ply in (None, at))
        squares = [rules for rules in CLASS_TASK.rules if saw in (None, player.saw(rules))]
        found = (answer.of(player.agent(), rules) for answer in answers for rules in squares)
        return sum((tally for tallies in found for tally in tallies.values()), Tally())

    def trained(self, contender: Contender) -> Trained | None:
        """The result of its training; if that takes days, the state so far."""
        if contender.training is None:
            return None
        done = self.answers[contender.training]
        return contender.training.so_far() if done is None and self.size.iterations_between else done

    def budget(self, contender: Contender) -> str:
        """The cost of its training, in words."""
        if (trained := self.trained(contender)) is None:
            return ""
        if contender.reached is not None:
            return f"the checkpoint after {contender.reached} of {contender.iterations} iterations"
        return trained.budget

    def lost_game(self, player: Contender, rules: Rules) -> str:
        """The first game on a square that it lost to Minimax with random ties, as text; empty if it lost none."""
        played = self.on_variants(player) if rules in VARIANTS.values() else self.on_squares(player)
        record = played.lost(self.answers, rules)
        return "" if record is None else format_game(rules, record.moves)

    def _line_beside(self, one: Contender) -> Contender:
        """The line network, trained on the squares of a contender for about as many positions."""
        iterations = (one.iterations if one.reached is None else one.reached) // _ITERATIONS_AS_LONG
        line = Contender(LINE, one.squares, iterations, (0, 100), (), ())
        return line._replace(training=self._training(line, **_BRIEFLY))

    def _training(self, contender: Contender, **fields: Any) -> Training:
        schedule = {"measure_iterations": self.size.iterations_between, "checkpoint_seconds": 30.0}
        training = alphazero(
            contender.label,
            "brick-tic-tac-toe" if contender.network == PAPER else "gumbel",
            TRAINED_ON[contender.squares],
            self.seed,
            contender.iterations,
            schedule,
            self.size.cores,
            network=NETWORKS[contender.network],
            **{**self.size.training, **fields},
        )
        if not self.size.iterations_between:
            return training
        seen = seen_squares(cast(AlphaZeroConfig, training.config))
        unseen = task_of(*(rules for rules in SQUARES.rules if rules.bricks[0] not in seen))
        config = training.config.model_copy(update={"held_out": format_task(unseen)})
        return training.model_copy(update={"config": config})


@cache
def _last_kept(place: Path, training: Training) -> int:
    """The last iteration with saved weights, 0 if none. It is cached, because training may continue while the checkpoint
    plays."""
    so_far = training.so_far()
    return so_far.curve[-1].iteration if so_far is not None and so_far.curve else 0


@cache
def seen_squares(config: AlphaZeroConfig) -> frozenset[int]:
    """Cells on which training shows a brick: those of the task, and their images under augmentation."""
    return frozenset(
        symmetry.image[brick]
        for rules in parse_task(config.task).rules
        for symmetry in turning(rules, config.augmentation)
        for brick in rules.bricks
    )


def brick_sets(bricks: int, number: int, seed: int) -> tuple[Rules, ...]:
    """`number` different games on 7x7, each with `bricks` random bricks; equal seeds give equal games."""
    rng, found = Rng(derive_seed(seed, Generalisation.name, "bricks", bricks)), dict[Rules, None]()
    while len(found) < number:
        free = [square_name(cell, 7, 7) for cell in range(49)]
        drawn = [free.pop(rng.below(len(free))) for _ in range(bricks)]
        found[parse_rules(f"mnk(7,7,4,bricks={'+'.join(drawn)},full=second)")] = None
    return tuple(found)


# The page, section by section.

_WHO, _WON = ("Network", "Trained on", "Simulations"), "games won as first player, percent"
_PLAYED_BY = "The paper's numbers are those of its network after 850 iterations, two weeks. Only that network with that budget gets a verdict; for other rows they are no claim."
_CLUSTERED = "Intervals are bootstrapped over the 10 classes of equivalent squares, because their games are similar."


def _trainings(study: Generalisation) -> Conclusion:
    rows, lines, counts = [], [], dict[str, int]()
    for contender in study.contenders:
        done = study.trained(contender)
        seen = " ".join(rules.brick_names() for rules in SQUARES.rules if contender.saw(rules))
        network = parse_network(NETWORKS[contender.network])
        rows.append(
            Row(
                labels=(contender.network, contender.squares),
                paper="850 iterations, two weeks on a GPU" if contender.network == PAPER else "",
                ours=study.budget(contender),
                value=None if done is None else float(done.positions),
                count=0 if done is None else done.iterations,
                note=f"{network}; of {contender.iterations} iterations; seen after augmentation: {seen}",
            )
        )
        if contender.network == PAPER and study.size.iterations_between:
            counts[contender.squares] = 0 if done is None else done.iterations
            for name, metric in (("trained on", "first_score"), ("never seen", "held_out_first_score")):
                lines.append(
                    line_while_training(f"{contender.squares}: squares {name}", done, metric, "iteration", 100.0)
                )
    goes_on = min(counts.values(), default=PAPER_ITERATIONS) < PAPER_ITERATIONS
    goes_on_by = f"Trained so far, of {PAPER_ITERATIONS} iterations; `noughts study run generalisation --scale paper --seed {study.seed} --workers 3` resumes, and `--scale reached` plays with the checkpoints so far"
    figures = curve_figure("learning", "Games won while learning", lines, "iterations", "games won, percent")
    about = "Measured while training, with 100 simulations, 4 games a square against Minimax with random ties."
    return section(
        "The trainings",
        _WHO[:2],
        "positions of self-play",
        rows,
        "Includes measurements; the row's note gives the number of cores.",
        {about: figures},
        findings=listed(goes_on_by, counts) if goes_on else (),
    )


def _table_7(study: Generalisation, ties: str) -> Conclusion:
    """All 49 squares against Minimax, which breaks ties as `ties`; the paper's breaks them at random."""
    taken = {"random": "a random one", "first": "the first"}[ties]
    each = {
        "random": f"{study.size.games} games a square.",
        "first": "Both sides are deterministic, so one game is played on each square.",
    }[ties]
    rows, boards = [], list[Figure]()
    for player in study.playing("played"):
        boards += _squares(study, player) if ties == "random" else ()
        asked = study.on_squares(player, ties)
        wins = TABLE_7.get((player.squares, player.sims)) if player.training else PAPER_49
        distinct = len({record.moves for record in asked.records(study.answers)}) if ties == "first" else None
        metric, compared = partial(_won_on_squares, player, distinct), ties == "random" and player.is_claimed
        claim = games_claim(player.labels, asked, metric, wins, PAPER_49, compared, study.budget(player))
        rows.append(claim.measured(study.answers))
    about = "Each square shows the games with the brick there. If training on few squares generalised to all, the whole board would be shaded like the squares with a star."
    return section(
        f"Table 7: every brick square, against Minimax that takes {taken} of equal moves",
        _WHO,
        _WON,
        rows,
        f"{each} {_PLAYED_BY} {_CLUSTERED}",
        {about: boards},
        f"Games won on all squares against Minimax that takes {taken} of equal moves (the paper's agent, trained on D4: 139 of 490 with 100 simulations)",
    )


def _squares(study: Generalisation, player: Contender) -> Iterator[Figure]:
    scores, most = _scores(study.answers[study.on_squares(player)]), study.size.games
    if scores and player.training is not None:
        label = (
            f"with the brick there: games won of {most} as first player against Minimax; * a square seen in training"
        )
        shades = {
            rules: Shade(float(won.wins), f"{won.wins}{_star(player, rules)}", study.lost_game(player, rules))
            for rules, won in scores.items()
        }
        title = f"{player.called}: games won, by the brick's square"
        yield brick_board(_slug("squares", player), title, label, shades, BOARD, (0.0, float(most)))


def _variants(study: Generalisation) -> Conclusion:
    """The paper's two squares."""
    rows = []
    for player in study.playing("played"):
        for square, rules in VARIANTS.items():
            wins = TABLE_6.get((player.squares, player.sims, square)) if player.training else PAPER_VARIANT
            seen = ("seen in training" if player.saw(rules) else "unseen") if player.training else ""
            labels, asked, metric = (*player.labels, square), study.on_variants(player), partial(_won_on_one, rules)
            claim = games_claim(labels, asked, metric, wins, PAPER_VARIANT, player.is_claimed, seen)
            rows.append(claim.measured(study.answers))
    title = "Tables 4 and 6: the brick on D4 and on E5, against Minimax with random ties"
    return section(title, (*_WHO, "Brick"), _WON, rows, _PLAYED_BY)


def _proofs(study: Generalisation) -> Conclusion:
    rows, boards = [], dict[str, Figure]()  # for each contender, a board of its last walk on all squares
    for player in study.playing("proved"):
        walks = study.answers[study.walk(player)].by_rules
        rows.append(_proved_row(study, player, walks))
        if walks and study.proved(player.sims) == study.proved():
            title = f"{player.called}: every reply, by the brick's square"
            shades = {rules: _shade(rules, walk, _star(player, rules)) for rules, walk in walks.items()}
            boards[player.label] = brick_board(_slug("proved", player), title, _REPLIES, shades, BOARD)
    return section(
        "Proved: squares on which it wins against every reply as first player",
        _WHO,
        "squares proved, percent",
        rows,
        "Every reply is tried until the agent first loses, or to the end. If the agent searches, a narrow search looks for a loss first. The squares that are counted are no sample, so there is no interval. Perfect play wins on all 49.",
        {_BY_REPLY: boards.values()},
        "Proved to win against every reply, in canonical form, one training of one seed each",
    )


def _proved_row(study: Generalisation, player: Contender, walks: Mapping[Rules, WalkResult]) -> Row:
    if not walks:
        return Row(labels=player.labels)
    proved, most = sum(walk.wins for walk in walks.values()), study.walk(player).most
    won = {
        half: [one.wins for rules, one in walks.items() if player.saw(rules) == saw] for saw, half in _HALVES.items()
    }
    classes = [walks[group[0]].wins for group in image_classes(walks)]
    lost = [walk for walk in walks.values() if walk.lost_game]
    lengths = sorted(len(walk.lost_game or ()) for walk in lost)
    span = " to ".join(map(str, dict.fromkeys((*lengths[:1], *lengths[-1:]))))
    kind = "a shortest loss" if all(walk.whole for walk in lost) else "a loss"
    given_up = sum(walk.limit is not None for walk in walks.values())
    note = notes(
        ", ".join(f"{half} {sum(own)} of {len(own)}" for half, own in won.items() if own),
        f"{sum(classes)} of {len(classes)} classes of equivalent squares",
        f"on {len(lost)} it can be beaten, {kind} takes {span} plies" * bool(lost),
        f"{given_up} not decided within {most:,} decisions, without a loss so far" * bool(given_up),
    )
    # The squares are no sample of others, so there is no interval.
    ours, value = f"{proved} of {len(walks)} squares", percent(proved / len(walks))
    return Row(labels=player.labels, ours=ours, value=value, count=len(walks), note=note)


_HALVES = {True: "seen", False: "unseen"}
_REPLIES = "with the brick there: won against every reply, or L and the plies of a game that it loses, or ? where neither was found; * seen in training"
_BY_REPLY = "With the brick there, no reply beats it, or the length of a shortest game that does."


def _shade(rules: Rules, walk: WalkResult, star: str) -> Shade:
    if walk.lost_game:
        return Shade(0.0, f"L{len(walk.lost_game)}{star}", format_game(rules, walk.lost_game))
    return Shade(100.0, f"won{star}") if walk.wins else Shade(50.0, f"?{star}")


def _star(player: Contender, rules: Rules) -> str:
    return "*" * player.saw(rules)


def _slug(kind: str, player: Contender) -> str:
    return "-".join(f"{kind} {player.label} {player.sims}".lower().replace("'", "").split())


def _judged(study: Generalisation) -> Conclusion:
    rows = (
        optimal_row((*player.labels, half), study.optimal(player, saw=saw))
        for player in study.playing("judged")
        for saw, half in (_HALVES if player.training else {False: "any"}).items()
    )
    about = "The percentage of optimal moves in non-trivial random positions, with 95% intervals. All agents have the same positions."
    return section(
        "Optimal moves in random non-trivial positions",
        (*_WHO, "Squares"),
        "optimal moves, percent",
        rows,
        f"All agents have the same positions, {study.size.per_ply} for each of the 10 classes of squares and each of plies {', '.join(map(str, study.size.plies))}. A position is non-trivial if some moves are optimal and some are not.",
        {about: _optimal_figures(study)},
        "Optimal moves in random positions, on unseen squares",
        lambda row: row.labels[-1] == "unseen",
    )


def _optimal_figures(study: Generalisation) -> Iterator[Figure]:
    for slug, how, searches in (("policy", "the policy alone", False), ("search", "with search", True)):
        lines = []
        for one in study.able:
            player = one._replace(sims=max(one.judged) if searches else 0)
            found = {ply: study.optimal(player, ply) for ply in study.size.plies}
            lines.append(optimal_line(player.called, found))
        title = f"Optimal moves by ply in non-trivial positions, {how}"
        yield from curve_figure(f"optimal-{slug}", title, lines, "ply", "optimal moves, percent")


def _moved(study: Generalisation) -> Conclusion:
    """The same weights on boards outside training."""
    claims = (
        Claim((board, *player.labels), study.elsewhere(player, board), _won_elsewhere)
        for board in study.boards
        for player in study.playing("moved")
    )
    return section(
        "The same weights elsewhere, never retrained: against Minimax with random ties",
        ("Board", *_WHO),
        _WON,
        (claim.measured(study.answers) for claim in claims),
        f"k = 4 and one brick unless stated otherwise, {study.size.moved_games} games for each place of the bricks. The paper's network has dense heads and serves 7x7 alone. Intervals are bootstrapped over classes of equivalent places. A full board is the second player's win. Minimax's own wins as first player show how hard a board is.",
        finding="On boards it was never trained on, games won against Minimax",
    )


# Measurements of matches, by game.


def _scores(result: MatchResult) -> dict[Rules, Score]:
    return {game.rules: game.score for game in result.by_game}


def _total(scores: Iterable[Score]) -> Score:
    return sum(scores, Score())


def _won_on_squares(player: Contender, distinct: int | None, result: MatchResult) -> Measured:
    """Games won, clustered by class of symmetric games, with a note on seen and unseen squares."""
    scores = _scores(result).items()
    seen, unseen = (_total(score for rules, score in scores if player.saw(rules) == saw) for saw in _HALVES)
    split = f"seen squares {seen.wins} of {seen.games}, unseen {unseen.wins} of {unseen.games}"
    return _won(result, split * bool(player.training is not None and scores), distinct)


def _won_on_one(rules: Rules, result: MatchResult) -> Measured:
    own = [game for game in result.by_game if game.rules == rules]
    score = _total(game.score for game in own)
    return Measured(score.wins, score.games, str(score), sum(game.distinct for game in own))


def _won_elsewhere(result: MatchResult) -> Measured:
    whole = sum(game.score.wins == game.score.games > 0 for game in result.by_game)
    return _won(result, f"all games won on {whole} of {len(result.by_game)}" * bool(result.by_game))


def _won(result: MatchResult, note: str, distinct: int | None = None) -> Measured:
    """Games won; the interval is clustered by class of symmetric games."""
    total, scores = result.total, _scores(result)
    classes = [_total(scores[rules] for rules in group) for group in image_classes(scores)]
    share = clustered_share([score.wins for score in classes], [score.games for score in classes])
    return Measured(total.wins, total.games, str(total), result.distinct if distinct is None else distinct, note, share)
