"""Timings: each move is measured alone, with a new agent."""

from pathlib import Path

import pytest

from noughts.agents import parse_agent
from noughts.questions.question import Numbers
from noughts.questions.timed import Timed
from noughts.rules import parse_rules
from tests.questions.asking import PLAYERS, Memory, asked, found
from tests.questions.units import lines_of

RULES = parse_rules("tic-tac-toe")


def timed(agent: str, **more: float | None) -> Timed:
    return Timed(agent=parse_agent(agent), rules=RULES, moves=3, seed=1, **more)


def test_the_requested_number_of_moves_is_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIARY", str(tmp_path / "diary"))
    for workers in (0, 1):
        seconds = found(timed("python:tests.agents.deciders:Diary"), workers=workers)
        assert len(seconds.values) == 3
        assert all(0 < each < 1 for each in seconds.values)
    assert lines_of(tmp_path / "diary") == ["00" * 9] * 8  # one more each time, as a warm-up
    assert Numbers.from_json(seconds.to_json()) == seconds


def test_timing_runs_alone_and_is_saved() -> None:
    memory, question = Memory(), timed("minimax:depth=2")
    assert question.alone
    assert found(question, memory) == found(question, memory)


@pytest.mark.heavy
def test_a_move_that_fails_or_exceeds_its_limit_gives_no_times() -> None:
    slow, bad = timed("mcts:sims=10000000", move_seconds=0.3), timed(PLAYERS + "Raises")
    answers = asked([slow, bad], workers=1)
    assert answers[slow] is None
    assert answers.problems[slow.key] == "the move took longer than 0.3 s"
    assert "lost my marbles" in answers.problems[bad.key]
