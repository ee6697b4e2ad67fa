"""Games played together equal the games played alone."""

from unittest.mock import Mock

import pytest

from noughts.machine import Recorder
from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan
from noughts.store.records import GameRecord
from tests.agents import together
from tests.play.plans import plans, play

TOGETHER = "python:tests.agents.together:"


def alone(games: list[GamePlan]) -> list[GameRecord]:
    return list(map(play, games))


@pytest.mark.heavy
@pytest.mark.parametrize("rules", ["tic-tac-toe", "notakto(3,boards=2)"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("minimax", "minimax:ties=first"),
        ("minimax", "minimax:depth=2"),
        ("random", "mcts:sims=20"),
        (TOGETHER + "Together", "minimax:depth=3"),
        ("perfect:nodes=50", "random"),
    ],
)
def test_each_game_is_the_one_played_alone(a: str, b: str, rules: str) -> None:
    games = plans(a, b, rules, 12, opening=1)
    assert play_together(games) == alone(games)
    assert play_together(games[3:5]) + play_together(games[:3]) == alone([*games[3:5], *games[:3]])


def test_only_games_with_a_misbehaving_agent_are_stopped() -> None:
    games = plans(TOGETHER + "Raises", "random")
    found = play_together(games)
    assert found == alone(games)
    broken = [record for record in found if record.ending == "error"]
    assert 0 < len(broken) < len(games)
    assert all(record.error.startswith("RuntimeError: bad at ply") for record in broken)
    for record in broken:
        assert (record.first if record.culprit == "first" else record.second) == TOGETHER + "Raises"


def test_an_agent_decides_all_its_games_in_a_batch_whatever_their_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    monkeypatch.setattr(together.Together, "asked_alone", 0)
    opponent = "minimax:ties=first"
    games = [one for rules in ("tic-tac-toe", "bttt(D4)") for one in plans(TOGETHER + "Together", opponent, rules, 10)]
    records = play_together(games)
    assert together.Together.asked_together[:2] == [20, 20]  # in half of them, the other has made the first move
    moves = sum(len(one.moves) // 2 + (one.first == str(games[0].first)) * (len(one.moves) % 2) for one in records)
    assert sum(together.Together.asked_together) + together.Together.asked_alone == moves  # in no finished game
    assert records == alone(games)


def test_time_is_divided_among_the_games_and_progress_is_noted() -> None:
    heard, ticks = Mock(spec=Recorder), iter(range(10**6))
    games = plans("minimax:ties=first", "minimax:ties=first", games=4)
    records = play_together(games, clock=lambda: float(next(ticks)), notes=heard)
    # Every query takes one tick, and covers all four games.
    assert {record.seconds_first + record.seconds_second for record in records} == {len(records[0].moves) / 4}
    assert heard.note.call_args_list[0].args == ("0 of 4 games over, ply 0",)


def test_games_that_cannot_be_played_together_are_refused() -> None:
    with pytest.raises(ValueError, match="no limit of time"):
        play_together(plans("random", "random", move_seconds=1.0))
    assert play_together([]) == []


def test_no_agent_is_asked_about_a_game_that_has_just_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    monkeypatch.setattr(together.Together, "asked_alone", 0)
    won, new = plans("minimax:ties=first", TOGETHER + "Together", games=2)
    records = play_together([won.model_copy(update={"opening": (0, 3, 1, 4)}), new])  # A3 wins, and both are to move
    assert records[0].moves == (0, 3, 1, 4, 2)
    own = len(records[1].moves)
    assert together.Together.asked_together == []
    assert together.Together.asked_alone == own - own // 2
