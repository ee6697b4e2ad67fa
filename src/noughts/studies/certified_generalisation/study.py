"""Certified generalisation: trained on one class of squares, what is won, played right and proved on the others?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from noughts.document.citations import BRICK_PAPER
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.rules.text import counted
from noughts.statistics import recover_variances
from noughts.studies.certified_generalisation import tables as shown
from noughts.studies.certified_generalisation.outcome import CertificateFound
from noughts.studies.certified_generalisation.plan import FROZEN, SETTINGS, STUDY, CertifiedPlan
from noughts.studies.checkpoints.outcome import over_seeds
from noughts.studies.checkpoints.plan import TrainedUntil
from noughts.studies.checkpoints.tables import equal_seen
from noughts.studies.study import Conclusion, Settings, Study, percent

_TIMES = {
    "quick": "about 4 minutes on two cores",
    "laptop": "about two hours and a quarter on two cores",
    "paper": "planned for many cores",
}


class CertifiedGeneralisation(Study):
    """Six networks, one training class; wins, exact accuracy and certificates at every checkpoint."""

    name = STUDY
    title = "Certified generalisation"
    question = "Trained on one class of brick squares, which networks win, play right and are proved on classes they never saw, and do proofs last?"
    paper = ""
    citations = (BRICK_PAPER,)
    takes_guests = False
    frozen = FROZEN
    scales = {
        scale: f"{len(SETTINGS.networks)} networks, {counted(size.seeds, 'seed')}{''.join(f' ({name} {fewer})' for name, fewer in size.fewer.items())}, a checkpoint every {size.every} iterations, {_TIMES[scale]}"
        + (": shows the page in small, and settles nothing" if scale == "quick" else "")
        for scale, size in SETTINGS.scales.items()
    }
    deviations = (
        "All networks learn by one protocol, Gumbel AlphaZero with equal settings; the Brick Tic-Tac-Toe paper's network does not train as its paper does, so that nothing here is set beside a number of that paper's.",
        "Every network plays by its bare policy and sees positions from one side: so images of a square are one to it, one walk settles a class, and the sample is of classes.",
        "Operations are those that the compiler counts for one look at the network, times looks: one a simulation and one more a position, and three a position learned from. Seconds are those of a training on one core beside others, measurements included.",
        "Validation and test classes, networks, budgets, margins and what counts as mastered stand in a file that was fixed before; its hash is at the end of this page.",
        REUSED,
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings of the first seeds first; then what is asked of their checkpoints."""
        plan = CertifiedPlan(settings)
        return [
            *(plan.cost(network) for network in plan.learners),
            *(plan.training(*pair) for pair in plan.pairs),
            *(plan.played(at) for at in plan.checkpoints),
            *(plan.walked(at) for at in plan.checkpoints),
            *(plan.judged(*pair) for pair in plan.pairs),
            *(plan.on_policy(at, rules) for at in plan.checkpoints for rules in plan.classes.rules),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Three readings, equal seen score, the choice on validation classes, how long certificates last, and curves."""
        found = CertificateFound(CertifiedPlan(settings), answers)
        tables = (
            shown.readings(found),
            equal_seen(found, ("Network",), lambda network, at, more: shown.row_of(found, (network,), at, more)),
            shown.tested(found),
            shown.lasting(found),
        )
        return Conclusion(tables, tuple(shown.figures(found)), tuple(_findings(found)))


def _findings(found: CertificateFound) -> Iterator[str]:
    """Only what was measured, the wins beside the proofs: after equal positions, and at the end of each training."""
    plan, budget = found.plan, found.budget("positions")
    if budget is None:
        return
    if plan.size.seeds < 2:
        yield "One seed a network settles nothing: differences between networks are not told from differences between seeds."
    equal = {network: found.within(network, "positions", budget) for network in plan.learners}
    ends = {network: found.ends(network) for network in plan.learners}
    yield from _carried(found, f"after {budget:,.0f} positions", equal)
    if ends != equal:
        yield from _carried(found, "at the end of training", ends)


def _carried(found: CertificateFound, when: str, at: Mapping[str, Sequence[TrainedUntil]]) -> Iterator[str]:
    """How far those carry that have learned their own class; the others in one sentence."""
    plan, unlearned = found.plan, []
    for network, checkpoints in at.items():
        wins, seen = over_seeds(checkpoints, found.won_share(plan.unseen)), over_seeds(checkpoints, found.won_seen)
        if wins is None or seen is None:
            continue
        if seen.share < plan.frozen.seen_score:
            unlearned.append(f"{network} ({percent(seen.share):.0f} percent won seen)")
            continue
        gap = recover_variances(seen, wins)
        closed = abs(gap[1]) <= plan.frozen.margin and abs(gap[2]) <= plan.frozen.margin
        said = "closed" if closed else "open" if gap[1] > 0 else "not distinguishable"
        proved = [found.certified(one, plan.unseen).proved for one in checkpoints]
        yield (
            f"{network}, {when}: {percent(seen.share):.0f} percent won seen, {percent(wins.share):.0f} percent unseen "
            f"(the gap is {said}: {percent(gap[0]):+.0f} points, {percent(gap[1]):+.0f} to {percent(gap[2]):+.0f}); "
            f"{', '.join(map(str, proved))} of {len(plan.unseen)} unseen classes proved{' by seed' if len(proved) > 1 else ''}."
        )
    if unlearned:
        yield (
            f"Not learned their own class, {when}: {', '.join(unlearned)}; so that nothing follows of how far they carry."
        )
