"""Sessions: the same results for any number of workers and any interruption; broken games are kept."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from noughts.play.match import MatchPlan, match_games, match_result
from noughts.questions.session import Game, Games, Measured, Measurement, Work, carry_out

from noughts.agents import build_agent
from noughts.play.playthrough import play_game
from noughts.rules import AgentError, ComputeError
from noughts.store.records import GameRecord
from tests.play import together

TOGETHER = "python:tests.play.together:"


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


def test_each_stage_is_counted_alone() -> None:
    walk = Measurement("later", "noughts.studies.mcts_perfect:walk_instance", WALK, stage=1)
    steps = [(step.stage, step.stages, step.done, step.total) for step in carry_out([*work(), walk], Memory(), 0)]
    assert (steps[0], steps[-1]) == ((1, 2, 0, 26), (2, 2, 1, 1))
    assert (1, 2, 26, 26) in steps
    assert (2, 2, 0, 1) in steps


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
        a="python:tests.play.players:Hangs",
        b="python:tests.play.players:First",
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
        plan = MatchPlan(rules="tic-tac-toe", a=f"python:tests.play.players:{name}", b="random", games=2)
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


def test_games_played_together_are_kept_and_resumed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = tuple(match_games(MatchPlan(rules="tic-tac-toe", a="minimax", b="random", games=12)))
    alone, memory = Memory(), Memory()
    list(carry_out(list(map(Game, plans)), alone, 0))
    list(carry_out(list(map(Game, plans[3:5])), memory, 0))  # Memory would not take them twice
    steps = list(carry_out([Games(plans)], memory, 0))
    assert [(step.done, step.total, step.new) for step in steps] == [(2, 12, 0), (12, 12, 10)]
    assert memory.games == alone.games
    assert len(list(carry_out([Games(plans)], memory, 0))) == 1
    with pytest.raises(ValueError, match="no games"):
        Games(())


def test_games_of_agents_that_decide_many_positions_are_played_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together.Together, "asked_together", [])
    games = match_games(MatchPlan(rules="tic-tac-toe", a=TOGETHER + "Together", b="random", games=40))
    other = match_games(MatchPlan(rules="notakto(3)", a=TOGETHER + "Together", b="random", games=3))
    memory = Memory()
    list(carry_out([*map(Game, games), *map(Game, other)], memory, 0))
    assert len(memory.games) == 43
    assert max(together.Together.asked_together) == 43
    for game in (*games, *other):
        record = play_game(game, (build_agent(game.first), build_agent(game.second)))
        assert memory.games[game.key] == record

    asked = len(together.Together.asked_together)
    for b in ("perfect:nodes=5", "omniscient:inside=perfect"):  # whose games take too much memory
        apart = match_games(MatchPlan(rules="tic-tac-toe", a=TOGETHER + "Together", b=b, games=2))
        list(carry_out(list(map(Game, apart)), Memory(), 0))
    assert len(together.Together.asked_together) == asked


@pytest.mark.parametrize(("name", "workers"), [("Quits", 0), ("Quits", 1), ("Dies", 1)])
def test_games_whose_process_ends_are_played_one_by_one(name: str, workers: int) -> None:
    def moves(of: str, together: bool) -> dict[str, tuple[tuple[int, ...], str]]:
        plans = match_games(MatchPlan(rules="tic-tac-toe", a=TOGETHER + of, b="random", games=12))
        memory = Memory()
        list(carry_out([Games(tuple(plans))] if together else list(map(Game, plans)), memory, workers))
        return {key: (game.moves, game.error) for key, game in memory.games.items()}

    found = moves(name, True)
    assert found == moves(name, False)
    assert 0 < sum(bool(error) for _, error in found.values()) < 12


def test_a_measurement_whose_process_ends_is_tried_once_more(tmp_path: Path) -> None:
    def dying(times: int, alone: bool) -> Measurement:
        key = f"{times} {alone}"
        return Measurement(key, "tests.machine.functions:die_until", f"{tmp_path / key}|{times}", alone)

    memory = Memory()
    steps = list(carry_out([dying(times, alone) for times in (1, 2) for alone in (False, True)], memory, 2))
    assert (steps[-1].done, steps[-1].total) == (4, 4)
    for alone in (False, True):
        assert Measured.from_json(memory.measurements[f"1 {alone}"]) == Measured(value="2")
        again = Measured.from_json(memory.measurements[f"2 {alone}"])
        assert again == Measured(error="its process was ended by SIGSEGV")
        assert (tmp_path / f"2 {alone}").read_text() == "xx"


def test_stages_are_done_in_order_and_what_is_alone_comes_last_in_each(tmp_path: Path) -> None:
    diary = tmp_path / "diary"

    def write(word: str, stage: int, alone: bool = False) -> Measurement:
        return Measurement(word, "tests.machine.functions:write_line", f"{diary}|{word}", alone, stage)

    plan = match_games(MatchPlan(rules="tic-tac-toe", a="random", b="random", games=1))[0]
    pieces: list[Work] = [
        write("e", 7),
        write("f", 7, True),
        Game(plan, 3),
        write("d", 3, True),
        write("b", -1, True),
        write("a", -1),
    ]
    for workers in (0, 2):
        diary.unlink(missing_ok=True)
        steps = list(carry_out(pieces, Memory(), workers))
        assert diary.read_text().split() == ["a", "b", "d", "e", "f"]
        assert [(step.stage, step.done, step.total) for step in steps if step.done == step.total] == [
            (1, 2, 2),
            (2, 2, 2),
            (3, 2, 2),
        ]


def test_what_a_long_job_notes_is_shown_while_it_runs() -> None:
    long = Measurement("long", "tests.machine.functions:noting_often", "5 30 0.1", alone=True)
    plan = match_games(MatchPlan(rules="tic-tac-toe", a="random", b="random", games=1))[0]
    steps = list(carry_out([Game(plan), long], Memory(), 1))
    shown = [step.note for step in steps if step.note]
    assert shown
    assert all(note.startswith("note ") for note in shown)
    assert len(set(shown)) == len(shown) <= 4  # about one a second, each newer than the one before
    assert steps[-1].note == ""
    assert [step.done for step in steps] == sorted(step.done for step in steps)
