"""The studies there are: an import and a name add one."""

from functools import cache

from noughts.rules import NoughtsError
from noughts.rules.text import unknown
from noughts.studies.study import Study


@cache
def all_studies() -> dict[str, type[Study]]:
    """The studies by name, in the order in which they are listed. The first call loads array libraries."""
    from noughts.studies.betazero_adversaries import BetazeroAdversaries
    from noughts.studies.betazero_evolution.study import BetazeroEvolution
    from noughts.studies.betazero_post_mortem.study import BetazeroPostMortem
    from noughts.studies.bttt_tournament import BtttTournament
    from noughts.studies.evolution_elsewhere import EvolutionElsewhere
    from noughts.studies.exact_values import ExactValues
    from noughts.studies.generalisation.study import Generalisation
    from noughts.studies.is_minimax_perfect import IsMinimaxPerfect
    from noughts.studies.mcts_perfect import MctsPerfect
    from noughts.studies.notakto.study import NotaktoStudy
    from noughts.studies.why_it_generalises import WhyItGeneralises

    listed: tuple[type[Study], ...] = (
        BtttTournament,
        BetazeroAdversaries,
        MctsPerfect,
        ExactValues,
        IsMinimaxPerfect,
        Generalisation,
        WhyItGeneralises,
        BetazeroPostMortem,
        BetazeroEvolution,
        EvolutionElsewhere,
        NotaktoStudy,
    )
    return {study.name: study for study in listed}


def find_study(name: str) -> Study:
    """The study of that name; NoughtsError says which there are."""
    if name not in all_studies():
        raise NoughtsError(unknown("study", name, all_studies()))
    return all_studies()[name]()
