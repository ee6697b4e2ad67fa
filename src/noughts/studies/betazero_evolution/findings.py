"""What `betazero-evolution` found, in sentences."""

from collections.abc import Iterable, Iterator, Mapping

from noughts.play.score import Score
from noughts.statistics import LEVEL, holm, same_rate
from noughts.studies.betazero_evolution.plan import (
    BETTER,
    DIFFERENCES,
    NEGATIVES,
    OURS,
    PROGRAM,
    REDRAWN,
    SCALES,
    SELECTED,
    TEXT,
)
from noughts.studies.betazero_evolution.tables import Found, best
from noughts.studies.study import Settings


def findings(settings: Settings, found: Found, scores: Mapping[int, Score]) -> Iterator[str]:
    """The most important first; of the trainings that are done and walked, and nothing before each condition has one."""
    found = {
        name: [outcome for outcome in outcomes if outcome.curve and outcome.proved() is not None]
        for name, outcomes in found.items()
    }
    if not all(found.values()):
        return
    size = SCALES[settings.scale]
    rates = {
        name: (
            sum(outcome.kept for outcome in outcomes),
            sum(outcome.proved() is True for outcome in outcomes),
            len(outcomes),
        )
        for name, outcomes in found.items()
    }
    for name in (TEXT, PROGRAM, REDRAWN, OURS):
        if name in rates:
            kept, proved, runs = rates[name]
            back = sum(outcome.reverted for outcome in found[name])
            yield f"With the settings of {name}, {kept} of {runs} runs reach 0 losses against minimax within {size.generations:,} generations of 23 candidates and keep it (nine of ten later measurements are 0), and {back} are back at 0 at the end; the paper, which allows 'or revert to': 5 of 10. Proved unbeatable as X and as O: {proved} of {runs}."
    if not size.judges:
        yield "These runs are too short to say anything about the paper's claims: see scale laptop."
        return
    yield from _beside_the_text(rates)
    clean = [outcome for outcomes in found.values() for outcome in outcomes if outcome.lost == 0]
    beaten = sum(outcome.proved() is False for outcome in clean)
    if clean:
        yield f"0 losses in 100 rounds is no proof: of {len(clean)} networks that lose none at the end of their runs, {beaten} can be beaten by some reply."
    negatives = [condition.name for condition in NEGATIVES if condition.name in found]
    reached = [name for name in negatives if any(outcome.reached is not None for outcome in found[name])]
    failed = [name for name in negatives if name not in reached]
    if reached:
        kept_by = {name: f"{name} ({rates[name][0]} of {rates[name][2]} keep it)" for name in reached}
        yield f"Of the paper's ten negative results, these reach 0 losses here: {'; '.join(kept_by.values())}."
    if failed:
        which = "These" if reached else "Of the paper's ten negative results, these"
        yield f"{which} do not: {'; '.join(failed)}."
    selected = [outcome for outcome in found[SELECTED] if outcome.run.number in best(scores)]
    if selected:
        _, proved, runs = rates[SELECTED]
        numbers = ", ".join(str(outcome.run.number + 1) for outcome in selected)
        unbeatable = sum(outcome.proved() is True for outcome in selected)
        yield f"Among the runs of {SELECTED}, games among themselves put these first: {numbers}. {unbeatable} of these {len(selected)} are unbeatable, and {proved} of all {runs}."


def _beside_the_text(rates: Mapping[str, tuple[int, int, int]]) -> Iterator[str]:
    """Which other settings keep 0 losses, or are proved, in more runs than the text's, as far as a test can tell.

    Args:
        rates: Runs that keep 0 losses, that are proved, and all, by condition.
    """
    others = [condition.name for condition in (*DIFFERENCES[1:], *BETTER) if condition.name in rates]
    for place, done in enumerate(("reach and keep 0 losses", "are proved unbeatable")):
        text, runs = rates[TEXT][place], rates[TEXT][2]
        p_values = [same_rate(rates[name][place], rates[name][2], text, runs) for name in others]
        more = {
            name: value
            for name, value in zip(others, holm(p_values), strict=True)
            if rates[name][place] * runs > text * rates[name][2]
        }

        def written(names: Iterable[str], place: int = place, more: Mapping[str, float] = more) -> str:
            return "; ".join(
                f"{name} ({rates[name][place]} of {rates[name][2]}, p = {more[name]:.2g})" for name in names
            )

        told = [name for name, value in more.items() if value < LEVEL]
        unclear = [name for name in more if name not in told]
        if told:
            yield f"More runs than with the text's settings ({text} of {runs}) {done} with these (Fisher's exact test, after Holm): {written(told)}."
        if unclear:
            yield f"With these more runs {done} than with the text's settings ({text} of {runs}), and the difference is not distinguishable from chance: {written(unclear)}."
