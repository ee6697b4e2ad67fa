"""The cost of `certified-generalisation` at its largest scale: ``uv run python -m benchmarks.planned``.

Operations are the compiler's count for one forward pass, times the number of passes, as the study counts them. Walks and
games are not included.
"""

from noughts.questions.question import answer_here
from noughts.studies.certified_generalisation import CertifiedGeneralisation
from noughts.studies.checkpoints import TrainedUntil
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig

SCALE = "paper"


def main() -> None:
    """Print a line for each network."""
    plan = CertifiedGeneralisation().at(Settings(scale=SCALE))
    print(f"scale {SCALE}: {plan.size.seeds} seeds; operations of self-play and learning")
    for learner in plan.learners:
        last = plan.last_iteration(learner)
        config = plan.trainings[learner, 0].settings
        assert isinstance(config, AlphaZeroConfig)
        each = config.games * config.plies
        played, learned = plan.looks(TrainedUntil(learner, 0, last), last * each)
        look = answer_here(plan.cost(learner)).operations
        seed = (played + learned) * look
        print(
            f"{learner}: {look / 1e6:.3g} million a look; {last} iterations of {each:,} positions "
            f"take {played / 1e6:.3g} million looks in self-play and {learned / 1e6:.3g} million in learning: "
            f"{seed / 1e15:.2g} petaflop a seed, {plan.size.seeds * seed / 1e15:.2g} in all"
        )


if __name__ == "__main__":
    main()
