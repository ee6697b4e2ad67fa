"""The studies there are: one line adds one."""

import importlib

from noughts.rules import NoughtsError
from noughts.rules.text import unknown
from noughts.studies.study import Study

STUDIES: dict[str, str] = {
    "bttt-tournament": "noughts.studies.bttt_tournament:BtttTournament",
    "betazero-adversaries": "noughts.studies.betazero_adversaries:BetazeroAdversaries",
    "mcts-perfect": "noughts.studies.mcts_perfect:MctsPerfect",
    "exact-values": "noughts.studies.exact_values:ExactValues",
    "is-minimax-perfect": "noughts.studies.is_minimax_perfect:IsMinimaxPerfect",
    "generalisation": "noughts.studies.generalisation.study:Generalisation",
    "why-it-generalises": "noughts.studies.why_it_generalises:WhyItGeneralises",
    "betazero-post-mortem": "noughts.studies.betazero_post_mortem.study:BetazeroPostMortem",
    "betazero-evolution": "noughts.studies.betazero_evolution.study:BetazeroEvolution",
    "evolution-elsewhere": "noughts.studies.evolution_elsewhere:EvolutionElsewhere",
    "notakto": "noughts.studies.notakto.study:NotaktoStudy",
}


def find_study(name: str) -> Study:
    """The study of that name; NoughtsError says which there are."""
    if name not in STUDIES:
        raise NoughtsError(unknown("study", name, STUDIES))
    module, _, cls = STUDIES[name].partition(":")
    study: Study = getattr(importlib.import_module(module), cls)()
    return study
