"""One playthrough: whatever agents do, there is a record, and the same seed reproduces it."""

from unittest.mock import Mock

import pytest

from noughts.agents import build_agent
from noughts.machine import Recorder
from noughts.play.playthrough import broken_off, play_game, replay
from tests.play.plans import plan, play


@pytest.mark.parametrize("agent", ["random", "minimax", "mcts:sims=20", "mc:sims=2", "omniscient:inside=random"])
@pytest.mark.parametrize("rules", ["tic-tac-toe", "notakto(3)", "notakto(2,boards=3)", "bttt(D4)"])
def test_a_seed_gives_the_same_game_and_it_replays_to_its_end(agent: str, rules: str) -> None:
    first = play(plan(agent, "random", rules))
    assert first == play(plan(agent, "random", rules))
    assert first.ending != "error"
    _, end = replay(first)
    assert end.is_over
    assert end.outcome.name.lower() == first.ending


def test_each_side_draws_from_its_own_stream() -> None:
    # The first player's moves do not depend on how much randomness the second one uses.
    calm, busy = play(plan("random", "minimax:ties=first", "gomoku")), play(plan("random", "mc:sims=3", "gomoku"))
    assert calm.moves[0] == busy.moves[0]


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        ("Raises", "RuntimeError: lost my marbles"),
        ("TakesATakenCell", "IllegalMoveError: move A1 is taken by X"),
        ("SaysNothing", "AgentError: its move is a value of type NoneType: choose must return the number of a cell"),
    ],
)
@pytest.mark.parametrize("side", ["first", "second"])
def test_an_agent_that_misbehaves_ends_the_game_with_a_record(agent: str, error: str, side: str) -> None:
    bad, good = f"python:tests.agents.players:{agent}", "python:tests.agents.players:First"
    record = play(plan(bad, good) if side == "first" else plan(good, bad))
    assert record.ending == "error"
    assert record.culprit == side
    assert error in record.error
    assert "\n" not in record.error
    _, end = replay(record)
    assert not end.is_over


def test_a_stopped_game_keeps_the_noted_moves() -> None:
    heard, limited, ticks = Mock(spec=Recorder), plan(move_seconds=2.5), iter(range(1000))
    agents = build_agent(limited.first), build_agent(limited.second)
    record = play_game(limited, agents, clock=lambda: float(next(ticks)), notes=heard)
    notes = [call.args for call in heard.note.call_args_list]
    assert len(notes) == len(record.moves)
    assert {limit for _, limit in notes} == {2.5}
    broken = broken_off(plan(), notes[3][0], "the move took longer than 2.5 s")
    assert broken.moves == record.moves[:3]
    assert (broken.ending, broken.culprit) == ("error", "second")
    assert broken.error == "the move took longer than 2.5 s"
    assert (broken.seconds_first, broken.seconds_second) == (2.0, 1.0)


def test_a_move_above_its_limit_loses_even_if_nobody_stops_it() -> None:
    agents, at = (build_agent("random"), build_agent("random")), iter((0.0, 0.5, 1.0, 1.75))
    record = play_game(plan(move_seconds=0.5), agents, clock=lambda: next(at))
    assert (len(record.moves), record.ending, record.culprit) == (1, "error", "second")
    assert (record.error, record.seconds_second) == ("the move took longer than 0.5 s", 0.0)
