"""The trainer: it learns, it resumes bit for bit, an interrupt leaves a complete iteration, and opponents are correct."""

import concurrent.futures
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from noughts.agents.evolved import ValueAgent
from noughts.networks.value_network import load_values
from noughts.positions import Side
from noughts.search.lookahead import LookAhead
from noughts.training.evolution import fitness
from noughts.training.evolution import train as train_module
from noughts.training.evolution.rounds import RoundTally
from noughts.training.evolution.train import Evolution
from tests.examine.walking import walk_every_reply
from tests.training.small_runs import tiny_evolution

RUNS: dict[str, dict[str, Any]] = {
    "tpa, own rounds, a growing hall of fame": {
        "step_size": "tpa",
        "seeds": "own",
        "opponent": "hall",
        "threshold": 25.0,
        "growth": 0.3,
    },
    "separable, the latest bests, redrawn": {
        "strategy": "separable-cma",
        "seeds": "redrawn",
        "opponent": "recent",
        "recent": 2,
        "threshold": 30.0,
        "objective": "return",
    },
    "openai-es, several games": {
        "strategy": "openai-es",
        "task": "2*mnk(2,4,3) | mnk(2,4,3,line=loses)",
        "sigma": 1.0,
        "learning_rate": 0.3,
        "opponent": "self",
        "simulations": 2,
    },
}


def states(config_fields: dict[str, Any], steps: int, threads: int = 2) -> list[dict[str, bytes]]:
    """The state at the beginning and after each step."""
    trainer = Evolution(tiny_evolution(**config_fields), threads)
    found = [trainer.state()]
    for _ in range(steps):
        trainer.step()
        found.append(trainer.state())
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("name", RUNS)
def test_it_resumes_bit_for_bit_with_any_number_of_threads(name: str) -> None:
    fields = RUNS[name]
    whole = states(fields, 8, threads=1)
    assert len({repr(state) for state in whole}) == 9
    assert states(fields, 8, threads=4) == whole
    for after in (0, 3, 7):
        trainer = Evolution(tiny_evolution(**fields))
        trainer.restore(whole[after])
        assert trainer.iteration == after
        assert trainer.state() == whole[after]
        trainer.measure()  # changes nothing
        trainer.weights()
        assert trainer.state() == whole[after]
        for following in whole[after + 1 :]:
            trainer.step()
            assert trainer.state() == following
    assert states({**fields, "seed": 1}, 1)[-1] != whole[1]


class Interrupt:
    """A trace function that raises KeyboardInterrupt, in this thread, at one of the coming moments.

    Moments are the lines of the trainer and its games, and their returns from distributing work or waiting for it.
    """

    _OURS = (train_module.__file__, fitness.__file__)
    _CALLED = (concurrent.futures.ThreadPoolExecutor.submit.__code__, concurrent.futures.Future.result.__code__)

    def __init__(self, moments: int) -> None:
        self.left = moments

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        ours = frame.f_code.co_filename in self._OURS
        if not ours and frame.f_code not in self._CALLED:
            return None
        if event == ("line" if ours else "return"):
            self.left -= 1
            if self.left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def test_an_interrupt_at_any_moment_leaves_a_whole_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"opponent": "hall", "threshold": 100.0, "growth": 0.05, "seeds": "redrawn", "rounds": 3}
    monkeypatch.setattr(train_module, "HALL_SIZE", 5)
    expected, before = states(fields, 0), sys.gettrace()
    ahead, trainer = Evolution(tiny_evolution(**fields)), Evolution(tiny_evolution(**fields))
    moments = interrupted = undone = 0
    while interrupted == moments:
        moments += 1
        iteration = trainer.iteration
        try:
            sys.settrace(Interrupt(moments))
            trainer.step()
        except KeyboardInterrupt:
            interrupted += 1
        finally:
            sys.settrace(before)
        found, after = trainer.state(), trainer.iteration
        assert after in (iteration, iteration + 1)
        undone += after == iteration
        while len(expected) <= after:
            ahead.step()
            expected.append(ahead.state())
        assert found == expected[after]
        if moments % 10 == 0:
            time.sleep(0.002)
        assert trainer.iteration == after  # no thread is still working
    assert interrupted > 60
    assert undone > 40
    assert trainer.iteration == moments - undone > 5


def test_a_failing_strategy_leaves_a_complete_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, trainer = states({}, 2), Evolution(tiny_evolution())
    trainer.step()
    with monkeypatch.context() as patched:
        patched.setattr(trainer._strategy, "advance", Mock(side_effect=ArithmeticError("diverged")))
        with pytest.raises(ArithmeticError):
            trainer.step()
    assert trainer.state() == expected[1]
    trainer.step()
    assert trainer.state() == expected[2]


