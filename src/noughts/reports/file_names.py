"""File names of a study's page, figures and tables."""

import re
from collections.abc import Iterable, Iterator

from noughts.document.result import Figure, StudyResult


def named_figures(result: StudyResult) -> Iterator[tuple[Figure, str]]:
    """Each figure of a study with a unique file name, without an ending."""
    names = distinct(f"{page_name(result)}-{safe_name(figure.name)}" for figure in result.figures)
    yield from zip(result.figures, names, strict=True)


def distinct(names: Iterable[str]) -> Iterator[str]:
    """The names in order, made unique: repeated names get a number, from 2 on."""
    taken: set[str] = set()
    for wanted in names:
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        taken.add(name)
        yield name


def page_name(result: StudyResult) -> str:
    """The file name of a study's page, without an ending: `StudyResult.file_name`, made safe for a path."""
    return safe_name(result.file_name)


def safe_name(name: str) -> str:
    """A name made safe as part of a file name, because a stored result may contain any text: no folders, no hidden files."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).lstrip(".") or "unnamed"
