"""The tables and figures of `betazero-post-mortem`."""

from collections.abc import Iterator, Mapping, Sequence

from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table, beside
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.statistics import compare
from noughts.studies.betazero_post_mortem.outcome import Examined, Opposed
from noughts.studies.betazero_post_mortem.plan import (
    ALL,
    BUDGETS,
    POSITIONS,
    RIGHT,
    SCALES,
    PostMortemRun,
    fast_runs,
    network_values,
    runs_by_condition,
)
from noughts.studies.study import Settings, interval_series, percent, share_row
from noughts.studies.tic_tac_toe import RULES

_PAPER_GAMES = 100
"""At each budget, all of them lost."""

_NOT_LOST = "The paper lost every game at every budget: points at 0. Ours are drawn or won, with 95% intervals."
_BY_TRAINING = "Games of one training may be alike, so that intervals are by bootstrap over trainings."
_BY_PLY = (
    "With search, in all positions of the game in which some moves keep the value and some do not; all trainings of a "
    "condition together."
)

Found = Mapping[str, Sequence[Examined]]
"""Of each condition, its trainings."""


def tables(
    settings: Settings,
    scores: Mapping[int, Opposed],
    opposed: Mapping[str, Opposed],
    found: Found,
    bare: Found,
    answers: Answers,
) -> tuple[Table, ...]:
    """The paper's table, its positions, the conditions side by side with search and without, against the paper's
    opponent, and the fast preset."""
    kinds = runs_by_condition(settings)
    searched = f"with {SCALES[settings.scale].sims} simulations a move"
    return (
        _scores_table(scores),
        _values_table(kinds, answers),
        _conditions_table(f"Each mistake alone, {searched}", found, kinds, answers),
        _conditions_table("Each mistake alone, the network's policy without search", bare, kinds, answers),
        _opposed_table(opposed, SCALES[settings.scale].budgets[-1]),
        _fast_table(settings, answers),
    )


def figures(scores: Mapping[int, Opposed], found: Found, shown: Sequence[Table]) -> tuple[Figure, ...]:
    """Games not lost by budget, optimal moves by ply, and a lost game of each condition that can be beaten.

    Args:
        scores, found: What is known.
        shown: The tables, beside which they stand.
    """
    paper, _, searched, *_ = shown
    return (
        *beside(paper, _scores_figure(scores), _NOT_LOST),
        *beside(searched, _optimal_figure(found), _BY_PLY),
        *beside(searched, _lost_games(found), "Some reply leads to it; numbers are plies."),
    )


def _scores_table(scores: Mapping[int, Opposed]) -> Table:
    return Table(
        title="The paper's table: BetaZero done right against MCTS 750",
        label_columns=("Simulations",),
        unit="games drawn or won, percent",
        rows=tuple(_opposed_row(str(sims), opposed, claimed=True) for sims, opposed in scores.items()),
        caption=f"The paper gives the share of draws: 0 of 100 at every budget, so it lost them all. {_BY_TRAINING}",
    )


def _opposed_table(opposed: Mapping[str, Opposed], sims: int) -> Table:
    return Table(
        title=f"Each mistake alone against MCTS 750, with {sims} simulations a move",
        label_columns=("Trained",),
        unit="games drawn or won, percent",
        rows=tuple(_opposed_row(name, found, claimed=name == ALL) for name, found in opposed.items()),
        caption=f"Whether it loses all games, as the paper's did. Those with all four mistakes stand beside the paper's, whose program has these. {_BY_TRAINING}",
    )


def _values_table(kinds: Mapping[str, Sequence[PostMortemRun]], answers: Answers) -> Table:
    said = {
        name: [found.values for run in of_kind if (found := answers[network_values(run)]) is not None]
        for name, of_kind in kinds.items()
    }
    rows = []
    for number, (position, (_, paper)) in enumerate(POSITIONS.items()):
        for name in kinds:
            values = [found[number] for found in said[name]]
            mean = sum(values) / len(values) if values else None
            rows.append(
                Row(
                    labels=(position, name),
                    paper=paper if name == RIGHT else "",
                    ours="" if mean is None else f"{mean:+.3f}",
                    value=mean,
                    low=min(values, default=None),
                    high=max(values, default=None),
                    count=len(values),
                    note="" if name != RIGHT else "exactly 0",
                )
            )
    return Table(
        title="What the network says of the paper's positions",
        label_columns=("Position", "Trained"),
        unit="value for the side to move",
        rows=tuple(rows),
        caption="The network alone, without search; the mean of the trainings, and from the smallest to the largest. All three are exactly 0. A search that knows the rules never asks about the last one.",
        spread="range",
    )


