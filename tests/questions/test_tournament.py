"""Tournaments: every pair plays, and the agents are ranked."""

import pytest

from noughts.agents import parse_agent
from noughts.questions.tournament import ranking, round_robin
from noughts.rules import AgentError, parse_task
from tests.questions.asking import asked, found, match

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
    assert order[-1].agent == "random"
    assert [row.score for row in order] == sorted((row.score for row in order), reverse=True)
    assert sum(row.score * row.games for row in order) == 60
    assert all(row.interval.value == pytest.approx(row.score) for row in order)
    assert all(row.interval.low < row.score < row.interval.high or row.score in (0, 1) for row in order)


def test_repeated_games_narrow_no_interval_of_the_ranking() -> None:
    always_alike = [parse_agent(f"minimax:depth={depth},ties=first") for depth in (1, 9)]
    few, many = round_robin(TASK, always_alike, games=1), round_robin(TASK, always_alike, games=30)
    answers = asked([*few, *many])
    once, often = ({played: answers[played] for played in matches} for matches in (few, many))
    for before, after in zip(ranking(once), ranking(often), strict=True):
        assert (before.games, after.games) == (2, 60)
        assert before.distinct == after.distinct == 2
        assert before.interval == pytest.approx(after.interval)
        assert after.interval.high - after.interval.low > 0.5


def test_a_match_has_the_interval_of_a_tournament_with_the_same_games() -> None:
    one, other = "minimax:depth=1,ties=first", "minimax:depth=9,ties=first"
    sides = [match(one, other, 2), match(other, one, 1)]
    (row,) = [row for row in ranking({played: found(played) for played in sides}) if row.agent == one]
    result = found(match(one, other, 3, moves_first="turns"))  # one side plays its game twice
    assert (result.points_interval, result.total.games) == (row.interval, row.games)


def test_games_against_oneself_are_played_but_not_ranked() -> None:
    matches = round_robin(TASK, [RANDOM], games=2, with_itself=True)
    assert [(played.a, played.b) for played in matches] == [(RANDOM, RANDOM)]
    answers = asked(matches)
    assert ranking({played: answers[played] for played in matches}) == []
    assert len(round_robin(TASK, [RANDOM, MINIMAX], games=2, with_itself=True)) == 4


def test_settings_of_the_tournament_apply_to_each_match() -> None:
    for played in round_robin(TASK, [RANDOM, MINIMAX], 3, seed=5, opening_plies=2, move_seconds=1.5):
        assert (played.games, played.seed, played.opening_plies, played.move_seconds) == (3, 5, 2, 1.5)
        assert (played.task, played.moves_first) == (TASK, "a")


def test_impossible_tournaments_are_rejected() -> None:
    with pytest.raises(AgentError, match="agent 'random' is named twice: name each once"):
        round_robin(TASK, [RANDOM, MINIMAX, RANDOM], 1)
    with pytest.raises(AgentError, match="at least two agents"):
        round_robin(TASK, [RANDOM], 1)
    with pytest.raises(AgentError, match="at least two agents"):
        round_robin(TASK, [], 1, with_itself=True)
