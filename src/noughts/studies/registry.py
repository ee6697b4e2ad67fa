"""The available studies. Each file of this package adds one. A study is imported only when it is needed, because studies load
array libraries.

A third-party study is a subclass of `Study`, named as ``python:file.py:Class`` or by an entry point in the group
``noughts.studies``.
"""

import pkgutil
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TypeGuard

from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.machine.plugins import PluginKind
from noughts.rules import NoughtsError
from noughts.studies.study import Study

_SHARED = frozenset({"checkpoints", "claims", "games", "registry", "run", "study", "sweep_document", "trainings"})
"""Modules of this package that are not studies."""

STUDIES = {
    module.name.replace("_", "-"): f"{__package__}.{module.name}"
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if module.name not in _SHARED
}
"""The module of each study, by the study's name: every other file of this package."""

STUDY_PLUGINS = PluginKind("study", "noughts.studies", NoughtsError)
"""How third-party studies are found."""


def all_studies() -> dict[str, type[Study]]:
    """The studies by name, those of installed packages last. The first call imports all of them, which takes a second.

    Packages' studies that cannot be loaded are left out; the error of `find_study` has the reason.
    """
    found = {name: _our_own(name) for name in STUDIES}
    for name in sorted(STUDY_PLUGINS.offered()):
        with suppress(NoughtsError):
            found.setdefault(name, _load(name))
    return found


def find_study(name: str) -> Study:
    """The study of that name; no other is imported. NoughtsError lists the studies, or the reason why this one cannot be loaded."""
    if name in STUDIES:
        return _our_own(name)()
    if not STUDY_PLUGINS.is_outside(name):
        raise STUDY_PLUGINS.unknown(name, STUDIES)
    made = _load(name)
    with STUDY_PLUGINS.guarded(f"study {name!r} cannot be made"):
        return made()


def depends_on(name: str) -> Dependencies:
    """The dependencies of a third-party study; empty for one of ours. Nothing is loaded."""
    return NOTHING if name in STUDIES else STUDY_PLUGINS.depends_on(name)


def guarded(study: Study, failure: str) -> AbstractContextManager[None]:
    """A context for a study's code. Any exception of third-party code becomes a NoughtsError of one line."""
    return nullcontext() if study.name in STUDIES else STUDY_PLUGINS.guarded(f"study {study.name!r} {failure}")


def _our_own(name: str) -> type[Study]:
    module = pkgutil.resolve_name(STUDIES[name])
    return next(found for found in vars(module).values() if _is_study(found) and found.__module__ == module.__name__)


def _is_study(found: object) -> TypeGuard[type[Study]]:
    return isinstance(found, type) and issubclass(found, Study)


def _load(name: str) -> type[Study]:
    """The class of a third-party study, with the name under which it was requested."""
    loaded = STUDY_PLUGINS.load(name)
    if not _is_study(loaded):
        raise NoughtsError(f"study {name!r} is no study: give a subclass of noughts.studies.Study")
    for needed in ("title", "question"):
        if not isinstance(getattr(loaded, needed, None), str):
            raise NoughtsError(f"study {name!r} has no {needed}: give its class a line of text, {needed} = ...")
    return type(loaded.__name__, (loaded,), {"name": name, "__module__": loaded.__module__, "__doc__": loaded.__doc__})
