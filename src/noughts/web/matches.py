"""Routes for small matches between two agents: the same questions that `noughts match` asks.

Each is that command (`commands`), which keeps its games in a run of the store as they come; from there they are read.
"""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from noughts.library.asking import find_finished
from noughts.library.games import match_name
from noughts.play.score import Score
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.played import MatchResult, Played
from noughts.rules import NoughtsError, StoreError, format_game, format_rules, format_task, parse_rules
from noughts.rules.task import brick_squares
from noughts.statistics import Interval
from noughts.store.records import Ending, GameRecord
from noughts.store.results import RunInfo, Store
from noughts.web.asked import Asked, Seed, asked_with_example
from noughts.web.commands import MOST_MATCHES
from noughts.web.errors import Refused, documented
from noughts.web.reading import AgentText, TaskText
from noughts.web.services import GameId, Shared, visitor_of

router = APIRouter(prefix="/api/matches")
Id = Annotated[str, Path(max_length=64)]
State = Literal["running", "finished", "stopped", "failed"]


class MatchRequest(Asked):
    """Two agents and how many games."""

    model_config = asked_with_example(rules="tic-tac-toe", first="minimax:depth=2", second="random", games=2)

    rules: TaskText = Field(description="A game, or a task: several games of one size, such as `bttt(*)`.")
    first: AgentText
    second: AgentText
    games: int = Field(10, ge=1, le=200)
    seed: Seed = 0
    swap: bool = Field(False, description="Whether the agents take turns at moving first.")


class ScoreAnswer(BaseModel):
    """Games counted from the point of view of the first agent named."""

    games: int = Field(description="Games that were won, drawn or lost.")
    wins: int
    draws: int
    losses: int
    errors: int = Field(description="Games that were broken off.")
    share: float | None = Field(description="Of wins among the games; None if there are none.")
    low: float | None = Field(description="Lower end of its 95% interval.")
    high: float | None


class MatchRow(ScoreAnswer):
    """A row of a match's table."""

    label: str
    agent: str


class MatchByGame(ScoreAnswer):
    """How one game of the task was played."""

    rules: str
    square: str | None = Field(description="The brick's, where the games differ in the place of one brick alone.")
    lost: str | None = Field(
        description="The first that the first agent lost, as rules and moves; None if there is none."
    )


class MatchRecord(BaseModel):
    """A game as it was played."""

    first: str
    second: str
    ending: Ending
    error: str
    text: str = Field(description="Rules and moves in one text.")


class MatchAnswer(BaseModel):
    """How a match stands."""

    id: str
    state: State
    done: int
    total: int
    rules: str = Field(description="The task's text.")
    first: str
    second: str
    error: str
    table: list[MatchRow]
    by_game: list[MatchByGame] = Field(description="Those of which something was played, in the order of the task.")
    records: list[MatchRecord]


@router.post("", responses=documented(400, 413, 415, 422, 429, 503))
async def start_match(asked: MatchRequest, request: Request, shared: Shared) -> GameId:
    """Start a match; what was played of it before, here or by `noughts match`, is not played again."""
    played = Played(
        task=asked.rules,
        a=asked.first,
        b=asked.second,
        games=asked.games,
        moves_first="turns" if asked.swap else "a",
        seed=asked.seed,
    )
    words = _words(played, max(1, shared.engine.cores // MOST_MATCHES))
    async with shared.beginning_match:
        if (command := shared.commands.open_one(words)) is not None:
            return GameId(id=command.run)
        match_id, is_finished = await run_in_threadpool(_run_of, shared.store, played)
        if not is_finished:
            shared.commands.start(words, match_id, visitor_of(request).keeper)
    return GameId(id=match_id)


@router.get("/{id}", responses=documented(404, 422, 503))
def get_match(id: Id, shared: Shared) -> MatchAnswer:
    """How a match stands, with its games."""
    command, info = shared.commands.latest_of(id), _info(shared.store, id)
    try:
        played = Played.from_json(json.dumps(info.identity.get("question")))
    except NoughtsError:
        raise Refused(404, f"match {id!r} was kept by another version of noughts: start it again") from None
    answers = Answers(shared.store.kept_by(id))
    answers.look_up(played.units())
    if info.result is not None:  # what it found stays, though games that other code played count no more
        return _show(id, "finished", played, answers, MatchResult.from_json(info.result))
    # Not ``answers[played]``, which may be kept, and is asked here while answers come.
    found = played.gather([answers[unit] for unit in played.units()])
    if command is None or command.state in ("stopped", "finished"):
        return _show(id, "stopped", played, answers, found)
    if command.state == "failed":
        return _show(id, "failed", played, answers, found, command.last.removeprefix("error: "))
    return _show(id, "running", played, answers, found)


@router.delete("/{id}", responses=documented(403, 404, 422, 503))
async def stop_match(id: Id, request: Request, shared: Shared) -> GameId:
    """Stop a match of one's own, and wait until it has ended; what was played is kept."""
    command = shared.commands.latest_of(id)
    if command is None or command.state not in ("waiting", "running"):
        _info(shared.store, id)
    else:
        await shared.commands.stop(command.id, visitor_of(request).keeper, wait=True)
    return GameId(id=id)


def _run_of(store: Store, played: Played) -> tuple[str, bool]:
    """The store's run of a match, and whether it is finished; one that is not is left for the command to go on with."""
    name = match_name(played)
    found = find_finished([played], store, "match", name, played.seed)
    if found is not None:
        return found[0].id, True
    identity = {"question": played.model_dump(mode="json")}
    with store.begin("match", name, identity, played.seed, versions_outside([played])) as run:
        return run.id, False


def _words(played: Played, workers: int) -> list[str]:
    """The command that plays it."""
    words = ["match", str(played.a), str(played.b), "--rules", format_task(played.task), "--games", str(played.games)]
    words += ["--fixed" if played.moves_first == "a" else "--swapped", "--seed", str(played.seed)]
    return [*words, "--workers", str(workers)]


def _info(store: Store, match_id: str) -> RunInfo:
    try:
        info = store.run(match_id)
    except StoreError:
        info = None
    if info is None or info.kind != "match":
        raise Refused(404, f"there is no match {match_id!r}")
    return info


def _show(
    match_id: str, state: State, played: Played, answers: Answers, result: MatchResult, error: str = ""
) -> MatchAnswer:
    parts = (
        ("moving first", result.a_first, result.win_interval_first),
        ("moving second", result.a_second, result.win_interval_second),
        ("in all", result.total, result.win_interval),
    )
    squares = brick_squares(played.task)
    lost = {game.rules: played.lost(answers, game.rules) for game in result.by_game}
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
                lost=None if (record := lost[game.rules]) is None else format_game(game.rules, record.moves),
                **_show_score(game.score, game.win_interval),
            )
            for game in result.by_game
        ],
        records=[_show_record(record) for record in played.records(answers)],
    )


def _show_score(score: Score, won: Interval) -> dict[str, Any]:
    share = (
        {"share": won.share, "low": won.low, "high": won.high}
        if score.games
        else dict.fromkeys(("share", "low", "high"))
    )
    return score.model_dump() | {"games": score.games} | share


def _show_record(record: GameRecord) -> MatchRecord:
    return MatchRecord(
        first=record.first,
        second=record.second,
        ending=record.ending,
        error=record.error,
        text=format_game(parse_rules(record.rules), record.moves),
    )
