"""Can Notakto be learned? 3x3 as first and 4x4 as second player, by five kinds of network; and does it transfer?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.document.citations import NOTAKTO_PAPER
from noughts.document.result import BoardFigure, Figure, Row, game_figure
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.play.score import Player
from noughts.positions import derive_seed
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import Point, Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, embed, format_task, parse_rules, task_of
from noughts.rules.text import counted
from noughts.studies.claims import (
    Claim,
    between,
    curve_figure,
    notes,
    optimal_line,
    optimal_row,
    percent,
    rate_row,
    wins,
)
from noughts.studies.games import in_random_positions
from noughts.studies.study import Conclusion, Settings, Study, concluded, listed, section, sizes, with_minutes
from noughts.studies.trainings import first_proof, line_while_training, numbered_runs, trained_for
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

NETWORKS = {
    "fully connected": "mlp:preset=notakto",
    "fully connected, wide": "mlp:widths=256x256",
    "convolutional": "resnet:blocks=0,channels=64,heads=dense",
    "residual": "resnet:blocks=2,channels=32,heads=dense",
    "line": "line",
}
PAPER_OPPONENT = "avoids an immediate loss"
"""The paper's "random" opponent: it never completes a line while it has another move, and is random otherwise. Because it
searches two plies, it also prefers a move after which the other side must complete a line."""
OPPONENTS = {
    "random": parse_agent("random"),
    PAPER_OPPONENT: parse_agent("minimax:depth=2,eval=none"),
    "exact": parse_agent("perfect"),
}


def _notakto(size: int) -> Rules:
    return parse_rules(f"notakto({size})")


class PaperBoard(NamedTuple):
    """A board of the paper."""

    rules: Rules
    side: Player  # the side that wins under perfect play
    paper: int | None  # percent that the paper's networks won; None where the paper gave up
    paper_text: str  # the same, as printed
    walked: bool = True  # whether every reply is walked; 5x5 has too many

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


_WIDE = "fully connected, wide"
_NETWORKS = (
    {3: {"fully connected": 1}, 4: {_WIDE: 1}},
    {
        3: dict.fromkeys(NETWORKS, 3),
        4: {"fully connected": 3, _WIDE: 3, "convolutional": 3, "residual": 1, "line": 1},
        5: {_WIDE: 1, "line": 1},
    },
    {3: dict.fromkeys(NETWORKS, 10), 4: dict.fromkeys(NETWORKS, 10), 5: dict.fromkeys(NETWORKS, 3)},
)
SCALES = sizes(
    networks=_NETWORKS,  # by size of board, the number of seeds of each network
    iterations=({3: 8, 4: 12}, {3: 30, 4: 120, 5: 100}, {3: 100, 4: 600, 5: 600}),  # of each training
    measured=({3: 2, 4: 1}, {3: 6, 4: 6, 5: 4}, {3: 10, 4: 12, 5: 6}),  # number of measurements
    games=(20, 100, 1000),  # against each opponent
    transfer_iterations=(10, 100, 600),  # iterations of the training on small boards
    sims=(32, 100, 100),
    per_ply=({5: 10}, {5: 60, 6: 20}, {5: 400, 6: 100}),  # positions judged on larger boards
)

# A table of 6x6 from its first ply on takes 8 GiB; from this ply on a position needs one of at most 128 MiB.
FIRST_PLY = {5: 0, 6: 6}
TRANSFER = "line, trained up to 4x4"


def _told(side: int, networks: Mapping[str, int], iterations: int) -> str:
    """The trainings on boards of one size in words; `networks` has the seeds of each network."""
    trainings = counted(sum(networks.values()), "training")
    return f"{side}x{side}: {counted(len(networks), 'network')}, {trainings}, {iterations} iterations"


class BoardTraining(NamedTuple):
    """A training of one network on one board, and the iterations at which it is measured; the number of its seed counts from 0."""

    board: PaperBoard
    network: str
    number: int
    training: Training
    iterations: range

    def walks(self, sims: int) -> dict[int, Walked]:
        """Every reply to its agent at each measurement, by iteration; empty on a board with too many."""
        game, iterations = task_of(self.board.rules), self.iterations if self.board.walked else range(0)
        agents = {iteration: self.training.agent(sims, iteration, view="canonical") for iteration in iterations}
        return {n: Walked(task=game, agent=agent, side=self.board.side) for n, agent in agents.items()}


class NotaktoStudy(Study):
    """Is the paper's hypothesis true that 3x3 and 4x4 can be learned to 100 percent?"""

    name = "notakto"
    title = "Learning Notakto, and carrying it to larger boards"
    question = "Can self-play learn to win every game of Notakto, on 3x3 as first and on 4x4 as second player, and does this carry over to 5x5 and 6x6?"
    paper = (
        "A deep reinforcement learning approach to solving misère combinatorial games (2018), results and discussion"
    )
    citations = (NOTAKTO_PAPER,)
    scales = with_minutes(
        {
            scale: f"{'; '.join(_told(n, networks, size.iterations[n]) for n, networks in size.networks.items())}; up to 4x4: {size.transfer_iterations} iterations; {size.games} games against each opponent"
            for scale, size in SCALES.items()
        },
        quick=4,
    )
    deviations = (
        "The paper gives no settings of its training, so all networks here are trained with one preset, notakto-fast. Its 14 to 25 iterations for 3x3 are not comparable with ours.",
        "The fully connected network has two layers of 64, and sees one number a cell. The wide one, ours, has two layers of 256, and also sees which player moves first. The convolutional network has one convolution of 64 channels and dense heads, without residual connections; the residual one has two blocks of 32 channels. The paper suggests both kinds, and tried neither.",
        "The paper's opponent called random avoids immediate losses. We report uniformly random play, minimax of two plies without an evaluation, which avoids them and is random otherwise, and exact play.",
        "On 3x3 and 4x4 an agent counts as perfect if no sequence of replies beats it; all are tried. Agents play alike in all positions that are equivalent under the board's symmetries, which shortens the proof and does not change the agent on average. On 5x5 there are too many replies, so games and exact tables replace the proof.",
        "Networks that train longest have fewer seeds; see the first table. Only the first seed of each network plays games; every reply is tried for all seeds.",
        "Boards of 6x6 are compared with exact tables from ply 6 on, because a table from the first ply on takes 8 GiB.",
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings; every reply at each measurement; games at the end; moves compared with exact tables."""
        study = self.at(settings)
        trainings = [*(run.training for run in study.runs), study.transfer_training]
        walks = [walk for run in study.runs for sims in (0, study.sims) for walk in run.walks(sims).values()]
        games = [match for run in study.runs for match in study.matches(run).values()]
        larger = [study.judging(n, study.transferred.values()) for n in study.size.per_ply]
        own = [study.judging(run.board.size, [study.searching(run)]) for run in study.runs if not run.board.walked]
        return [*trainings, *walks, *games, *larger, *own]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """When each network was proved, its games, and tables of larger boards."""
        study = self.at(settings, answers)
        return concluded(
            _over_seeds(study),
            _proofs(study),
            *(_games(study, run) for run in study.first_seeds),
            *(_own(study, run) for run in study.runs if not run.board.walked),
            *(_transfer(study, n) for n in study.size.per_ply),
        )

    def _plan(self, settings: Settings) -> None:
        self.seed, self.size = settings.seed, SCALES[settings.scale]
        self.sims = self.size.sims

    @cached_property
    def runs(self) -> list[BoardTraining]:
        """The trainings of every network on every board, first seeds first."""

        def training(kind: tuple[PaperBoard, str], number: int) -> Training:
            board, network = kind
            seed = derive_seed(self.seed, NotaktoStudy.name, number) >> 1 if number else self.seed
            label = f"{board.size}x{board.size} {network}{f', seed {number}' * bool(number)}"
            return self._training(label, task_of(board.rules), network, self._measured(board), seed)

        networks = {board: self.size.networks.get(board.size, {}) for board in BOARDS}
        seeds = (((board, network), count) for board in BOARDS for network, count in networks[board].items())
        runs = numbered_runs(seeds, training)
        return [BoardTraining(*run.kind, run.number, run.training, self._measured(run.kind[0])) for run in runs]

    def _measured(self, board: PaperBoard) -> range:
        """The iterations at which a training is measured; the last ends it."""
        iterations = self.size.iterations[board.size]
        step = iterations // self.size.measured[board.size]
        return range(step, iterations + 1, step)

    @property
    def first_seeds(self) -> list[BoardTraining]:
        """The first training of each network on each board."""
        return [run for run in self.runs if not run.number]

    def searching(self, run: BoardTraining) -> AgentSpec:
        """The agent of a training, with the scale's simulations."""
        return run.training.agent(self.sims, view="canonical")

    def matches(self, run: BoardTraining) -> dict[str, Played]:
        """The matches of a training by opponent. The agent plays the winning side; only the first seed's agent plays."""
        return {
            name: Played(
                task=task_of(run.board.rules),
                a=self.searching(run),
                b=opponent,
                games=self.size.games,
                moves_first="a" if run.board.side == "first" else "b",
                seed=self.seed,
                draws=(NotaktoStudy.name, run.training.label, name),
            )
            for name, opponent in (() if run.number else OPPONENTS.items())
        }

    @cached_property
    def transfer_training(self) -> Training:
        """The training of the line network on boards up to 4x4, to try it on larger ones."""
        end = self.size.transfer_iterations
        return self._training("up to 4x4 line", small_boards(), "line", range(end, end + 1, end), self.seed)

    @property
    def transferred(self) -> dict[int, AgentSpec]:
        """The agents of that training, by simulations."""
        return {sims: self.transfer_training.agent(sims, view="canonical") for sims in (0, self.sims)}

    def judging(self, size: int, agents: Iterable[AgentSpec]) -> Judged:
        """Moves on a larger board, compared with exact tables."""
        task, plies, per_ply = task_of(_notakto(size)), (FIRST_PLY[size], size * size), self.size.per_ply[size]
        return in_random_positions(agents, task, plies, per_ply, None, all_up_to=per_ply, seed=self.seed)

    def walked(self, run: BoardTraining, sims: int) -> list[tuple[int, WalkResult]]:
        """The known walks, each with its iteration."""
        found = ((iteration, self.answers[walk]) for iteration, walk in run.walks(sims).items())
        return [(iteration, game.result) for iteration, task in found for game in task.games]

    def first_proof(self, run: BoardTraining, sims: int) -> Point | None:
        """The first measurement at which no reply beats the agent; None without one."""
        proved = ((iteration, walk.proved) for iteration, walk in self.walked(run, sims))
        return first_proof(self.answers[run.training], proved, by="iteration")

    def tallies(self, size: int, agents: Mapping[int, AgentSpec]) -> dict[int, dict[int, Tally]]:
        """Agents' moves compared with a board's exact tables, by simulations and by ply."""
        found = self.answers[self.judging(size, agents.values())]
        return {sims: found.of(agent) for sims, agent in agents.items()}

    def _training(self, label: str, task: Task, network: str, measured: range, seed: int) -> Training:
        config = AlphaZeroConfig.preset(
            "notakto-fast",
            task=format_task(task),
            network=NETWORKS[network],
            seed=seed,
            schedule=Schedule(iterations=measured[-1], measure_iterations=measured.step, measure_minutes=None),
            measure_simulations=self.sims,
        )
        return Training(label=label, config=config, cores=1)


def small_boards() -> Task:
    """The task of 4x4, and 3x3 in the corner of a 4x4 board."""
    return task_of(embed(BOARDS[0].rules, 4, 4), BOARDS[1].rules)


def _over_seeds(study: NotaktoStudy) -> Conclusion:
    def row(first: BoardTraining, sims: int) -> Row:
        same = [run for run in study.runs if run[:2] == first[:2]]
        known = [proved for run in same if (proved := [walk.proved for _, walk in study.walked(run, sims)])]
        later = [proved for walks in known if True in walks for proved in walks[walks.index(True) + 1 :]]
        at_the_end = sum(walks[-1] for walks in known)
        note = f"{at_the_end} at the last measurement; of {len(later)} measurements after a first proof {sum(later)}"
        labels = (first.board.title, first.network, str(sims))
        return rate_row(labels, sum(map(any, known)), len(known), note=note * bool(known))

    return section(
        "Over seeds: how many trainings are proved, and whether proofs last",
        ("Board and side", "Network", "Simulations"),
        "trainings proved at some measurement, percent",
        (row(first, sims) for first in study.first_seeds if first.board.walked for sims in (study.sims, 0)),
        "Proved means that every reply was tried and none wins. With few seeds intervals are wide.",
        finding="Learned to 100 percent against every reply, trainings (the paper reached 100 percent on 3x3 and 46 on 4x4; a budget without a proof does not test the paper's hypothesis)",
    )


def _proofs(study: NotaktoStudy) -> Conclusion:
    def row(run: BoardTraining, sims: int) -> Row:
        proof, walks = study.first_proof(run, sims), [walk for _, walk in study.walked(run, sims)]
        spent = "" if proof is None else f"{proof.iteration} iterations, {proof.positions:,} positions"
        proved = f"proved at {sum(walk.proved for walk in walks)} of {len(walks)} measurements"
        last = f"at the last one it {walks[-1]}, {walks[-1].decisions:,} positions checked" if walks else ""
        return Row(
            labels=(run.board.title, run.network, str(run.number), str(sims)),
            paper=run.board.paper_text if sims else "",
            ours=spent or "not proved" * bool(walks),
            value=None if proof is None else proof.seconds,
            count=len(walks),
            note=notes(proved * bool(walks), last, trained_for(study.answers[run.training])),
        )

    return section(
        "Until no reply beats it",
        ("Board and side", "Network", "Seed", "Simulations"),
        "seconds of training, compiling and measuring included",
        (row(run, sims) for run in study.runs if run.board.walked for sims in (study.sims, 0)),
        "The first measurement at which no reply beats the agent. Notakto has no draws, so it then wins every game.",
        {
            "How fast each network learns, by positions of self-play.": _curves(study),
            "Some reply leads to it; numbers are plies.": _lost_games(study),
        },
        "Trained until no reply beats it",
        lambda row: row.ours != "not proved",
    )


def _curves(study: NotaktoStudy) -> Iterator[Figure]:
    for board in BOARDS:
        lines = [
            line_while_training(run.network, study.answers[run.training], "policy_optimal", scale=100.0)
            for run in study.first_seeds
            if run.board is board
        ]
        yield from curve_figure(
            f"learning-{board.size}",
            f"{board.size}x{board.size}: the network's moves during training, without search",
            lines,
            "positions of self-play",
            "optimal moves in non-trivial positions, percent",
        )


def _lost_games(study: NotaktoStudy) -> Iterator[BoardFigure]:
    """A lost game of each agent that can still be beaten at the end."""
    for number, run in enumerate(study.first_seeds):
        for iteration, walk in study.walked(run, study.sims)[-1:]:
            if iteration == run.training.iterations and walk.lost_game is not None:
                title = f"{run.board.title} player, {run.network}: a game that it still loses"
                yield game_figure(f"lost-game-{number}", title, run.board.rules, walk.lost_game)


def _games(study: NotaktoStudy, run: BoardTraining) -> Conclusion:
    """The games of one run. The paper's number is for its fully connected network and an opponent that avoids immediate losses."""
    rows, trained, title = [], study.answers[run.training], f"{run.board.title} player, {run.network}: games"
    for name, match in study.matches(run).items():
        won = run.board.paper if (run.network, name) == ("fully connected", PAPER_OPPONENT) else None
        claim = Claim((name,), match, wins, run.board.paper_text if won is not None else "", won, 100)
        rows.append(claim.measured(study.answers))
    caption = f"After {trained.budget}." if trained is not None else ""
    finding = "" if run.board.walked else f"{title} won"
    return section(title, ("Opponent",), "games won, percent", rows, caption, finding=finding)


def _own(study: NotaktoStudy, run: BoardTraining) -> Conclusion:
    found = study.tallies(run.board.size, {study.sims: study.searching(run)})
    return _beside_truth(f"{run.board.title} player, {run.network}: its moves", found)


def _transfer(study: NotaktoStudy, size: int) -> Conclusion:
    title = f"{TRANSFER}: its moves on boards it has never seen"
    lines = [
        optimal_line(f"{n}x{n}, {sims} simulations", tallies)
        for n in (study.size.per_ply if size == max(study.size.per_ply) else ())
        for sims, tallies in study.tallies(n, study.transferred).items()
    ]
    figures = curve_figure("larger-boards", title, lines, "ply", "optimal moves in non-trivial positions, percent")
    found, about = study.tallies(size, study.transferred), "With 95% intervals, in positions of random play."
    totals = {f"{sims} simulations": sum(tallies.values(), Tally()) for sims, tallies in found.items()}
    said = {
        name: f"{between(one.optimal_interval)} of {one.choices:,}, a random player {percent(one.chance_share):.0f}"
        for name, one in totals.items()
        if one.choices
    }
    legend = f"Trained on boards up to 4x4 alone, optimal moves of the line network on {size}x{size}"
    never, findings = " The weights were never trained on this board.", listed(legend, said)
    return _beside_truth(f"{TRANSFER}, on {size}x{size}", found, never, {about: figures}, findings)


def _beside_truth(
    title: str,
    found: Mapping[int, Mapping[int, Tally]],
    more: str = "",
    figures: Mapping[str, Iterable[Figure]] | None = None,
    findings: Iterable[str] = (),
) -> Conclusion:
    return section(
        title,
        ("Ply", "Simulations"),
        "optimal moves in non-trivial positions, percent",
        (optimal_row((str(ply), str(n)), tally) for n, tallies in found.items() for ply, tally in tallies.items()),
        f"Positions of random play, judged by exact tables.{more}",
        figures,
        findings=findings,
    )
