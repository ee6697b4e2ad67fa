"""`Wanted`: which runs and games somebody looks for, by agent, rules, study, ending and date."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from noughts.agents import AgentSpec
from noughts.bridges.export import EVERYTHING, find_run, games_of, questions_of
from noughts.rules import NoughtsError, Rules, StoreError, Value, parse_rules, parse_task
from noughts.rules.text import unknown
from noughts.store.records import Ending, GameRecord, StoredGame

if TYPE_CHECKING:
    from noughts.store.results import GameKind, Kind, RunInfo, Store


class Wanted(NamedTuple):
    """What is looked for; an empty field leaves nothing out.

    Attributes:
        agent: A text in an agent's name; after ``=``, the whole of it.
        rules: Games of these.
        study: Only what studies of this name asked for.
        ending: ``first``, ``second``, ``draw`` or ``error``.
        since, until: Days (UTC) on which the run was begun, both included.
    """

    agent: str = ""
    rules: frozenset[Rules] = frozenset()
    study: str = ""
    ending: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def of(
        cls,
        agent: str | None = None,
        rules: str | None = None,
        study: str | None = None,
        ending: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> "Wanted":
        """What these texts ask for.

        Raises:
            NoughtsError: there are no such rules or ending, or a day is none.
        """
        if ending is not None and ending not in get_args(Ending):
            raise StoreError(unknown("ending", ending, get_args(Ending)))
        for name, day in (("--since", since), ("--until", until)):
            _check_day(name, day)
        games = frozenset() if rules is None else frozenset(parse_task(rules).rules)
        return cls(agent or "", games, study or "", ending or "", since or "", until or "")

    def is_agent(self, name: str) -> bool:
        """Whether an agent of this name is one of those."""
        return name == self.agent[1:] if self.agent.startswith("=") else self.agent in name

    def has_game(self, record: "GameRecord | GameKind") -> bool:
        """Whether the game is one of those; of the run in which it was played nothing is asked."""
        return (
            any(map(self.is_agent, (record.first, record.second)))
            and self.ending in ("", record.ending)
            and (not self.rules or _rules(record.rules) in self.rules)
        )

    def has_run(self, run: "RunInfo", played: "Iterable[GameKind]", asked: Iterable[Any]) -> bool:
        """Whether the run is one of those: it asked for such, or a game was played in it that is wanted.

        Args:
            run: Which.
            played: What was played in it.
            asked: What it asked for, part by part; see `_asked`.
        """
        if not self.has_moment(run):
            return False
        if not (self.agent or self.rules or self.ending):
            return True
        if any(map(self.has_game, played)):
            return True
        if self.ending:
            return False
        named = self.is_agent(run.name)  # of a match or a training, whose names hold agents or methods
        return any(
            (named or any(map(self.is_agent, _agents(part))))
            and (not self.rules or any(rules in self.rules for rules in _games(part)))
            for part in asked
        )

    def has_moment(self, run: "RunInfo") -> bool:
        """Whether the run's study and day are those."""
        day = run.started[:10]
        return (not self.study or (run.kind, run.name) == ("study", self.study)) and (
            self.since <= day <= (self.until or day)
        )


def find_runs(store: "Store", wanted: Wanted, kind: "Kind | None" = None) -> "list[RunInfo]":
    """The runs that are wanted, of a kind or of all, the latest last; without their results."""
    played: dict[str, list[GameKind]] = {}
    for alike in store.game_kinds() if wanted.agent or wanted.rules or wanted.ending else ():
        played.setdefault(alike.run_id, []).append(alike)
    return [run for run in store.runs(kind, results=False) if wanted.has_run(run, played.get(run.id, ()), _asked(run))]


def find_games(store: "Store", source: str, wanted: Wanted) -> list[tuple[int, GameRecord]]:
    """The games that are wanted, each with its number among all of its source, from 1.

    Args:
        store: Where games are kept.
        source: As for `games_of`.
        wanted: Which; a study and days choose among runs, so that they leave nothing of an exported file.

    Raises:
        StoreError: there is no such source, or days or a study are asked of a file.
    """
    chosen = None
    if wanted.study or wanted.since or wanted.until:
        if source != EVERYTHING and Path(source).is_file():
            raise StoreError(f"{source} does not say when or in which study its games were played: leave that out")
        among = store.runs(results=False) if source == EVERYTHING else (find_run(store, source, or_games=True),)
        chosen = set[GameRecord]()
        for run in filter(wanted.has_moment, among):
            try:
                chosen.update(games_of(store, run.id))
            except StoreError:  # it has none
                continue
    return [
        (number, record)
        for number, record in enumerate(games_of(store, source), 1)
        if wanted.has_game(record) and (chosen is None or record in chosen)
    ]


def told_versions(records: Iterable[GameRecord]) -> str:
    """A line if some games have equal rules and agents, and were played by different versions of them; else empty."""
    bases: dict[tuple[str, str, str], set[str]] = {}
    for record in records:
        if isinstance(record, StoredGame):
            bases.setdefault((record.first, record.second, record.rules), set()).add(record.basis)
    several = {who: len(found) for who, found in bases.items() if len(found) > 1}
    if not several:
        return ""
    (first, second, rules), count = max(several.items(), key=lambda pair: pair[1])
    more = f", and so on for {len(several) - 1} more" if len(several) > 1 else ""
    return (
        f"games of {first} against {second} on {rules} are of {count} versions (code, libraries or weights differ){more}: "
        "`run_id` and `basis` tell them apart"
    )


@lru_cache(maxsize=4096)
def _rules(text: str) -> Rules:
    return parse_rules(text)


def _check_day(name: str, day: str | None) -> None:
    if day is None:
        return
    try:
        if date.fromisoformat(day).isoformat() == day:
            return
    except ValueError:
        pass
    raise StoreError(f"{name} {day!r} is no day: write one such as 2026-01-31")


def _asked(run: "RunInfo") -> Iterator[Any]:
    """What a run asked for, part by part.

    The identity of a study does not say it. Where all its games were kept before, they were played in other runs: then only
    its questions tell whom it asked for, and they are made last, as studies take seconds to load.
    """
    yield run.identity
    if run.kind == "study":
        yield from questions_of(run)


def _agents(asked: Any) -> Iterator[str]:
    """The agents in what a run asked for, as texts."""
    for value in _values(asked):
        if isinstance(value, AgentSpec):
            yield str(value)
        elif _is_agent(value):
            yield str(AgentSpec(**value))
        elif isinstance(value, str):
            yield value


def _is_agent(value: Any) -> bool:
    """Whether a JSON value is an agent."""
    return isinstance(value, Mapping) and set(value) == set(AgentSpec.model_fields)


def _games(asked: Any) -> Iterator[Rules]:
    """The games in what a run asked for; fields that came later are left out at their default."""
    needed = {name for name, field in Rules.model_fields.items() if field.is_required()}
    for value in _values(asked):
        if isinstance(value, Rules):
            yield value
        elif isinstance(value, Mapping) and needed <= set(value) <= set(Rules.model_fields):
            try:
                yield Rules(**value)
            except NoughtsError:  # of another version of noughts
                continue


def _values(asked: Any) -> Iterator[Any]:
    """Everything within a question or a JSON value, and it itself; agents and games are whole."""
    yield asked
    if isinstance(asked, AgentSpec | Rules) or _is_agent(asked):
        return
    fields = vars(asked) if isinstance(asked, Value) else asked
    inner = fields.values() if isinstance(fields, Mapping) else fields if isinstance(fields, list | tuple) else ()
    for value in inner:
        yield from _values(value)
