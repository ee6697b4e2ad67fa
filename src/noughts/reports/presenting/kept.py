"""Saved runs and games: lists of them, one run with its result, one game move by move, and the disk space."""

import json
from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Any

from noughts.document.document import Block, Document, Listing
from noughts.machine.memory import size_text
from noughts.play.playthrough import replay
from noughts.positions import SYMBOLS, Position
from noughts.questions.played import MatchResult, Played
from noughts.questions.tournament import Tournament
from noughts.reports.presenting import present
from noughts.rules import NoughtsError, format_task
from noughts.rules.text import counted
from noughts.store.records import GameRecord
from noughts.store.results import RunInfo
from noughts.store.usage import DiskPart

_ENDINGS = {"first": "the first player won", "second": "the second player won", "draw": "a draw"}


def _data(run: RunInfo, state: str, games: int) -> dict[str, Any]:
    """A run as JSON data, for programs."""
    names = ("id", "kind", "name", "status", "started", "finished", "seconds", "seed", "identity")
    return {name: getattr(run, name) for name in names} | {"scale": _scale(run), "state": state, "games": games}


def _scale(run: RunInfo) -> str | None:
    """The scale of a study's run; None for other runs."""
    return run.identity.get("scale") if run.kind == "study" else None


def run_text(run: RunInfo) -> str:
    """A short text of a run's question; for a study, with the settings in which its runs differ."""
    scale = _scale(run)
    if scale is None:
        return run.name
    return ", ".join([run.name, scale, f"seed {run.seed}", *run.identity.get("agents", ())])


def present_kept_runs(found: Sequence[tuple[RunInfo, str, int | None]]) -> Document:
    """A table of runs, each with its state and the number of games played in it."""
    rows = tuple((run.id, run.kind, run_text(run), state, games) for run, state, games in found)
    note = '"games" counts only games played in that run, not reused ones. For training runs see `noughts runs list`.'
    columns, unbroken = ("run", "kind", "what", "state", "games"), ("run", "kind")  # so that ids can be copied
    grid = Listing(counted(len(found), "run"), columns, rows, (note,), labels=3, whole=unbroken)
    return Document((grid,), [_data(run, state, games or 0) for run, state, games in found])


def present_kept_run(run: RunInfo, state: str, games: int, page: str) -> Document:
    """A run's question, environment and result, with its state and the number of games played in it; `page` is the command
    that shows a study's page."""
    made = run.environment
    result = None if run.result is None else json.loads(run.result)
    lines = {
        "run": run.id,
        "kind": run.kind,
        "what": run.name,
        "state": state,
        "begun": run.started,
        "ended": run.finished or "not yet",
        "seconds": f"{run.seconds:.1f}",
        "scale": _scale(run),
        "seed": str(run.seed),
        "made by": f"noughts {made.versions.get('noughts', '?')}, commit {made.commit or 'unknown'}, on {made.machine}",
        "games": f"{games:,} played in it",
    }
    texts = [f"{name:8}  {line}" for name, line in lines.items() if line is not None]
    texts += [f"outside   {name}: {version}" for name, version in dict(run.identity.get("outside", {})).items()]
    blocks: tuple[Block, ...] = ()
    shown = None if run.kind == "study" else _result(run)
    if run.kind == "study":
        if result is not None:  # only a finished run has a page
            texts.append(f"\nits page: {page}")
    elif shown is not None:
        texts.append("")
        blocks = shown.blocks
    else:
        texts.append(f"input     {json.dumps(run.identity, ensure_ascii=False)}")
        if result is not None:
            texts.append(f"\n{json.dumps(result, indent=1, ensure_ascii=False)}")
    data = _data(run, state, games) | {"environment": made.model_dump(mode="json"), "result": result}
    return Document(("\n".join(texts), *blocks), data)


_TYPES = {
    "match": ("noughts.questions.played:MatchResult", "noughts.questions.played:Played"),
    "score": ("noughts.questions.judged:JudgedTask", "noughts.questions.judged:Judged"),
    "proof": ("noughts.questions.walked:WalkedTask", "noughts.questions.walked:Walked"),
    "solution": ("noughts.questions.solved:SolvedTask", "noughts.questions.solved:Solved"),
}
"""The types of a run's answer and of its question, by the kind of the run."""


def _result(run: RunInfo) -> Document | None:
    """The document of a finished run's result; None for a kind without one, or in the format of another version of noughts."""
    if run.result is None:
        return None
    try:
        if run.kind == "tournament":
            return present(_tournament(run.identity["questions"], run.result))
        if run.kind == "sweep":
            return present(resolve_name("noughts.document.result:StudyResult").from_json(run.result))
        if run.kind not in _TYPES:
            return None
        answer, question = map(resolve_name, _TYPES[run.kind])
        return present(answer.from_json(run.result), question.from_json(json.dumps(run.identity["question"])))
    except (NoughtsError, KeyError):
        return None


def _tournament(questions: Sequence[Any], result: str) -> Tournament:
    asked = [Played.from_json(json.dumps(each)) for each in questions]
    found = [MatchResult.from_json(json.dumps(each)) for each in json.loads(result)]
    return Tournament(format_task(asked[0].task), dict(zip(asked, found, strict=True)))


def present_games(found: Sequence[tuple[int, GameRecord]]) -> Document:
    """A table of games with their numbers."""
    rows = tuple(
        (
            str(number),
            record.rules,
            record.first,
            record.second,
            record.ending if record.ending != "error" else f"error: {record.error[:60]}",
            len(record.moves),
        )
        for number, record in found
    )
    columns = ("number", "game", "first", "second", "ending", "moves")
    data = [{"number": number} | record.model_dump(mode="json") for number, record in found]
    return Document((Listing(counted(len(found), "game"), columns, rows, labels=5),), data)


def game_lines(record: GameRecord) -> str:
    """A game move by move, its last position, and how it ended."""
    rules, position = replay(record)
    lines = [f"{record.rules}: {record.first} moves first, {record.second} second; seed {record.seed}\n"]
    at = Position.start(rules)
    for ply, move in enumerate(record.moves):
        at = at.play(move)
        opening = "  opening" if ply < record.opening else ""
        lines.append(f"{ply + 1:4}  {SYMBOLS[at.cells[move]]} {rules.name_of(move)}{opening}")
    return "\n".join([*lines, f"\n{position}\n", _ENDINGS.get(record.ending, f"broken off: {record.error}")])


def present_usage(parts: Sequence[DiskPart]) -> Document:
    """The disk space by part. Trainings share one row, because there may be hundreds."""
    trainings = [part for part in parts if part.is_training]
    rows = [part for part in parts if not part.is_training]
    if trainings:
        rows.append(DiskPart.total(f"{counted(len(trainings), 'training')}: see noughts runs list", trainings))
    several = len(rows) > 1
    rows += [DiskPart.total("total", rows)] if several else []
    cells = tuple((part.name, part.files, size_text(part.bytes)) for part in rows)
    data = {"parts": [part._asdict() for part in parts], "total_bytes": sum(part.bytes for part in parts)}
    return Document((Listing("on the disk", ("what", "files", "size"), cells, totals=int(several)),), data)
