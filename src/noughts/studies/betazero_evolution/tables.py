"""The tables and figures of `betazero-evolution`."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median

from noughts.document.result import BoardFigure, CurveFigure, Figure, Row, Series, Table, beside
from noughts.play.playthrough import SIDES
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.statistics import Comparison, compare, compare_with_always, wilson
from noughts.studies.betazero_evolution.outcome import RunOutcome
from noughts.studies.betazero_evolution.plan import (
    BETTER,
    DIFFERENCES,
    NEGATIVES,
    PAPER_KEPT,
    PAPER_RUNS,
    SCALES,
    SELECTED,
    EvolutionCondition,
    round_robin,
)
from noughts.studies.study import Settings, percent, share_row
from noughts.studies.tic_tac_toe import RULES

Found = Mapping[str, Sequence[RunOutcome]]

_CURVES = "The mean of the runs of a condition, and from the best to the worst of them."

CLAIMS = {
    "half": f"{PAPER_KEPT} of {PAPER_RUNS} reach and keep 0 losses",
    "never": "0 losses never reached",
    "rarely": "0 losses rarely reached, and not kept",
}


def standings(settings: Settings, answers: Answers) -> dict[int, Score]:
    """What each run of the selected condition scored in the round robin, by its number; both sides of every match."""
    totals: dict[int, Score] = {}
    for a, b, played in round_robin(settings):
        score = answers[played].total
        for number, own in ((a.number, score), (b.number, score.turned())):
            totals[number] = totals.get(number, Score()) + own
    return totals


def tables(settings: Settings, found: Found, scores: Mapping[int, Score]) -> tuple[Table, ...]:
    """What the paper claims; what the proofs say; and who is chosen."""
    judges = SCALES[settings.scale].judges
    return (
        _reached_table("From the text to the program, one thing at a time", DIFFERENCES, found, judges),
        _reached_table("Beyond both, one thing at a time, within as many games", BETTER, found, judges),
        _reached_table("The paper's negative results", NEGATIVES, found, judges),
        _proved_table(found),
        _selection_table(found[SELECTED], scores),
    )


def best(scores: Mapping[int, Score]) -> tuple[int, ...]:
    """The numbers of the runs with the best average score, several where it is equal; none before there are games."""
    points = {number: score.points for number, score in scores.items() if score.games}
    most = max(points.values(), default=None)
    return tuple(number for number, score in points.items() if score == most)


def _reached_table(title: str, conditions: Sequence[EvolutionCondition], found: Found, judges: bool) -> Table:
    return Table(
        title=title,
        label_columns=("Trained",),
        unit="runs that reach 0 losses against minimax and keep it, percent",
        rows=tuple(
            _reached_row(condition, found[condition.name], judges)
            for condition in conditions
            if condition.name in found
        ),
        caption="Against a minimax player that is random among the quickest wins, 100 rounds of two games at each measurement. A round lost once counts a half. Generations are counted in those of 23 candidates."
        + ("" if judges else " These runs are too short for a verdict."),
    )


def _reached_row(condition: EvolutionCondition, outcomes: Sequence[RunOutcome], judges: bool) -> Row:
    known = [outcome for outcome in outcomes if outcome.curve]
    claim = CLAIMS.get(condition.claim, "")
    if not known:
        return Row(labels=(condition.name,), paper=claim)
    kept = sum(outcome.kept for outcome in known)
    reached = [outcome.reached for outcome in known if outcome.reached is not None]
    share = wilson(kept, len(known))
    losses = [outcome.lost for outcome in known if outcome.lost is not None]
    notes = [f"{len(reached)} reach 0"]
    if reached:
        notes[0] += f", after {median(reached):,.0f} generations (median)"
    notes.append(f"{sum(outcome.reverted for outcome in known)} lose none at the end, the widest reading of keeping it")
    notes.append(f"{mean(losses):.1f} rounds of 100 lost at the end")
    return share_row(
        labels=(condition.name,),
        paper=claim,
        ours=f"{kept} of {len(known)} reach and keep 0",
        share=share,
        count=len(known),
        comparison=_comparison(condition.claim, kept, len(reached), len(known)) if judges else None,
        note="; ".join(notes),
    )


def _comparison(claim: str, kept: int, reached: int, runs: int) -> Comparison | None:
    if claim == "half":
        return compare(kept, runs, PAPER_KEPT, PAPER_RUNS)
    if claim == "never":
        return compare_with_always(reached, runs, False)
    if claim == "rarely":  # the paper gives no number: a run that keeps it is against its words, and refutes nothing
        return compare_with_always(kept, runs, False, contrary="differs")
    return None


def _proved_table(found: Found) -> Table:
    rows = []
    for name, outcomes in found.items():
        known = [outcome for outcome in outcomes if outcome.proved() is not None]
        if not known:
            rows.append(Row(labels=(name,)))
            continue
        both = sum(outcome.proved() is True for outcome in known)
        share = wilson(both, len(known))
        by_side = [sum(outcome.proved(side) is True for outcome in known) for side in SIDES]
        clean = [outcome for outcome in known if outcome.lost == 0]
        beaten = sum(outcome.proved() is False for outcome in clean)
        note = f"as X {by_side[0]}, as O {by_side[1]}"
        if clean:
            note += f"; of {len(clean)} that lose no round to minimax {beaten} can be beaten"
        rows.append(
            share_row(
                labels=(name,),
                ours=f"{both} of {len(known)} unbeatable",
                share=share,
                count=len(known),
                note=note,
            )
        )
    return Table(
        title="What 100 games cannot show: every reply and every tie walked, at the end of each run",
        label_columns=("Trained",),
        unit="runs that no reply beats, as X and as O, percent",
        rows=tuple(rows),
        caption="A proof, not a sample: ties may fall as they like, and the opponent may reply as it likes.",
    )


def _selection_table(outcomes: Sequence[RunOutcome], scores: Mapping[int, Score]) -> Table:
    selected, rows = best(scores), []
    for outcome in outcomes:
        number = outcome.run.number
        score = scores.get(number, Score())
        said = {True: "unbeatable", False: "can be beaten", None: ""}[outcome.proved()]
        notes = ["the best score"] if number in selected else []
        if outcome.reached is not None:
            notes.append(
                f"0 losses from generation {outcome.reached:,} on, in {percent(outcome.clean or 0):.0f} percent"
            )
        elif outcome.lost is not None:
            notes.append(f"never at 0 losses; {outcome.lost:g} rounds lost at the end")
        rows.append(
            Row(
                labels=(f"run {number + 1}",),
                ours=", ".join(filter(None, [f"{score.points:.3f}" if score.games else "", said])),
                value=score.points if score.games else None,
                count=score.games,
                note="; ".join(notes),
            )
        )
    return Table(
        title=f"Selection without an oracle: {SELECTED}, each run against all others",
        label_columns=("Run",),
        unit="average score (win 1, draw 1/2)",
        rows=tuple(rows),
        caption="The paper's ten runs scored 0.367 to 0.556, and it took the best of them. Games among themselves are all that the choice rests on.",
    )


def figures(found: Found, shown: Sequence[Table]) -> tuple[Figure, ...]:
    """Losses by generation, and a game lost by an agent that minimax does not beat.

    Args:
        found: What became of the runs.
        shown: The tables, beside which they stand.
    """
    differences, better, negatives, proved, selection = shown
    return (
        *beside(
            differences,
            _curves("differences", "Rounds lost to minimax: from the text to the program", DIFFERENCES, found),
            _CURVES,
        ),
        *beside(better, _curves("better", "Rounds lost to minimax: beyond both", BETTER, found), _CURVES),
        *beside(
            negatives,
            _curves("negative-results", "Rounds lost to minimax: the paper's negative results", NEGATIVES, found),
            _CURVES,
        ),
        *beside(proved, _lost_game(found), "Minimax never plays so: 0 losses against it are no proof."),
        *beside(selection, _runs_figure(found[SELECTED]), "Each run by itself: what is reached may be lost again."),
    )


def _curves(name: str, title: str, conditions: Sequence[EvolutionCondition], found: Found) -> Iterator[Figure]:
    series = []
    for condition in conditions:
        by_generation: dict[int, list[float]] = {}
        for outcome in found.get(condition.name, ()):
            for generation, lost in outcome.lost_by_generation.items():
                by_generation.setdefault(generation, []).append(lost)
        if by_generation:
            series.append(
                Series(
                    name=condition.name,
                    x=tuple(map(float, by_generation)),
                    y=tuple(map(mean, by_generation.values())),
                    low=tuple(map(min, by_generation.values())),
                    high=tuple(map(max, by_generation.values())),
                )
            )
    if series:
        yield _figure(name, title, series)


def _runs_figure(outcomes: Sequence[RunOutcome]) -> Iterator[Figure]:
    series = [
        Series(
            name=f"run {outcome.run.number + 1}",
            x=tuple(map(float, outcome.lost_by_generation)),
            y=tuple(outcome.lost_by_generation.values()),
        )
        for outcome in outcomes
        if outcome.lost_by_generation
    ]
    if series:
        yield _figure("runs", f"Rounds lost to minimax: the runs of {SELECTED}", series)


def _figure(name: str, title: str, series: Sequence[Series]) -> Figure:
    return CurveFigure(
        name=name,
        title=title,
        x_label="generation of 23 candidates",
        y_label="rounds lost of 100",
        y_range=(0.0, 100.0),
        series=tuple(series),
    )


def _lost_game(found: Found) -> Iterator[Figure]:
    """A shortest game that beats an agent which lost no round to minimax."""
    games = [
        (len(walk.lost_game), name, side, walk.lost_game)
        for name, outcomes in found.items()
        for outcome in outcomes
        if outcome.lost == 0
        for side, walk in outcome.walks.items()
        if walk.lost_game is not None
    ]
    if games:
        _, name, side, moves = min(games)
        yield BoardFigure(
            name="lost-game",
            title=f"{name}: a game that beats a run, playing {'X' if side == 'first' else 'O'}, which loses no round of 100 to minimax",
            rules=str(RULES),
            moves=moves,
        )
