"""`present`: turn an answer into a document, with one function for each type of answer.

Terminals (`reports/terminal.py`), notebooks (`reports/html.py`) and `--json` render this document. To show a new type of
answer, write a function in a module of this package and add it to `PRESENTERS`.
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
"""The function that presents each type of answer, as ``module:function`` of this package, by the type's name."""


def present(answer: Any, asked: Any = None, names: Names = NO_NAMES) -> Document:
    """The document of an answer; KeyError for a type without a presenter.

    Args:
        answer: An answer of a type in `PRESENTERS`.
        asked: The question, if it is known. Some documents show more with it, such as the agent of a proof.
        names: Short names of agents.
    """
    document: Document = resolve_name(f"{__name__}.{PRESENTERS[type(answer).__name__]}")(answer, asked, names)
    return document


def is_presented(answer: Any) -> bool:
    """Whether the type of an answer has a presenter."""
    return type(answer).__name__ in PRESENTERS
