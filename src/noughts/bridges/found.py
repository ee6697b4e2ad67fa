"""Saved runs and games: find them by a text, and filter them by agent, rules, study and ending."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from noughts.agents import AgentSpec
from noughts.bridges.formats import read_games
from noughts.play.playthrough import replay
from noughts.rules import NoughtsError, Rules, StoreError, parse_rules, parse_task
from noughts.rules.text import unknown
from noughts.store.records import Ending, GameRecord, StoredGame

if TYPE_CHECKING:
    from noughts.questions.question import Question
    from noughts.store.results import GameKind, Kind, RunInfo, Store

EVERYTHING = "all"
"""The source that means every saved game."""

_OF_ANOTHER_VERSION = (NoughtsError, KeyError, TypeError, ValueError)
"""The exceptions that the questions of a run from another version of noughts may raise."""


@dataclass(frozen=True)
class Wanted:
    """A filter of runs and games; an empty field excludes nothing.

    Attributes:
        agent: Part of an agent's name; after ``=``, the whole name.
        rules: A task, as text; only its games pass.
        study: The name of a study; only its runs and their games pass.
        ending: ``first``, ``second``, ``draw`` or ``error``.

    Raises:
        NoughtsError: the rules or the ending are invalid.
    """

    agent: str | None = None
    rules: str | None = None
    study: str | None = None
    ending: str | None = None

    def __post_init__(self) -> None:
        if self.ending is not None and self.ending not in get_args(Ending):
            raise StoreError(unknown("ending", self.ending, get_args(Ending)))
        _ = self.games

    @cached_property
    def games(self) -> frozenset[Rules]:
        """The games that `rules` names; empty for all."""
        return frozenset() if self.rules is None else frozenset(parse_task(self.rules).rules)

    def is_agent(self, name: str) -> bool:
        """Whether an agent of this name passes."""
        wanted = self.agent or ""
        return name == wanted[1:] if wanted.startswith("=") else wanted in name

    def has_game(self, record: "GameRecord | GameKind") -> bool:
        """Whether a game passes, ignoring the filters on its run."""
        return (
            any(map(self.is_agent, (record.first, record.second)))
            and self.ending in (None, record.ending)
            and (not self.games or _rules(record.rules) in self.games)
        )

    def has_run(self, run: "RunInfo", played: "Iterable[GameKind]") -> bool:
        """Whether a run passes: a matching game was played in it, or its name and request contain such agents and rules."""
        if not self.has_study(run):
            return False
        if not (self.agent or self.rules or self.ending) or any(map(self.has_game, played)):
            return True
        asked = list(_values(run.identity))
        agents = [run.name, *(str(AgentSpec(**value)) if _is_agent(value) else value for value in asked)]
        return (
            not self.ending
            and any(self.is_agent(name) for name in agents if isinstance(name, str))
            and (not self.games or not self.games.isdisjoint(_games(asked)))
        )

    def has_study(self, run: "RunInfo") -> bool:
        """Whether the study of a run passes."""
        return not self.study or (run.kind, run.name) == ("study", self.study)


def find_runs(store: "Store", wanted: Wanted, kind: "Kind | None" = None) -> "list[RunInfo]":
    """The runs of a kind, or of all kinds, that pass a filter, oldest first and without their results."""
    played: dict[str, list[GameKind]] = {}
    for alike in store.game_kinds() if wanted.agent or wanted.rules or wanted.ending else ():
        played.setdefault(alike.run_id, []).append(alike)
    return [run for run in store.runs(kind, results=False) if wanted.has_run(run, played.get(run.id, ()))]


def find_run(store: "Store", source: str, or_games: bool = False) -> "RunInfo":
    """The run with this id, or the latest of this kind or of this study.

    Args:
        store: The store of the runs.
        source: An id, a kind or the name of a study.
        or_games: Whether the error also lists ``all`` and files of games, because the caller accepts them.

    Raises:
        StoreError: there is none. The message lists the kinds and studies that have runs in this store.
    """
    infos = store.runs(results=False)
    for info in reversed(infos):
        if source in (info.id, info.kind, info.name):
            return info
    known = {info.kind for info in infos} | {info.name for info in infos if info.kind == "study"}
    if or_games:
        raise StoreError(unknown("run, kind of run, study or file", source, known | {EVERYTHING}))
    raise StoreError(unknown("run, kind of run or study", source, known))


def games_of(store: "Store", source: str) -> list[GameRecord]:
    """The games of a source, without those that contradict the rules.

    Args:
        store: The store of the games.
        source: The id of a run; a kind of run or a study, for its latest run; ``all``; or an exported file.

    Raises:
        StoreError: there is no such run or file, or it has no games.
    """
    found: Sequence[GameRecord]
    if source == EVERYTHING:
        found = store.games()
    elif Path(source).is_file():
        found = read_games(Path(source))
    else:
        info = find_run(store, source, or_games=True)
        found = store.games(info.id, _keys(info))
    games = list(filter(_is_legal, found))
    if not games:
        raise StoreError(f"{source} has no games: `noughts export` lists the runs that have some")
    return games


def find_games(store: "Store", source: str, wanted: Wanted) -> list[tuple[int, GameRecord]]:
    """The games of a source that pass a filter, each with its number, from 1, among all games of the source.

    Raises:
        StoreError: there is no such source, or the filter has a study and the source is a file.
    """
    chosen = None
    if wanted.study:
        if source != EVERYTHING and Path(source).is_file():
            raise StoreError(f"{source} does not record in which study its games were played: leave --study out")
        among = store.runs(results=False) if source == EVERYTHING else (find_run(store, source, or_games=True),)
        chosen = {record for run in filter(wanted.has_study, among) for record in store.games(run.id, _keys(run))}
    return [
        (number, record)
        for number, record in enumerate(games_of(store, source), 1)
        if wanted.has_game(record) and (chosen is None or record in chosen)
    ]


def note_on_versions(records: Iterable[GameRecord]) -> str:
    """One line if different versions of the same agents played games of the same rules; else empty."""
    bases: dict[tuple[str, str, str], set[str]] = {}
    for record in records:
        if isinstance(record, StoredGame):
            bases.setdefault((record.first, record.second, record.rules), set()).add(record.basis)
    several = {game: len(found) for game, found in bases.items() if len(found) > 1}
    if not several:
        return ""
    (first, second, rules), count = max(several.items(), key=lambda pair: pair[1])
    more = f", and so on for {len(several) - 1} more" if len(several) > 1 else ""
    return (
        f"games of {first} against {second} on {rules} are of {count} versions (code, libraries or weights differ){more}: "
        "`run_id` and `basis` distinguish them"
    )


def _questions(info: "RunInfo") -> "Sequence[Question[Any]]":
    """The questions of a study, a match or a tournament; none for other kinds, or if they cannot be found.

    A study is loaded and lists its questions again, because they are not saved.
    """
    from noughts.questions.played import Played

    try:
        if info.kind == "study":
            from noughts.studies.registry import find_study, guarded
            from noughts.studies.run import settings_of

            study = find_study(info.name)
            with guarded(study, "cannot list its questions"):
                return study.questions(settings_of(info))
        if info.kind in ("match", "tournament"):
            asked = info.identity.get("questions", [info.identity.get("question")])
            return [Played(**fields) for fields in asked]
    except _OF_ANOTHER_VERSION:
        pass
    return []


def _keys(info: "RunInfo") -> list[str]:
    """The keys of the games that a run needed, including those that were saved before it began; none if unknown."""
    from noughts.questions.question import kept_questions

    try:
        return [asked.key for asked in kept_questions(_questions(info)) if asked.answer_type() is GameRecord]
    except _OF_ANOTHER_VERSION:
        return []


def _is_agent(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == set(AgentSpec.model_fields)


def _games(asked: Iterable[Any]) -> Iterator[Rules]:
    """The rules among some JSON values; newer fields may be missing, because they are left out at their default."""
    needed = {name for name, field in Rules.model_fields.items() if field.is_required()}
    for value in asked:
        if isinstance(value, Mapping) and needed <= set(value) <= set(Rules.model_fields):
            with contextlib.suppress(NoughtsError):  # of another version of noughts
                yield Rules(**value)


def _values(asked: Any) -> Iterator[Any]:
    """A JSON value and, recursively, all values in it; an agent is not split."""
    yield asked
    if not _is_agent(asked):
        inner = asked.values() if isinstance(asked, Mapping) else asked if isinstance(asked, list | tuple) else ()
        for value in inner:
            yield from _values(value)


@lru_cache(maxsize=4096)
def _rules(text: str) -> Rules:
    return parse_rules(text)


def _is_legal(record: GameRecord) -> bool:
    try:
        replay(record)
    except NoughtsError:
        return False
    return True
