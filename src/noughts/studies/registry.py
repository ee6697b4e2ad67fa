"""The studies there are: a function that imports one and a line in `STUDIES` add one. Nothing is imported before it is
asked for, because studies load array libraries.

One from outside the project is a subclass of `Study`, ``python:file.py:Class``, or an entry point in the group
``noughts.studies``. What names it is its name.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress

from noughts.machine.plugins import FORMS, PluginKind
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
    from noughts.studies.generalisation import Generalisation

    return Generalisation


def _why_it_generalises() -> type[Study]:
    from noughts.studies.why_it_generalises import WhyItGeneralises

    return WhyItGeneralises


def _certified_generalisation() -> type[Study]:
    from noughts.studies.certified_generalisation import CertifiedGeneralisation

    return CertifiedGeneralisation


def _betazero_post_mortem() -> type[Study]:
    from noughts.studies.betazero_post_mortem import BetazeroPostMortem

    return BetazeroPostMortem


def _betazero_evolution() -> type[Study]:
    from noughts.studies.betazero_evolution import BetazeroEvolution

    return BetazeroEvolution


def _evolution_elsewhere() -> type[Study]:
    from noughts.studies.evolution_elsewhere import EvolutionElsewhere

    return EvolutionElsewhere


def _notakto() -> type[Study]:
    from noughts.studies.notakto import NotaktoStudy

    return NotaktoStudy


def _not_knowing_the_rules() -> type[Study]:
    from noughts.studies.not_knowing_the_rules import NotKnowingTheRules

    return NotKnowingTheRules


STUDIES: dict[str, Callable[[], type[Study]]] = {
    "bttt-tournament": _bttt_tournament,
    "betazero-adversaries": _betazero_adversaries,
    "mcts-perfect": _mcts_perfect,
    "exact-values": _exact_values,
    "is-minimax-perfect": _is_minimax_perfect,
    "generalisation": _generalisation,
    "why-it-generalises": _why_it_generalises,
    "certified-generalisation": _certified_generalisation,
    "betazero-post-mortem": _betazero_post_mortem,
    "betazero-evolution": _betazero_evolution,
    "evolution-elsewhere": _evolution_elsewhere,
    "notakto": _notakto,
    "not-knowing-the-rules": _not_knowing_the_rules,
}
"""By name, in the order in which they are listed."""


STUDY_PLUGINS = PluginKind("study", "noughts.studies", NoughtsError)
"""How studies come from outside."""


def all_studies() -> dict[str, type[Study]]:
    """The studies by name, those of installed packages last. The first call imports all of them, which takes a second.

    One of a package that cannot be loaded is left out; `find_study` says why.
    """
    found = {name: load() for name, load in STUDIES.items()}
    for name in sorted(STUDY_PLUGINS.offered()):
        with suppress(NoughtsError):
            found.setdefault(name, _load(name))
    return found


def find_study(name: str) -> Study:
    """The study of that name, which alone is imported; NoughtsError says which there are, or why it cannot be loaded."""
    if name in STUDIES:
        return STUDIES[name]()()
    if not STUDY_PLUGINS.is_outside(name):
        raise NoughtsError(unknown("study", name, {*STUDIES, *STUDY_PLUGINS.offered(), *FORMS}))
    made = _load(name)
    with STUDY_PLUGINS.guarded(f"study {name!r} cannot be made"):
        return made()


def is_ours(name: str) -> bool:
    """Whether a study of this name is ours, so that nobody else's code is loaded for it."""
    return name in STUDIES


def code_of_study(name: str) -> dict[str, str]:
    """What tells one version of a study from outside from another, by name; nothing for one of ours. Nothing is loaded."""
    code = "" if name in STUDIES else STUDY_PLUGINS.code(name)
    return {f"study {name}": code} if code else {}


def guarded(study: Study, failure: str) -> AbstractContextManager[None]:
    """Around the code of a study: if it is from outside, whatever it raises is a NoughtsError of one line."""
    return nullcontext() if study.name in STUDIES else STUDY_PLUGINS.guarded(f"study {study.name!r} {failure}")


def _load(name: str) -> type[Study]:
    """The class of a study from outside, with the name that people give it."""
    loaded = STUDY_PLUGINS.load(name)
    if not (isinstance(loaded, type) and issubclass(loaded, Study)):
        raise NoughtsError(f"study {name!r} is no study: give a subclass of noughts.studies.Study")
    for needed in ("title", "question"):
        if not isinstance(getattr(loaded, needed, None), str):
            raise NoughtsError(f"study {name!r} has no {needed}: give its class a line of text, {needed} = ...")
    return type(loaded.__name__, (loaded,), {"name": name, "__module__": loaded.__module__, "__doc__": loaded.__doc__})
