"""Sessions: the same results for any number of workers and any interruption; broken games are kept."""

from collections.abc import Sequence

import pytest

from noughts.matches.match import MatchPlan, match_games, match_result
from noughts.matches.session import Game, Measured, Measurement, Work, carry_out
from noughts.rules import AgentError, ComputeError
from noughts.store.records import GameRecord


class Memory:
    """A keeper that forgets when the test ends."""

    def __init__(self) -> None:
        self.games: dict[str, GameRecord] = {}
        self.measurements: dict[str, str] = {}

    def done_keys(self) -> set[str]:
        return {*self.games, *self.measurements}

    def add(self, games: Sequence[GameRecord] = (), measurements: dict[str, str] | None = None) -> None:
        for game in games:
            assert game.key not in self.games, "played twice"
            self.games[game.key] = game.model_copy(update={"seconds_first": 0.0, "seconds_second": 0.0})
        self.measurements |= measurements or {}


def work(**more: object) -> list[Work]:
    plan = MatchPlan(rules="tic-tac-toe", a="mcts:sims=50", b="random", games=24, **more)
    walk = Measurement("walk", "noughts.studies.mcts_perfect:walk_instance", WALK)
    last = Measurement("last", "noughts.studies.mcts_perfect:walk_instance", WALK, alone=True)
    return [*map(Game, match_games(plan)), walk, last]


WALK = '{"agent": "mcts:sims=5", "rules": "tic-tac-toe", "seed": 1}'


def test_the_results_do_not_depend_on_the_number_of_workers() -> None:
    kept = []
    for workers in (0, 1, 3):
        memory = Memory()
        steps = list(carry_out(work(), memory, workers))
        assert (steps[0].done, steps[-1].done, steps[-1].total) == (0, 26, 26)
        kept.append((dict(sorted(memory.games.items())), memory.measurements))
    assert kept[0] == kept[1] == kept[2]


def test_an_interrupted_session_goes_on_and_repeats_nothing() -> None:
    whole, memory = Memory(), Memory()
    list(carry_out(work(), whole, 0))
    sittings, ticks = 0, iter(range(10**6))
    while len(memory.done_keys()) < 26:
        steps = carry_out(work(), memory, 0, clock=lambda: float(next(ticks)))
        next(steps)
        for _ in range(5):
            if next(steps, None) is None:
                break
        steps.close()
        sittings += 1
    assert sittings >= 5
    assert memory.games == whole.games
    assert memory.measurements == whole.measurements


def test_a_hanging_agent_is_stopped_and_its_game_kept() -> None:
    plan = MatchPlan(
        rules="tic-tac-toe",
        a="python:tests.matches.players:Hangs",
        b="python:tests.matches.players:First",
        games=2,
        move_seconds=0.5,
    )
    memory = Memory()
    list(carry_out(list(map(Game, match_games(plan))), memory, 1))
    result = match_result(plan, memory.games.values())
    assert result.total.errors == 2
    for record in memory.games.values():
        assert record.error == "the move took longer than 0.5 s"
        assert record.culprit == "first"
        assert record.moves == (0, 1)


def test_a_limit_that_nobody_could_enforce_is_refused() -> None:
    with pytest.raises(ComputeError, match="needs workers"):
        list(carry_out(work(move_seconds=1.0), Memory(), 0))


def test_a_measurement_that_fails_is_kept_with_its_error() -> None:
    broken = Measurement("broken", "noughts.studies.mcts_perfect:walk_instance", "{}")
    memory = Memory()
    list(carry_out([*work()[:3], broken], memory, 0))
    assert len(memory.games) == 3
    assert Measured.from_json(memory.measurements["broken"]).error.startswith("KeyError")


def test_work_that_is_named_twice_is_refused() -> None:
    with pytest.raises(AgentError, match="is to be done twice"):
        list(carry_out([*work(), *work()[:1]], Memory(), 0))


def test_what_was_done_is_kept_when_somebody_has_had_enough() -> None:
    memory = Memory()
    steps = carry_out(work(), memory, 0, clock=lambda: 0.0)  # no time passes: only the first batch is due
    next(steps)
    assert next(steps).done == 1
    steps.close()
    assert len(memory.games) >= 1
    steps = carry_out(work(), memory, 1)
    for step in steps:
        if step.new >= 3:
            break
    steps.close()
    assert len(memory.games) >= 4


def test_an_agent_that_quits_or_prints_harms_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    for name, errors in (("Quits", 2), ("Chatty", 0), ("NumpyMove", 0)):
        plan = MatchPlan(rules="tic-tac-toe", a=f"python:tests.matches.players:{name}", b="random", games=2)
        for workers in (0, 1):
            memory = Memory()
            list(carry_out(list(map(Game, match_games(plan))), memory, workers))
            result = match_result(plan, memory.games.values())
            assert result.total.errors == errors
            assert all(type(move) is int for game in memory.games.values() for move in game.moves)
    assert capfd.readouterr().out == ""


def test_starting_up_does_not_count_as_thinking() -> None:
    plan = MatchPlan(rules="tic-tac-toe", a="minimax:depth=9", b="mcts:sims=10", games=4, move_seconds=0.5)
    memory = Memory()
    list(carry_out(list(map(Game, match_games(plan))), memory, 2))
    result = match_result(plan, memory.games.values())
    assert result.problems == ()
    assert result.seconds_a < 0.05
    assert result.seconds_b < 0.05


def test_games_of_thousands_of_moves_can_be_played() -> None:
    plan = MatchPlan(rules="notakto(5,boards=100)", a="random", b="random", games=1)
    memory = Memory()
    list(carry_out(list(map(Game, match_games(plan))), memory, 0))
    (game,) = memory.games.values()
    assert game.error == ""
    assert len(game.moves) > 1000
