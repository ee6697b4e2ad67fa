"""The studies there are: a function that imports one and a line in `STUDIES` add one. Nothing is imported before it is
asked for, because studies load array libraries."""

from collections.abc import Callable

from noughts.rules import NoughtsError
from noughts.rules.text import unknown
from noughts.studies.study import Study


def _bttt_tournament() -> type[Study]:
    from noughts.studies.bttt_tournament import BtttTournament

    return BtttTournament


def _betazero_adversaries() -> type[Study]:
    from noughts.studies.betazero_adversaries import BetazeroAdversaries

    return BetazeroAdversaries


def _mcts_perfect() -> type[Study]:
    from noughts.studies.mcts_perfect import MctsPerfect

    return MctsPerfect


def _exact_values() -> type[Study]:
    from noughts.studies.exact_values import ExactValues

    return ExactValues


def _is_minimax_perfect() -> type[Study]:
    from noughts.studies.is_minimax_perfect import IsMinimaxPerfect

    return IsMinimaxPerfect


def _generalisation() -> type[Study]:
    from noughts.studies.generalisation.study import Generalisation

    return Generalisation


def _why_it_generalises() -> type[Study]:
    from noughts.studies.why_it_generalises import WhyItGeneralises

    return WhyItGeneralises


def _betazero_post_mortem() -> type[Study]:
    from noughts.studies.betazero_post_mortem.study import BetazeroPostMortem

    return BetazeroPostMortem


def _betazero_evolution() -> type[Study]:
    from noughts.studies.betazero_evolution.study import BetazeroEvolution

    return BetazeroEvolution


def _evolution_elsewhere() -> type[Study]:
    from noughts.studies.evolution_elsewhere import EvolutionElsewhere

    return EvolutionElsewhere


def _notakto() -> type[Study]:
    from noughts.studies.notakto.study import NotaktoStudy

    return NotaktoStudy


STUDIES: dict[str, Callable[[], type[Study]]] = {
    "bttt-tournament": _bttt_tournament,
    "betazero-adversaries": _betazero_adversaries,
    "mcts-perfect": _mcts_perfect,
    "exact-values": _exact_values,
    "is-minimax-perfect": _is_minimax_perfect,
    "generalisation": _generalisation,
    "why-it-generalises": _why_it_generalises,
    "betazero-post-mortem": _betazero_post_mortem,
    "betazero-evolution": _betazero_evolution,
    "evolution-elsewhere": _evolution_elsewhere,
    "notakto": _notakto,
}
"""By name, in the order in which they are listed."""


def all_studies() -> dict[str, type[Study]]:
    """The studies by name. The first call imports all of them, which takes a second."""
    return {name: load() for name, load in STUDIES.items()}


def find_study(name: str) -> Study:
    """The study of that name, which alone is imported; NoughtsError says which there are."""
    if name not in STUDIES:
        raise NoughtsError(unknown("study", name, STUDIES))
    return STUDIES[name]()()
