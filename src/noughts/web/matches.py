"""`Matches`: small matches between two agents, started from the page, kept in the results database like any other."""

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from noughts.machine import Event, Ticket
from noughts.play.match import MatchPlan, MatchResult, Score, make_match, match_games, match_result
from noughts.questions.session import agents_code
from noughts.rules import NoughtsError, StoreError, format_game, parse_rules
from noughts.store.records import GameRecord
from noughts.store.results import Run, Store
from noughts.web.answers import MatchAnswer
from noughts.web.engine import Engine, start
from noughts.web.errors import Refused
from noughts.web.limits import Limits

_MATCH_SECONDS = 6 * 3600.0


@dataclass
class _AtWork:
    """A match on its way."""

    run: Run
    plan: MatchPlan
    ticket: Ticket | None = None
    error: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Matches:
    """The matches of a store, and those at work."""

    def __init__(self, engine: Engine, store: Store, limits: Limits) -> None:
        self._engine, self._store, self._limits = engine, store, limits
        self._at_work: dict[str, _AtWork] = {}
        self._failed: dict[str, str] = {}
        self._lock = threading.Lock()

    def start(self, plan: MatchPlan) -> str:
        """Begin a match, or go on with an equal one that was stopped; gives its id. Refused if too many are at work."""
        plan = make_match(plan)
        with self._lock:
            if len(self._at_work) >= self._limits.matches:
                raise Refused(
                    429, f"{self._limits.matches} matches are at work: wait for one of them, or stop it", retry=5
                )
            identity = plan.model_dump(mode="json") | {"agents_code": agents_code((plan.a, plan.b))}
            run = self._store.begin("match", plan.name, identity, plan.seed)
            match = self._at_work[run.id] = _AtWork(run, plan)
            self._failed.pop(run.id, None)
        try:
            done = run.done_keys()
            left = [game.to_json() for game in match_games(plan) if game.key not in done]
            argument = {"games": left}
            match.ticket = start(
                self._engine.matches, "match", argument, lambda event: self._hear(match, event), _MATCH_SECONDS
            )
        except BaseException:
            self._end(match)
            raise
        return run.id

    def stop(self, match_id: str) -> None:
        """Stop a match; what was played is kept. NoughtsError if there is none."""
        with self._lock:
            match = self._at_work.get(match_id)
        if match is None:
            self._info(match_id)
        elif match.ticket is not None:
            match.ticket.stop()

    def show(self, match_id: str) -> MatchAnswer:
        """How a match stands; Refused if there is none."""
        with self._lock:
            match = self._at_work.get(match_id)
        info = self._info(match_id)
        fields = {name: value for name, value in info.identity.items() if name in MatchPlan.model_fields}
        plan = MatchPlan(**fields)
        records = list(self._store.games_of(match_id))
        error = self._failed.get(match_id, "")
        state = "running" if match else "finished" if info.status == "finished" else "failed" if error else "stopped"
        return MatchAnswer.model_validate(
            {
                "id": match_id,
                "state": state,
                "done": len(records),
                "total": plan.games,
                "rules": plan.rules,
                "first": plan.a,
                "second": plan.b,
                "error": error,
                "table": _table(match_result(plan, records)),
                "records": [_show(record) for record in records],
            }
        )

    def close(self) -> None:
        """Let go of all of them."""
        with self._lock:
            waiting = list(self._at_work.values())
        for match in waiting:
            if match.ticket is not None:
                match.ticket.stop()
            self._end(match)

    def _info(self, match_id: str) -> Any:
        try:
            info = self._store.run(match_id)
        except StoreError:
            raise Refused(404, f"there is no match {match_id!r}") from None
        if info.kind != "match":
            raise Refused(404, f"there is no match {match_id!r}")
        return info

    def _hear(self, match: _AtWork, event: Event) -> None:
        """From the crew's thread: keep a game, or see to the end."""
        with match.lock:
            if match.run.id not in self._at_work:
                return
            try:
                if not event.is_end:
                    match.run.add([GameRecord.from_json(event.text)])
                    return
                records = list(match.run.games())
                if len(records) >= match.plan.games:
                    match.run.finish(match_result(match.plan, records).to_json())
                elif event.kind not in ("done", "stopped"):
                    match.error = event.text or event.kind
            except NoughtsError as error:
                match.error = str(error)
                if not event.is_end:
                    if match.ticket is not None:
                        match.ticket.stop()
                    return
        self._end(match)

    def _end(self, match: _AtWork) -> None:
        with self._lock:
            self._at_work.pop(match.run.id, None)
            if match.error:
                self._failed[match.run.id] = match.error
        with suppress(StoreError, OSError):
            match.run.close()


def _table(result: MatchResult) -> list[dict[str, Any]]:
    """The rows of a match's table, from the point of view of the first agent named."""
    parts: list[tuple[str, Score]] = [
        ("moving first", result.a_first),
        ("moving second", result.a_second),
        ("in all", result.total),
    ]
    rows = []
    for label, score in parts:
        share = score.win_interval
        rows.append(
            {
                "label": label,
                "agent": result.a,
                "games": score.games,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "errors": score.errors,
                "share": share.share if score.games else None,
                "low": share.low if score.games else None,
                "high": share.high if score.games else None,
            }
        )
    return [row for row in rows if row["games"] or row["errors"]]


def _show(record: GameRecord) -> dict[str, Any]:
    return {
        "first": record.first,
        "second": record.second,
        "ending": record.ending,
        "error": record.error,
        "text": format_game(parse_rules(record.rules), record.moves),
    }
