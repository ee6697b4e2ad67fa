"""Matches: seeds, who moves first, counting, tasks of several games, and failed games."""

from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.machine import Recorder
from noughts.play.score import Score
from noughts.questions.played import Played, Playthrough
from noughts.rules import AgentError, Rules, format_rules, parse_task
from noughts.statistics import wilson
from noughts.store.records import GameRecord
from tests.questions.asking import PLAYERS, Memory, asked, found, match

FIRST = PLAYERS + "First"

AS_EVER = [
    (
        match("random", "minimax", 4, "bttt(D4)", moves_first="turns", opening_plies=3),
        [
            (11358063061641196975, (22, 1, 14, 30, 10, 16, 6, 23, 28, 37)),
            (11358063061641196975, (22, 1, 14, 43, 16, 11, 10, 36, 28)),
            (14509122485546556842, (38, 19, 7, 26, 4, 33, 34, 40)),
            (14509122485546556842, (38, 19, 7, 8, 37, 18, 39, 30, 40)),
        ],
    ),
    (
        match("mcts:sims=7", "mcts:sims=7", 4, "notakto(3)", moves_first="turns", seed=11),
        [
            (14963264553723799928, (8, 6, 3, 1, 5, 0)),
            (5838336629509762601, (3, 5, 7, 2, 1, 6, 8)),
            (16907958373679570605, (0, 2, 7, 4, 5, 1)),
            (15492400771914195015, (5, 3, 6, 7, 2, 1, 4)),
        ],
    ),
    (
        match("minimax:depth=2", "random", 2, "mnk(3,4,3,bricks=B2)", seed=-5),
        [(11756197272731313236, (6, 8, 1, 10, 11)), (11879812538402948037, (6, 0, 9, 4, 3))],
    ),
]
"""Games that these seeds have given since the first version."""


def records(played: Played) -> list[GameRecord]:
    return played.records(asked([played]))


@pytest.mark.parametrize(("played", "games"), AS_EVER)
def test_seeds_and_games_never_change(played: Played, games: list[tuple[int, tuple[int, ...]]]) -> None:
    assert [(record.seed, record.moves) for record in records(played)] == games


def test_games_do_not_depend_on_other_games() -> None:
    played = match("random", "mcts:sims=5", 10, seed=3)
    games = played.needs()
    assert len({game.seed for game in games}) == len({game.key for game in games}) == 10
    assert played.model_copy(update={"games": 20}).needs()[:10] == games
    assert match("random", "mcts:sims=5,c=1", 10, "mnk(3,3,3)", seed=3).needs() == games
    for other in ({"seed": 4}, {"draws": ("x",)}, {"moves_first": "b"}):
        others = played.model_copy(update=other).needs()
        assert {game.seed for game in others}.isdisjoint(game.seed for game in games)


def test_equal_draws_give_opponents_equal_seeds() -> None:
    one, other = (match(a, games=5, draws=("a name",)) for a in ("random", "minimax"))
    assert [game.seed for game in one.needs()] == [game.seed for game in other.needs()]


def test_pairs_of_games_share_seed_and_opening() -> None:
    games = match("random", "minimax", 6, "bttt(D4)", moves_first="turns", opening_plies=3).needs()
    for even, odd in zip(games[::2], games[1::2], strict=True):
        assert (even.first, even.second) == (odd.second, odd.first) == (parse_agent("random"), parse_agent("minimax"))
        assert (even.seed, even.opening) == (odd.seed, odd.opening)
        assert len(even.opening) == 3
    assert len({game.opening for game in games}) == 3


