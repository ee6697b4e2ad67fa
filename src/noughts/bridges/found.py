"""Saved runs and games: which text names them, and how agent, rules, study, ending and date filter them."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
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
"""The source that is every saved game."""

_OF_ANOTHER_VERSION = (NoughtsError, KeyError, TypeError, ValueError)
"""What questions of a run may raise that another version of noughts began."""


@dataclass(frozen=True)
class Wanted:
    """A filter of runs and games; an empty field leaves nothing out.

    Attributes:
        agent: A text in an agent's name; after ``=``, the whole name.
        rules: Games of these, as text.
        study: Only what studies of this name asked for.
        ending: ``first``, ``second``, ``draw`` or ``error``.
        since, until: Days (UTC) on which the run was begun, both included.

    Raises:
        NoughtsError: rules, an ending or a day do not exist.
    """

    agent: str | None = None
    rules: str | None = None
    study: str | None = None
    ending: str | None = None
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        if self.ending is not None and self.ending not in get_args(Ending):
            raise StoreError(unknown("ending", self.ending, get_args(Ending)))
        for name, day in (("--since", self.since), ("--until", self.until)):
            if day is not None and not _is_day(day):
                raise StoreError(f"{name} {day!r} is no day: write one such as 2026-01-31")
        _ = self.games

    @cached_property
    def games(self) -> frozenset[Rules]:
        """Those that `rules` names; empty for all."""
        return frozenset() if self.rules is None else frozenset(parse_task(self.rules).rules)

    def is_agent(self, name: str) -> bool:
        """Whether the filter lets an agent of this name through."""
        wanted = self.agent or ""
        return name == wanted[1:] if wanted.startswith("=") else wanted in name

    def has_game(self, record: "GameRecord | GameKind") -> bool:
        """Whether it lets a game through, whatever its run."""
        return (
            any(map(self.is_agent, (record.first, record.second)))
            and self.ending in (None, record.ending)
            and (not self.games or _rules(record.rules) in self.games)
        )

    def has_run(self, run: "RunInfo", played: "Iterable[GameKind]") -> bool:
        """Whether it lets a run through: such a game was played in it, or its name and what it asked name such agents and rules."""
        if not self.has_moment(run):
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

    def has_moment(self, run: "RunInfo") -> bool:
        """Whether it lets a run's study and day through."""
        day = run.started[:10]
        return (not self.study or (run.kind, run.name) == ("study", self.study)) and (
            (self.since or day) <= day <= (self.until or day)
        )


def find_runs(store: "Store", wanted: Wanted, kind: "Kind | None" = None) -> "list[RunInfo]":
    """The runs of a kind, or of all, that a filter lets through, the latest last; without their results."""
    played: dict[str, list[GameKind]] = {}
    for alike in store.game_kinds() if wanted.agent or wanted.rules or wanted.ending else ():
        played.setdefault(alike.run_id, []).append(alike)
    return [run for run in store.runs(kind, results=False) if wanted.has_run(run, played.get(run.id, ()))]


def find_run(store: "Store", source: str, or_games: bool = False) -> "RunInfo":
    """The run of this id, or the latest of this kind or of this study.

    Args:
        store: Where runs are kept.
        source: The text.
        or_games: Whether the error names ``all`` and files of games, too, because the caller takes them.

    Raises:
        StoreError: there is none. It names the kinds and studies that have runs in this store.
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
        store: Where games are kept.
        source: The id of a run; a kind of run, or a study, for the latest of them; ``all``; or an exported file.

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
    """The games of a source that a filter lets through, each with its number among all of its source, from 1.

    Raises:
        StoreError: there is no such source, or days or a study are asked of a file.
    """
    chosen = None
    if wanted.study or wanted.since or wanted.until:
        if source != EVERYTHING and Path(source).is_file():
            raise StoreError(
                f"{source} does not record when or in which study its games were played: leave that option out"
            )
        among = store.runs(results=False) if source == EVERYTHING else (find_run(store, source, or_games=True),)
        chosen = {record for run in filter(wanted.has_moment, among) for record in store.games(run.id, _keys(run))}
    return [
        (number, record)
        for number, record in enumerate(games_of(store, source), 1)
        if wanted.has_game(record) and (chosen is None or record in chosen)
    ]


def note_on_versions(records: Iterable[GameRecord]) -> str:
    """A line if different versions of equal agents played games of equal rules; else empty."""
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
    """What a study, a match or a tournament asked; none of another kind, or where that is not known.

    A study is loaded and asks anew, because its questions are not kept.
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
    """The keys of the games that a run asked for, also of those that were kept before it began; none if that is not known."""
    from noughts.questions.question import kept_questions

    try:
        return [asked.key for asked in kept_questions(_questions(info)) if asked.answer_type() is GameRecord]
    except _OF_ANOTHER_VERSION:
        return []


def _is_agent(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == set(AgentSpec.model_fields)


def _games(asked: Iterable[Any]) -> Iterator[Rules]:
    """The games among some JSON values; fields that came later are left out at their default."""
    needed = {name for name, field in Rules.model_fields.items() if field.is_required()}
    for value in asked:
        if isinstance(value, Mapping) and needed <= set(value) <= set(Rules.model_fields):
            with contextlib.suppress(NoughtsError):  # of another version of noughts
                yield Rules(**value)


def _values(asked: Any) -> Iterator[Any]:
    """Everything within a JSON value, and it itself; an agent is whole."""
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


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
