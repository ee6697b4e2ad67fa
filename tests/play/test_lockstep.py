"""Games that are played together are the games that would have been played alone."""

import pytest

from noughts.play.lockstep import play_together
from noughts.play.playthrough import GamePlan
from noughts.store.records import GameRecord
from tests.agents import together
from tests.play.plans import plans, play
from tests.play.test_playthrough import Heard

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


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Raises", "RuntimeError: bad at ply"),
        ("Illegal", "IllegalMoveError: move B2 is taken"),
        ("Nonsense", "AgentError: its move is a value of type NoneType: choose must return"),
    ],
)
def test_only_the_games_in_which_an_agent_misbehaves_are_broken_off(name: str, error: str) -> None:
    games = plans(TOGETHER + name, "random")
    found = play_together(games)
    assert found == alone(games)
    broken = [record for record in found if record.ending == "error"]
    assert 0 < len(broken) < len(games)
    assert all(record.error.startswith(error) for record in broken)
    for record in broken:
        assert (record.first if record.culprit == "first" else record.second) == TOGETHER + name


def test_an_agent_that_answers_too_little_is_asked_one_by_one_with_the_same_draws() -> None:
    short, sound = (plans(TOGETHER + name, "random") for name in ("Short", "Together"))
    same = [game.model_copy(update={"seed": one.seed}) for game, one in zip(sound, short, strict=True)]
    assert [record.moves for record in play_together(short)] == [record.moves for record in alone(same)]


def test_an_agent_is_asked_about_all_the_games_in_which_it_is_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    monkeypatch.setattr(together.Together, "asked_alone", 0)
    games = plans(TOGETHER + "Together", "minimax:ties=first", games=20)
    records = play_together(games)
    assert together.Together.asked_together[:2] == [20, 20]  # in half of them, the other has made the first move
    moves = sum(
        len(record.moves) // 2 + (record.first == str(games[0].first)) * (len(record.moves) % 2) for record in records
    )
    assert sum(together.Together.asked_together) + together.Together.asked_alone == moves  # in none that is over


def test_time_is_shared_out_among_the_games() -> None:
    ticks = iter(range(10**6))
    games = plans("minimax:ties=first", "minimax:ties=first", games=4)
    records = play_together(games, clock=lambda: float(next(ticks)))
    # Every question takes one tick, and all four games are in each of them.
    assert {record.seconds_first + record.seconds_second for record in records} == {len(records[0].moves) / 4}


def test_it_tells_how_far_it_is() -> None:
    games, heard, ticks = plans("minimax", "random"), Heard(), iter(range(10**6))
    records = play_together(games, clock=lambda: float(next(ticks)), notes=heard)
    assert [record.moves for record in records] == [record.moves for record in alone(games)]
    assert all(record.seconds_first > 0 for record in records)
    assert heard.notes[0] == ("0 of 20 games over, ply 0", None)


def test_games_that_cannot_be_played_together_are_refused() -> None:
    with pytest.raises(ValueError, match="no limit of time"):
        play_together(plans("random", "random", move_seconds=1.0))
    assert play_together([]) == []


def test_an_agent_is_asked_about_games_of_several_rules_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    both = [
        game
        for rules in ("tic-tac-toe", "bttt(D4)")
        for game in plans(TOGETHER + "Together", "minimax", rules, 10)[::2]
    ]
    records = play_together(both)
    assert together.Together.asked_together[0] == 10
    assert records == alone(both)


def test_nobody_is_asked_about_a_game_that_has_just_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    monkeypatch.setattr(together.Together, "asked_alone", 0)
    won, new = plans("minimax:ties=first", TOGETHER + "Together", games=2)
    records = play_together([won.model_copy(update={"opening": (0, 3, 1, 4)}), new])  # A3 wins, and both are to move
    assert records[0].moves == (0, 3, 1, 4, 2)
    own = len(records[1].moves)
    assert together.Together.asked_together == []
    assert together.Together.asked_alone == own - own // 2
