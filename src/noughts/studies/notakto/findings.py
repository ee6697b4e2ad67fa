"""What `notakto` found, in sentences."""

from collections.abc import Iterator, Sequence

from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.studies.notakto.outcome import first_proof, walks_by_iteration
from noughts.studies.notakto.plan import BOARDS, SCALES, BoardTraining, judging, transferred
from noughts.studies.study import Settings, percent


def findings(settings: Settings, runs: Sequence[BoardTraining], answers: Answers) -> Iterator[str]:
    """What follows for each board of the paper, and for larger ones."""
    size = SCALES[settings.scale]
    for board in BOARDS:
        own = [run for run in runs if run.board is board and walks_by_iteration(run, size.sims, answers)]
        if not own:
            continue
        proofs = {run.network: proof for run in own if (proof := first_proof(run, size.sims, answers)) is not None}
        if proofs:
            soonest = min(proofs, key=lambda network: proofs[network].seconds)
            proof = proofs[soonest]
            walks = [
                [walk for _, walk in walks_by_iteration(run, size.sims, answers)]
                for run in own
                if run.network in proofs
            ]
            after = [walk for some in walks for walk in some[[walk.proved for walk in some].index(True) + 1 :]]
            lasts = (
                f" Of {len(after)} later checkpoints of these {sum(walk.proved for walk in after)} are proved."
                if after
                else ""
            )
            yield f"{board.title} player: learned to 100 percent against every reply by {len(proofs)} of {len(own)} networks ({'; '.join(proofs)}), one training of one seed each, first by the {soonest} one, after {proof} and {proof.seconds:.0f} seconds: so it can be learned, where the paper reached {board.paper} percent.{lasts}"
        else:
            yield f"{board.title} player: within this budget no network was proved against every reply; nothing follows about the paper's hypothesis."
    for run in runs:
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
