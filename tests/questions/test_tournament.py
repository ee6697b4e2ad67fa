"""Tournaments: everybody against everybody, and who is best."""

import pytest

from noughts.agents import parse_agent
from noughts.questions.tournament import ranking, round_robin
from noughts.rules import AgentError, parse_task
from tests.questions.asking import asked

TASK = parse_task("tic-tac-toe")
RANDOM, MINIMAX = parse_agent("random"), parse_agent("minimax:depth=9")


def test_a_round_robin_is_every_ordered_pair() -> None:
    agents = [RANDOM, parse_agent("mcts:sims=30"), MINIMAX]
    matches = round_robin(TASK, agents, games=10)
    assert [(played.a, played.b) for played in matches] == [(a, b) for a in agents for b in agents if a != b]
    answers = asked(matches)
    results = {played: answers[played] for played in matches}
    assert all(result.total.games == 10 for result in results.values())
    order = ranking(results)
    assert [agent for agent, _, _ in order][-1] == "random"
    assert [score for _, score, _ in order] == sorted((score for _, score, _ in order), reverse=True)
    assert sum(score * games for _, score, games in order) == 60


def test_games_against_oneself_are_played_and_rank_nobody() -> None:
    matches = round_robin(TASK, [RANDOM], games=2, with_itself=True)
    assert [(played.a, played.b) for played in matches] == [(RANDOM, RANDOM)]
    answers = asked(matches)
    assert ranking({played: answers[played] for played in matches}) == []
    assert len(round_robin(TASK, [RANDOM, MINIMAX], games=2, with_itself=True)) == 4


def test_what_is_asked_of_all_is_asked_of_each() -> None:
    for played in round_robin(TASK, [RANDOM, MINIMAX], 3, seed=5, opening_plies=2, move_seconds=1.5):
        assert (played.games, played.seed, played.opening_plies, played.move_seconds) == (3, 5, 2, 1.5)
        assert (played.task, played.moves_first) == (TASK, "a")


def test_wrong_tournaments_are_refused() -> None:
    with pytest.raises(AgentError, match="agent 'random' is named twice: name each once"):
        round_robin(TASK, [RANDOM, MINIMAX, RANDOM], 1)
    with pytest.raises(AgentError, match="at least two agents"):
        round_robin(TASK, [RANDOM], 1)
    with pytest.raises(AgentError, match="at least two agents"):
        round_robin(TASK, [], 1, with_itself=True)
