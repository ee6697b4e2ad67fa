"""Scores: perfect and random agents, samples, any number of workers, and work that is interrupted or fails."""

from collections.abc import Callable
from contextlib import closing

import pytest
from noughts.questions.score import (
    ScorePlan,
    Tally,
    TruthScore,
    all_positions,
    judge,
    make_score,
    require_solver,
    sample_positions,
    score_work,
    strata_of,
    truth_score,
)
from noughts.questions.session import carry_out

from noughts.agents import build_agent
from noughts.play.statistics import wilson
from noughts.positions import Position
from noughts.rules import AgentError, NoughtsError, SolverError, parse_rules
from noughts.solvers.solve import Truth
from tests.questions.test_session import Memory

LAST = "python:tests.examine.judged:Last"


def plan(agent: str = LAST, **more: object) -> ScorePlan:
    return make_score(ScorePlan(**{"rules": "tic-tac-toe", "agent": agent, **more}))


def score(of: ScorePlan, workers: int = 0) -> TruthScore:
    memory, strata = Memory(), strata_of(of)
    list(carry_out(score_work(of, strata), memory, workers))
    return truth_score(of, strata, memory.measurements)


def tic_tac_toe() -> list[Position]:
    strata = all_positions(parse_rules("tic-tac-toe"), 4520)
    assert strata is not None
    return [position for stratum in strata for position in stratum.positions]


def test_full_depth_minimax_is_optimal_in_all_4520_positions_and_knows_their_values() -> None:
    tallies = judge(build_agent("minimax:depth=9,eval=none"), tic_tac_toe(), Truth(parse_rules("tic-tac-toe")), 0)
    total = sum(tallies.values(), Tally())
    assert (total.positions, total.choices, total.optimal) == (4520, 3191, 3191)
    assert (total.values, total.error, total.undecided, total.errors) == (4520, 0.0, 0, 0)


def test_the_perfect_agent_is_optimal_in_a_sample_of_a_misere_game_with_a_brick() -> None:
    rules = "mnk(3,4,3,bricks=B2,line=loses,full=second)"
    found = score(plan("perfect", rules=rules, all_up_to=0, per_ply=15, chunk=100))
    assert found.sampled
    assert found.total.choices > 30
    assert found.total.optimal == found.total.choices
    assert (found.total.error, found.total.undecided) == (0.0, 0)


def test_random_is_right_as_often_as_chance_says() -> None:
    """The share of optimal moves is exactly the mean of |optimal| / |moves|; five standard deviations are allowed."""
    truth = Truth(parse_rules("tic-tac-toe"))
    shares = []
    for position in tic_tac_toe():
        moves = truth.solve(position).moves
        kept = sum(move.value == max(other.value or 0 for other in moves) for move in moves)
        lost = all(move.value == -1 for move in moves)
        if kept < len(moves) and not lost:
            shares.append(kept / len(moves))
    found = score(plan("random", chunk=500)).total
    assert found.choices == len(shares)
    assert found.chance == pytest.approx(sum(shares))
    deviation = sum(share * (1 - share) for share in shares) ** 0.5
    assert abs(found.optimal - sum(shares)) < 5 * deviation
    assert abs(found.optimal - sum(shares)) > 0  # it is drawn, and not computed


def test_plies_in_which_nothing_matters_are_apart() -> None:
    found = score(plan(chunk=1000))
    assert [found.plies[ply].positions for ply in range(9)] == [1, 9, 72, 252, 756, 1140, 1372, 696, 222]
    assert [ply for ply in range(9) if not found.plies[ply].choices] == [0, 8]
    assert found.plies[8].indifferent == 222
    assert found.total.indifferent == 4520 - 3191
    blunders = found.total.won_drawn + found.total.won_lost + found.total.drawn_lost
    assert found.total.optimal + blunders == found.total.choices


def test_shares_of_all_positions_are_exact_and_of_a_sample_have_an_interval() -> None:
    whole = score(plan(plies=(0, 3)))
    assert not whole.sampled
    assert whole.total.exact
    share = whole.total.optimal / whole.total.choices
    assert whole.total.optimal_interval == (share, share, share)
    sample = score(plan(all_up_to=0, per_ply=80))
    assert sample.sampled
    assert [tally.exact for tally in sample.plies.values()] == [True] * 3 + [False] * 6
    assert sample.total.optimal_interval == wilson(sample.total.optimal, sample.total.choices)
    assert sample.plies[2] == whole.plies[2]


def test_every_agent_is_asked_about_the_same_positions() -> None:
    first, second = (score(plan(agent, all_up_to=0, per_ply=10, seed=4)) for agent in (LAST, "mcts:sims=10"))
    for name in ("positions", "choices", "chance", "won"):
        by_ply = [[getattr(tally, name) for tally in found.plies.values()] for found in (first, second)]
        assert by_ply[0] == by_ply[1]
    assert score(plan(LAST, all_up_to=0, per_ply=10, seed=5)).plies != first.plies


def test_the_score_does_not_depend_on_the_number_of_workers() -> None:
    asked = plan("mcts:sims=20", rules="mnk(4,4,3)", per_ply=6, nodes=2000, chunk=7, seed=3)
    found = [score(asked, workers) for workers in (0, 1, 3)]
    assert found[0] == found[1] == found[2]
    assert found[0].total.values > 0


