"""File names of a study's page, figures and tables."""

import re
from collections.abc import Iterable, Iterator

from noughts.document.result import Figure, StudyResult


def named_figures(result: StudyResult) -> Iterator[tuple[Figure, str]]:
    """Each figure of a study with a file name of its own, without an ending."""
    names = distinct(f"{page_name(result)}-{safe_name(figure.name)}" for figure in result.figures)
    yield from zip(result.figures, names, strict=True)


def distinct(names: Iterable[str]) -> Iterator[str]:
    """The names in their order, each once: one that was there before has a number after it, from 2 on."""
    taken: set[str] = set()
    for wanted in names:
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        taken.add(name)
        yield name


def page_name(result: StudyResult) -> str:
    """The file name of a study's page, without an ending: `StudyResult.file_name`, safe as part of a path."""
    return safe_name(result.file_name)


def safe_name(name: str) -> str:
    """A name as part of a file name, whatever a stored result holds: no folders, no hidden files."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).lstrip(".") or "unnamed"