class Watched(Evolution):
    """A trainer that records the games and the learning from them."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(tiny_evolution(**fields))
        self.asked: list[Any] = []
        self.learned: list[list[float]] = []
        true_tallies, true_advance = self._playing.tallies, self._strategy.advance

        def tallies(candidates: Any, rounds: Any, opponents: Any) -> list[RoundTally]:
            found = true_tallies(candidates, rounds, opponents)
            self.asked.append((candidates.copy(), list(rounds), opponents, found))
            return found

        def advance(fitness: NDArray[np.float64]) -> None:
            self.learned.append(fitness.tolist())
            true_advance(fitness)

        self._playing.tallies = tallies  # type: ignore[method-assign]
        self._strategy.advance = advance  # type: ignore[method-assign]


@pytest.mark.parametrize("objective", ["losses", "return"])
def test_a_step_ranks_candidates_by_their_games_and_reports_metrics(objective: str) -> None:
    trainer = Watched(objective=objective, threshold=25.0, rounds=20)
    positions, replaced, best = 0, 0, trainer.best.parameters
    for iteration in range(12):
        mean, metrics = trainer.mean.parameters, trainer.step()
        candidates, _, _, tallies = trainer.asked[-1]
        assert len(candidates) == len(tallies) == 7
        np.testing.assert_array_equal(candidates[-1], mean)
        *others, own = tallies
        assert all(sum(tally[:3]) == 40 for tally in tallies)
        if objective == "losses":
            assert trainer.learned[-1] == [tally.losses for tally in others]
        else:
            assert trainer.learned[-1] == [tally.losses - tally.wins for tally in others]
        positions += sum(tally.plies for tally in tallies)
        replaced += own.losses / 40 < 0.25
        best = mean if own.losses / 40 < 0.25 else best
        np.testing.assert_array_equal(trainer.best.parameters, best)
        assert (trainer.iteration, trainer.positions) == (iteration + 1, positions)
        assert metrics["lost_by_mean"] == pytest.approx(100 * own.losses / 40)
        assert metrics["lost_by_least"] == pytest.approx(100 * min(tally.losses for tally in others) / 40)
        assert metrics["lost_by_median"] == pytest.approx(np.median([100 * tally.losses / 40 for tally in others]))
        assert (metrics["replaced"], metrics["rounds"]) == (replaced, 20)
        assert metrics["sigma"] > 0
    assert 0 < replaced < 12


@pytest.mark.parametrize(
    ("opponent", "kept"), [("best", 1), ("recent", 3), ("hall", 5), ("hall", 1000), ("random", 0), ("self", 1)]
)
def test_opponents_come_from_the_named_history(monkeypatch: pytest.MonkeyPatch, opponent: str, kept: int) -> None:
    """Every mean but the first, which the run begins with, becomes a best; each has a number that no other ever has."""
    monkeypatch.setattr(train_module, "HALL_SIZE", kept if opponent == "hall" else 5)

    def begun() -> Watched:
        return Watched(opponent=opponent, recent=3, threshold=100.0, rounds=3, omniscient=False, random_moves=0.2)

    trainer = begun()
    bests, by_number = [np.zeros(len(trainer.mean.parameters))], dict[int, bytes]()
    for _ in range(9):
        if trainer.iteration == 4:  # a resumed session counts as before
            state = trainer.state()
            trainer = begun()
            trainer.restore(state)
        mean = trainer.mean.parameters
        trainer.step()
        _, _, opponents, (*_, own) = trainer.asked[-1]
        numbers, expected = opponents.owners.tolist(), bests[-kept:] if kept else []
        assert len(numbers) == len(opponents.parameters) == min(kept, len(bests))
        for number, parameters, best in zip(numbers, opponents.parameters, expected, strict=True):
            np.testing.assert_array_equal(parameters, best)
            assert number >= 1
            assert by_number.setdefault(number, parameters.tobytes()) == parameters.tobytes()
        if own.losses < 6:
            bests.append(mean)
    assert len(bests) > 7
    assert len(set(by_number.values())) >= len(by_number) - 1  # the first mean is the run's start
    assert trainer._playing._settings == (opponent == "self", False, 1, 0.2)


def test_rounds_grow_when_it_wins_and_start_with_the_earlier_ones() -> None:
    growing = Watched(threshold=100.0, growth=0.1, rounds=10)
    counts, before = [], None
    for _ in range(9):
        counts.append(growing.step()["rounds"])
        _, rounds, _, _ = growing.asked[-1]
        seeds = rounds[0].seeds
        assert len(seeds) == counts[-1]
        if before is not None:
            np.testing.assert_array_equal(seeds[: len(before)], before)
        before = seeds
    assert counts == [10, 11, 12, 13, 14, 15, 17, 19, 21]
    limited = Watched(threshold=100.0, growth=1.0, rounds=3, most_rounds=10)
    assert [limited.step()["rounds"] for _ in range(4)] == [3, 6, 10, 10]
    for still in (Watched(threshold=100.0, rounds=10), Watched(threshold=0.0, growth=0.5, rounds=10)):
        assert [still.step()["rounds"] for _ in range(4)] == [10] * 4


def test_rounds_grow_by_a_count_of_rounds_lost() -> None:
    """ "When # losses fell below 10": 10 of however many rounds, where the best so far is judged by a share of them."""
    trainer = Watched(threshold=8.0, growth=0.5, rounds=20, seeds="redrawn")
    grown, replaced, rounds = 0, 0, 20.0
    for _ in range(10):
        metrics = trainer.step()
        *_, own = trainer.asked[-1][-1]
        replaced += 100 * own.losses / (2 * rounds) < 8
        assert (metrics["rounds"], metrics["replaced"]) == (rounds, replaced)
        if own.losses / 2 < 8:
            grown, rounds = grown + 1, rounds + round(0.5 * rounds)
    assert 0 < grown < 10
    assert replaced < grown


def test_when_rounds_are_redrawn() -> None:
    drawn: dict[str, list[list[bytes]]] = {}
    for seeds in ("fixed", "redrawn", "own"):
        trainer = Watched(seeds=seeds)
        for _ in range(3):
            trainer.step()
        drawn[seeds] = [[asked.seeds.tobytes() for asked in rounds] for _, rounds, _, _ in trainer.asked]
        assert {len(rounds) for rounds in drawn[seeds]} == {7}
    assert len({seeds for rounds in drawn["fixed"] for seeds in rounds}) == 1
    assert [len(set(rounds)) for rounds in drawn["redrawn"]] == [1, 1, 1]
    assert len({seeds for rounds in drawn["redrawn"] for seeds in rounds}) == 3
    assert len({seeds for rounds in drawn["own"] for seeds in rounds}) == 21
    other = Watched(seed=5)
    other.step()
    assert other.asked[0][1][0].seeds.tobytes() != drawn["fixed"][0][0]
    (asked, *_) = other.asked[0][1]
    assert len(set(asked.seeds.tolist())) == 10


def test_games_are_drawn_by_their_weights() -> None:
    trainer = Watched(task="8*mnk(2,4,3) | mnk(2,4,3,line=loses) | mnk(2,4,3,full=first)", rounds=3000, population=4)
    trainer.step()
    (asked, *_) = trainer.asked[0][1]
    shares = np.bincount(asked.games, minlength=3) / 3000
    np.testing.assert_allclose(shares, [0.8, 0.1, 0.1], atol=0.03)


def test_its_weights_are_the_mean_and_the_best() -> None:
    trainer = Evolution(tiny_evolution(threshold=60.0, tie_tolerance=0.01, seed=2))
    for _ in range(6):
        trainer.step()
    networks, about = load_values(trainer.weights())
    assert not np.array_equal(trainer.mean.parameters, trainer.best.parameters)
    np.testing.assert_array_equal(networks["mean"].parameters, trainer.mean.parameters)
    np.testing.assert_array_equal(networks["best"].parameters, trainer.best.parameters)
    assert about == {
        "method": "es",
        "task": trainer.config.task,
        "iteration": 6,
        "positions": trainer.positions,
        "tie_tolerance": 0.01,
    }


def can_be_beaten(trainer: Evolution, side: Side) -> bool:
    """Whether some reply beats the mean."""
    agent = ValueAgent(LookAhead(trainer.mean, trainer.config.tie_tolerance))
    return walk_every_reply(agent, trainer.config.games.rules[0], side).lost_game is not None


@pytest.mark.heavy
def test_it_becomes_unbeatable_in_an_easy_game() -> None:
    """From its own games alone it learns to lose fewer of them, and none to minimax."""
    fields = {"task": "mnk(2,4,3)", "widths": "", "population": 12, "rounds": 40, "seeds": "redrawn"}
    trainer = Evolution(tiny_evolution(measure_rounds=100, **fields))
    before = trainer.measure()
    assert can_be_beaten(trainer, Side.FIRST)
    lost = [trainer.step()["lost_by_mean"] for _ in range(80)]
    after = trainer.measure()
    assert np.mean(lost[-10:]) < 0.75 * np.mean(lost[:5])
    assert before["lost_rounds"] > 25
    assert after["lost_rounds"] == 0
    assert not any(can_be_beaten(trainer, side) for side in Side)
