"""`Matches`: small matches between two agents, started from the page: the same questions that `noughts match` asks.

Each is carried out in a thread of its own, by worker processes of its own; its games are kept as they come.
"""

import json
import threading
from collections.abc import Callable
from typing import Any, Literal

from noughts.library.asking import executor_at
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.codes import codes_from_outside
from noughts.questions.played import MatchResult, Played
from noughts.rules import NoughtsError, Rules, StoreError, format_game, format_rules, format_task, parse_rules
from noughts.rules.errors import one_line
from noughts.rules.task import brick_squares
from noughts.statistics import Interval
from noughts.store.records import GameRecord
from noughts.store.results import Run, RunInfo, Store
from noughts.web.answers import MatchAnswer, MatchByGame, MatchRecord, MatchRow
from noughts.web.errors import Refused
from noughts.web.limits import Limits

_STOP_SECONDS = 10.0  # for the workers of a stopped match to be gone; it takes a tenth of a second


class _MatchStopped(Exception):  # noqa: N818 - it reports what happened
    """Somebody wants no more of a match."""


class _AtWork:
    """A match on its way, in a thread of its own.

    Attributes:
        run: Where its games are kept.
        played: The question.
        answers: What is known by now.
        stopping: Set when nobody wants more of it.
        wanted_by: The keepers of those who started it, see `Visitor`.
        error: What went wrong with the match as a whole; empty while nothing did.
    """

    def __init__(self, run: Run, played: Played, workers: int, ended: Callable[["_AtWork"], None]) -> None:
        self.run, self.played = run, played
        self.answers = Answers(run)
        self.stopping = threading.Event()
        self.wanted_by: set[str] = set()
        self.error = ""
        self._workers, self._ended = workers, ended
        self._thread = threading.Thread(target=self._play, name="noughts-match", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop it, and wait until its workers are gone."""
        self.stopping.set()
        self._thread.join(_STOP_SECONDS)

    def _play(self) -> None:
        """Play what is not played yet."""
        try:
            executor = executor_at(self._workers, None)
            with self.run:
                for _ in carry_out([self.played], self.answers, executor, check=self._check):
                    pass
                self.run.finish(_result(self.played, self.answers).to_json())
        except _MatchStopped:
            pass
        except NoughtsError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, those who watch the match are told
            self.error = one_line(error)
        finally:
            self._ended(self)

    def _check(self) -> None:
        if self.stopping.is_set():
            raise _MatchStopped


class Matches:
    """The matches of a store, and those at work."""

    def __init__(self, store: Store, limits: Limits, workers: int) -> None:
        """Nothing is at work yet.

        Args:
            store: Where they are kept.
            limits: How many may be at work at once.
            workers: Processes that each may have, 1 or more; cores, if matches are played on a cluster (`NOUGHTS_ON`).
        """
        self._store, self._limits, self._workers = store, limits, workers
        self._at_work: dict[str, _AtWork] = {}
        self._failed: dict[str, str] = {}
        self._lock = threading.Lock()

    def start(self, played: Played, keeper: str = "") -> str:
        """Begin a match, or go on with an equal one; gives its id. What was played of it before is not played again.

        Args:
            played: The question.
            keeper: Who wants it; empty for the owner. Others have one at a time.

        Raises:
            Refused: too many are at work.
        """
        with self._lock:
            for id, match in self._at_work.items():
                if match.played == played and not match.stopping.is_set():
                    match.wanted_by.add(keeper)
                    return id
            if keeper and any(keeper in match.wanted_by for match in self._at_work.values()):
                raise Refused(429, "a match of yours is at work: wait for it, or stop it", retry=5)
            if len(self._at_work) >= self._limits.matches:
                raise Refused(
                    429, f"{self._limits.matches} matches are at work: wait for one of them, or stop it", retry=5
                )
            identity = {"question": played.model_dump(mode="json")}
            run = self._store.begin(
                "match", f"{played.a} - {played.b}", identity, played.seed, codes_from_outside([played])
            )
            self._failed.pop(run.id, None)
            match = self._at_work[run.id] = _AtWork(run, played, self._workers, self._end)
            match.wanted_by.add(keeper)
            match.start()
        return run.id

    def stop(self, match_id: str, keeper: str = "") -> None:
        """Stop a match, unless somebody else wants it as well, and wait until it has ended; what was played is kept.

        Args:
            match_id: Of the match.
            keeper: Who wants no more of it; empty for the owner, who may stop all.

        Raises:
            Refused: there is none, or it is another's.
        """
        with self._lock:
            match = self._at_work.get(match_id)
            if match is not None and keeper:
                if keeper not in match.wanted_by:
                    raise Refused(403, "this match was started by somebody else")
                match.wanted_by.remove(keeper)
                if match.wanted_by:
                    return
        if match is None:
            self._info(match_id)
        else:
            match.stop()

    def show(self, match_id: str) -> MatchAnswer:
        """How a match stands; Refused if there is none."""
        with self._lock:
            match, error = self._at_work.get(match_id), self._failed.get(match_id, "")
        if match is not None:
            return _show(match_id, "running", match.played, match.answers)
        info = self._info(match_id)
        played, answers = _question(info), Answers(self._store.kept_by(match_id))
        answers.look_up(played.units())
        if info.result is not None:  # what it found stays, though games that other code played count no more
            return _show(match_id, "finished", played, answers, MatchResult.from_json(info.result))
        return _show(match_id, "failed" if error else "stopped", played, answers, error=error)

    def close(self) -> None:
        """Stop all of them."""
        with self._lock:
            at_work = list(self._at_work.values())
        for match in at_work:
            match.stopping.set()
        for match in at_work:
            match.stop()

    def _info(self, match_id: str) -> RunInfo:
        try:
            info = self._store.run(match_id)
        except StoreError:
            raise Refused(404, f"there is no match {match_id!r}") from None
        if info.kind != "match":
            raise Refused(404, f"there is no match {match_id!r}")
        return info

    def _end(self, match: _AtWork) -> None:
        """From its thread, at its end."""
        with self._lock:
            del self._at_work[match.run.id]
            if match.error:
                self._failed[match.run.id] = match.error


def _question(info: RunInfo) -> Played:
    try:
        return Played.from_json(json.dumps(info.identity.get("question")))
    except NoughtsError:
        raise Refused(404, f"match {info.id!r} was kept by another version of noughts: start it again") from None


def _result(played: Played, answers: Answers) -> MatchResult:
    """How it stands. Not ``answers[played]``, which may be kept, and is asked here while answers come."""
    return played.gather([answers[unit] for unit in played.units()])


def _show(
    match_id: str,
    state: Literal["running", "finished", "stopped", "failed"],
    played: Played,
    answers: Answers,
    result: MatchResult | None = None,
    error: str = "",
) -> MatchAnswer:
    result = result or _result(played, answers)
    parts = (
        ("moving first", result.a_first, result.win_interval_first),
        ("moving second", result.a_second, result.win_interval_second),
        ("in all", result.total, result.win_interval),
    )
    squares = brick_squares(played.task)
    return MatchAnswer(
        id=match_id,
        state=state,
        done=result.total.games + result.total.errors,
        total=played.games,
        rules=format_task(played.task),
        first=result.a,
        second=result.b,
        error=error,
        table=[
            MatchRow(label=label, agent=result.a, **_show_score(score, won))
            for label, score, won in parts
            if score.games or score.errors
        ],
        by_game=[
            MatchByGame(
                rules=format_rules(game.rules),
                square=None if game.rules not in squares else game.rules.name_of(squares[game.rules]),
                lost=_show_lost(played, answers, game.rules),
                **_show_score(game.score, game.win_interval),
            )
            for game in result.by_game
        ],
        records=[_show_record(record) for record in played.records(answers)],
    )


def _show_score(score: Score, won: Interval) -> dict[str, Any]:
    share = won if score.games else None
    return score.model_dump() | {
        "games": score.games,
        "share": share and share.share,
        "low": share and share.low,
        "high": share and share.high,
    }


def _show_lost(played: Played, answers: Answers, rules: Rules) -> str | None:
    lost = played.lost(answers, rules)
    return None if lost is None else format_game(rules, lost.moves)


def _show_record(record: GameRecord) -> MatchRecord:
    return MatchRecord(
        first=record.first,
        second=record.second,
        ending=record.ending,
        error=record.error,
        text=format_game(parse_rules(record.rules), record.moves),
    )
