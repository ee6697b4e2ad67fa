"""The tables and figures of `notakto`."""

from collections.abc import Iterator, Mapping, Sequence

from noughts.agents import AgentSpec
from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table, beside
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.trained import Trained
from noughts.statistics import compare, wilson
from noughts.studies.notakto.outcome import first_proof, over_seeds, walks_by_iteration
from noughts.studies.notakto.plan import BOARDS, SCALES, TRANSFER, BoardTraining, first_seeds, judging, transferred
from noughts.studies.study import Settings, count_row, interval_series, optimal_row, percent, share_row


def tables(settings: Settings, runs: Sequence[BoardTraining], answers: Answers) -> tuple[Table, ...]:
    """When each network was proved, its games, its moves where replies are too many, and moves on larger boards."""
    size = SCALES[settings.scale]
    return (
        _seeds_table(runs, size.sims, answers),
        _proofs_table(runs, size.sims, answers),
        *(_games_table(run, settings, answers) for run in first_seeds(runs)),
        *(_own_table(run, settings, answers) for run in runs if not run.board.walked),
        *(_transfer_table(n, settings, answers) for n in size.per_ply),
    )


def figures(
    settings: Settings, runs: Sequence[BoardTraining], answers: Answers, shown: Sequence[Table]
) -> tuple[Figure, ...]:
    """Learning by positions, larger boards by ply, and games that agents still lose.

    Args:
        settings, runs, answers: What was asked, and what is known.
        shown: The tables, beside which they stand: the second and the last.
    """
    sims = SCALES[settings.scale].sims
    return (
        *beside(shown[1], _curves(first_seeds(runs), answers), "How soon each network learns, by what training costs."),
        *beside(shown[1], _lost_games(first_seeds(runs), sims, answers), "Some reply leads to it; numbers are plies."),
        *beside(shown[-1], _truth_figure(settings, answers), "With 95% intervals, in positions of random play."),
    )


def _seeds_table(runs: Sequence[BoardTraining], sims: int, answers: Answers) -> Table:
    rows = []
    for first in first_seeds(runs):
        if not first.board.walked:
            continue
        same = [run for run in runs if (run.board, run.network) == (first.board, first.network)]
        for n in (sims, 0):
            found = over_seeds(same, n, answers)
            rows.append(
                share_row(
                    labels=(first.board.title, first.network, str(n)),
                    ours=f"{found.proved} of {found.trained}" if found.trained else "",
                    share=wilson(found.proved, found.trained) if found.trained else None,
                    count=found.trained,
                    note=f"{found.at_the_end} at the last measurement; of {found.later} measurements after a first proof {found.still}"
                    if found.trained
                    else "",
                )
            )
    return Table(
        title="Over seeds: how many trainings are proved, and whether proofs last",
        label_columns=("Board and side", "Network", "Simulations"),
        unit="trainings proved at some measurement, percent",
        rows=tuple(rows),
        caption="Proved: every reply was walked and none wins. With few seeds an interval is wide, and says so.",
    )


def _proofs_table(runs: Sequence[BoardTraining], sims: int, answers: Answers) -> Table:
    rows = []
    for run in runs:
        if not run.board.walked:
            continue
        trained = answers[run.training]
        for n in (sims, 0):
            proof, walks = first_proof(run, n, answers), walks_by_iteration(run, n, answers)
            proved = sum(walk.proved for _, walk in walks)
            notes = [f"proved at {proved} of {len(walks)} measurements"] if walks else []
            if walks:
                notes.append(f"at the last one it {walks[-1][1]}, {walks[-1][1].decisions:,} positions asked")
            notes += [f"trained {trained.budget}"] if trained is not None else []
            rows.append(
                Row(
                    labels=(run.board.title, run.network, str(run.number), str(n)),
                    paper=run.board.paper_text if n else "",
                    ours=str(proof) if proof is not None else "not proved" if walks else "",
                    value=None if proof is None else proof.seconds,
                    count=len(walks),
                    note="; ".join(notes),
                )
            )
    return Table(
        title="Until no reply beats it",
        label_columns=("Board and side", "Network", "Seed", "Simulations"),
        unit="seconds of training, compiling and measuring included",
        rows=tuple(rows),
        caption="The first measurement at which every reply was walked and none wins. On 3x3 and 4x4 nobody can draw, so the agent wins every game.",
    )