def _conditions_table(
    title: str, found: Found, kinds: Mapping[str, Sequence[PostMortemRun]], answers: Answers
) -> Table:
    rows = []
    for name, examined in found.items():
        known = [one for one in examined if one.unbeatable is not None]
        lost = [one for one in known if one.unbeatable is False]
        totals = [one.total for one in examined if one.tallies]
        optimal, choices = sum(total.optimal for total in totals), sum(total.choices for total in totals)
        shares = [percent(total.optimal / total.choices) for total in totals if total.choices]
        trained = answers[kinds[name][0].training]
        notes = [f"{optimal:,} of {choices:,} choices kept the value"] if choices else []
        lengths = [len(walk.lost_game) for one in lost for walk in one.walks.values() if walk.lost_game is not None]
        notes += [f"the shortest lost game has {min(lengths)} plies"] if lengths else []
        notes += [f"each {trained.budget}"] if trained is not None else []
        rows.append(
            Row(
                labels=(name,),
                paper="loses all games" if name == ALL else "",
                ours=f"{len(lost)} of {len(known)} can be beaten" if known else "",
                value=percent(optimal / choices) if choices else None,
                low=min(shares, default=None),
                high=max(shares, default=None),
                count=len(known),
                verdict="no claim",
                note="; ".join(notes),
            )
        )
    return Table(
        title=title,
        label_columns=("Trained",),
        unit="optimal moves where the choice matters, percent",
        rows=tuple(rows),
        caption="Over all 4,520 positions of the game that are not over, of which those count where some moves keep the value and some do not. From the smallest to the largest of the trainings. Beaten means that some sequence of replies, found by walking all of them, beats it as X or as O.",
        spread="range",
    )


def _fast_table(settings: Settings, answers: Answers) -> Table:
    sims, rows = SCALES[settings.scale].sims, []
    for run in fast_runs(settings):
        trained = answers[run.training]
        searched, bare = (Examined.read(run, n, settings, answers) for n in (sims, 0))
        said = {True: "proved on both sides", False: "can be beaten", None: ""}
        rows.append(
            Row(
                labels=(str(run.seed),),
                ours=said[searched.unbeatable],
                value=None if trained is None else trained.seconds,
                count=sum(walk.decisions for walk in searched.walks.values()),
                note="; ".join(
                    [f"without search {said[bare.unbeatable]}"] * (bare.unbeatable is not None)
                    + ([trained.budget] if trained is not None else [])
                ),
            )
        )
    return Table(
        title="From nothing to unbeatable: the preset tic-tac-toe-fast",
        label_columns=("Seed",),
        unit="seconds to train, compiling included",
        rows=tuple(rows),
        caption=f"Every reply is walked as X and as O, with {sims} simulations a move, and without any.",
    )


def _scores_figure(scores: Mapping[int, Opposed]) -> Iterator[Figure]:
    known = {sims: opposed.share.interval for sims, opposed in scores.items() if opposed.scores}
    if known:
        yield CurveFigure(
            name="not-lost",
            title="Games against MCTS 750 that are not lost",
            x_label="simulations a move",
            y_label="percent",
            y_range=(0.0, 100.0),
            series=(
                interval_series(RIGHT, known),
                Series(name="the paper", x=tuple(map(float, BUDGETS)), y=(0.0,) * len(BUDGETS)),
            ),
        )


def _optimal_figure(found: Found) -> Iterator[Figure]:
    series = []
    for name, examined in found.items():
        by_ply: dict[int, Tally] = {}
        for one in examined:
            for ply, tally in one.tallies.items():
                by_ply[ply] = by_ply.get(ply, Tally(complete=True)) + tally
        known = {ply: tally.optimal_interval.share for ply, tally in sorted(by_ply.items()) if tally.choices}
        if known:
            series.append(
                Series(name=name, x=tuple(map(float, known)), y=tuple(percent(share) for share in known.values()))
            )
    if series:
        yield CurveFigure(
            name="optimal-moves",
            title="Optimal moves where the choice matters, in all positions of the game",
            x_label="ply",
            y_label="percent",
            y_range=(0.0, 100.0),
            series=tuple(series),
        )


def _lost_games(found: Found) -> Iterator[Figure]:
    """One game for each condition that can be beaten."""
    for number, (name, examined) in enumerate(found.items()):
        lost = [
            (walk.lost_game, side) for one in examined for side, walk in one.walks.items() if walk.lost_game is not None
        ]
        if lost:
            shortest, side = min(lost, key=lambda game: len(game[0]))
            yield BoardFigure(
                name=f"lost-game-{number}",
                title=f"{name}: a game that it loses as {'X' if side == 'first' else 'O'}",
                rules=str(RULES),
                moves=shortest,
            )


def _opposed_row(label: str, opposed: Opposed, claimed: bool) -> Row:
    """Games not lost; beside the paper's 100 games, all lost, where it is claimed that they fare alike."""
    paper = "0 drawn of 100" if claimed else ""
    if not opposed.scores:
        return Row(labels=(label,), paper=paper)
    total, share = opposed.total, opposed.share
    return share_row(
        labels=(label,),
        paper=paper,
        ours=f"{opposed.not_lost} of {total.games} not lost",
        share=share.interval,
        count=total.games,
        distinct=opposed.distinct,
        comparison=compare(opposed.not_lost, total.games, 0, _PAPER_GAMES, clustered=share) if claimed else None,
        note=f"{total.wins} won, {total.draws} drawn, {total.losses} lost",
    )
