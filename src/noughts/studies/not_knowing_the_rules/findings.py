"""What `not-knowing-the-rules` found, in sentences."""

from collections.abc import Iterator
from statistics import fmean

from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.studies.not_knowing_the_rules.plan import LEARNERS, NOTAKTO, SEEN, UNSEEN, ModelPlan
from noughts.studies.not_knowing_the_rules.tables import (
    MODEL_FACTS,
    imagined,
    in_points,
    models,
    notakto_proof,
    repaired_beside_none,
    repaired_tallies,
    toe_proof,
)
from noughts.studies.study import percent


def findings(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    """What follows for each part, as far as it is known."""
    yield from _on_toe(plan, answers)
    yield from _on_bricks(plan, answers)
    yield from _on_notakto(plan, answers)
    yield from _models(plan, answers)
    yield from _repairs(plan, answers)


def _on_toe(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    for sims, how in ((32, "with 32 simulations"), (0, "by its bare policy")):
        said = []
        for learner in LEARNERS:
            runs = [run for run in plan.on_toe() if run.learner == learner and answers[run.training] is not None]
            proofs = [proof for run in runs if (proof := toe_proof(plan, run, sims, answers)) is not None]
            if runs:
                when = f", the first after {min(proof.positions for proof in proofs):,} positions" if proofs else ""
                said.append(f"{learner} {how}: {len(proofs)} of {len(runs)} seeds{when}")
        if said:
            points = ", ".join(f"{point:,}" for point in plan.size.positions)
            yield f"3x3, proved on both sides when measured after {points} positions: {'; '.join(said)}."


def _on_bricks(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    runs = [run for run in plan.on_bricks() if answers[run.training] is not None]
    for task, where in ((SEEN, "on D4"), (UNSEEN, "on squares never seen")):
        found = answers[plan.brick_judged(task)]
        said = []
        for run in runs:
            total = sum(found.of(run.agent(24)).values(), Tally())
            if total.choices:
                share = total.optimal_interval
                said.append(
                    f"{run.learner} {percent(share.share):.0f} percent ({percent(share.low):.0f} to {percent(share.high):.0f})"
                )
        if said:
            yield f"Optimal moves {where}, with networks of one kind, equal positions and simulations, one training each: {', '.join(said)}."


def _on_notakto(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    for game in plan.size.notakto:
        said = []
        for run in plan.on_notakto(game):
            if answers[run.training] is not None:
                proof = notakto_proof(plan, game, run, 64, answers)
                said.append(
                    f"{run.learner} {'not proved' if proof is None else f'after {proof.positions:,} positions'}"
                )
        if said:
            yield f"{game} as {NOTAKTO[game][1]} player, with search, until no reply beats it, one training each: {', '.join(said)}."


def _models(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    for where, asked in models(plan).items():
        total = sum(imagined(asked, answers).values(), ImaginedTally())
        facts = [
            f"{name} {percent(share.share):.1f}"
            for name, part, whole in MODEL_FACTS
            if (share := total.share(part, whole)) is not None
        ]
        if facts:
            yield f"What MuZero imagines as a probe reads it, {where}, percent: {', '.join(facts)}."


def _repairs(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    """Each difference with its interval over seeds, and which of these leave no doubt of its sign."""
    tallies = repaired_tallies(plan, answers)
    if not tallies.get("none"):
        return
    base = fmean(tally.optimal_interval.share for tally in tallies["none"].values())
    beside = f"Added to MuZero on 3x3, after {plan.size.repair_positions:,} positions, beside {percent(base):.1f} percent of decisions right without"
    differences = repaired_beside_none(plan, answers)
    if not differences:
        yield f"{beside}: one seed of each, which tells nothing apart."
        return
    told = ", ".join(f"{name} {in_points(found)}" for name, found in differences.items())
    certain = [name for name, found in differences.items() if found.low > 0 or found.high < 0]
    said = (
        f"Told apart from none at 95 percent: {', '.join(certain)}; each by itself, not adjusted for {len(differences)} of them."
        if certain
        else "None is told apart by these."
    )
    yield f"{beside}, in points over {len(tallies['none'])} seeds: {told}. {said}"