def _games_table(run: BoardTraining, settings: Settings, answers: Answers) -> Table:
    rows = []
    for name, match in run.matches(settings).items():
        result = answers[match]
        score, paper = result.total, run.board.paper if name == "avoids an immediate loss" else None
        claimed = paper is not None and run.network == "fully connected"
        comparison = compare(score.wins, score.games, paper, 100) if claimed and paper is not None else None
        said = run.board.paper_text if claimed else ""
        rows.append(count_row((name,), score, said, comparison, distinct=result.distinct))
    trained = answers[run.training]
    return Table(
        title=f"{run.board.title} player, {run.network}: games",
        label_columns=("Opponent",),
        unit="games won, percent",
        rows=tuple(rows),
        caption=f"After {trained.budget}." if trained is not None else "",
    )


def _own_table(run: BoardTraining, settings: Settings, answers: Answers) -> Table:
    agents = {SCALES[settings.scale].sims: run.searching(settings)}
    title = f"{run.board.title} player, {run.network}: its moves"
    return _truth_table(title, "", _tallies(run.board.size, agents, settings, answers))


def _transfer_table(size: int, settings: Settings, answers: Answers) -> Table:
    found = _tallies(size, transferred(settings), settings, answers)
    return _truth_table(f"{TRANSFER}, on {size}x{size}", " The weights were never trained on this board.", found)


def _truth_table(title: str, more: str, found: Mapping[int, Mapping[int, Tally]]) -> Table:
    rows = []
    for sims, tallies in found.items():
        for ply, tally in tallies.items():
            note = f"{tally.indifferent} of {tally.positions} positions leave nothing to choose"
            if tally.choices:
                note = f"a random player {percent(tally.chance_share):.0f} percent; {note}"
            rows.append(optimal_row((str(ply), str(sims)), tally, note))
    return Table(
        title=title,
        label_columns=("Ply", "Simulations"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption=f"Positions of random play, judged by exact tables.{more}",
    )


def _tallies(
    size: int, agents: Mapping[int, AgentSpec], settings: Settings, answers: Answers
) -> dict[int, dict[int, Tally]]:
    """How agents do beside exact tables of a board, by simulations and by ply."""
    found = answers[judging(size, agents.values(), settings)]
    return {sims: found.of(agent) for sims, agent in agents.items()}


def _curves(runs: Sequence[BoardTraining], answers: Answers) -> Iterator[Figure]:
    for board in BOARDS:
        series = []
        for run in runs:
            trained: Trained | None = answers[run.training] if run.board is board else None
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


def _truth_figure(settings: Settings, answers: Answers) -> Iterator[Figure]:
    series = []
    for n in SCALES[settings.scale].per_ply:
        for sims, tallies in _tallies(n, transferred(settings), settings, answers).items():
            known = {ply: tally.optimal_interval for ply, tally in tallies.items() if tally.choices}
            if known:
                series.append(interval_series(f"{n}x{n}, {sims} simulations", known))
    if series:
        yield CurveFigure(
            name="larger-boards",
            title=f"{TRANSFER}: its moves on boards it has never seen",
            x_label="ply",
            y_label="optimal where the choice matters, percent",
            y_range=(0.0, 100.0),
            series=tuple(series),
        )


def _lost_games(runs: Sequence[BoardTraining], sims: int, answers: Answers) -> Iterator[Figure]:
    """A game of each agent that can still be beaten at the end."""
    for number, run in enumerate(runs):
        walks = walks_by_iteration(run, sims, answers)
        if walks and walks[-1][0] == run.training.iterations and walks[-1][1].lost_game is not None:
            yield BoardFigure(
                name=f"lost-game-{number}",
                title=f"{run.board.title} player, {run.network}: a game that it still loses",
                rules=str(run.board.rules),
                moves=walks[-1][1].lost_game,
            )
