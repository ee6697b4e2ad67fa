"""What `notakto` found, in sentences."""

from collections.abc import Iterator, Sequence

from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.studies.notakto.outcome import first_proof, over_seeds, walks_by_iteration
from noughts.studies.notakto.plan import BOARDS, SCALES, BoardTraining, first_seeds, judging, transferred
from noughts.studies.study import Settings, percent


def findings(settings: Settings, runs: Sequence[BoardTraining], answers: Answers) -> Iterator[str]:
    """What follows for each board of the paper, and for larger ones."""
    size = SCALES[settings.scale]
    for board in BOARDS:
        own = [run for run in runs if run.board is board and walks_by_iteration(run, size.sims, answers)]
        if not own:
            continue
        proofs = [(run, proof) for run in own if (proof := first_proof(run, size.sims, answers)) is not None]
        if proofs:
            networks = {run.network: [one for one in own if one.network == run.network] for run in own}
            counts = {network: over_seeds(same, size.sims, answers) for network, same in networks.items()}
            said = "; ".join(f"{network} {found.proved} of {found.trained}" for network, found in counts.items())
            soonest, proof = min(proofs, key=lambda pair: pair[1].seconds)
            found = over_seeds(own, size.sims, answers)
            lasts = f" Of {found.later} later checkpoints of these {found.still} are proved." if found.later else ""
            yield f"{board.title} player: learned to 100 percent against every reply in {found.proved} of {found.trained} trainings ({said}), soonest with the {soonest.network} network, after {proof} and {proof.seconds:.0f} seconds: so it can be learned, where the paper reached {board.paper} percent.{lasts}"
        else:
            yield f"{board.title} player: within this budget no network was proved against every reply; nothing follows about the paper's hypothesis."
    for run in first_seeds(runs):
        if not run.board.walked:
            scores = {name: answers[match].total for name, match in run.matches(settings).items()}
            if all(score.games for score in scores.values()):
                written = ", ".join(f"{score.wins} of {score.games} against {name}" for name, score in scores.items())
                yield f"{run.board.title} player, {run.network}: it won {written}."
    agents = transferred(settings)
    for n in size.per_ply:
        judged = answers[judging(n, agents.values(), settings)]
        for sims, agent in agents.items():
            total = sum(judged.of(agent).values(), Tally())
            if total.choices:
                share = total.optimal_interval
                yield f"Trained on boards up to 4x4 alone, the line network keeps the value in {percent(share.share):.1f} percent ({percent(share.low):.1f} to {percent(share.high):.1f}) of {total.choices:,} choices on {n}x{n} with {sims} simulations; a random player would in {percent(total.chance_share):.0f}."
