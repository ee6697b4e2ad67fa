"""Runs that are kept: what each asked in few words, a table of several, and what a command showed at its end, shown again
from what its run keeps: the tables of matches, tournaments, scores, proofs, values and sweeps."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

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


def runs_table(title: str) -> "Table":
    """A table of runs, without lines between columns, so that there is room for names; its first columns say which and what."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("run", no_wrap=True)  # whole, so that it can be copied; it begins with day and time, UTC
    table.add_column("kind", no_wrap=True)
    table.add_column("what")
    return table


def kept_tables(run: "RunInfo") -> "RenderableType | None":
    """The tables of a finished run; None for a kind that has none, and for what another version of noughts kept otherwise."""
    from noughts.rules import NoughtsError

    show = _SHOWN.get(run.kind)
    if show is None or run.result is None:
        return None
    try:
        return show(run.identity, run.result)
    except (NoughtsError, KeyError):
        return None


def _question(identity: Mapping[str, Any], name: str = "question") -> str:
    return json.dumps(identity[name])


def _match(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from noughts.cli.match import match_table
    from noughts.document.names import Names
    from noughts.questions.played import MatchResult, Played

    return match_table(Played.from_json(_question(identity)), MatchResult.from_json(result), Names())


def _tournament(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from noughts.cli.tournament import cross_table
    from noughts.document.names import Names
    from noughts.questions.played import MatchResult, Played
    from noughts.rules import format_task

    asked = [Played.from_json(json.dumps(each)) for each in identity["questions"]]
    found = [MatchResult.from_json(json.dumps(each)) for each in json.loads(result)]
    return cross_table(format_task(asked[0].task), dict(zip(asked, found, strict=True)), Names())


def _score(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from noughts.cli.score import score_tables
    from noughts.document.names import Names
    from noughts.questions.judged import Judged, JudgedTask

    return score_tables(Judged.from_json(_question(identity)), JudgedTask.from_json(result).games, Names())


def _proof(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from noughts.cli.prove import proof_tables
    from noughts.document.names import Names
    from noughts.questions.walked import Walked, WalkedTask

    return proof_tables(Walked.from_json(_question(identity)), WalkedTask.from_json(result).games, Names())


def _solution(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from noughts.cli.solve import value_tables
    from noughts.questions.solved import SolvedTask

    return value_tables(SolvedTask.from_json(result).games)


def _sweep(identity: Mapping[str, Any], result: str) -> "RenderableType":
    from rich.console import Group

    from noughts.document.result import StudyResult
    from noughts.reports.terminal import study_tables

    return Group(*study_tables(StudyResult.from_json(result)))


_SHOWN: dict[str, Callable[[Mapping[str, Any], str], "RenderableType"]] = {
    "match": _match,
    "tournament": _tournament,
    "score": _score,
    "proof": _proof,
    "solution": _solution,
    "sweep": _sweep,
}