@pytest.mark.parametrize(
    ("moves_first", "first", "second"), [("a", 40, 0), ("b", 0, 40), ("turns", 20, 20)], ids=["a", "b", "turns"]
)
def test_results_are_counted_from_as_point_of_view(moves_first: str, first: int, second: int) -> None:
    perfect = "minimax:depth=9,eval=none"
    result = found(match(perfect, "random", 40, moves_first=moves_first))
    assert (result.a_first.games, result.a_second.games) == (first, second)
    assert result.total.losses == 0
    assert result.total.wins > 0
    assert found(match("random", perfect, 40, moves_first=moves_first)).total.wins == 0
    sides = {"a": "b", "b": "a", "turns": "turns"}
    mirrored = found(match("random", perfect, 40, moves_first=sides[moves_first]))
    assert mirrored.total == result.total.turned()  # the very same games


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("random", "random"),
        ("mcts:sims=3", "mcts:sims=3,c=1"),
        ("python:sides.py:Sides", "python:./sides.py:Sides"),
        ("python:sides.py:Sides,ties=1,depth=2", "python:sides.py:Sides,depth=2,ties=1"),
    ],
)
def test_an_agent_against_itself_plays_every_counted_game(a: str, b: str) -> None:
    played = match(a, b, 40, moves_first="turns", opening_plies=1)
    games = played.needs()
    assert len({game.seed for game in games}) == len({game.key for game in games}) == 40
    assert [side for _, side in played.sided()] == ["first", "second"] * 20


def test_repeated_games_of_deterministic_agents_are_reported() -> None:
    played = match(FIRST, FIRST, 10, moves_first="turns")
    result = found(played)
    assert result.total.games == 10
    assert result.distinct == 1  # the same game from either side
    assert result.repeats
    assert found(played.model_copy(update={"opening_plies": 3})).distinct > 2
    assert not found(match("random", games=3)).repeats
    # Repeated games narrow no interval, as in the ranking of a tournament.
    assert (result.a_first.wins, result.a_second.wins) == (5, 0)
    assert (result.distinct_first, result.distinct_second) == (1, 1)
    assert (result.win_interval_first, result.win_interval_second) == (wilson(1, 1), wilson(0, 1))
    assert result.win_interval == result.by_game[0].win_interval == wilson(0.5, 1)
    assert result.points_interval == wilson(0.5, 1)  # without draws, points are wins


def test_the_games_of_a_task_are_played_in_equal_numbers() -> None:
    task = "mnk(3,4,3,bricks=A1|B2|C3)"
    rules = parse_task(task).rules
    for moves_first, games, expected in (("a", 7, [3, 2, 2]), ("turns", 7, [3, 2, 2]), ("turns", 12, [4, 4, 4])):
        played = match("random", games=games, task=task, moves_first=moves_first)
        answers = asked([played])
        result = answers[played]
        assert [game.rules for game in result.by_game] == list(rules)
        assert [game.score.games for game in result.by_game] == expected
        assert sum((game.score for game in result.by_game), Score()) == result.total
        assert sum(game.distinct for game in result.by_game) == result.distinct
        records = played.records(answers)
        assert [sum(record.game == each for record in records) for each in rules] == expected
        assert played.model_copy(update={"games": games + 5}).needs()[:games] == played.needs()


def test_each_game_of_a_task_equals_the_one_played_alone() -> None:
    task = parse_task("mnk(3,4,3,bricks=A1|B2)")
    together = match("random", "mcts:sims=5", 6, "mnk(3,4,3,bricks=A1|B2)", moves_first="turns")

    def of(rules: Rules, units: Any) -> list[Playthrough]:
        return [unit for unit in units if unit.rules == rules]

    for rules, count in zip(task.rules, (4, 2), strict=True):
        by_itself = together.model_copy(update={"task": parse_task(format_rules(rules)), "games": count})
        assert of(rules, together.needs()) == list(by_itself.needs())


def test_an_unfinished_match_counts_its_finished_games() -> None:
    played = match("random", games=6, task="mnk(3,4,3,bricks=A1|B2)")
    part = asked(played.needs()[:1])[played]
    assert part.total.games == 1
    assert [game.rules for game in part.by_game] == [played.task.rules[0]]
    nothing = asked([])[played]
    assert (nothing.total.games, nothing.by_game) == (0, ())


def test_a_lost_game_is_found() -> None:
    played = match("random", "minimax:depth=9", 20, "mnk(3,4,3,bricks=A1|B2)", moves_first="turns")
    answers = asked([played])
    lost = played.lost(answers)
    assert lost is not None
    loser = "first" if lost.first == "random" else "second"
    assert lost.ending not in (loser, "draw")
    of_last = played.lost(answers, played.task.rules[1])
    assert of_last is None or of_last.rules == "mnk(3,4,3,bricks=B2)"
    assert match("minimax:depth=9", games=2).lost(asked([match("minimax:depth=9", games=2)])) is None


