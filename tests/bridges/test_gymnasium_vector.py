"""The vector environment gives what as many single environments give, and what Gymnasium says of autoreset."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from noughts.agents import Decision, Want
from noughts.bridges.boards import picture
from noughts.bridges.gymnasium import LearnerEnv
from noughts.bridges.gymnasium_vector import LearnerVectorEnv
from noughts.positions import Position, Rng
from noughts.rules import AgentError, RulesError, parse_rules
from tests.bridges.games import OF_EACH_SHAPE

ROWS = 6
TASKS = (
    *OF_EACH_SHAPE,
    "bttt(*)",
    "3*mnk(3,4,3) | mnk(3,4,3,marks=shared,line=loses) | mnk(3,4,2,bricks=B2,full=first)",
)


class Chosen:
    """May go by what it was asked before, for all that anybody knows."""

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal_moves[0]


def both(mode: AutoresetMode, **options: Any) -> tuple[LearnerVectorEnv, Any]:
    """Ours, and single environments side by side."""
    singles = SyncVectorEnv([lambda: LearnerEnv(**options)] * ROWS, autoreset_mode=mode)
    return LearnerVectorEnv(ROWS, autoreset_mode=mode, **options), singles


def assert_alike(ours: Any, theirs: Any) -> None:
    assert data_equivalence(ours, theirs, exact=True), (ours, theirs)


def play(mode: AutoresetMode, steps: int, **options: Any) -> int:
    """Play at random, with some illegal moves, in both; how many episodes ended."""
    ours, theirs = both(mode, **options)
    rng, ended = np.random.default_rng(1), 0
    seen = ours.reset(seed=4)
    assert_alike(seen, theirs.reset(seed=4))
    info = seen[1]
    for _ in range(steps):
        actions = (info["action_mask"] * rng.random(info["action_mask"].shape)).argmax(1)
        actions = np.where(rng.random(ROWS) < 0.05, rng.integers(info["action_mask"].shape[1], size=ROWS), actions)
        stepped = ours.step(actions)
        assert_alike(stepped, theirs.step(actions))
        info, over = stepped[4], stepped[2]
        ended += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            again = ours.reset(options={"reset_mask": over})
            assert_alike(again, theirs.reset(options={"reset_mask": over}))
            info = {"action_mask": np.where(over[:, None], again[1]["action_mask"], info["action_mask"])}
        assert [at.moves for at in ours.positions()] == [env.unwrapped.position.moves for env in theirs.envs]
        assert ours.positions() == [env.unwrapped.position for env in theirs.envs]
        assert ours.rules == [env.unwrapped.rules for env in theirs.envs]
        assert ours.sides.tolist() == [env.unwrapped.side for env in theirs.envs]
    return ended


@pytest.mark.heavy
@pytest.mark.parametrize("rules", TASKS)
def test_it_gives_what_single_environments_give(rules: str) -> None:
    assert play(AutoresetMode.NEXT_STEP, 60, rules=rules, illegal_reward=-0.5) > 10


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("opponent", "plays"), [("random", "second"), ("mcts:sims=3", "first")])
def test_so_it_does_in_every_mode(mode: AutoresetMode, opponent: str, plays: str) -> None:
    assert play(mode, 25, rules="mnk(3,3,3,bricks=*)", opponent=opponent, plays=plays) > 10


def test_it_goes_on_after_a_reset_without_a_seed() -> None:
    ours, theirs = both(AutoresetMode.NEXT_STEP, rules="bttt(*)")
    for options in ({"seed": [3, 1, 4, 1, 5, 9]}, {}, {"seed": [None, 2, 6, 5, None, 3]}, {}):
        assert_alike(ours.reset(**options), theirs.reset(**options))
        assert ours.rules == [env.unwrapped.rules for env in theirs.envs]


def test_without_a_seed_no_two_rows_begin_alike() -> None:
    envs = LearnerVectorEnv(200, "gomoku", plays="second")
    envs.reset()
    assert len({position.moves for position in envs.positions()}) > 50
    other = LearnerVectorEnv(200, "gomoku", plays="second")
    other.reset()
    assert [at.moves for at in other.positions()] != [at.moves for at in envs.positions()]


def test_it_is_what_make_vec_makes() -> None:
    made: Any = gymnasium.make_vec("noughts/mnk-v0", num_envs=3, rules="notakto(4)", opponent="random")
    assert isinstance(made, LearnerVectorEnv)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seen, info = made.reset(seed=1)
    assert seen in made.observation_space
    assert made.action_masks().tolist() == info["action_mask"].tolist()
    sync: Any = gymnasium.make_vec("noughts/mnk-v0", num_envs=3, vectorization_mode="sync", rules="notakto(4)")
    assert_alike(sync.reset(seed=1), (seen, info))


def test_what_was_given_is_not_changed_later() -> None:
    envs = LearnerVectorEnv(3, plays="first")
    seen, info = envs.reset(seed=1)
    before = seen.copy(), info["action_mask"].copy()
    envs.step(np.array([0, 1, 2]))
    assert (seen == before[0]).all()
    assert (info["action_mask"] == before[1]).all()


def test_rows_are_rendered_one_by_one() -> None:
    envs = LearnerVectorEnv(2, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == tuple(map(str, envs.positions()))
    envs = LearnerVectorEnv(1, render_mode="rgb_array", plays="first")
    envs.reset(seed=1)
    (frame,) = envs.render()
    assert (frame == picture(Position.start(parse_rules("tic-tac-toe")))).all()
    assert LearnerVectorEnv(1).render() is None


def test_steps_out_of_order_are_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        LearnerVectorEnv(2).step(np.zeros(2, np.int64))
    envs = LearnerVectorEnv(2, "mnk(1,2,1)", plays="first", autoreset_mode="Disabled")
    envs.reset()
    envs.step(np.zeros(2, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(2, np.int64))


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"num_envs": 0}, RulesError, "from 1 on"),
        ({"plays": "third"}, RulesError, "drawn, first, second"),
        ({"rules": "mnk(3,3,1)"}, RulesError, "first move"),
        ({"opponent": "nobody"}, AgentError, "unknown agent"),
        ({"opponent": Chosen()}, AgentError, "2 games at once"),
        ({"autoreset_mode": "Never"}, RulesError, "NextStep"),
        ({"render_mode": "human"}, RulesError, "ansi, rgb_array"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(options: dict[str, Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        LearnerVectorEnv(**{"num_envs": 2, **options})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros(2), 0])
def test_actions_are_one_whole_number_for_each_row(actions: Any) -> None:
    envs = LearnerVectorEnv(2)
    envs.reset()
    with pytest.raises(RulesError, match="as many whole numbers"):
        envs.step(actions)


@pytest.mark.parametrize("options", [{"seed": [1]}, {"options": {"reset_mask": np.ones(3, np.bool_)}}])
def test_a_reset_is_for_each_row(options: dict[str, Any]) -> None:
    envs = LearnerVectorEnv(2)
    envs.reset()
    with pytest.raises(RulesError, match="2"):
        envs.reset(**options)


class FirstCell:
    """Wants the first cell, whoever has it."""

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        return [Decision(0) for _ in positions]


def test_where_an_opponent_fails_the_episodes_end() -> None:
    envs = LearnerVectorEnv(2, opponent=FirstCell(), plays="first")
    envs.reset()
    with pytest.raises(AgentError, match=r"the opponent FirstCell failed: .*A1 is taken"):
        envs.step(np.array([0, 1]))
    _, rewards, over, _, _ = envs.step(np.array([2, 2]))  # a new episode each: its first action is not looked at
    assert rewards.tolist() == [0, 0]
    assert over.tolist() == [False, False]
    assert [position.moves for position in envs.positions()] == [(), ()]


def test_an_agent_that_remembers_has_an_instance_in_each_row(tmp_path: Any) -> None:
    source = "class Once:\n    shared = False\n    count = 0\n    def choose(self, position, rng):\n"
    source += "        self.count += 1\n        return position.legal_moves[self.count % len(position.legal_moves)]\n"
    (tmp_path / "once.py").write_text(source)
    opponent = f"python:{tmp_path}/once.py:Once"
    assert play(AutoresetMode.SAME_STEP, 15, rules="mnk(3,3,3)", opponent=opponent, plays="second") > 5
