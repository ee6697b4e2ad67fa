"""Matches on the page: the same questions as anywhere else, answered once, by commands that can be stopped."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from noughts.agents import parse_agent
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import MatchResult, Played
from noughts.rules import parse_task
from noughts.store.results import Store
from noughts.web.answers import MatchAnswer
from noughts.web.commands import Commands, _Command
from noughts.web.errors import Refused
from noughts.web.limits import Limits
from noughts.web.matches import Matches


class Use:
    """The matches of a store, and the commands that play them."""

    def __init__(self, store: Store, most: int) -> None:
        limits = Limits(matches=most)
        self.store, self.commands = store, Commands(store.folder, limits)
        self.matches = Matches(store, limits, self.commands, workers=1)

    async def end_of(self, id: str) -> MatchAnswer:
        """How a match stands when it is no longer at work."""
        deadline = time.monotonic() + 240
        while (found := self.matches.show(id)).state == "running":
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        return found


def run(
    place: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Use], Coroutine[Any, Any, None]], most: int = 1
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(place))

    async def whole() -> None:
        with Store.open(str(place)) as store:
            use = Use(store, most)
            try:
                await check(use)
            finally:
                await use.commands.close()

    asyncio.run(whole())


async def work(command: _Command) -> None:
    """In the place of a process: goes on until it is stopped."""
    while not command.stopping:
        await asyncio.sleep(0.01)
    command.keep(state="stopped")


def match(task: str = "tic-tac-toe", a: str = "random", b: str = "minimax:depth=1", games: int = 6) -> Played:
    return Played(task=parse_task(task), a=parse_agent(a), b=parse_agent(b), games=games, moves_first="turns", seed=3)


ENDLESS = match("bttt(D4)", "minimax:depth=40", "minimax:depth=40")
"""Not one move of it is made while a test lasts."""


@pytest.mark.heavy
def test_a_match_on_every_square_is_told_square_by_square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        played = match("mnk(3,3,2,bricks=*)", games=36)
        id = await use.matches.start(played)
        found = await use.end_of(id)
        assert (found.state, found.done, found.total) == ("finished", 36, 36)
        assert [game.square for game in found.by_game] == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]
        for game in found.by_game:
            assert game.rules == f"mnk(3,3,2,bricks={game.square})"
            assert (game.games, game.errors) == (4, 0)
            assert (game.lost is not None) == (game.losses > 0)
            assert game.lost is None or game.lost in {record.text for record in found.records}
            assert game.share == game.wins / 4
        whole = found.table[-1]
        assert sum(game.wins for game in found.by_game) == whole.wins
        assert sum(game.losses for game in found.by_game) == whole.losses > 0
        assert await use.matches.start(played) == id  # it is finished: nothing is begun
        assert use.commands.all() == []  # matches are listed elsewhere

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_what_was_asked_elsewhere_is_found_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        played = match()
        with use.store.begin("study", "of another kind", {}, 0) as elsewhere:
            answers = Answers(elsewhere)
            list(carry_out([played], answers, 0))
        found = await use.end_of(await use.matches.start(played))
        assert (found.state, found.error, found.done) == ("finished", "", 6)
        assert [record.text.split()[1:] for record in found.records] == [
            [parse_task("tic-tac-toe").rules[0].name_of(move) for move in record.moves]
            for record in played.records(answers)
        ]

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_games_that_differ_in_more_than_a_brick_have_no_square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        found = await use.end_of(await use.matches.start(match("mnk(3,3,3,line=wins|loses)", games=4)))
        assert [(game.rules, game.square, game.games) for game in found.by_game] == [
            ("tic-tac-toe", None, 2),
            ("misere-tic-tac-toe", None, 2),
        ]

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_a_match_is_stopped_in_the_middle_of_a_move_and_too_many_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(use: Use) -> None:
        def children() -> list[psutil.Process]:
            return [each for each in psutil.Process().children(recursive=True) if each not in before]

        before = psutil.Process().children(recursive=True)  # of other tests
        id = await use.matches.start(ENDLESS)
        assert await use.matches.start(ENDLESS) == id
        with pytest.raises(Refused, match="1 matches are at work") as refused:
            await use.matches.start(match())
        assert refused.value.status == 429
        deadline = time.monotonic() + 120
        while len(children()) < 2:  # the command, and its worker
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        assert use.matches.show(id).state == "running"
        begun = children()
        await use.matches.stop(id)
        assert use.matches.show(id).state == "stopped"
        assert not psutil.wait_procs(begun, timeout=5)[1]
        assert await use.matches.start(ENDLESS) == id

    run(tmp_path, monkeypatch, check)


def test_a_match_that_fails_shows_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(command: _Command) -> None:
        command._log.write_text("error: the disk is full\n")
        command.keep(state="failed")

    monkeypatch.setattr(_Command, "run", fail)

    async def check(use: Use) -> None:
        failed = await use.end_of(await use.matches.start(match()))
        assert (failed.state, failed.error, failed.done) == ("failed", "the disk is full", 0)

    run(tmp_path, monkeypatch, check)


def test_matches_are_stopped_by_visitors_who_want_them_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Command, "run", work)

    async def check(use: Use) -> None:
        matches, played = use.matches, match()
        id = await matches.start(played, "mia")
        with pytest.raises(Refused, match="another visitor"):
            await matches.stop(id, "ben")
        with pytest.raises(Refused, match="a match of yours is at work"):
            await matches.start(match(games=2), "mia")
        assert await matches.start(played, "ben") == id  # the same, for both
        await matches.stop(id, "mia")
        assert matches.show(id).state == "running"
        await matches.stop(id, "ben")
        assert matches.show(id).state == "stopped"
        assert await matches.start(played, "mia") == id
        await matches.stop(id)  # the owner may

    run(tmp_path, monkeypatch, check, most=2)


def test_what_a_finished_match_found_stays_when_its_games_are_no_longer_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = MatchResult(a="random", b="minimax:depth=1", a_first=Score(wins=1, losses=5), distinct=6)

    async def check(use: Use) -> None:
        with use.store.begin("match", "old", {"question": match().model_dump(mode="json")}, 3) as kept:
            kept.finish(result.to_json())
        found = use.matches.show(kept.id)
        assert (found.state, found.done, found.records) == ("finished", 6, [])
        assert (found.table[-1].wins, found.table[-1].losses) == (1, 5)

    run(tmp_path, monkeypatch, check)


def test_a_match_of_another_version_is_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        with use.store.begin("match", "old", {"rules": "tic-tac-toe"}, 3) as kept:
            pass
        with pytest.raises(Refused, match="another version of noughts: start it again") as refused:
            use.matches.show(kept.id)
        assert refused.value.status == 404

    run(tmp_path, monkeypatch, check)
