"""Can Notakto be learned? 3x3 as first and 4x4 as second player, by four kinds of network; and what carries over."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.matches.judge import Tally
from noughts.matches.match import MatchPlan, Score
from noughts.matches.session import Game, Measurement, Work
from noughts.positions import Side
from noughts.rules import format_rules, parse_rules
from noughts.studies.examined import Match, Walked, judge_work, judged, walk_work, walked, way
from noughts.studies.result import BoardFigure, CurveFigure, Figure, Row, Series, Table
from noughts.studies.study import (
    Conclusion,
    Results,
    Settings,
    Study,
    compare,
    count_row,
    interval_series,
    optimal_row,
    percent,
)
from noughts.studies.trained import REUSED, Trained, Training
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

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


class _Board(NamedTuple):
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
    _Board(3, Side.FIRST, 100, "100 percent"),
    _Board(4, Side.SECOND, 46, "at best 46 percent"),
    _Board(5, Side.FIRST, None, "out of reach", walked=False),
)


class _Scale(NamedTuple):
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
SIZES = {
    "quick": _Scale({3: ("fully connected",), 4: (_WIDE,)}, {3: 8, 4: 12}, {3: 2, 4: 1}, 20, 10, 32, {5: 10}),
    "laptop": _Scale(
        {3: _ALL, 4: _ALL, 5: (_WIDE, "line")},
        {3: 30, 4: 120, 5: 100},
        {3: 6, 4: 6, 5: 4},
        100,
        100,
        100,
        {5: 60, 6: 20},
    ),
    "paper": _Scale(
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
_FIRST_PLY = {5: 0, 6: 6}
_TRANSFER = "line, trained up to 4x4"


class _Run(NamedTuple):
    """A training of one network on one board."""

    board: _Board
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


class _Proof(NamedTuple):
    """The first measurement at which an agent is proved."""

    iteration: int
    positions: int
    seconds: float


class NotaktoStudy(Study):
    """Is the paper's hypothesis true that 3x3 and 4x4 can be learned to 100 percent?"""

    name = "notakto"
    title = "Learning Notakto, and carrying it to larger boards"
    question = (
        "Can self-play learn to win every game of Notakto, on 3x3 as first and on 4x4 as second player, and does what "
        "is learned there hold on 5x5 and 6x6?"
    )
    paper = (
        "A deep reinforcement learning approach to solving misère combinatorial games (2018), results and discussion"
    )
    scales = {
        scale: f"{'; '.join(f'{n}x{n}: {len(networks)} network' + 's' * (len(networks) > 1) + f', {size.iterations[n]} iterations' for n, networks in size.networks.items())}; up to 4x4: {size.transfer_iterations} iterations; {size.games} games against each opponent"
        for scale, size in SIZES.items()
    }
    deviations = (
        "The paper names no numbers of its training: all networks here are trained by one preset, notakto-fast. Its count of iterations, 14 to 25 for 3x3, is of its own iterations, and not comparable.",
        "The fully connected network has two layers of 64, and sees one number a cell; the wide one, ours, has two layers of 256, and also sees who moves first. The convolutional network has one convolution of 64 channels and dense heads, without residual connections; the residual one has two blocks of 32 channels. The paper's text asks for both kinds, and tried neither.",
        "The paper's opponent called random avoids immediate losses. We report uniformly random play, minimax of two plies without an evaluation, which avoids them and is random otherwise, and exact play.",
        "An agent counts as perfect if no sequence of replies beats it, which is found by walking all of them, on 3x3 and 4x4. Agents look at all images of a position under the symmetries of the board as one, which makes the walk shorter and the agent no other on average. On 5x5, with too many replies to walk, games and exact tables stand in its place.",
        "Boards of 6x6 are compared with exact tables from ply 6 on: from the first ply on such a table takes 8 GiB.",
        REUSED,
    )
    takes_guests = False

    def work(self, settings: Settings) -> Sequence[Work]:
        """Trainings; then walks at each measurement, games at the end, and moves beside exact tables."""
        size, runs, transfer = SIZES[settings.scale], _runs(settings), _transfer(settings)
        walks = [
            walk_work(
                run.examined(number, sims),
                run.training.agent(sims, iteration, view="one-side"),
                run.board.rules,
                run.board.side,
            )
            for run in runs
            if run.board.walked
            for number, iteration in enumerate(run.iterations, 1)
            for sims in (0, size.sims)
        ]
        games: list[Game] = [
            game for run in runs for match in _matches(run, settings).values() for game in match.work()
        ]
        truth = [
            judge_work(
                _transfer_name(n, sims),
                transfer.agent(sims, view="one-side"),
                f"notakto({n})",
                per_ply,
                (_FIRST_PLY[n], n * n),
                settings.seed,
            )
            for n, per_ply in size.per_ply.items()
            for sims in (0, size.sims)
        ]
        own: list[Measurement] = [
            judge_work(
                f"{run.training.label} / {way(size.sims)}",
                run.training.agent(size.sims, view="one-side"),
                run.board.rules,
                size.per_ply[5],
                (0, 25),
                settings.seed,
            )
            for run in runs
            if not run.board.walked
        ]
        return [*(run.training.work() for run in runs), transfer.work(), *walks, *games, *truth, *own]

    def conclude(self, settings: Settings, results: Results) -> Conclusion:
        """When each network was proved, its games, the tables of larger boards, and the verdict."""
        size, runs = SIZES[settings.scale], _runs(settings)
        tables = [
            _proofs_table(runs, size.sims, results),
            *(_games_table(run, settings, results) for run in runs),
            *(_truth_table(n, settings, results) for n in size.per_ply),
        ]
        figures = [*_curves(runs, results), *_truth_figure(settings, results), *_lost_games(runs, size.sims, results)]
        return Conclusion(tuple(tables), tuple(figures), tuple(_findings(settings, runs, results)))


