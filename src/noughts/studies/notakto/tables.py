"""The tables and figures of `notakto`."""

from collections.abc import Iterator, Sequence

from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table
from noughts.studies.examined import judged
from noughts.studies.notakto.outcome import first_proof, score_of, walks_by_iteration
from noughts.studies.notakto.plan import BOARDS, SCALES, TRANSFER, Run, matches, transfer_name
from noughts.studies.study import Results, Settings, compare, count_row, interval_series, optimal_row, percent
from noughts.studies.trained import Trained


def tables(settings: Settings, runs: Sequence[Run], results: Results) -> tuple[Table, ...]:
    """When each network was proved, its games, and its moves on larger boards."""
    size = SCALES[settings.scale]
    return (
        _proofs_table(runs, size.sims, results),
        *(_games_table(run, settings, results) for run in runs),
        *(_truth_table(n, settings, results) for n in size.per_ply),
    )


def figures(settings: Settings, runs: Sequence[Run], results: Results) -> tuple[Figure, ...]:
    """Learning by positions, larger boards by ply, and games that agents still lose."""
    sims = SCALES[settings.scale].sims
    return (*_curves(runs, results), *_truth_figure(settings, results), *_lost_games(runs, sims, results))


def _proofs_table(runs: Sequence[Run], sims: int, results: Results) -> Table:
    rows = []
    for run in runs:
        if not run.board.walked:
            continue
        trained = run.training.trained(results)
        for n in (sims, 0):
            proof, walks = first_proof(run, n, results), walks_by_iteration(run, n, results)
            proved = sum(walk.proved for _, walk in walks)
            notes = [f"proved at {proved} of {len(walks)} measurements"] if walks else []
            if walks:
                notes.append(f"at the last one it {walks[-1][1]}, {walks[-1][1].decisions:,} positions asked")
            notes += [f"trained {trained.budget}"] if trained is not None else []
            rows.append(
                Row(
                    labels=(run.board.title, run.network, str(n)),
                    paper=run.board.paper_text if n else "",
                    ours=str(proof) if proof is not None else "not proved" if walks else "",
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


def _games_table(run: Run, settings: Settings, results: Results) -> Table:
    rows = []
    for name, match in matches(run, settings).items():
        score, paper = score_of(run, match, results), run.board.paper if name == "avoids an immediate loss" else None
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
    for sims in (0, SCALES[settings.scale].sims):
        for ply, tally in sorted(judged(transfer_name(size, sims), results).items()):
            note = f"{tally.indifferent} of {tally.positions} positions leave nothing to choose"
            if tally.choices:
                note = f"a random player {percent(tally.chance_share):.0f} percent; {note}"
            rows.append(optimal_row((str(ply), str(sims)), tally, note))
    return Table(
        title=f"{TRANSFER}, on {size}x{size}",
        label_columns=("Ply", "Simulations"),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption="Positions of random play, judged by exact tables. The weights were never trained on this board.",
    )


def _curves(runs: Sequence[Run], results: Results) -> Iterator[Figure]:
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
    for n in SCALES[settings.scale].per_ply:
        for sims in (0, SCALES[settings.scale].sims):
            tallies = judged(transfer_name(n, sims), results)
            known = {ply: tally.optimal_interval for ply, tally in sorted(tallies.items()) if tally.choices}
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


def _lost_games(runs: Sequence[Run], sims: int, results: Results) -> Iterator[Figure]:
    """A game of each agent that can still be beaten at the end."""
    for number, run in enumerate(runs):
        walks = walks_by_iteration(run, sims, results)
        if walks and walks[-1][0] == run.training.iterations and walks[-1][1].lost_game is not None:
            yield BoardFigure(
                name=f"lost-game-{number}",
                title=f"{run.board.title} player, {run.network}: a game that it still loses",
                rules=run.board.rules,
                moves=walks[-1][1].lost_game,
            )
