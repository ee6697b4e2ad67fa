"""The environment for PettingZoo passes PettingZoo's own tests, and follows our rules."""

import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from matplotlib import pyplot

from noughts.bridges.boards import picture
from noughts.bridges.pettingzoo import PLAYERS, TurnTakingEnv, env, raw_env
from noughts.positions import Position, Side
from noughts.rules import PRESETS, IllegalMoveError, RulesError, parse_rules, parse_task
from tests.bridges.games import OF_EACH_SHAPE
from tests.positions.reached import played_out

with warnings.catch_warnings():  # PettingZoo's tests import a deprecated game of theirs
    warnings.simplefilter("ignore")
    import pettingzoo.test

NOT_ON_THEIR_LIST = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
)
"""PettingZoo exempts its own games with dicts as observations by name. Third-party games cannot be exempt."""


@pytest.fixture(autouse=True)
def _no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    pyplot.switch_backend("agg")
    monkeypatch.setitem(TurnTakingEnv.metadata, "render_fps", 1000)


@pytest.mark.filterwarnings(*NOT_ON_THEIR_LIST)
@pytest.mark.parametrize("rules", OF_EACH_SHAPE)
def test_it_passes_pettingzoos_interface_test(rules: str) -> None:
    pettingzoo.test.api_test(env(rules), num_cycles=300)


@pytest.mark.parametrize("rules", [*OF_EACH_SHAPE, "bttt(*)"])
def test_it_passes_pettingzoos_seed_test(rules: str) -> None:
    pettingzoo.test.seed_test(lambda: env(rules), num_cycles=300)


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore:matplotlib has no window")
def test_it_passes_pettingzoos_render_test() -> None:
    pettingzoo.test.render_test(lambda **options: env("mnk(3,4,3,bricks=B2,wrap=columns)", **options))


@pytest.mark.parametrize("rules", OF_EACH_SHAPE)
def test_it_plays_by_the_rules(rules: str) -> None:
    for seed in range(4):
        playing = raw_env(rules)
        playing.reset(seed=seed)
        for position in played_out(parse_rules(rules), random.Random(seed)):
            if position.moves:
                playing.step(np.int64(position.moves[-1]))
            assert playing.position == position
            assert playing.rules == position.rules
            for agent, side in zip(PLAYERS, Side, strict=True):
                mask = tuple(np.flatnonzero(playing.observe(agent)["action_mask"]).tolist())
                if position.is_over:
                    assert mask == tuple(range(position.rules.size))
                else:
                    assert mask == (position.legal_moves if side == position.to_move else ())
                assert playing.rewards[agent] == (position.outcome.value(side) if position.is_over else 0)
                assert playing.terminations[agent] is position.is_over
            assert playing.agent_selection == PLAYERS[position.to_move]


def test_an_illegal_move_loses_the_game_or_is_an_error() -> None:
    playing = env(illegal_reward=-2.0)
    playing.reset()
    playing.step(4)
    playing.step(4)
    assert playing.last()[1:4] == (-2.0, True, False)
    assert playing.rewards == {"player_0": 0.0, "player_1": -2.0}
    for _ in PLAYERS:
        playing.step(None)
    assert playing.agents == []
    strict = raw_env()
    strict.reset()
    with pytest.raises(IllegalMoveError, match="off the board"):
        strict.step(9)
    assert strict.position.ply == 0


def test_each_reset_draws_a_game_of_the_task_by_its_seed() -> None:
    playing, drawn = raw_env("bttt(*)"), []
    for seed in (1, 1, 2):
        playing.reset(seed=seed)
        for _ in range(20):
            drawn.append(playing.rules)
            playing.reset()
    assert drawn[:20] == drawn[20:40] != drawn[40:]
    assert len(set(drawn)) > 10
    assert set(drawn) <= set(parse_task("bttt(*)").rules)


def test_every_name_is_registered() -> None:
    for name, rules in {"mnk": "tic-tac-toe", "gomoku": "gomoku", "bttt-variant-2": "bttt(E5)"}.items():
        made = pettingzoo.make("aec", f"noughts/{name}-v0")
        assert made.unwrapped.rules == parse_rules(rules)
    assert pettingzoo.make("aec", "noughts/mnk-v0", rules="notakto(4)").unwrapped.rules == parse_rules("notakto(4)")
    for name in ("mnk", *(name for name, preset in PRESETS.items() if not preset.parameters)):
        assert pettingzoo.spec("aec", f"noughts/{name}-v0").version == 0


def test_a_copy_continues_identically() -> None:
    first = raw_env("bttt(*)")
    first.reset(seed=5)
    first.step(0)
    second = pickle.loads(pickle.dumps(first))
    rng = random.Random(1)
    for _ in range(3):
        while not first.position.is_over:
            move = rng.choice(first.position.legal_moves)
            first.step(move)
            second.step(move)
            assert second.position == first.position
            assert second.rewards == first.rewards
        first.reset()
        second.reset()
        assert second.rules == first.rules


def test_a_window_shows_the_position_until_it_is_closed() -> None:
    with pytest.warns(UserWarning, match="matplotlib has no window here"):
        playing = raw_env("tic-tac-toe", "human")
    playing.reset()  # warns no more
    playing.step(4)
    assert pyplot.get_figlabels() == ["noughts"]
    (image,) = pyplot.gca().get_images()
    assert np.array_equal(np.asarray(image.get_array()), picture(Position.start(parse_rules("tic-tac-toe"), (4,))))
    copy = pickle.loads(pickle.dumps(playing))
    assert copy.render() is None
    for either in (playing, copy):  # closing twice is allowed
        either.close()
        assert pyplot.get_figlabels() == []


@pytest.mark.filterwarnings("ignore:matplotlib has no window")
def test_a_window_waits_for_the_rest_of_the_time_between_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = 100.0, list[float]()

    def pause(seconds: float) -> None:
        nonlocal now
        waits.append(seconds)
        now += seconds

    monkeypatch.setattr(pyplot, "pause", pause)
    monkeypatch.setitem(TurnTakingEnv.metadata, "render_fps", 2)
    monkeypatch.setattr("noughts.bridges.pettingzoo.time.monotonic", lambda: now)
    playing = raw_env("tic-tac-toe", "human")
    playing.reset()
    for cell, thought in ((4, 0.0), (0, 0.25), (8, 3.0)):
        now += thought
        playing.step(cell)
    playing.close()
    assert waits == pytest.approx([0.001, 0.5, 0.25, 0.001])


def test_it_renders_as_requested() -> None:
    playing = raw_env("notakto(3)", "ansi")
    playing.reset()
    playing.step(4)
    assert playing.render() == str(Position.start(parse_rules("notakto(3)"), (4,)))
    with pytest.raises(RulesError, match="video"):
        env(render_mode="video")


def test_the_reward_of_an_illegal_move_is_a_finite_number() -> None:
    with pytest.raises(RulesError, match=r"^illegal_reward=inf: give a finite number$"):
        env(illegal_reward=float("inf"))
