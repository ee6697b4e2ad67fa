"""Agents compared with exact values: perfect and random ones, samples, any number of workers, and failing jobs."""

import math
from contextlib import closing
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.judged import Judged, JudgedGame, JudgedTask, require_solver
from noughts.rules import AgentError, NoughtsError, SolverError, parse_task, task_of
from noughts.statistics import wilson
from tests.questions.asking import PLAYERS, Memory, asked, found

LAST = "python:tests.agents.deciders:Last"


def judged(*agents: str, rules: str = "tic-tac-toe", **more: Any) -> Judged:
    return Judged(task=parse_task(rules), named=tuple(map(parse_agent, agents or (LAST,))), **more)


def score(question: Judged, workers: int = 0) -> JudgedGame:
    """The one game of the one agent."""
    (game,) = found(question, workers=workers).games
    return game


@pytest.mark.heavy
def test_exhaustive_shares_are_exact_and_sampled_ones_have_an_interval() -> None:
    whole = score(judged(plies=(0, 3)))
    assert not whole.sampled
    assert whole.total.exact
    share = whole.total.optimal / whole.total.choices
    assert whole.total.optimal_interval == (share, share, share)
    sample = score(judged(all_up_to=0, per_ply=80, plies=(0, 4)))
    assert sample.sampled
    assert [tally.exact for tally in sample.plies.values()] == [True] * 3 + [False] * 2
    assert sample.total.optimal_interval == wilson(sample.total.optimal, sample.total.choices)
    assert sample.plies[2] == whole.plies[2]


def test_every_agent_is_scored_on_the_same_positions() -> None:
    agents = (LAST, "mcts:sims=10")
    first, second = (score(judged(agent, all_up_to=0, per_ply=10, seed=4)) for agent in agents)
    for name in ("positions", "choices", "chance", "won"):
        by_ply = [[getattr(tally, name) for tally in game.plies.values()] for game in (first, second)]
        assert by_ply[0] == by_ply[1]
    assert score(judged(LAST, all_up_to=0, per_ply=10, seed=5)).plies != first.plies
    both = found(judged(*agents, all_up_to=0, per_ply=10, seed=4))
    assert both == JudgedTask(games=(first, second))
    assert both.of(parse_agent(LAST)) == first.plies


def test_a_partial_result_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.questions.work._ACKNOWLEDGE_SECONDS", math.inf)  # only the first piece is saved
    question, answers = judged(chunk=100), Answers()
    with closing(carry_out([question], answers, 0)) as steps:
        for step in steps:
            if step.new >= 1:
                break
    (game,) = answers[question].games
    assert game.total.positions == 100
    assert [ply for ply, tally in game.plies.items() if tally.complete] == [0, 1, 2]
    assert not game.total.complete
    assert Answers()[question] == JudgedTask(games=())


def test_undecided_positions_are_counted_separately() -> None:
    total = score(judged(rules="bttt(D4)", all_up_to=0, per_ply=3, plies=(1, 2), nodes=1)).total
    assert total.positions == total.undecided > 3
    assert (total.choices, total.errors) == (0, 0)


def test_a_task_is_judged_game_by_game() -> None:
    question = judged("mcts:sims=5", LAST, rules="mnk(3,4,3,bricks=A1|A4|B2)", all_up_to=0, per_ply=4)
    result = found(question)
    rules = question.task.rules
    assert [(game.rules, game.agent) for game in result.games] == [(r, str(a)) for r in rules for a in question.named]
    for game in result.games:
        alone = question.model_copy(update={"task": task_of(game.rules)})
        assert game in found(alone).games
    together = result.of(parse_agent(LAST))
    of_last = [tally.positions for game in result.games if game.agent == LAST for tally in game.plies.values()]
    assert sum(tally.positions for tally in together.values()) == sum(of_last)
    assert result.of(parse_agent(LAST), rules[2]) == result.games[5].plies


@pytest.mark.heavy
def test_a_job_that_dies_counts_as_errors() -> None:
    memory, question = Memory(), judged(PLAYERS + "Dies", plies=(0, 1), chunk=10)
    answers = asked([question], memory, workers=1)
    total = answers[question].games[0].total
    assert (total.positions, total.errors, total.choices) == (10, 10, 0)
    assert total.problems[0] == "after no moves and 9 more: its process ended with exit code 7"
    assert not total.exact
    assert [*answers.problems.values()] == [f"tic-tac-toe: {total.problems[0]}"]
    memory.next_run()
    asked([question], memory, workers=1)
    assert len(memory.replaced) == 1  # tried again


@pytest.mark.heavy
def test_a_hanging_agent_only_loses_the_position_in_which_it_hangs() -> None:
    question = judged(PLAYERS + "Hangs", all_up_to=0, per_ply=1, plies=(0, 2), move_seconds=0.5)
    game = score(question, workers=1)
    assert [game.plies[ply].errors for ply in range(3)] == [0, 0, 1]
    assert game.total.problems[0].endswith(": the move took longer than 0.5 s")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("per_ply", 0), ("all_up_to", -1), ("plies", (5, 3)), ("plies", (-2, 3)), ("nodes", 0), ("memory", 0)),
        *(("chunk", 0), ("move_seconds", 0.0), ("move_seconds", float("inf"))),
    ],
)
def test_impossible_questions_are_refused_in_one_line(field: str, value: object) -> None:
    with pytest.raises(AgentError, match=f"impossible score: {field}=.* is not allowed: [a-z]"):
        judged(**{field: value})  # type: ignore[arg-type]


def test_plies_that_no_game_reaches_are_refused() -> None:
    with pytest.raises(NoughtsError, match="no game of tic-tac-toe was found that lasts to plies 9-12"):
        judged(all_up_to=100, per_ply=5, plies=(9, 12), chunk=25).needs()


def test_a_game_that_no_solver_covers_is_refused() -> None:
    with pytest.raises(SolverError, match="no solver covers mnk") as raised:
        require_solver(judged(rules="mnk(9,9,5,line=loses)"))
    assert " after " not in str(raised.value)  # the start needs no moves
    require_solver(judged(rules="mnk(6,6,5,line=loses)"))  # late positions are solved
