"""The environments for Gymnasium. Single ones pass its checker and play our rules against our agents. Vector environments equal
single ones with the same seeds, and follow Gymnasium's autoreset modes."""

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from noughts.bridges.boards import observe
from noughts.bridges.gymnasium import LearnerEnv
from noughts.bridges.gymnasium_vector import LearnerVectorEnv
from noughts.positions import Position, Side
from noughts.rules import AgentError, Rules, RulesError, parse_rules
from noughts.rules.errors import AgentFailedError
from tests.agents.deciders import Last
from tests.agents.players import TakesATakenCell
from tests.bridges.games import OF_EACH_SHAPE

ID = "noughts/mnk-v0"


class NoCorners(Last):
    def refusal(self, rules: Rules) -> str | None:
        return None if rules.bricks else "it has corners"


ROWS = 6
TASKS = (
    *OF_EACH_SHAPE,
    "bttt(*)",
    "3*mnk(3,4,3) | mnk(3,4,3,marks=shared,line=loses) | mnk(3,4,2,bricks=B2,full=first)",
)


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(LearnerEnv.metadata, "render_fps", 1000)


@pytest.mark.parametrize("rules", [*OF_EACH_SHAPE, "bttt(*)"])
def test_it_passes_gymnasiums_environment_checker(rules: str) -> None:
    check_env(gymnasium.make(ID, rules=rules).unwrapped)


@pytest.mark.parametrize(
    ("rules", "plays"),
    [*((rules, "drawn") for rules in OF_EACH_SHAPE), ("tic-tac-toe", "first"), ("tic-tac-toe", "second")],
)
def test_it_plays_by_the_rules(rules: str, plays: Any) -> None:
    rng, sides = random.Random(1), set()
    env = LearnerEnv(rules, opponent=Last(), plays=plays)
    for seed in range(8):
        seen, info = env.reset(seed=seed)
        position, terminated = Position.start(parse_rules(rules)), False
        sides.add(env.side)
        if env.side == Side.SECOND:
            position = position.play(position.legal_moves[-1])
        while not terminated:
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
        assert env.position == position
        assert info["action_mask"].all()
        assert env.action_masks().all()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
    assert sides == {"first": {Side.FIRST}, "second": {Side.SECOND}, "drawn": set(Side)}[plays]


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


def test_without_a_seed_no_two_environments_play_alike() -> None:
    openings = set()
    for _ in range(10):
        env = LearnerEnv("gomoku", plays="second")
        env.reset()
        openings.add(env.position.moves)
    assert len(openings) > 1


def test_an_agent_with_memory_is_rebuilt_for_each_episode() -> None:
    env = LearnerEnv("mnk(3,3,2)", "python:tests.agents.deciders:Counts", plays="second")
    for _ in range(3):
        env.reset()
        assert env.position.moves == (1,)


def test_an_opponent_that_fails_is_named_in_one_line() -> None:
    env = LearnerEnv(opponent=TakesATakenCell(), plays="first")
    env.reset()
    with pytest.raises(AgentFailedError, match=r"^the opponent TakesATakenCell failed: .*A1 is taken"):
        env.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)
    env.reset()
    assert env.position.ply == 0


