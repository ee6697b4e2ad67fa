"""Matches: seeds, colours, counting, and how sure one can be."""

from collections.abc import Iterable

import pytest
from noughts.play.match import MatchPlan, Score, make_match, match_games, match_result, random_opening
from noughts.play.tournament import ranking, round_robin, standings

from noughts.agents import build_agent
from noughts.play.playthrough import GamePlan, play_game
from noughts.play.statistics import mean_interval, same_rate, wilson
from noughts.positions import Position, Rng
from noughts.rules import AgentError, NoughtsError, parse_rules
from noughts.store.records import GameRecord

FIRST = "python:tests.play.players:First"


def play_all(games: Iterable[GamePlan]) -> list[GameRecord]:
    return [play_game(game, (build_agent(game.first), build_agent(game.second))) for game in games]


def test_wilson_is_the_published_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, Table I, method 3 (score interval without continuity correction).
    share, low, high = wilson(81, 263)
    assert (round(share, 4), round(low, 4), round(high, 4)) == (0.308, 0.2553, 0.3662)
    assert wilson(0, 0) == (0.0, 0.0, 1.0)
    assert wilson(100, 100).high == pytest.approx(1.0)
    assert 0.96 < wilson(100, 100).low < 0.97


def test_same_rate_and_mean_interval() -> None:
    assert same_rate(70, 100, 15, 20) > 0.5
    assert same_rate(100, 100, 40, 100) < 1e-10
    mean, low, high = mean_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert (round(low, 3), round(high, 3)) == (-0.484, 4.484)
    assert mean_interval([4.0]) == (4.0, 4.0, 4.0)


def test_games_are_independent_and_the_same_whatever_else_is_played() -> None:
    plan = MatchPlan(rules="tic-tac-toe", a="random", b="mcts:sims=5", games=10, seed=3)
    games = match_games(plan)
    assert len({game.seed for game in games}) == len({game.key for game in games}) == 10
    more = match_games(plan.model_copy(update={"games": 20}))
    assert more[:10] == games
    other_text = match_games(plan.model_copy(update={"rules": "mnk(3,3,3)", "b": "mcts:sims=5,c=1"}))
    assert other_text == games
    assert {game.seed for game in match_games(plan.model_copy(update={"seed": 4}))}.isdisjoint(g.seed for g in games)


def test_swapped_pairs_share_seed_and_opening() -> None:
    plan = MatchPlan(rules="bttt(D4)", a="random", b="minimax", games=6, colours="swapped", opening_plies=3)
    games = match_games(plan)
    for even, odd in zip(games[::2], games[1::2], strict=True):
        assert (even.first, even.second) == (odd.second, odd.first) == ("random", "minimax:depth=2")
        assert even.seed == odd.seed
        assert even.opening == odd.opening
        assert len(even.opening) == 3
    assert len({game.opening for game in games}) == 3


def test_openings_never_end_the_game() -> None:
    rules = parse_rules("mnk(2,3,2)")
    for seed in range(50):
        assert not Position.start(rules, random_opening(rules, 9, Rng(seed))).is_over


def test_counting_is_from_as_point_of_view() -> None:
    plan = MatchPlan(rules="tic-tac-toe", a="minimax:depth=9,eval=none", b="random", games=40, colours="swapped")
    result = match_result(plan, play_all(match_games(plan)))
    assert result.total.losses == 0
    assert result.total.games == 40
    assert result.a_first.games == result.a_second.games == 20
    mirrored = MatchPlan(rules="tic-tac-toe", a="random", b="minimax:depth=9,eval=none", games=40, colours="swapped")
    assert match_result(mirrored, play_all(match_games(mirrored))).total.wins == 0


def test_deterministic_agents_repeat_themselves_and_it_is_said() -> None:
    plan = MatchPlan(rules="tic-tac-toe", a=FIRST, b=FIRST, games=10, colours="swapped")
    result = match_result(plan, play_all(match_games(plan)))
    assert result.total.games == 10
    assert result.distinct == 2  # once with each colour
    assert result.repeats
    with_openings = plan.model_copy(update={"opening_plies": 3})
    assert match_result(with_openings, play_all(match_games(with_openings))).distinct > 2


def test_broken_games_count_apart_and_the_match_goes_on() -> None:
    bad = "python:tests.play.players:RaisesLater"
    plan = MatchPlan(rules="tic-tac-toe", a=bad, b="random", games=6)
    result = match_result(plan, play_all(match_games(plan)))
    assert result.total.errors == 6
    assert result.total.games == 0
    assert len(result.problems) == 6
    assert "first: KeyError" in result.problems[0]


def test_a_round_robin_is_every_ordered_pair() -> None:
    plans = round_robin("tic-tac-toe", ["random", "mcts:sims=30", "minimax:depth=9"], games=10)
    assert len(plans) == 6
    results = standings(plans, play_all(game for plan in plans for game in match_games(plan)))
    assert all(result.total.games == 10 for _, result in results)
    order = ranking(results)
    assert [agent for agent, _, _ in order][-1] == "random"
    assert sum(score * games for _, score, games in order) == 60
    assert len(round_robin("tic-tac-toe", ["random"], games=1, with_itself=True)) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MatchPlan(rules="tic-tac-toe", a="random", b="random", games=0), "games=0 is not allowed"),
        (lambda: MatchPlan(rules="tic-tac-toe", a="random", b="random", games=10**9), "from 1 to 1000000"),
        (lambda: make_match(MatchPlan(rules="tic", a="random", b="random", games=1)), "no rules preset 'tic'"),
        (lambda: make_match(MatchPlan(rules="tic-tac-toe", a="nobody", b="random", games=1)), "no agent 'nobody'"),
        (lambda: MatchPlan(rules="t", a="a", b="b", games=1, move_seconds=-1), "above 0 and up to 86400"),
        (
            lambda: MatchPlan(rules="t", a="a", b="b", games=1, move_seconds=float("inf")),
            "move_seconds=inf is not allowed",
        ),
        (lambda: round_robin("tic-tac-toe", ["random", "random"], 1), "named twice"),
        (lambda: round_robin("tic-tac-toe", ["random"], 1), "at least two"),
    ],
)
def test_wrong_plans_are_refused_in_one_line(make: object, message: str) -> None:
    with pytest.raises(NoughtsError, match=message):
        make()  # type: ignore[operator]


def test_scores_add_up() -> None:
    total = Score(wins=3, draws=1, losses=2) + Score(wins=1, errors=1)
    assert (total.wins, total.draws, total.losses, total.errors, total.games) == (4, 1, 2, 1, 7)
    assert str(total) == "4 - 1 - 2"
    assert str(Score(wins=9, losses=91)) == "9 - 91"
    assert issubclass(AgentError, NoughtsError)