@pytest.mark.parametrize(
    ("rules", "most"), [("tic-tac-toe", 7), ("mnk(3,3,3,bricks=A1+B2,lineless=false)", 5), ("mnk(1,1,1)", 0)]
)
def test_an_opening_leaves_two_cells(rules: str, most: int) -> None:
    for opening in (most + 1, 10):
        said = f"opening_plies={opening} leaves an agent without a move: on so many cells at most {most} are allowed$"
        with pytest.raises(AgentError, match=said):
            match("random", task=rules, opening_plies=opening)
    assert match("random", task=rules, opening_plies=most).opening_plies == most


def test_an_opening_has_the_requested_number_of_moves() -> None:
    with pytest.raises(AgentError, match=r"^an opening of 6 moves leaves an agent without a move in notakto\(3\)"):
        match("random", games=20, task="notakto(3)", opening_plies=6).needs()
    assert {len(game.opening) for game in match("random", task="notakto(3)", opening_plies=2).needs()} == {2}


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "workers", "problem"),
    [
        ("RaisesLater", 0, "KeyError: 'gone' (players.py, line "),
        ("Quits", 1, "AgentError: it raised SystemExit"),
        ("Dies", 1, "its process ended with exit code"),
        ("Hangs", 1, "the move took longer than 0.5 s"),
    ],
)
def test_games_in_which_an_agent_fails_are_lost_and_the_match_continues(name: str, workers: int, problem: str) -> None:
    limit = 0.5 if name == "Hangs" else None
    agent = PLAYERS + name
    played = match(agent, FIRST, 2, moves_first="turns", move_seconds=limit)
    memory = Memory()
    answers = asked([played], memory, workers)
    result = answers[played]
    assert result.total == Score(losses=2, errors=2)
    assert (result.a_first, result.distinct) == (Score(losses=1, errors=1), 2)
    assert len(result.problems) == len(answers.problems) == 2
    assert set(result.problems) == set(answers.problems.values())
    assert f"{agent} - {FIRST}, tic-tac-toe, seed {played.needs()[0].seed}: first: {problem}" in result.problems[0]
    assert f"{FIRST} - {agent}, tic-tac-toe, seed {played.needs()[1].seed}: second: {problem}" in result.problems[1]
    assert all("\n" not in text for text in result.problems)
    for record in memory.records.values():
        assert record.ending == "error"
        assert record.moves[:2] == (0, 1)[: len(record.moves)]


@pytest.mark.heavy
def test_start_up_time_is_not_thinking_time() -> None:
    result = found(match("minimax:depth=9", "mcts:sims=10", 4, move_seconds=5.0), workers=1)
    assert result.problems == ()
    assert 0 < result.seconds_a < 0.5
    assert 0 < result.seconds_b < 0.5


def test_games_of_thousands_of_moves_can_be_played() -> None:
    (game,) = records(match("random", games=1, task="notakto(5,boards=100)"))
    assert game.error == ""
    assert len(game.moves) > 1000


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"games": 0}, "games=0 is not allowed"),
        ({"games": 10**9}, "from 1 to 1000000"),
        ({"moves_first": "c"}, "moves_first='c' is not allowed: a, b or turns"),
        ({"opening_plies": -1}, "opening_plies=-1 is not allowed"),
        ({"move_seconds": -1}, "above 0 and up to 86400"),
        ({"move_seconds": float("inf")}, "move_seconds=inf is not allowed"),
        ({"colour": 1}, "unknown field 'colour'"),
    ],
)
def test_impossible_matches_are_rejected_in_one_line(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(AgentError, match=message):
        match("random", **fields)


def test_an_agent_that_falsely_claims_to_be_shared_plays_as_if_alone() -> None:
    played = match("python:tests.questions.agents:WorseAlone", "random", 20)
    together = Playthrough.answer_many(played.needs(), {}, Recorder())
    assert [record.moves for record in together] == [unit.answer((), Recorder()).moves for unit in played.needs()]
