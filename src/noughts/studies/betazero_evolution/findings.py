"""What `betazero-evolution` found, in sentences."""

from collections.abc import Iterator, Mapping

from noughts.play.score import Score
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
            yield f"With the settings of {name}, {kept} of {runs} runs reach 0 losses against minimax within {size.generations:,} generations of 23 candidates and keep it; the paper: 5 of 10. Proved unbeatable as X and as O: {proved} of {runs}."
    if not size.judges:
        yield "These runs are too short to say anything about the paper's claims: see scale laptop."
        return
    kept, _, runs = rates[TEXT]
    better = [
        condition.name
        for condition in (*DIFFERENCES[1:], *BETTER)
        if rates[condition.name][0] * runs > kept * rates[condition.name][2]
    ]
    if better:
        yield f"More runs than with the text's settings succeed with these: {'; '.join(better)}."
    clean = [outcome for outcomes in found.values() for outcome in outcomes if outcome.lost == 0]
    beaten = sum(outcome.proved() is False for outcome in clean)
    if clean:
        yield f"0 losses in 100 rounds is no proof: of {len(clean)} networks that lose none at the end of their runs, {beaten} can be beaten by some reply."
    reached = [
        condition.name
        for condition in NEGATIVES
        if any(outcome.reached is not None for outcome in found[condition.name])
    ]
    failed = [condition.name for condition in NEGATIVES if condition.name not in reached]
    if reached:
        kept_by = {name: f"{name} ({rates[name][0]} of {rates[name][2]} keep it)" for name in reached}
        yield f"Of the paper's ten negative results, these reach 0 losses here: {'; '.join(kept_by.values())}."
    if failed:
        yield f"These do not: {'; '.join(failed)}."
    selected = [outcome for outcome in found[SELECTED] if outcome.run.number in best(scores)]
    if selected:
        _, proved, runs = rates[SELECTED]
        numbers = ", ".join(str(outcome.run.number + 1) for outcome in selected)
        unbeatable = sum(outcome.proved() is True for outcome in selected)
        yield f"Among the runs of {SELECTED}, games among themselves put these first: {numbers}. {unbeatable} of these {len(selected)} are unbeatable, and {proved} of all {runs}."
