"""Answers of workers are checked, and third-party code only runs in their processes; programs are agents, too."""

import os
import sys
from typing import Any

import numpy as np
import pytest

from noughts.agents import parse_agent
from noughts.examine.every_reply import Piece
from noughts.examine.judge import Tally
from noughts.machine import Recorder
from noughts.questions.judged import Judged, PlyTally, Tallies
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.traits import Traits, require_agent
from noughts.questions.walked import Choices, Decided, Walked
from noughts.rules import AgentError, parse_rules, parse_task
from noughts.rules.errors import AgentFailedError
from tests.agents.programs import left_over, program
from tests.questions.asking import PLAYERS, asked, match

RANDOM, OUTSIDE = parse_agent("random"), parse_agent(PLAYERS + "First")
TASK = parse_task("tic-tac-toe")


@pytest.mark.parametrize(
    "moves", [(), ((1,),), ((1,), ()), ((4,), (4,)), ((1,), (9,)), ((1,), (-1,)), ((1,), (2,), (3,))]
)
def test_choices_must_be_free_cells_of_each_position(moves: tuple[tuple[int, ...], ...]) -> None:
    piece = Piece(parse_rules("tic-tac-toe"), np.array([[0, 3], [4, 8]], np.uint16))
    asked = Decided.of(piece, OUTSIDE, None)
    assert asked.checked(Choices(moves=((1, 2), (0,)))).moves == ((1, 2), (0,))
    with pytest.raises(AgentError, match="gave moves that are none"):
        asked.checked(Choices(moves=moves))


def test_agents_from_outside_are_judged_separately() -> None:
    judged = Judged(task=TASK, named=(RANDOM, OUTSIDE, parse_agent("mc")))
    assert [unit.named for unit in judged.needs()] == [(RANDOM, parse_agent("mc")), (OUTSIDE,)]
    given = [Tallies(agents=tuple((PlyTally(0, 1, True, Tally(positions=n)),) for n in ns)) for ns in ((1, 3), (2,))]
    assert [game.plies[0].positions for game in judged.answer(given, Recorder()).games] == [1, 2, 3]
    unit = judged.needs()[1]
    for wrong in (Tallies(agents=()), Tallies(agents=((PlyTally(10, 1, True, Tally()),),))):
        with pytest.raises(AgentError, match="no tallies for each agent"):
            unit.checked(wrong)


@pytest.mark.heavy
def test_the_code_of_an_agent_from_outside_is_not_loaded_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.questions.shy", raising=False)  # other tests may have loaded it
    shy = parse_agent("python:tests.questions.shy:Shy")
    assert require_agent(shy, 1) == Traits(shared=True, symmetric=True)
    questions: list[Question[Any]] = [
        Played(task=TASK, a=shy, b=RANDOM, games=4, moves_first="a"),
        Walked(task=TASK, agent=shy, side="first"),
        Judged(task=TASK, named=(shy,), all_up_to=0, per_ply=1),
    ]
    answers = asked(questions, workers=1, spread=True)
    assert not answers.problems
    assert all(answers[question] is not None for question in questions)
    assert "tests.questions.shy" not in sys.modules


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("agents.players:Nobody", AgentError, "tests.agents.players has no class 'Nobody'"),
        ("questions.hostile:CannotSayWhetherItIsShared", AgentFailedError, "to report whether it is shared"),
    ],
)
def test_an_agent_that_cannot_be_made_is_refused_in_one_line(text: str, kind: type[AgentError], message: str) -> None:
    for workers in (0, 1):
        with pytest.raises(AgentError, match=message) as caught:
            require_agent(parse_agent(f"python:tests.{text}"), workers)
        assert type(caught.value) is kind


@pytest.mark.parametrize("workers", [0, 1])
def test_games_an_agent_cannot_play_are_reported_before_any_game(workers: int) -> None:
    fussy = parse_agent("python:tests.questions.shy:Fussy")
    games = parse_task("tic-tac-toe").rules, parse_task("bttt(D3|D4)").rules
    assert require_agent(fussy, workers, games[0]).symmetric
    with pytest.raises(AgentError, match=r"shy:Fussy cannot play bttt\(D3\): it knows no bricks$"):
        require_agent(fussy, workers, games[1])
    assert require_agent(RANDOM, workers, games[1]).shared, "who says nothing can play all"


@pytest.mark.heavy
@pytest.mark.usefixtures("own_store")
@pytest.mark.skipif(os.name != "posix", reason="programs are kept within limits on Unix alone")
def test_programs_play_and_are_walked_and_judged() -> None:
    token = "token-walk"
    text = program("process", "honest", token)
    walked = Walked(task=TASK, agent=parse_agent(text), side="first")
    judged = Judged(task=TASK, named=(parse_agent(text),), all_up_to=0, per_ply=2, plies=(2, 4))
    ours = Walked(task=TASK, agent=OUTSIDE, side="first")
    played = match(text, games=2)
    answers = asked([walked, judged, ours, played])
    assert not answers.problems
    assert answers[played].total.games == 2
    (game,), (same,) = answers[walked].games, answers[ours].games
    assert game.result.lost_game is not None
    assert game.result.lost_game == same.result.lost_game
    (tallies,) = answers[judged].games
    assert tallies.total.positions == 6
    assert tallies.total.errors == 0
    assert left_over(token) == []
