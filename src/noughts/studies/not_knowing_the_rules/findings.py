"""What `not-knowing-the-rules` found, in sentences."""

from collections.abc import Iterator

from noughts.examine.imagining import ImaginedTally
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.studies.not_knowing_the_rules.plan import LEARNERS, NOTAKTO, SEEN, UNSEEN, ModelPlan
from noughts.studies.not_knowing_the_rules.tables import MODEL_FACTS, imagined, models, notakto_proof, toe_proof
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
            yield f"3x3, proved on both sides within {plan.size.positions[-1]:,} positions: {'; '.join(said)}."


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
            yield f"Optimal moves {where}, with equal networks, positions and simulations: {', '.join(said)}."


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
            yield f"{game} as {NOTAKTO[game][1]} player, with search, until no reply beats it: {', '.join(said)}."


def _models(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    for where, asked in models(plan).items():
        total = sum(imagined(asked, answers).values(), ImaginedTally())
        facts = [
            f"{name} {percent(share.share):.1f}"
            for name, part, whole in MODEL_FACTS
            if (share := total.share(part, whole)) is not None
        ]
        if facts:
            yield f"What MuZero imagines, {where}, percent: {', '.join(facts)}."


def _repairs(plan: ModelPlan, answers: Answers) -> Iterator[str]:
    found, shares = answers[plan.repair_judged()], {}
    for name, runs in plan.repaired().items():
        known = [run for run in runs if answers[run.training] is not None]
        total = sum((tally for run in known for tally in found.of(run.agent(32)).values()), Tally())
        if total.choices:
            shares[name] = total.optimal_interval
    if "none" not in shares:
        return
    base = shares.pop("none")
    better = [name for name, share in shares.items() if share.low > base.high]
    worse = [name for name, share in shares.items() if share.high < base.low]
    others = [name for name in shares if name not in (*better, *worse)]
    parts = [
        f"{words}: {', '.join(names)}"
        for words, names in (("better", better), ("worse", worse), ("no difference seen", others))
        if names
    ]
    if parts:
        yield f"Added to MuZero on 3x3, after {plan.size.repair_positions:,} positions, beside {percent(base.share):.1f} percent of decisions right without: {'; '.join(parts)}."
