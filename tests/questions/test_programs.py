"""Programs in matches, walks and scores: who plays badly loses its own games alone, and nothing is left behind."""

import os

import pytest

from noughts.agents import parse_agent
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.judged import Judged
from noughts.questions.played import Playthrough
from noughts.questions.tournament import round_robin
from noughts.questions.walked import Walked
from noughts.rules import parse_task
from noughts.store.records import GameRecord
from tests.agents.programs import REASONS, left_over, program

pytestmark = [
    pytest.mark.usefixtures("own_store"),
    pytest.mark.skipif(os.name != "posix", reason="programs are kept within limits on Unix alone"),
]


def played(texts: list[str], rules: str, workers: int) -> dict[Playthrough, GameRecord]:
    """Every game of a tournament, two of each pair."""
    agents = [parse_agent(text) for text in texts]
    games = [unit for match in round_robin(parse_task(rules), agents, 1, seed=3) for unit in match.needs()]
    answers = Answers()
    for _ in carry_out(games, answers, workers):
        pass
    found = {game: record for game in games if (record := answers[game]) is not None}
    assert len(found) == len(games)
    return found


@pytest.mark.heavy
def test_who_plays_badly_loses_its_own_games_alone() -> None:
    token = "token-match"
    honest, bad = program("process", "honest", token), parse_agent(program("process", "crashes", token, "seconds=5"))
    alone = played([honest, "random"], "bttt(D4)", 0)
    together = played([honest, str(bad), "random"], "bttt(D4)", 0)
    for game, record in together.items():
        if bad in (game.first, game.second):
            assert record.ending == "error", record
            assert REASONS["crashes"] in record.error
            assert "\n" not in record.error
            assert record.culprit == ("first" if game.first == bad else "second")
    assert {game: together[game].moves for game in alone} == {game: record.moves for game, record in alone.items()}
    assert left_over(token) == []


@pytest.mark.heavy
def test_programs_are_walked_and_judged() -> None:
    token = "token-walk"
    text = program("process", "honest", token)
    walked = Walked(task=parse_task("tic-tac-toe"), agent=parse_agent(text), side="first")
    judged = Judged(task=parse_task("tic-tac-toe"), named=(parse_agent(text),), all_up_to=0, per_ply=2, plies=(2, 4))
    ours = Walked(task=parse_task("tic-tac-toe"), agent=parse_agent("python:tests.agents.players:First"), side="first")
    answers = Answers()
    for _ in carry_out([walked, judged, ours], answers, 0):
        pass
    assert not answers.problems
    (game,), (same,) = answers[walked].games, answers[ours].games
    assert game.result.lost_game is not None
    assert game.result.lost_game == same.result.lost_game
    (tallies,) = answers[judged].games
    assert tallies.total.positions == 6
    assert tallies.total.errors == 0
    assert left_over(token) == []
