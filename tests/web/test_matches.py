"""Matches on the page: the same questions as anywhere else, answered once, in threads that can be stopped."""

import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.agents import parse_agent
from noughts.machine.executor import LocalWorkers
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import MatchResult, Played
from noughts.rules import StoreError, parse_task
from noughts.store.results import Run, Store
from noughts.web.answers import MatchAnswer
from noughts.web.errors import Refused
from noughts.web.limits import Limits
from noughts.web.matches import Matches


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path)) as found:
        yield found


@pytest.fixture
def matches(store: Store) -> Iterator[Matches]:
    found = Matches(store, Limits(matches=1), workers=1)
    yield found
    found.close()


def match(task: str = "tic-tac-toe", a: str = "random", b: str = "minimax:depth=1", games: int = 6) -> Played:
    return Played(task=parse_task(task), a=parse_agent(a), b=parse_agent(b), games=games, moves_first="turns", seed=3)


ENDLESS = match("bttt(D4)", "minimax:depth=40", "minimax:depth=40")
"""Not one move of it is made while a test lasts."""


def end_of(matches: Matches, id: str) -> MatchAnswer:
    """How it stands when it is no longer at work."""
    deadline = time.monotonic() + 120
    while (found := matches.show(id)).state == "running":
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


@pytest.mark.heavy
def test_a_match_on_every_square_is_told_square_by_square(matches: Matches) -> None:
    played = match("mnk(3,3,2,bricks=*)", games=36)
    found = end_of(matches, matches.start(played))
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


def test_games_that_differ_in_more_than_a_brick_have_no_square(matches: Matches) -> None:
    found = end_of(matches, matches.start(match("mnk(3,3,3,line=wins|loses)", games=4)))
    assert [(game.rules, game.square, game.games) for game in found.by_game] == [
        ("tic-tac-toe", None, 2),
        ("misere-tic-tac-toe", None, 2),
    ]


def test_what_was_asked_elsewhere_is_found_answered(
    matches: Matches, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = match()
    with store.begin("study", "of another kind", {}, 0) as run:
        elsewhere = Answers(run)
        list(carry_out([played], elsewhere, 0))

    def nobody(*_: object) -> None:
        raise AssertionError("nothing is left to be played")

    monkeypatch.setattr(LocalWorkers, "run", nobody)
    first = end_of(matches, matches.start(played))
    again = end_of(matches, matches.start(played))
    assert (first.state, first.error, first.done) == ("finished", "", 6)
    assert first.table == again.table
    assert first.records == again.records
    assert [record.text.split()[1:] for record in first.records] == [
        [parse_task("tic-tac-toe").rules[0].name_of(move) for move in record.moves]
        for record in played.records(elsewhere)
    ]


def test_a_match_is_stopped_in_the_middle_of_a_move(matches: Matches) -> None:
    others = set(multiprocessing.active_children())
    id = matches.start(ENDLESS)
    deadline = time.monotonic() + 60
    while not set(multiprocessing.active_children()) - others:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert matches.show(id).state == "running"
    matches.stop(id)
    assert matches.show(id).state == "stopped"
    assert set(multiprocessing.active_children()) <= others
    assert matches.start(ENDLESS) == id


@pytest.mark.heavy
def test_an_equal_match_is_the_same_and_too_many_are_refused(matches: Matches) -> None:
    id = matches.start(ENDLESS)
    assert matches.start(ENDLESS) == id
    with pytest.raises(Refused, match="1 matches are at work") as refused:
        matches.start(match())
    assert refused.value.status == 429
    matches.stop(id)
    assert end_of(matches, matches.start(match())).state == "finished"


@pytest.mark.heavy
def test_a_match_that_cannot_be_kept_has_failed_and_can_be_gone_on_with(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Run, "keep", full)
        id = matches.start(match())
        failed = end_of(matches, id)
    assert (failed.state, failed.error, failed.done) == ("failed", "the disk is full", 0)
    assert matches.start(match()) == id
    assert end_of(matches, id).state == "finished"


def test_what_a_finished_match_found_stays_when_its_games_are_no_longer_known(matches: Matches, store: Store) -> None:
    result = MatchResult(a="random", b="minimax:depth=1", a_first=Score(wins=1, losses=5), distinct=6)
    with store.begin("match", "old", {"question": match().model_dump(mode="json")}, 3) as run:
        run.finish(result.to_json())
    found = matches.show(run.id)
    assert (found.state, found.done, found.records) == ("finished", 6, [])
    assert (found.table[-1].wins, found.table[-1].losses) == (1, 5)


def test_a_match_of_another_version_is_refused_in_a_line(matches: Matches, store: Store) -> None:
    with store.begin("match", "old", {"rules": "tic-tac-toe"}, 3) as run:
        pass
    with pytest.raises(Refused, match="another version of noughts: start it again") as refused:
        matches.show(run.id)
    assert refused.value.status == 404
