"""Runs that are kept: what each asked in few words, and what a command showed at its end, shown again from what its run keeps."""

import importlib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noughts.document.document import Cell, Document, Listing
    from noughts.questions.tournament import Tournament
    from noughts.store.results import RunInfo


def scale_of(run: "RunInfo") -> str | None:
    """That of a study; other runs have none."""
    return run.identity.get("scale") if run.kind == "study" else None


def asked(run: "RunInfo") -> str:
    """What a run asked, in few words: a study's name with what tells its runs apart."""
    scale = scale_of(run)
    if scale is None:
        return run.name
    return ", ".join([run.name, scale, f"seed {run.seed}", *run.identity.get("agents", ())])


def failures_of(run: "RunInfo") -> int:
    """How many questions of a finished run failed, as its result says; 0 of a kind whose results do not say it.

    Of values, proofs and scores it is the games of the task of which nothing is known.
    """
    try:
        found = json.loads(run.result or "{}")
    except ValueError:
        return 0
    asked_of = run.identity.get("question", {}).get("task", {}).get("rules", ())
    if isinstance(found, dict) and isinstance(found.get("games"), list):
        return len(asked_of) - len({json.dumps(game[0]) for game in found["games"]}) if asked_of else 0
    parts = found if isinstance(found, list) else [found]
    problems = (part.get("problems") for part in parts if isinstance(part, dict))
    return sum(len(some) for some in problems if isinstance(some, list))


def state_text(state: str, failures: int) -> str:
    """How a run stands, in words, as in ``finished, 3 failed``."""
    return f"{state}, {failures:,} failed" if failures else state


def runs_grid(
    title: str, columns: Sequence[str], rows: "Iterable[tuple[RunInfo, Sequence[Cell]]]", note: str = ""
) -> "Listing":
    """A table of runs: which and what, then the cells of each; a run is shown whole, so that it can be copied."""
    from noughts.document.document import Listing

    shown = tuple((run.id, run.kind, asked(run), *cells) for run, cells in rows)
    notes = (note,) if note else ()
    return Listing(title, ("run", "kind", "what", *columns), shown, notes, labels=3, whole=("run", "kind"))


def kept_document(run: "RunInfo") -> "Document | None":
    """What a finished run found; None for a kind that has no document, and for what another version of noughts kept otherwise."""
    from noughts.reports.presenting import present
    from noughts.rules import NoughtsError

    if run.result is None:
        return None
    try:
        if run.kind == "tournament":
            return present(_tournament(run.identity["questions"], run.result))
        if run.kind == "sweep":
            return present(_type("noughts.document.result:StudyResult").from_json(run.result))
        if run.kind not in _TYPES:
            return None
        answer, question = map(_type, _TYPES[run.kind])
        return present(answer.from_json(run.result), question.from_json(json.dumps(run.identity["question"])))
    except (NoughtsError, KeyError):
        return None


_TYPES = {
    "match": ("noughts.questions.played:MatchResult", "noughts.questions.played:Played"),
    "score": ("noughts.questions.judged:JudgedTask", "noughts.questions.judged:Judged"),
    "proof": ("noughts.questions.walked:WalkedTask", "noughts.questions.walked:Walked"),
    "solution": ("noughts.questions.solved:SolvedTask", "noughts.questions.solved:Solved"),
}
"""By the kind of a run, the types of its answer and of its question."""


def _type(name: str) -> Any:
    module, _, called = name.partition(":")
    return getattr(importlib.import_module(module), called)


def _tournament(questions: Sequence[Any], result: str) -> "Tournament":
    from noughts.questions.played import MatchResult, Played
    from noughts.questions.tournament import Tournament
    from noughts.rules import format_task

    asked = [Played.from_json(json.dumps(each)) for each in questions]
    found = [MatchResult.from_json(json.dumps(each)) for each in json.loads(result)]
    return Tournament(format_task(asked[0].task), dict(zip(asked, found, strict=True)))