@pytest.mark.parametrize(
    ("environment", "options", "kind", "said"),
    [
        (LearnerEnv, {"rules": "mnk(3,3,1)", "plays": "second"}, RulesError, "first move"),
        (LearnerEnv, {"plays": "third"}, RulesError, "drawn, first, second"),
        (LearnerEnv, {"opponent": "nobody"}, AgentError, "unknown agent"),
        (LearnerEnv, {"opponent": 3}, AgentError, "no method"),
        (
            LearnerEnv,
            {"opponent": NoCorners(), "rules": "mnk(3,3,3,bricks=B2) | tic-tac-toe"},
            AgentError,
            "^the opponent NoCorners cannot play tic-tac-toe: it has corners$",
        ),
        (
            LearnerEnv,
            {"opponent": "threats", "rules": "misere-tic-tac-toe"},
            AgentError,
            "cannot play misere-tic-tac-toe: ",
        ),
        (LearnerVectorEnv, {"opponent": "threats", "rules": "notakto(3)"}, AgentError, "cannot play notakto"),
        (LearnerEnv, {"render_mode": "video"}, RulesError, "render_mode"),
        (LearnerEnv, {"illegal_reward": "x"}, RulesError, "^illegal_reward='x': give a finite number$"),
        (LearnerVectorEnv, {"illegal_reward": float("nan")}, RulesError, "^illegal_reward=nan: give a finite number$"),
        (LearnerVectorEnv, {"num_envs": 0}, RulesError, "from 1 on"),
        (LearnerVectorEnv, {"num_envs": "3"}, RulesError, "^num_envs='3': give a whole number from 1 on$"),
        (LearnerVectorEnv, {"num_envs": 2.5}, RulesError, "from 1 on"),
        (LearnerVectorEnv, {"num_envs": True}, RulesError, "from 1 on"),
        (LearnerVectorEnv, {"rules": "mnk(3,3,1)"}, RulesError, "first move"),
        (LearnerVectorEnv, {"num_envs": 2, "opponent": Last()}, AgentError, "2 games at once"),  # it may remember
        (LearnerVectorEnv, {"autoreset_mode": "Never"}, RulesError, "NextStep"),
        (LearnerVectorEnv, {"render_mode": "human"}, RulesError, "ansi, rgb_array"),
    ],
)
def test_wrong_arguments_are_rejected_in_one_line(
    environment: Any, options: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        environment(**options)


@pytest.mark.parametrize("opponent", ["random", "mcts:sims=5"])
def test_a_copy_continues_identically(opponent: str) -> None:
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


def test_it_renders_as_requested_and_warns_without_a_mode() -> None:
    env = LearnerEnv(plays="first", render_mode="ansi")
    env.reset()
    env.step(4)
    assert env.render() == str(env.position)
    with pytest.warns(UserWarning, match="HumanRendering"):
        window = gymnasium.make(ID, render_mode="human")
    window.reset()
    assert window.render() is None
    window.close()
    env = LearnerEnv()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def both(mode: AutoresetMode, **options: Any) -> tuple[LearnerVectorEnv, Any]:
    """Ours, and single environments with the same settings."""
    singles = SyncVectorEnv([lambda: LearnerEnv(**options)] * ROWS, autoreset_mode=mode)
    return LearnerVectorEnv(ROWS, autoreset_mode=mode, **options), singles


def assert_alike(ours: Any, theirs: Any) -> None:
    assert data_equivalence(ours, theirs, exact=True), (ours, theirs)


def play(mode: AutoresetMode, steps: int, **options: Any) -> int:
    """Play at random in both, with some illegal moves; return the number of finished episodes."""
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
def test_vector_environments_equal_single_ones(rules: str) -> None:
    assert play(AutoresetMode.NEXT_STEP, 60, rules=rules, illegal_reward=-0.5) > 10


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("opponent", "plays"),
    [("random", "second"), ("mcts:sims=3", "first"), ("python:tests.agents.deciders:Counts", "second")],
)  # the last has memory, so each row has its own
def test_it_equals_single_environments_in_every_autoreset_mode(mode: AutoresetMode, opponent: str, plays: str) -> None:
    assert play(mode, 25, rules="mnk(3,3,3,bricks=*)", opponent=opponent, plays=plays) > 10


def test_it_continues_after_a_reset_without_a_seed() -> None:
    ours, theirs = both(AutoresetMode.NEXT_STEP, rules="bttt(*)")
    for options in ({"seed": [3, 1, 4, 1, 5, 9]}, {}, {"seed": [None, 2, 6, 5, None, 3]}, {}):
        assert_alike(ours.reset(**options), theirs.reset(**options))
        assert ours.rules == [env.unwrapped.rules for env in theirs.envs]


def test_without_a_seed_no_two_rows_start_alike() -> None:
    envs = LearnerVectorEnv(200, "gomoku", plays="second")
    envs.reset()
    assert len({position.moves for position in envs.positions()}) > 50
    other = LearnerVectorEnv(200, "gomoku", plays="second")
    other.reset()
    assert [at.moves for at in other.positions()] != [at.moves for at in envs.positions()]


def test_make_vec_makes_our_vector_environment() -> None:
    made: Any = gymnasium.make_vec("noughts/mnk-v0", num_envs=3, rules="notakto(4)", opponent="random")
    assert isinstance(made, LearnerVectorEnv)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seen, info = made.reset(seed=1)
    assert seen in made.observation_space
    assert made.action_masks().tolist() == info["action_mask"].tolist()
    sync: Any = gymnasium.make_vec("noughts/mnk-v0", num_envs=3, vectorization_mode="sync", rules="notakto(4)")
    assert_alike(sync.reset(seed=1), (seen, info))


def test_returned_arrays_do_not_change_later() -> None:
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
    assert LearnerVectorEnv(1).render() is None


def test_steps_out_of_order_are_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        LearnerVectorEnv(2).step(np.zeros(2, np.int64))
    envs = LearnerVectorEnv(2, "mnk(1,2,1)", plays="first", autoreset_mode="Disabled")
    envs.reset()
    envs.step(np.zeros(2, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(2, np.int64))


def test_actions_and_resets_apply_to_each_row() -> None:
    envs = LearnerVectorEnv(2)
    envs.reset()
    for actions in (np.zeros(3, np.int64), np.zeros(2), 0):
        with pytest.raises(RulesError, match="as many whole numbers"):
            envs.step(actions)
    with pytest.raises(RulesError, match="1 seeds were given for 2 environments"):
        envs.reset(seed=[1])
    with pytest.raises(RulesError, match="an array of 2 bools"):
        envs.reset(options={"reset_mask": np.ones(3, np.bool_)})


def test_a_failing_opponent_ends_the_episodes() -> None:
    envs = LearnerVectorEnv(2, opponent="python:tests.agents.players:TakesATakenCell", plays="first")
    envs.reset()
    with pytest.raises(AgentError, match=r"the opponent python:\S+ failed: .*A1 is taken"):
        envs.step(np.array([0, 1]))
    _, rewards, over, _, _ = envs.step(np.array([2, 2]))  # a new episode each, which ignores its first action
    assert rewards.tolist() == [0, 0]
    assert over.tolist() == [False, False]
    assert [position.moves for position in envs.positions()] == [(), ()]
