"""The environment for Gymnasium passes Gymnasium's own check, and plays by our rules against our agents."""

import pickle
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import noughts.bridges.gymnasium  # registers the environment
from noughts.agents import Decision, Want
from noughts.bridges.boards import observe
from noughts.bridges.gymnasium import LearnerEnv
from noughts.positions import Position, Rng, Side
from noughts.rules import AgentError, RulesError, parse_rules, parse_task
from noughts.rules.errors import AgentFailedError
from tests.bridges.games import OF_EACH_SHAPE

ID = "noughts/mnk-v0"


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(LearnerEnv.metadata, "render_fps", 1000)


class LastCell:
    """Plays the last legal cell, and says what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        self.asked += positions
        return [Decision(position.legal_moves[-1]) for position in positions]


class Corner:
    """Wants the first cell, whoever has it."""

    def choose(self, position: Position, rng: Rng) -> int:
        return 0


@pytest.mark.parametrize("rules", [*OF_EACH_SHAPE, "bttt(*)"])
def test_it_passes_the_check_of_environments(rules: str) -> None:
    check_env(gymnasium.make(ID, rules=rules).unwrapped)


@pytest.mark.parametrize("opponent", ["mcts:sims=10", "mc:sims=1"])
def test_it_passes_the_check_with_other_opponents(opponent: str) -> None:
    check_env(gymnasium.make(ID, opponent=opponent).unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    ("rules", "plays"),
    [*((rules, "drawn") for rules in OF_EACH_SHAPE), ("tic-tac-toe", "first"), ("tic-tac-toe", "second")],
)
def test_it_plays_by_the_rules(rules: str, plays: Any) -> None:
    rng, opponent = random.Random(1), LastCell()
    env = LearnerEnv(rules, opponent=opponent, plays=plays)
    sides = set()
    for seed in range(8):
        seen, info = env.reset(seed=seed)
        position = Position.start(parse_rules(rules))
        sides.add(env.side)
        if env.side == Side.SECOND:
            position = position.play(position.legal_moves[-1])
        while True:
            assert env.position == position
            assert env.position.moves == position.moves
            np.testing.assert_array_equal(seen, observe(position, env.side))
            assert tuple(np.flatnonzero(info["action_mask"]).tolist()) == position.legal_moves
            assert env.action_masks().tolist() == info["action_mask"].tolist()
            move = rng.choice(position.legal_moves)
            seen, reward, terminated, truncated, info = env.step(np.int64(move))
            position = position.play(move)
            if not position.is_over:
                position = position.play(position.legal_moves[-1])
            assert truncated is False
            assert terminated == position.is_over
            assert reward == (position.outcome.value(env.side) if position.is_over else 0.0)
            if terminated:
                assert env.position == position
                assert info["action_mask"].all()
                assert env.action_masks().all()
                break
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
    assert sides == {"first": {Side.FIRST}, "second": {Side.SECOND}, "drawn": set(Side)}[plays]
    assert all(position.to_move != Side.FIRST or plays != "first" for position in opponent.asked)


@pytest.mark.parametrize("action", [4, -1, 9])
def test_an_illegal_move_ends_the_episode_with_a_penalty(action: int) -> None:
    env = LearnerEnv(plays="first", illegal_reward=-3.0)
    env.reset(seed=1)
    env.step(4)
    before = env.position
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert env.position == before
    assert info["action_mask"].all()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.position.legal_moves[0])


def opened(env: LearnerEnv) -> Position:
    """Where an episode begins."""
    env.reset()
    return env.position


def episodes(seed: int, **options: Any) -> list[tuple[Any, ...]]:
    """What happens in some episodes in which a learner plays the first legal cell."""
    env, found = LearnerEnv(**options), []
    env.reset(seed=seed)
    for _ in range(12):
        while not env.step(int(env.action_masks().argmax()))[2]:
            pass
        found.append((env.rules, env.side, env.position.moves))
        env.reset()
    return found


@pytest.mark.parametrize("opponent", ["random", "mcts:sims=5"])
def test_a_seed_settles_all_chance(opponent: str) -> None:
    options = {"rules": "mnk(3,3,3,bricks=*)", "opponent": opponent}
    found = episodes(1, **options)
    assert found == episodes(1, **options)
    assert found != episodes(2, **options)
    assert len({rules for rules, _, _ in found}) > 4
    assert {rules for rules, _, _ in found} <= set(parse_task("mnk(3,3,3,bricks=*)").rules)
    assert {side for _, side, _ in found} == set(Side)


def test_without_a_seed_no_two_environments_play_alike() -> None:
    def moves() -> list[tuple[int, ...]]:
        env = LearnerEnv("bttt(D4)", plays="second")
        return [opened(env).moves for _ in range(10)]

    assert moves() != moves()


def test_the_draws_of_the_opponent_do_not_depend_on_the_task() -> None:
    def openings(rules: str) -> list[int]:
        env = LearnerEnv(rules, plays="second")
        env.reset(seed=3)
        return [opened(env).moves[0] for _ in range(10)]

    assert openings("mnk(3,3,3)") == openings("mnk(3,3,3) | mnk(3,3,3,line=loses)")


def test_an_agent_that_remembers_is_made_anew_for_each_episode(tmp_path: Path) -> None:
    source = "class Once:\n    shared = False\n    count = 0\n    def choose(self, position, rng):\n"
    source += "        self.count += 1\n        return position.legal_moves[self.count - 1]\n"
    (tmp_path / "once.py").write_text(source)
    env = LearnerEnv("mnk(3,3,2)", f"python:{tmp_path}/once.py:Once", plays="second")
    for _ in range(3):
        env.reset()
        assert env.position.moves == (0,)


def test_an_opponent_that_fails_is_named_in_one_line() -> None:
    env = LearnerEnv(opponent=Corner(), plays="first")
    env.reset()
    with pytest.raises(AgentFailedError, match=r"^the opponent Corner failed: .*A1 is taken") as caught:
        env.step(0)
    assert "\n" not in str(caught.value)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)
    env.reset()
    assert env.position.ply == 0


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"rules": "mnk(3,3,4)"}, RulesError, "no line of 4"),
        ({"rules": "mnk(3,3,1)", "plays": "second"}, RulesError, "first move"),
        ({"plays": "third"}, RulesError, "drawn, first, second"),
        ({"opponent": "nobody"}, AgentError, "unknown agent"),
        ({"opponent": "human"}, AgentError, "human"),
        ({"opponent": 3}, AgentError, "no method"),
        ({"render_mode": "video"}, RulesError, "render_mode"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(options: dict[str, Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        LearnerEnv(**options)
    assert "\n" not in str(caught.value)


def test_a_game_that_ends_at_once_can_be_played_first() -> None:
    env = LearnerEnv("mnk(1,1,1)", plays="first")
    env.reset()
    assert env.step(0)[1:3] == (1.0, True)


@pytest.mark.parametrize("opponent", ["random", "mcts:sims=5"])
def test_a_copy_goes_on_alike(opponent: str) -> None:
    first = LearnerEnv("bttt(*)", opponent)
    first.reset(seed=5)
    second = pickle.loads(pickle.dumps(first))
    for _ in range(20):
        action = int(first.action_masks().argmax())
        seen, *rest, _ = first.step(action)
        seen_by_copy, *rest_of_copy, _ = second.step(action)
        assert rest == rest_of_copy
        np.testing.assert_array_equal(seen, seen_by_copy)
        if rest[1]:
            first.reset()
            second.reset()
        assert first.position == second.position


def test_it_is_rendered_as_asked() -> None:
    env = LearnerEnv(plays="first", render_mode="ansi")
    env.reset()
    env.step(4)
    assert env.render() == str(env.position)
    with pytest.warns(UserWarning, match="HumanRendering"):
        window = gymnasium.make(ID, render_mode="human")
    window.reset()
    assert window.render() is None
    window.close()


def test_rendering_without_a_mode_warns() -> None:
    env = LearnerEnv()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_the_name_is_known_once_the_module_is_imported() -> None:
    assert noughts.registration.GYMNASIUM_ID == ID
    env = gymnasium.make("noughts.bridges.gymnasium:noughts/mnk-v0", rules="notakto(4)", plays="first")
    assert isinstance(env.unwrapped, LearnerEnv)
    assert env.unwrapped.rules == parse_rules("notakto(4)")
    assert env.reset()[0].shape == (4, 4, 6)