def small_boards_task() -> str:
    """3x3, in the corner of a board of 4x4, and 4x4: text of a task."""
    from noughts.positions.batched import embed

    return f"{format_rules(embed(parse_rules('notakto(3)'), 4, 4))} | notakto(4)"


def _config(task: str, network: str, iterations: int, step: int, sims: int, seed: int) -> AlphaZeroConfig:
    return AlphaZeroConfig.preset(
        PRESET,
        task=task,
        network=network,
        seed=seed,
        schedule=Schedule(iterations=iterations, measure_iterations=step, measure_minutes=None),
        measure_simulations=sims,
    )


def _runs(settings: Settings) -> list[_Run]:
    size, runs = SIZES[settings.scale], []
    for board in BOARDS:
        for network in size.networks.get(board.size, ()):
            iterations = size.iterations[board.size]
            step = iterations // size.measured[board.size]
            config = _config(board.rules, NETWORKS[network], iterations, step, size.sims, settings.seed)
            training = Training(NotaktoStudy.name, f"{board.size}x{board.size} {network}", config)
            runs.append(_Run(board, network, training, step))
    return runs


def _transfer(settings: Settings) -> Training[AlphaZeroConfig]:
    size = SIZES[settings.scale]
    iterations = size.transfer_iterations
    config = _config(small_boards_task(), NETWORKS["line"], iterations, iterations, size.sims, settings.seed)
    return Training(NotaktoStudy.name, "up to 4x4 line", config)


def _transfer_name(size: int, sims: int) -> str:
    return f"{_TRANSFER} / {size}x{size} / {way(sims)}"


def _matches(run: _Run, settings: Settings) -> dict[str, Match]:
    """By opponent; the agent plays the side that can win."""
    size, own = SIZES[settings.scale], run.training.agent(SIZES[settings.scale].sims, view="one-side")
    found = {}
    for name, text in OPPONENTS.items():
        first, second = (own, text) if run.board.side is Side.FIRST else (text, own)
        plan = MatchPlan(rules=run.board.rules, a=first, b=second, games=size.games, seed=settings.seed)
        found[name] = Match(f"{run.training.label} / {name}", plan)
    return found


