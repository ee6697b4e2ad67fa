"""`Matches`: small matches between two agents, started from the page: the same questions that `noughts match` asks.

Each is that command (`commands`), which keeps its games in a run of the store as they come; from there they are read.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Literal

from starlette.concurrency import run_in_threadpool

from noughts.library.asking import find_finished
from noughts.library.games import match_name
from noughts.play.score import Score
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.played import MatchResult, Played
from noughts.rules import NoughtsError, Rules, StoreError, format_game, format_rules, format_task, parse_rules
from noughts.rules.task import brick_squares
from noughts.statistics import Interval
from noughts.store.records import GameRecord
from noughts.store.results import RunInfo, Store
from noughts.web.answers import MatchAnswer, MatchByGame, MatchRecord, MatchRow
from noughts.web.commands import Commands
from noughts.web.errors import Refused
from noughts.web.limits import Limits

_LOOK_EVERY = 0.05  # seconds


@dataclass
class _Started:
    """A match that was started, and the keepers of those who did, see `Visitor`."""

    played: Played
    keepers: set[str]


class Matches:
    """The matches of a store, and those at work, each as the command `noughts match`."""

    def __init__(self, store: Store, limits: Limits, commands: Commands, workers: int) -> None:
        """Nothing is at work yet.

        Args:
            store: Where they are kept.
            limits: How many may be at work at once.
            commands: Runs them.
            workers: Processes that each may have, 1 or more; cores, if matches are played on a cluster (`NOUGHTS_ON`).
        """
        self._store, self._limits, self._commands, self._workers = store, limits, commands, workers
        self._started: dict[str, _Started] = {}  # by the ids of runs
        self._starting = asyncio.Lock()

    async def start(self, played: Played, keeper: str = "") -> str:
        """Begin a match, or go on with an equal one; gives its id. What was played of it before is not played again.

        Args:
            played: The question.
            keeper: Who wants it; empty for the owner. Others have one at a time.

        Raises:
            Refused: too many are at work.
        """
        async with self._starting:
            at_work = {id: match for id, match in self._started.items() if self._is_at_work(id)}
            self._started = at_work
            for id, match in at_work.items():
                if match.played == played:
                    match.keepers.add(keeper)
                    return id
            if keeper and any(keeper in match.keepers for match in at_work.values()):
                raise Refused(429, "a match of yours is at work: wait for it, or stop it", retry=5)
            most = self._limits.matches
            if len(at_work) >= most:
                raise Refused(429, f"{most} matches are at work: wait for one of them, or stop it", retry=5)
            match_id, is_finished = await run_in_threadpool(self._run_of, played)
            if not is_finished:
                self._commands.start(self._words(played), match_id)
                self._started[match_id] = _Started(played, {keeper})
            return match_id

    async def stop(self, match_id: str, keeper: str = "") -> None:
        """Stop a match, unless another visitor wants it as well, and wait until it has ended; what was played is kept.

        Args:
            match_id: Of the match.
            keeper: Who wants no more of it; empty for the owner, who may stop all.

        Raises:
            Refused: there is none, or it is another's.
        """
        command = self._commands.latest_of(match_id)
        if command is None or not self._is_at_work(match_id):
            self._info(match_id)
            return
        if keeper:
            keepers = self._started[match_id].keepers
            if keeper not in keepers:
                raise Refused(403, "this match was started by another visitor")
            keepers.remove(keeper)
            if keepers:
                return
        self._commands.stop(command.id)
        while self._is_at_work(match_id):
            await asyncio.sleep(_LOOK_EVERY)

    def show(self, match_id: str) -> MatchAnswer:
        """How a match stands; Refused if there is none."""
        command, info = self._commands.latest_of(match_id), self._info(match_id)
        played, answers = _question(info), Answers(self._store.kept_by(match_id))
        answers.look_up(played.needs())
        if info.result is not None:  # what it found stays, though games that other code played count no more
            return _show(match_id, "finished", played, answers, MatchResult.from_json(info.result))
        if command is None or command.state in ("stopped", "finished"):
            return _show(match_id, "stopped", played, answers)
        if command.state == "failed":
            return _show(match_id, "failed", played, answers, error=command.last.removeprefix("error: "))
        return _show(match_id, "running", played, answers)

    def _run_of(self, played: Played) -> tuple[str, bool]:
        """The store's run of a match, and whether it is finished; one that is not is left for the command to go on with."""
        name = match_name(played)
        found = find_finished([played], self._store, "match", name, played.seed)
        if found is not None:
            return found[0].id, True
        identity = {"question": played.model_dump(mode="json")}
        with self._store.begin("match", name, identity, played.seed, versions_outside([played])) as run:
            return run.id, False

    def _is_at_work(self, match_id: str) -> bool:
        command = self._commands.latest_of(match_id)
        return command is not None and command.state in ("waiting", "running")

    def _words(self, played: Played) -> list[str]:
        """The command that plays it."""
        words = [
            "match",
            str(played.a),
            str(played.b),
            "--rules",
            format_task(played.task),
            "--games",
            str(played.games),
        ]
        words += ["--fixed" if played.moves_first == "a" else "--swapped", "--seed", str(played.seed)]
        return [*words, "--workers", str(self._workers)]

    def _info(self, match_id: str) -> RunInfo:
        try:
            info = self._store.run(match_id)
        except StoreError:
            raise Refused(404, f"there is no match {match_id!r}") from None
        if info.kind != "match":
            raise Refused(404, f"there is no match {match_id!r}")
        return info


def _question(info: RunInfo) -> Played:
    try:
        return Played.from_json(json.dumps(info.identity.get("question")))
    except NoughtsError:
        raise Refused(404, f"match {info.id!r} was kept by another version of noughts: start it again") from None


def _show(
    match_id: str,
    state: Literal["running", "finished", "stopped", "failed"],
    played: Played,
    answers: Answers,
    result: MatchResult | None = None,
    error: str = "",
) -> MatchAnswer:
    result = result or answers[played]
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
