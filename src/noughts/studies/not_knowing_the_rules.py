"""How much worse is MuZero, which learns a model, than AlphaZero, which searches with the rules? Pairs of learners that differ
only in this."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import BRICK_PAPER, MUZERO_PAPER
from noughts.document.result import Figure, Row
from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.imagined import ImaginedJudged
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import Point, Training
from noughts.questions.walked import Walked
from noughts.rules import Task, format_task, parse_task
from noughts.rules.text import counted
from noughts.statistics import compare, compare_with_always, mean_share
from noughts.studies.claims import (
    Measured,
    beside_by_seed,
    curve_figure,
    in_points,
    interval_series,
    percent,
    rate_row,
    total_of,
)
from noughts.studies.games import SQUARES, TOE_TASK, in_random_positions, moving_first
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes
from noughts.studies.trainings import first_proof, trained_for
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.schedule import Schedule

Learner = Literal["AlphaZero", "MuZero"]
LEARNERS: tuple[Learner, ...] = ("AlphaZero", "MuZero")
MINIMAX = parse_agent("minimax:depth=2")

# Equal for both methods. Games begin with random moves, some later moves are random, and the others are drawn by visits; see
# MuZero's preset `tic-tac-toe-fast`.
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


class StudiedBoard(NamedTuple):
    """A game or a task that both learners are trained on."""

    task: Task
    sides: Sequence[Player]  # sides whose walks try every reply
    sims: int  # simulations a move; they also play without
    changes: Mapping[str, Any] = {}  # fields of both configurations that differ from `_COMMON`
    view: str = "canonical"  # how agents see positions in walks


TOE, SEEN = (
    StudiedBoard(TOE_TASK, SIDES, 32, view="plain"),
    StudiedBoard(parse_task("bttt(D4)"), ("first",), 24, _ON_BRICKS),
)
NOTAKTO = {
    "notakto(3)": StudiedBoard(parse_task("notakto(3)"), ("first",), 64, _ON_NOTAKTO),
    "notakto(4)": StudiedBoard(parse_task("notakto(4)"), ("second",), 64, _ON_NOTAKTO),
}
"""Walks are of the side that wins under perfect play."""
UNSEEN = parse_task("bttt(A1|A4|B2|B5|C3|C6|D2)")
"""Unseen squares, one from each of seven classes of symmetric squares."""
_REPLAY = 2048  # games
REPAIRS: dict[str, Mapping[str, Any]] = {
    "none": {},
    "consistency loss": {"consistency_weight": 2.0},
    "reanalyse": {"reanalyse": 1.0},
    "more unrolling": {"unroll": 9},
    "legality learned": {"model": {"legality": "learned"}},
    "ends learned": {"model": {"ends": "learned"}},
}
"""Single additions to MuZero."""


_MEASURED = (
    (4_000, 12_000),
    (20_000, 40_000, 60_000, 85_000),
    (20_000, 40_000, 60_000, 85_000, 120_000, 170_000),
)
_NOTAKTO = (
    {"notakto(3)": (4_000,)},
    {"notakto(3)": (10_000, 30_000), "notakto(4)": (60_000, 150_000)},
    {"notakto(3)": (10_000, 30_000, 60_000), "notakto(4)": (100_000, 300_000, 1_000_000)},
)
SCALES = sizes(
    seeds=(1, 10, 10),  # of the training on 3x3
    positions=_MEASURED,  # at which these are measured; the last ends training
    bricks=(2_500, 150_000, 2_000_000),  # positions of the training on D4
    network=("line:features=12,blocks=1", "line", "line"),  # the network on D4
    games=(1, 10, 10),  # against Minimax, on each of the 49 squares
    per_ply=(2, 10, 60),  # positions of each ply judged on the seen square and on each unseen one
    most=(20_000, 200_000, 10_000_000),  # decisions after which a walk of D4 is given up
    notakto=_NOTAKTO,  # by game, the positions at which training is measured
    repairs=(("none", "legality learned"), tuple(REPAIRS), tuple(REPAIRS)),
    repair_seeds=(1, 3, 10),
    repair_positions=(6_000, 30_000, 60_000),
    imagined=(4, 20, 50),  # root positions of each ply whose searches are examined
)


class PlannedRun(NamedTuple):
    """A training: the board, the learner, the number of its seed, and the positions at which it is measured."""

    board: StudiedBoard
    learner: Learner
    seed: int
    training: Training
    points: tuple[int, ...]

    def agent(self, sims: int, point: int | None = None, view: str = "plain") -> AgentSpec:
        """The trained agent after `point` positions, or at the end; `view` is how it sees positions."""
        return self.training.agent(sims, positions=self.points[-1] if point is None else point, view=view)


class NotKnowingTheRules(Study):
    """A learned model compared with the rules.

    Attributes:
        toe, bricks, notakto: Runs of both learners on 3x3 with every seed, on D4, and on each board of Notakto.
        repaired: Runs of MuZero on 3x3 with one addition, by its name.
        imagined: The questions about the positions that MuZero imagines, by place.
    """

    name = "not-knowing-the-rules"
    title = "The cost of not knowing the rules"
    question = "With the same kind of network, equal positions and simulations, how much worse is MuZero, which learns a model of the game, than AlphaZero, which knows the rules? What is wrong with its model, and what repairs it?"
    paper = "Tan Chong Min and Motani, Brick Tic-Tac-Toe, which proposes MuZero as the next step; and the README of enpasos/muzero, which claims that every possible decision on 3x3 is right"
    citations = (BRICK_PAPER, MUZERO_PAPER)
    scales = with_minutes(
        {
            scale: f"3x3: {counted(size.seeds, 'seed')} of {size.positions[-1]:,} positions; D4: {size.bricks:,}; {', '.join(f'{game}: {points[-1]:,}' for game, points in size.notakto.items())}; {counted(len(size.repairs) - 1, 'repair')}, {counted(size.repair_seeds, 'seed')} each"
            for scale, size in SCALES.items()
        },
        quick=": too small for conclusions; about 3 minutes on two cores",
        laptop="; planned for two hours on two cores",
        paper="; planned for a day on eight cores, most of it on D4",
    )
    deviations = (
        "The paper has no MuZero, so no number here is compared with it. enpasos/muzero gives no network, time or count of positions. We take its claim to mean that, with search, it plays an optimal move in every non-trivial position.",
        "Both learners have networks of the same kind and options, and the same search, simulations, games, batches and steps. MuZero's model has the layers twice, to see and to imagine, and each of its steps unrolls five moves. It therefore computes more for a position.",
        "Both play games that begin after random moves. On 3x3 and Notakto one move in twenty is random, too, so that they and the model see positions that good play avoids.",
        "Both train on one core each, with other trainings on the other cores. Seconds are those of the training.",
        "The model gets the legal moves only at the root, and assumes that sides alternate. A probe, which is a decoder that is trained separately and does not change the model, reads the boards, sides and ends that the model imagines. An error may be the model's or the probe's, because the probe's errors on real positions were not measured.",
        "On D4 and on Notakto each learner is trained once, so a difference may come from the seeds. Proofs are tried at fixed measurements, so a learner that is proved at the first one may have been unbeatable earlier.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, then every reply, decisions, games and imagined positions."""
        study = self.at(settings)
        walked = [*study.toe, *study.bricks, *chain(*study.notakto.values())]
        repaired = [*chain(*study.repaired.values())]
        return [
            *(run.training for run in (*walked, *repaired)),
            *chain(*(some for run in walked for sims in (0, run.board.sims) for some in study.walks(run, sims))),
            *(study.decisions(runs) for runs in (study.toe, repaired)),
            *map(study.games, study.bricks),
            *(study.judged(task) for task in (SEEN.task, UNSEEN)),
            *chain(*study.imagined.values()),
            *map(study.imagining, repaired),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """One table for each part, and one for imagined positions."""
        study = self.at(settings, answers)
        return concluded(
            _proofs(study), _decisions(study), _bricks(study), _notakto(study), _models(study), _repairs(study)
        )

    def _plan(self, settings: Settings) -> None:
        size = self.size = SCALES[settings.scale]
        self.seed, self.move_seconds = settings.seed, settings.move_seconds
        both, seeds, repairs = LEARNERS, range(size.seeds), range(size.repair_seeds)
        on_bricks = {"network": size.network}
        self.toe = [self._run(TOE, who, n, size.positions, f"{who} on 3x3, seed {n}") for n in seeds for who in both]
        self.bricks = [self._run(SEEN, who, 0, (size.bricks,), f"{who} on D4", on_bricks) for who in both]
        self.notakto = {
            game: [self._run(NOTAKTO[game], who, 0, points, f"{who} on {game}") for who in both]
            for game, points in size.notakto.items()
        }
        end = (size.repair_positions,)
        self.repaired = {
            name: [self._run(TOE, "MuZero", n, end, f"repair {name}, seed {n}", REPAIRS[name]) for n in repairs]
            for name in size.repairs
        }
        on_d4, in_the_middle = self.bricks[-1], (8, 28)
        self.imagined = {
            "3x3": [self.imagining(run) for run in self.toe if run.learner == "MuZero"],
            "D4, seen": [self.imagining(on_d4, in_the_middle)],
            "squares never seen": [self.imagining(on_d4, in_the_middle, UNSEEN)],
        }

    def known(self, runs: Iterable[PlannedRun], *learners: Learner) -> list[PlannedRun]:
        """The trained ones among these runs."""
        own = [run for run in runs if run.learner in (learners or LEARNERS)]
        return [run for run in own if self.answers[run.training] is not None]

    def walks(self, run: PlannedRun, sims: int) -> list[list[Walked]]:
        """Every reply to a run's agent at each measurement, with one walk for each side."""
        board, limits = run.board, {"hunt": 300, "most": self.size.most} if run.board is SEEN else {}
        agents = (run.agent(sims, point, board.view) for point in run.points)
        return [[Walked(task=board.task, agent=agent, side=side, **limits) for side in board.sides] for agent in agents]

    def proof(self, run: PlannedRun, sims: int) -> Point | None:
        """The first measurement at which no reply beats a run's agent; None without one."""
        found = ([game.result for walk in some for game in self.answers[walk].games] for some in self.walks(run, sims))
        proved = [len(walks) == len(run.board.sides) and all(walk.proved for walk in walks) for walks in found]
        return first_proof(self.answers[run.training], zip(run.points, proved, strict=True))

    def decisions(self, runs: Sequence[PlannedRun]) -> Judged:
        """All decisions of these runs' last weights on 3x3."""
        named = tuple(run.agent(sims) for run in runs for sims in (0, TOE.sims))
        return Judged(task=TOE_TASK, named=named, all_up_to=20_000, nodes=None, seed=self.seed)

    def judged(self, task: Task) -> Judged:
        """Both learners of D4, without search and with it, in the same positions."""
        agents = (run.agent(sims) for run in self.bricks for sims in (0, SEEN.sims))
        return in_random_positions(agents, task, (8, 28), self.size.per_ply, 200_000, seed=self.seed)

    def games(self, run: PlannedRun) -> Played:
        """Games on the 49 squares as first player against Minimax with random ties."""
        agent, each, draws = run.agent(SEEN.sims), self.size.games, (NotKnowingTheRules.name, "squares")
        return moving_first(agent, MINIMAX, SQUARES, each, self.seed, *draws, move_seconds=self.move_seconds)

    def imagining(
        self, run: PlannedRun, plies: tuple[int, int] | None = None, task: Task | None = None
    ) -> ImaginedJudged:
        """The positions that a model imagines, on its own task or on another."""
        return ImaginedJudged(
            task=task or run.board.task,
            agent=run.agent(run.board.sims),
            all_up_to=0,
            per_ply=self.size.imagined,
            plies=plies,
            seed=self.seed,
        )

    def depths(self, asked: Iterable[ImaginedJudged]) -> dict[int, ImaginedTally]:
        """The sum of these answers, by depth."""
        found: dict[int, ImaginedTally] = {}
        for question in asked:
            for depth, tally in self.answers[question].depths.items():
                found[depth] = found.get(depth, ImaginedTally()) + tally
        return dict(sorted(found.items()))

    def _run(
        self,
        board: StudiedBoard,
        learner: Learner,
        number: int,
        points: tuple[int, ...],
        label: str,
        changes: Mapping[str, Any] = {},
    ) -> PlannedRun:
        fields = {**_COMMON, **board.changes, **changes, "task": format_task(board.task), "seed": self.seed + number}
        fields["schedule"] = Schedule(positions=points[-1], measure_minutes=None, measure_at_positions=points)
        if learner == "AlphaZero":
            # About as many positions as the games in MuZero's replay contain.
            window = _REPLAY * board.task.rules[0].size // 2
            told = AlphaZeroConfig(**fields, whole_games=True, window=window)
            training = Training(label=label, method="az", config=told, cores=1)
        else:
            training = Training(label=label, method="mz", config=MuZeroConfig(**fields, window=_REPLAY), cores=1)
        return PlannedRun(board, learner, number, training, points)


_OPTIMAL = "optimal moves in non-trivial positions, percent"
_TOE_LABELS = [(learner, sims) for sims in (TOE.sims, 0) for learner in LEARNERS]


def _searched(sims: int) -> str:
    return f"{sims} simulations" if sims else "no search"


def _proofs(study: NotKnowingTheRules) -> Conclusion:
    rows, first = [], {}
    for learner, sims in _TOE_LABELS:
        own, note = study.known(study.toe, learner), ""
        proofs = [proof for run in own if (proof := study.proof(run, sims)) is not None]
        if proofs:
            positions, minutes = sorted(proof.positions for proof in proofs), [proof.seconds / 60 for proof in proofs]
            first[f"{learner}, {_searched(sims)}:"] = f"{positions[0]:,}"
            middle = positions[len(positions) // 2]
            note = f"half of those proved by {middle:,} positions, {middle * 32:,} simulations of self-play; {min(minutes):.1f} to {max(minutes):.1f} minutes on one core each"
        rows.append(rate_row((learner, _searched(sims)), len(proofs), len(own), note=note))
    points = ", ".join(f"{point:,}" for point in study.size.positions)
    return section(
        "3x3: no reply beats it, on either side",
        ("Learner", "Plays with"),
        "seeds proved on both sides, percent",
        rows,
        "Every reply was tried, as first and as second player, at each measurement. The first proof counts.",
        finding=f"3x3, seeds proved on both sides when measured after {points} positions",
        findings=listed("3x3, positions after which the first was proved", first),
    )


def _decisions(study: NotKnowingTheRules) -> Conclusion:
    def row(learner: Learner, sims: int) -> Row:
        tallies = [total_of(found, run.agent(sims)) for run in study.known(study.toe, learner)]
        total, labels = sum(tallies, Tally()), (learner, _searched(sims))
        right = sum(tally.choices > 0 and tally.optimal == tally.choices for tally in tallies)
        wrong = sorted(tally.choices - tally.optimal for tally in tallies)
        note = ""
        if total.choices:
            note = f"{right} of {len(tallies)} seeds are right everywhere; wrong in {wrong[0]} to {wrong[-1]} of {tallies[0].choices:,}"
        claimed: dict[str, Any] = {}
        if learner == "MuZero" and sims:
            compared = compare_with_always(total.optimal, total.choices, contrary="differs")
            claimed = {"paper": "every decision", "comparison": compared}
        return rate_row(labels, total.optimal, total.choices, share=total.optimal_interval, note=note, **claimed)

    found = study.answers[study.decisions(study.toe)]
    return section(
        "3x3: every decision there is",
        ("Learner", "Plays with"),
        _OPTIMAL,
        (row(learner, sims) for learner, sims in _TOE_LABELS),
        "All non-trivial positions of the game, including those that good play never reaches, over all seeds.",
        claimed="enpasos/muzero",
    )


def _bricks(study: NotKnowingTheRules) -> Conclusion:
    """AlphaZero's rows, then MuZero's, which are compared with them."""
    runs, searches = study.known(study.bricks), (SEEN.sims, 0)
    games = {run.learner: study.answers[study.games(run)].total for run in runs}
    won = {learner: Measured(total.wins, total.games, str(total)) for learner, total in games.items()}
    rows = [*_beside_each_other("wins on 49 squares", SEEN.sims, won)]
    for task, what in ((SEEN.task, "optimal on D4"), (UNSEEN, "optimal on unseen squares")):
        judged = study.answers[study.judged(task)]
        for sims in searches:
            right = {run.learner: _right(total_of(judged, run.agent(sims))) for run in runs}
            rows += _beside_each_other(what, sims, right)
    rows += (
        Row(
            labels=(run.learner, "every reply on D4", _searched(sims)),
            ours=str(game.result),
            proved=True,
            count=game.result.decisions,
            note=trained_for(study.answers[run.training]),
        )
        for run in runs
        for sims in searches
        for walk in study.walks(run, sims)[-1]
        for game in study.answers[walk].games
    )
    return section(
        "bttt(D4): networks of one kind, equal positions and simulations",
        ("Learner", "What", "Plays with"),
        "games won or optimal moves, percent",
        rows,
        "Both were trained on D4 alone, once each. A verdict compares this MuZero with this AlphaZero, in the same positions. Other seeds may differ.",
        finding="Trained on D4 alone, with networks of one kind, equal positions and simulations, one training each",
        in_finding=lambda row: row.labels[1].startswith("optimal") and row.labels[2] == _searched(SEEN.sims),
        claimed="AlphaZero here",
    )


def _beside_each_other(what: str, sims: int, measured: Mapping[Learner, Measured]) -> Iterator[Row]:
    """A row for each learner; MuZero's is compared with AlphaZero's."""
    base = measured.get("AlphaZero")
    for learner, found in measured.items():
        beside: dict[str, Any] = {}
        if learner == "MuZero" and base is not None and base.trials and found.trials:
            compared = compare(found.successes, found.trials, base.successes, base.trials)
            beside = {"paper": f"{base.successes} of {base.trials}", "comparison": compared}
        row = (learner, what, _searched(sims))
        yield rate_row(row, found.successes, found.trials, ours=found.ours, note=found.note, **beside)


def _right(total: Tally) -> Measured:
    note = f"a random player {percent(total.chance_share):.0f} percent" * bool(total.choices)
    return Measured(total.optimal, total.choices, "", note=note)


def _notakto(study: NotKnowingTheRules) -> Conclusion:
    def row(game: str, run: PlannedRun, sims: int) -> Row:
        proof = study.proof(run, sims)
        (last,) = (study.answers[walk].games for walk in study.walks(run, sims)[-1])
        return Row(
            labels=(f"{game}, {run.board.sides[0]}", run.learner, _searched(sims)),
            ours="not proved" * bool(last) if proof is None else f"{proof.positions:,} positions",
            value=None if proof is None else proof.seconds,
            count=len(run.points),
            note=trained_for(study.answers[run.training]),
        )

    known = [(game, run) for game, runs in study.notakto.items() for run in study.known(runs)]
    return section(
        "Notakto: until no reply beats it",
        ("Board and side", "Learner", "Plays with"),
        "seconds of training, compiling and measuring included",
        (row(game, run, sims) for game, run in known for sims in (run.board.sims, 0)),
        "The first measurement at which no reply beats the agent. One training each.",
        finding="Notakto, trained until no reply beats it, one training each",
        in_finding=lambda row: row.labels[2] != _searched(0),
    )


MODEL_FACTS = (
    ("moves that are illegal", "illegal", "made"),
    ("ends missed", "missed", "ended"),
    ("ends invented", "invented", "going"),
    ("sides mistaken", "sides_mistaken", "sides"),
    ("boards wrong in some cell", "boards_wrong", "boards"),
    ("values of the wrong kind", "values_wrong", "values"),
)
"""Each fact's name, and the fields of `ImaginedTally` with its part and its whole."""


def _facts(depths: Mapping[int, ImaginedTally]) -> dict[str, str]:
    """The shares of `MODEL_FACTS` over all depths, in percent, without those whose whole is 0."""
    tally = sum(depths.values(), ImaginedTally())
    shares = {name: tally.share(part, whole) for name, part, whole in MODEL_FACTS}
    return {name: f"{percent(share.value):.1f}" for name, share in shares.items() if share is not None}


def _models(study: NotKnowingTheRules) -> Conclusion:
    rows, figures, findings = [], list[Figure](), list[str]()
    for where, asked in study.imagined.items():
        depths = study.depths(asked)
        total, lines = sum(depths.values(), ImaginedTally()), []
        for name, part, whole in MODEL_FACTS:
            shares = {depth: share for depth, tally in depths.items() if (share := tally.share(part, whole))}
            by_depth = ", ".join(f"{depth}: {percent(share.value):.0f}" for depth, share in [*shares.items()][:6])
            lines.append(interval_series(name, shares))
            if of := getattr(total, whole):
                rows.append(rate_row((where, name), getattr(total, part), of, note=f"by depth: {by_depth}"))
        title = f"{where}: faults by depth of imagination"
        figures += curve_figure(f"imagined {where}", title, lines, "moves from the position that is seen", "percent")
        findings += listed(f"Faults of MuZero's model as a probe reads it, {where}, percent", _facts(depths))
    return section(
        "Faults of MuZero's model",
        ("Where", "What"),
        "imagined positions, percent",
        rows,
        "All positions that searches imagined, starting from real positions of random play, compared with the rules and exact values. Intervals assume independent positions, although those of one search are not.",
        {"By moves from the position that the search sees; with 95% intervals.": figures},
        findings=findings,
    )


def _repairs(study: NotKnowingTheRules) -> Conclusion:
    """The repairs; a difference from `none` uses the seeds that both have, and needs two."""
    judged, rows, differences = study.answers[study.decisions([*chain(*study.repaired.values())])], [], {}
    found = {
        name: {run.seed: tally for run in study.known(runs) if (tally := total_of(judged, run.agent(TOE.sims))).choices}
        for name, runs in study.repaired.items()
    }
    shares = {name: {seed: one.optimal_interval for seed, one in own.items()} for name, own in found.items()}
    for name, tallies in found.items():
        if name != "none" and (more := beside_by_seed(shares[name], shares["none"])):
            differences[name] = in_points(more)
        if tallies:
            total = sum(tallies.values(), Tally())
            facts = _facts(study.depths(map(study.imagining, study.known(study.repaired[name]))))
            rows.append(
                rate_row(
                    (name, str(len(tallies)), differences.get(name, "")),
                    total.optimal,
                    total.choices,
                    share=mean_share([*shares[name].values()]),
                    note="; ".join(f"{fact} {share}" for fact, share in facts.items()),
                )
            )
    return section(
        "Repairs: one thing added to MuZero on 3x3",
        ("Added", "Seeds", "Beside none"),
        _OPTIMAL,
        rows,
        f"After {study.size.repair_positions:,} positions, with 32 simulations, in all positions of the game: the mean over seeds, and the difference from the same seeds without the addition. Intervals are over seeds and not adjusted for the number of rows; one seed shows no difference. Notes are percentages of the imagined positions.",
        finding="One addition to MuZero on 3x3, optimal moves",
        findings=listed("Differences from the same seeds without the addition, two or more seeds", differences),
    )