def _score(run: _Run, match: Match, results: Results) -> Score:
    """From the point of view of the agent that was trained."""
    score = match.score(results)
    if run.board.side is Side.FIRST:
        return score
    return Score(wins=score.losses, draws=score.draws, losses=score.wins, errors=score.errors)


def _walks(run: _Run, sims: int, results: Results) -> list[tuple[int, Walked]]:
    """By iteration, those that are known."""
    found = ((i, walked(run.examined(n, sims), run.board.side, results)) for n, i in enumerate(run.iterations, 1))
    return [(iteration, walk) for iteration, walk in found if walk is not None]


def _proof(run: _Run, sims: int, results: Results) -> _Proof | None:
    """The first measurement at which no reply beats it; None if there is none, or not yet."""
    trained = run.training.trained(results)
    points = {} if trained is None else {point.iteration: point for point in trained.curve}
    for iteration, walk in _walks(run, sims, results):
        if walk.proved and iteration in points:
            return _Proof(iteration, points[iteration].positions, points[iteration].seconds)
    return None


def _proofs_table(runs: Sequence[_Run], sims: int, results: Results) -> Table:
    rows = []
    for run in runs:
        if not run.board.walked:
            continue
        trained = run.training.trained(results)
        for n in (sims, 0):
            proof, walks = _proof(run, n, results), _walks(run, n, results)
            proved = sum(walk.proved for _, walk in walks)
            notes = [f"proved at {proved} of {len(walks)} measurements"] if walks else []
            if walks:
                notes.append(f"at the last one it {walks[-1][1]}, {walks[-1][1].decisions:,} positions asked")
            notes += [f"trained {trained.budget}"] if trained is not None else []
            rows.append(
                Row(
                    labels=(run.board.title, run.network, str(n)),
                    paper=run.board.paper_text if n else "",
                    ours=_written(proof) if proof is not None else "not proved" if walks else "",
                    value=None if proof is None else proof.seconds,
                    count=len(walks),
                    note="; ".join(notes),
                )
            )
    return Table(
        title="Until no reply beats it",
        label_columns=("Board and side", "Network", "Simulations"),
        unit="seconds of training, compiling and measuring included",
        rows=tuple(rows),
        caption="The first measurement at which every reply was walked and none wins. On 3x3 and 4x4 nobody can draw, so the agent wins every game.",
    )


def _written(proof: _Proof) -> str:
    return f"{proof.iteration} iterations, {proof.positions:,} positions"


def _games_table(run: _Run, settings: Settings, results: Results) -> Table:
    rows = []
    for name, match in _matches(run, settings).items():
        score, paper = _score(run, match, results), run.board.paper if name == "avoids an immediate loss" else None
        claimed = paper is not None and run.network == "fully connected"
        verdict = compare(score, paper, 100) if claimed and paper is not None else "no claim"
        rows.append(count_row((name,), score, run.board.paper_text if claimed else "", verdict))
    trained = run.training.trained(results)
    return Table(
        title=f"{run.board.title} player, {run.network}: games",
        label_columns=("Opponent",),
        unit="games won, percent",
        rows=tuple(rows),
        caption=f"After {trained.budget}." if trained is not None else "",
    )