def test_an_interrupted_score_goes_on_and_repeats_nothing() -> None:
    asked = plan("random", all_up_to=0, per_ply=10, chunk=5)
    strata = strata_of(asked)
    work = score_work(asked, strata)
    memory, sittings = Memory(), 0
    while len(memory.measurements) < len(work):
        before = set(memory.measurements)
        with closing(carry_out(work, memory, 0, clock=ticking())) as steps:
            for step in steps:
                if step.new >= 3:
                    break
        assert before < set(memory.measurements)
        sittings += 1
    assert sittings >= 4
    assert truth_score(asked, strata, memory.measurements) == score(asked)


def ticking() -> Callable[[], float]:
    ticks = iter(range(10**6))
    return lambda: float(next(ticks))


def test_what_is_known_so_far_is_not_called_complete() -> None:
    asked = plan(chunk=100)
    strata = strata_of(asked)
    memory = Memory()
    with closing(carry_out(score_work(asked, strata), memory, 0, clock=lambda: 0.0)) as steps:
        for step in steps:
            if step.new >= 1:
                break
    found = truth_score(asked, strata, memory.measurements)
    assert found.total.positions == 100
    assert [ply for ply, tally in found.plies.items() if tally.complete] == [0, 1, 2]
    assert not found.total.complete
    assert truth_score(asked, strata, {}).total.positions == 0


def test_undecided_positions_are_counted_apart() -> None:
    found = score(plan(rules="bttt(D4)", all_up_to=0, per_ply=3, plies=(1, 2), nodes=1)).total
    assert found.positions == found.undecided > 3
    assert (found.choices, found.errors) == (0, 0)
    partly = score(plan(rules="bttt(D4)", per_ply=3, plies=(2, 30), nodes=20)).total
    assert 0 < partly.undecided < partly.positions
    assert partly.choices > 0


def test_work_that_fails_as_a_whole_is_counted_as_errors() -> None:
    found = score(plan("python:tests.play.players:Quits", plies=(0, 1), chunk=4)).total
    assert (found.positions, found.errors, found.choices) == (10, 10, 0)
    assert found.problems[0] == "after no moves and 3 more: SystemExit: 0"
    assert found.problems[2].startswith("after C2 and 1 more: ")
    assert not found.exact


def test_an_agent_that_hangs_costs_only_the_position_it_hangs_in() -> None:
    asked = plan("python:tests.play.players:Hangs", all_up_to=0, per_ply=1, plies=(0, 2), move_seconds=0.5)
    found = score(asked, workers=1)
    assert [found.plies[ply].errors for ply in range(3)] == [0, 0, 1]
    assert found.total.problems[0].endswith(": it passed its time limit")


def test_values_cross_files_unharmed() -> None:
    asked = plan("mcts:sims=5", plies=(2, 4), move_seconds=1.5, seed=-3)
    assert ScorePlan.from_json(asked.to_json()) == asked
    found = score(plan("mcts:sims=5", plies=(0, 1)))
    assert TruthScore.from_json(found.to_json()) == found


def test_plans_are_made_canonical() -> None:
    asked = plan("mcts:c=1,sims=1_00", rules="mnk(7,7,4,bricks=D4,full=second)")
    assert (asked.agent, asked.rules) == ("mcts:sims=100", "bttt(D4)")
    assert asked.name == "bttt(D4) / mcts:sims=100"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("per_ply", 0), ("all_up_to", -1), ("plies", (5, 3)), ("plies", (-2, 3)), ("nodes", 0), ("memory", 0)),
        *(("chunk", 0), ("move_seconds", 0.0), ("move_seconds", float("inf"))),
    ],
)
def test_impossible_plans_are_refused_in_one_line(field: str, value: object) -> None:
    with pytest.raises(AgentError, match=f"impossible score: {field}=.* is not allowed: [a-z]") as refused:
        ScorePlan(**{"rules": "tic-tac-toe", "agent": LAST, field: value})
    assert "\n" not in str(refused.value)


def test_plies_that_no_game_reaches_are_refused() -> None:
    with pytest.raises(NoughtsError, match="no game of tic-tac-toe was found that goes on at plies 9-12"):
        strata_of(plan(plies=(9, 12)))


def test_a_game_that_no_solver_covers_is_refused() -> None:
    with pytest.raises(SolverError, match="no solver covers gomoku") as raised:
        require_solver(plan(rules="gomoku"))
    assert "gomoku after" not in str(raised.value)  # the start needs no moves to be named
    require_solver(plan(rules="mnk(6,6,5,line=loses)"))  # late positions are covered


def test_studies_can_use_the_parts() -> None:
    rules = parse_rules("notakto(3)")
    strata = sample_positions(rules, 20, 1)
    tallies = judge(build_agent("perfect"), (p for s in strata for p in s.positions), Truth(rules), 2)
    total = sum(tallies.values(), Tally())
    assert total.positions == sum(len(stratum.positions) for stratum in strata)
    assert total.optimal == total.choices > 0
