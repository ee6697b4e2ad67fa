"""`present`: the document of an answer, by one function for each type of answer.

Terminals (`reports/terminal.py`), notebooks (`reports/html.py`) and `--json` are renderers of what it gives. To show a new
type of answer, write a function in a module of this package and name it in `PRESENTERS`.
"""

from pkgutil import resolve_name
from typing import Any

from noughts.document.document import Document
from noughts.document.names import NO_NAMES, Names

PRESENTERS = {
    "MatchResult": "matches:present_match",
    "Tournament": "matches:present_tournament",
    "JudgedTask": "scores:present_score",
    "ImaginedTallies": "scores:present_model",
    "BelievedLine": "beliefs:present_line",
    "WalkedTask": "proofs:present_proof",
    "LosingChances": "proofs:present_chances",
    "SolvedTask": "values:present_values",
    "Solution": "values:present_solution",
    "SearchResult": "values:present_search",
    "Puzzle": "puzzles:present_puzzle",
    "Scorecard": "bench:present_scorecard",
    "StudyResult": "studies:present_study",
    "RunFolder": "trainings:present_run",
}
"""By the name of an answer's type, the function that presents it, in the module of this package where it is."""


def present(answer: Any, asked: Any = None, names: Names = NO_NAMES) -> Document:
    """The document of an answer; KeyError for a type without a presenter.

    Args:
        answer: Of one of the types in `PRESENTERS`.
        asked: The question, where it is known: some documents show more with it, such as whose proof it is.
        names: What agents are called.
    """
    document: Document = resolve_name(f"{__name__}.{PRESENTERS[type(answer).__name__]}")(answer, asked, names)
    return document


def is_presented(answer: Any) -> bool:
    """Whether its type has a presenter."""
    return type(answer).__name__ in PRESENTERS