def _truth_table(size: int, settings: Settings, results: Results) -> Table:
    rows = []
    for sims in (0, SIZES[settings.scale].sims):
        for ply, tally in sorted(judged(_transfer_name(size, sims), results).items()):
            note = f"{tally.indifferent} of {tally.positions} positions leave nothing to choose"
            if tally.choices:
                note = f"a random player {percent(tally.chance_share):.0f} percent; {note}"
            rows.append(optimal_row((str(ply), str(sims)), tally, note))
    return Table(
        title=f"{_TRANSFER}, on {size}x{size}",
        label_columns=("Ply", "Simulations"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption="Positions of random play, judged by exact tables. The weights were never trained on this board.",
    )


def _curves(runs: Sequence[_Run], results: Results) -> Iterator[Figure]:
    for board in BOARDS:
        series = []
        for run in runs:
            trained: Trained | None = run.training.trained(results) if run.board is board else None
            points = [
                (float(point.positions), percent(share))
                for point in (() if trained is None else trained.curve)
                if (share := point.values.get("policy_optimal")) is not None
            ]
            if points:
                x, y = zip(*points, strict=True)
                series.append(Series(name=run.network, x=x, y=y))
        if series:
            yield CurveFigure(
                name=f"learning-{board.size}",
                title=f"{board.size}x{board.size}: the network's moves on the way, without search",
                x_label="positions of self-play",
                y_label="optimal where the choice matters, percent",
                y_range=(0.0, 100.0),
                series=tuple(series),
            )


def _truth_figure(settings: Settings, results: Results) -> Iterator[Figure]:
    series = []
    for n in SIZES[settings.scale].per_ply:
        for sims in (0, SIZES[settings.scale].sims):
            tallies = judged(_transfer_name(n, sims), results)
            known = {ply: tally.optimal_interval for ply, tally in sorted(tallies.items()) if tally.choices}
            if known:
                series.append(interval_series(f"{n}x{n}, {sims} simulations", known))
    if series:
        yield CurveFigure(
            name="larger-boards",
            title=f"{_TRANSFER}: its moves on boards it has never seen",
            x_label="ply",
            y_label="optimal where the choice matters, percent",
            y_range=(0.0, 100.0),
            series=tuple(series),
        )


def _lost_games(runs: Sequence[_Run], sims: int, results: Results) -> Iterator[Figure]:
    """A game of each agent that can still be beaten at the end."""
    for number, run in enumerate(runs):
        walks = _walks(run, sims, results)
        if walks and walks[-1][0] == run.training.iterations and walks[-1][1].lost_game is not None:
            yield BoardFigure(
                name=f"lost-game-{number}",
                title=f"{run.board.title} player, {run.network}: a game that it still loses",
                rules=run.board.rules,
                moves=walks[-1][1].lost_game,
            )


def _findings(settings: Settings, runs: Sequence[_Run], results: Results) -> Iterator[str]:
    size = SIZES[settings.scale]
    for board in BOARDS:
        own = [run for run in runs if run.board is board and _walks(run, size.sims, results)]
        if not own:
            continue
        proofs = {run.network: proof for run in own if (proof := _proof(run, size.sims, results)) is not None}
        if proofs:
            soonest = min(proofs, key=lambda network: proofs[network].seconds)
            proof = proofs[soonest]
            yield f"{board.title} player: learned to 100 percent against every reply by {len(proofs)} of {len(own)} networks ({', '.join(proofs)}), first by the {soonest} one, after {_written(proof)} and {proof.seconds:.0f} seconds: the paper's hypothesis holds here, where it reached {board.paper} percent."
        else:
            yield f"{board.title} player: within this budget no network was proved against every reply; nothing follows about the paper's hypothesis."
    for run in runs:
        if not run.board.walked:
            scores = {name: _score(run, match, results) for name, match in _matches(run, settings).items()}
            if all(score.games for score in scores.values()):
                written = ", ".join(f"{score.wins} of {score.games} against {name}" for name, score in scores.items())
                yield f"{run.board.title} player, {run.network}: it won {written}."
    for n in size.per_ply:
        for sims in (0, size.sims):
            total = sum(judged(_transfer_name(n, sims), results).values(), Tally())
            if total.choices:
                share = total.optimal_interval
                yield f"Trained on boards up to 4x4 alone, the line network keeps the value in {percent(share.share):.1f} percent ({percent(share.low):.1f} to {percent(share.high):.1f}) of {total.choices:,} choices on {n}x{n} with {sims} simulations; a random player would in {percent(total.chance_share):.0f}."
