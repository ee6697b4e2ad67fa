"""The judge: tallies computed by hand and by brute force, and misbehaving agents."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any
from unittest.mock import Mock

import pytest

from noughts.agents import Agent, as_agent, build_agent
from noughts.examine.judge import Blunder, Tally, judge
from noughts.examine.sample import all_positions
from noughts.positions import Position
from noughts.rules import Rules, SolverError, parse_rules
from noughts.rules.text import format_game
from noughts.solvers import Budget, Solution
from noughts.solvers.solve import Truth
from noughts.statistics import Interval, mean_interval, wilson
from tests.agents import together
from tests.agents.deciders import Last
from tests.examine.judged import Says, SaysAlone
from tests.positions.reached import at
from tests.solvers.brute_force import Known

LAST = "python:tests.agents.deciders:Last"
FIRST = "python:tests.agents.players:First"


def tally(agent: str, *positions: Position, nodes: int | None = None) -> Tally:
    return judged(partial(build_agent, agent), positions, Truth(positions[0].rules), nodes=nodes)


def judged(
    make: Callable[[], Agent], positions: Sequence[Position], truth: Truth, seed: int = 0, **limits: Any
) -> Tally:
    return sum(judge(make, positions, truth.solve, seed, **limits), Tally())


def every(rules: Rules) -> list[Position]:
    strata = all_positions(rules, 20_000)
    assert strata is not None
    return [position for stratum in strata for position in stratum.positions]


def by_ply(positions: list[Position]) -> dict[int, list[Position]]:
    return {ply: list(some) for ply, some in groupby(positions, lambda position: position.ply)}


NO_NUMBERS = ("complete", "refusal", "problems", "blunders")


def test_blunders_are_classified_by_the_value_they_lose() -> None:
    # X has A1 A2 and wins on A3; O has B1 B2 and wins on B3.
    both_threaten = at("tic-tac-toe", "A1 B1 A2 B2")
    assert tally(FIRST, both_threaten).optimal == 1  # A3
    lost = tally(LAST, both_threaten)  # C3
    assert (lost.choices, lost.won, lost.won_drawn, lost.won_lost, lost.optimal) == (1, 1, 0, 1, 0)
    # X has A1 A3 and wins on A2. After C2 instead, O takes A2, and neither side gets a line.
    drawn = tally(LAST, at("tic-tac-toe", "A1 B1 A3 C3"))
    assert (drawn.choices, drawn.won, drawn.won_drawn, drawn.won_lost) == (1, 1, 1, 0)
    assert [str(blunder) for found in (lost, drawn) for blunder in found.blunders] == [
        "tic-tac-toe A1 B1 A2 B2, then C3: won before, lost after",
        "tic-tac-toe A1 B1 A3 C3, then C2: won before, drawn after",
    ]
    assert tally(FIRST, both_threaten).blunders == ()


@pytest.mark.parametrize("text", ["tic-tac-toe", "mnk(2,4,3,line=loses)", "notakto(3)", "mnk(2,4,3,full=second)"])
def test_every_tally_equals_brute_force(text: str) -> None:
    rules = parse_rules(text)
    known = Known(rules)
    expected: dict[int, list[float]] = {}
    wrong: dict[int, list[Blunder]] = {}
    for position in every(rules):
        reached = {move: -known[position.play(move)][0] for move in position.legal_moves}
        best, mine = known[position][0], reached[position.legal_moves[-1]]
        assert best == max(reached.values())
        right = sum(worth == best for worth in reached.values())
        choice = right < len(reached)
        row = expected.setdefault(position.ply, [0.0] * 8)
        won = choice and best == 1
        blunders = (best == 1 and mine == 0, best == 1 and mine == -1, best == 0 and mine == -1)
        chance = right / len(reached) if choice else 0.0
        for place, more in enumerate((1, choice, choice and mine == best, chance, won, *blunders)):
            row[place] += more
        if mine < best:
            game, last = format_game(rules, position.moves), rules.name_of(position.legal_moves[-1])
            wrong.setdefault(position.ply, []).append(Blunder(position=game, move=last, value=best, kept=mine))
    truth = Truth(rules)
    found = {ply: judged(lambda: as_agent(Last()), some, truth) for ply, some in by_ply(every(rules)).items()}
    assert set(found) == set(expected)
    names = ("positions", "choices", "optimal", "chance", "won", "won_drawn", "won_lost", "drawn_lost")
    for ply, row in expected.items():
        assert [getattr(found[ply], name) for name in names] == pytest.approx(row)
        assert found[ply].undecided == found[ply].errors == found[ply].values == 0
        assert found[ply].blunders == tuple(wrong.get(ply, ())[:10])
    assert sum(row[1] for row in expected.values()) > 0


def within_two(found: Interval) -> Interval:
    """The interval limited to possible errors, which are at most 2."""
    return Interval(found.value, max(0.0, found.low), min(2.0, found.high))


def test_predicted_values_are_compared_with_exact_ones() -> None:
    won, drawn, also_drawn = "A1 B1 A2 B2", "A1 B2 C3 A2", "B2 A1 C3 A3"
    positions = [at("tic-tac-toe", moves) for moves in (won, drawn, also_drawn)]
    found = tally("python:tests.examine.judged:Says,value=1", *positions)
    assert found.value_error == pytest.approx(within_two(mean_interval([0.0, 1.0, 1.0])))
    found = tally("python:tests.examine.judged:Says,value=-0.5,kind=estimate", *positions)
    assert found.value_error == pytest.approx(within_two(mean_interval([1.5, 0.5, 0.5])))
    assert found.values == 3


def test_a_bound_is_not_a_value_and_nonsense_is_an_error() -> None:
    bound = tally("python:tests.examine.judged:Says,value=1,kind=lower", at("tic-tac-toe", "A1"))
    assert (bound.values, bound.value_error, bound.choices, bound.errors) == (0, None, 1, 0)
    assert tally(LAST, at("tic-tac-toe", "A1")).value_error is None
    for value in ("nan", "1.5"):
        found = tally(f"python:tests.examine.judged:Says,value={value}", at("tic-tac-toe", "A1"))
        assert (found.errors, found.values) == (1, 0)
        assert found.problems == (f"after A1: AgentError: its value {value} is not from -1 to +1",)


@pytest.mark.parametrize("name", ["Raises", "TakesATakenCell", "PlaysOffTheBoard", "SaysNothing", "SaysText"])
def test_misbehaving_agents_are_counted_and_stop_nothing(name: str) -> None:
    found = tally(f"python:tests.agents.players:{name}", at("tic-tac-toe", "A1"), at("tic-tac-toe", "B2"))
    assert (found.positions, found.errors, found.choices) == (2, 2, 0)
    assert [problem.partition(":")[0] for problem in found.problems] == ["after A1", "after B2"]
    assert not any("\n" in problem for problem in found.problems)


def test_a_position_that_is_too_hard_is_undecided_and_not_queried() -> None:
    found = tally("python:tests.agents.players:Raises", at("mnk(4,4,4)"), nodes=1)
    assert (found.positions, found.undecided, found.errors, found.choices) == (1, 1, 0, 0)
    assert found.refusal == ""


def test_a_position_that_solvers_reject_is_undecided_with_the_reason() -> None:
    found = tally(LAST, at("gomoku", "A1"), at("gomoku", "B1"))
    assert (found.undecided, found.choices, found.indifferent) == (2, 0, 0)
    assert found.refusal.startswith("no solver covers")
    assert "after A1" in found.refusal


def test_a_position_with_an_unproved_move_is_undecided() -> None:
    def half(position: Position, budget: Budget) -> Solution:
        """The value is known, and those of all moves except one."""
        known = Truth(position.rules).solve(position, budget)
        first, *others = known.moves
        unsure = type(first)(first.move, -1, first.high)
        return Solution(known.low, known.high, None, (unsure, *others), known.solver, known.nodes)

    (found,) = judge(partial(build_agent, LAST), [at("tic-tac-toe", "A1 B1 A2 B2")], half, 0)
    assert (found.undecided, found.choices) == (1, 0)


def test_other_errors_of_solvers_are_raised() -> None:
    broken, full = Mock(side_effect=ZeroDivisionError), Mock(side_effect=SolverError("needs 9 GiB"))
    with pytest.raises(ZeroDivisionError):
        list(judge(partial(build_agent, LAST), [at("tic-tac-toe", "A1")], broken, 0))
    assert next(judge(partial(build_agent, LAST), [at("tic-tac-toe", "A1")], full, 0)).refusal == "needs 9 GiB"


def test_seed_and_position_determine_the_choice() -> None:
    truth = Truth(parse_rules("tic-tac-toe"))
    positions = every(parse_rules("tic-tac-toe"))[::40]
    forth, back, other = (
        [judged(partial(build_agent, "random"), some, truth, seed).optimal for some in by_ply(order).values()]
        for order, seed in ((positions, 5), (positions[::-1], 5), (positions, 6))
    )
    assert forth == back[::-1]
    assert forth != other


def test_only_sampled_results_have_intervals() -> None:
    counts = {"positions": 20, "choices": 12, "optimal": 9, "won": 8, "won_drawn": 1, "won_lost": 1, "drawn_lost": 1}
    sample = Tally(**counts, values=20, error=5.0, squared_error=3.0)
    assert sample.optimal_interval == wilson(9, 12)
    assert sample.won_interval == wilson(2, 8)
    assert sample.drawn_interval == wilson(1, 4)
    assert sample.value_error is not None
    assert sample.value_error.low < 0.25 < sample.value_error.high
    whole = sample.model_copy(update={"complete": True})
    assert whole.optimal_interval == (0.75, 0.75, 0.75)
    assert whole.value_error == (0.25, 0.25, 0.25)
    for spoilt in ({"undecided": 1}, {"errors": 1}):
        assert whole.model_copy(update=spoilt).optimal_interval == wilson(9, 12)
    assert Tally(complete=True).optimal_interval == wilson(0, 0)


@pytest.mark.parametrize("name", ["Together", "Raises", "Illegal", "Nonsense", "Short"])
def test_an_agent_that_decides_in_batches_is_judged_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules("tic-tac-toe")
    positions = every(rules)[:600]
    agent = Mock(side_effect=partial(build_agent, f"python:tests.agents.together:{name}"))
    monkeypatch.setattr(together.Together, "asked_together", [])
    found = judged(agent, positions, Truth(rules), 3)
    assert together.Together.asked_together == [256, 256, 88]
    assert agent.call_count == 4  # one to check each batch, because some agents are programs that start slowly
    limited = judged(agent, positions, Truth(rules), 3, move_seconds=60)
    assert len(together.Together.asked_together) == 3
    assert found == limited
    late = judged(agent, positions[:1], Truth(rules), 3, move_seconds=1e-9)
    assert (late.errors, late.problems) == (1, ("after no moves: the move took longer than 1e-09 s",))
    assert (found.errors > 0) == (name in ("Raises", "Illegal", "Nonsense"))


@pytest.mark.parametrize("kind", ["Remembers", "RemembersAndSharesItself"])
def test_a_score_does_not_depend_on_how_positions_are_shared_out(kind: str) -> None:
    """An agent that changes after its first call is judged as if each call were its first."""
    rules = parse_rules("tic-tac-toe")
    positions, truth = every(rules)[:40], Truth(rules)
    agent = partial(build_agent, f"python:tests.examine.judged:{kind}")
    found = list(judge(agent, positions, truth.solve, 0))
    assert found == list(judge(partial(build_agent, LAST), positions, truth.solve, 0))
    pieces = [judge(agent, positions[start : start + 7], truth.solve, 0) for start in range(0, 40, 7)]
    assert [tally for piece in pieces for tally in piece] == found


def test_values_predicted_in_batches_are_judged_alike() -> None:
    rules = parse_rules("tic-tac-toe")
    positions = every(rules)[:300]
    for value in ("0.25", "7"):  # the second is an invalid value
        many, one = Says(value, "estimate"), SaysAlone(value, "estimate")
        found = [judged(lambda agent=agent: agent, positions, Truth(rules)) for agent in (many, one)]  # type: ignore[misc]
        assert found[0] == found[1]
        assert many.asked == [256, 44]
        assert one.asked == [1] * 300


def test_tallies_add_up_field_by_field() -> None:
    numbers = {name: number for number, name in enumerate(Tally.model_fields, start=2) if name not in NO_NUMBERS}
    tally = Tally(**numbers, refusal="too large", problems=("one",))
    assert Tally() + tally == tally + Tally() == tally
    assert Tally() == Tally(**dict.fromkeys(numbers, 0), complete=False, refusal="", problems=())
    both = tally + tally
    assert {name: getattr(both, name) for name in numbers} == {name: 2 * number for name, number in numbers.items()}
    assert (both.refusal, both.problems) == ("too large", ("one", "one"))
    assert Tally(positions=7, choices=2, undecided=1).indifferent == 4
    assert Tally.from_json(both.to_json()) == both
    assert not (Tally(complete=True) + Tally()).complete
    assert (Tally(complete=True) + Tally(complete=True)).complete
    many = Tally(problems=tuple(map(str, range(7)))) + Tally(problems=tuple(map(str, range(7, 14))))
    assert many.problems == tuple(map(str, range(10)))  # the first problems are enough
    assert (Tally(refusal="first") + Tally(refusal="second")).refusal == "first"
