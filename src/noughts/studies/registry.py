"""The studies there are: a line in `STUDIES` adds one. None is imported before it is asked for, because studies load array
libraries.

One from outside the project is a subclass of `Study`, ``python:file.py:Class``, or an entry point in the group
``noughts.studies``. What names it is its name.
"""

import pkgutil
from contextlib import AbstractContextManager, nullcontext, suppress

from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.machine.plugins import FORMS, PluginKind
from noughts.rules import NoughtsError
from noughts.rules.text import unknown
from noughts.studies.study import Study

STUDIES: dict[str, str] = {
    "bttt-tournament": "noughts.studies.bttt_tournament:BtttTournament",
    "betazero-adversaries": "noughts.studies.betazero_adversaries:BetazeroAdversaries",
    "mcts-perfect": "noughts.studies.mcts_perfect:MctsPerfect",
    "exact-values": "noughts.studies.exact_values:ExactValues",
    "is-minimax-perfect": "noughts.studies.is_minimax_perfect:IsMinimaxPerfect",
    "generalisation": "noughts.studies.generalisation:Generalisation",
    "why-it-generalises": "noughts.studies.why_it_generalises:WhyItGeneralises",
    "certified-generalisation": "noughts.studies.certified_generalisation:CertifiedGeneralisation",
    "betazero-post-mortem": "noughts.studies.betazero_post_mortem:BetazeroPostMortem",
    "betazero-evolution": "noughts.studies.betazero_evolution:BetazeroEvolution",
    "evolution-elsewhere": "noughts.studies.evolution_elsewhere:EvolutionElsewhere",
    "notakto": "noughts.studies.notakto:NotaktoStudy",
    "not-knowing-the-rules": "noughts.studies.not_knowing_the_rules:NotKnowingTheRules",
}
"""Where the class of each is, by name, in the order in which they are listed."""


STUDY_PLUGINS = PluginKind("study", "noughts.studies", NoughtsError)
"""How studies come from outside."""


def all_studies() -> dict[str, type[Study]]:
    """The studies by name, those of installed packages last. The first call imports all of them, which takes a second.

    One of a package that cannot be loaded is left out; `find_study` says why.
    """
    found = {name: _our_own(name) for name in STUDIES}
    for name in sorted(STUDY_PLUGINS.offered()):
        with suppress(NoughtsError):
            found.setdefault(name, _load(name))
    return found


def find_study(name: str) -> Study:
    """The study of that name, which alone is imported; NoughtsError says which there are, or why it cannot be loaded."""
    if name in STUDIES:
        return _our_own(name)()
    if not STUDY_PLUGINS.is_outside(name):
        raise NoughtsError(unknown("study", name, {*STUDIES, *STUDY_PLUGINS.offered(), *FORMS}))
    made = _load(name)
    with STUDY_PLUGINS.guarded(f"study {name!r} cannot be made"):
        return made()


def is_ours(name: str) -> bool:
    """Whether a study of this name is ours, so that nobody else's code is loaded for it."""
    return name in STUDIES


def depends_on(name: str) -> Dependencies:
    """What a study from outside depends on, nothing for one of ours. Nothing is loaded."""
    return NOTHING if name in STUDIES else STUDY_PLUGINS.depends_on(name)


def guarded(study: Study, failure: str) -> AbstractContextManager[None]:
    """Around the code of a study: if it is from outside, whatever it raises is a NoughtsError of one line."""
    return nullcontext() if study.name in STUDIES else STUDY_PLUGINS.guarded(f"study {study.name!r} {failure}")


def _our_own(name: str) -> type[Study]:
    found: type[Study] = pkgutil.resolve_name(STUDIES[name])
    return found


def _load(name: str) -> type[Study]:
    """The class of a study from outside, with the name that people give it."""
    loaded = STUDY_PLUGINS.load(name)
    if not (isinstance(loaded, type) and issubclass(loaded, Study)):
        raise NoughtsError(f"study {name!r} is no study: give a subclass of noughts.studies.Study")
    for needed in ("title", "question"):
        if not isinstance(getattr(loaded, needed, None), str):
            raise NoughtsError(f"study {name!r} has no {needed}: give its class a line of text, {needed} = ...")
    return type(loaded.__name__, (loaded,), {"name": name, "__module__": loaded.__module__, "__doc__": loaded.__doc__})
