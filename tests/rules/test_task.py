import pytest
from hypothesis import given

from noughts.rules import RulesError, Task, format_task, parse_rules, parse_task
from noughts.rules.task import task_of
from tests.rules.strategies import tasks


@given(tasks())
def test_text_and_json_round_trip(task: Task) -> None:
    assert parse_task(format_task(task)) == task
    assert Task.from_json(task.to_json()) == task


def test_only_weights_that_matter_are_written() -> None:
    for text in ("bttt(D4)", "bttt(D4) | 2*bttt(E5)", "0.5*bttt(D4) | bttt(E5)", "0.0000001*bttt(D4)"):
        assert format_task(parse_task(text)) == text


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("bttt(D4)", {"bttt(D4)": 1}),
        ("bttt(D3|D4)", {"bttt(D3)": 1, "bttt(D4)": 1}),
        ("3*bttt(D4) | bttt(E5)", {"bttt(D4)": 3, "bttt(E5)": 1}),
        ("2*bttt(D3|D4)|0.5*bttt(E5)", {"bttt(D3)": 2, "bttt(D4)": 2, "bttt(E5)": 0.5}),
        ("bttt(D4)|bttt-variant-1", {"bttt(D4)": 2}),
        ("mnk(5,5,4,line=wins|loses)", {"mnk(5,5,4)": 1, "mnk(5,5,4,line=loses)": 1}),
        ("mnk(5,5,3|4)", {"mnk(5,5,3)": 1, "mnk(5,5,4)": 1}),
        ("mnk(2,2,2,bricks=*)", {f"mnk(2,2,2,bricks={brick})": 1 for brick in ("A1", "A2", "B1", "B2")}),
        (
            "mnk(1,2,1,bricks=*,line=wins|loses)",
            {f"mnk(1,2,1,bricks={brick}{line})": 1 for brick in ("A1", "A2") for line in ("", ",line=loses")},
        ),
        ("mnk(3,3,3,bricks=)|mnk(3,3,3,bricks=B2)", {"tic-tac-toe": 1, "mnk(3,3,3,bricks=B2)": 1}),
    ],
)
def test_a_text_stands_for_weighted_games_in_the_order_written(text: str, games: dict[str, float]) -> None:
    task = parse_task(text)
    assert dict(zip(task.rules, task.weights, strict=True)) == {
        parse_rules(game): weight for game, weight in games.items()
    }
    assert task.rules == tuple(map(parse_rules, games))


def test_the_number_of_games_in_a_text_can_be_limited() -> None:
    assert len(parse_task("bttt(*)", 49).rules) == 49
    with pytest.raises(RulesError, match=r"task 'bttt\(\*\)' names more than 48 games: name at most 48"):
        parse_task("bttt(*)", 48)
    sizes = "|".join(map(str, range(1, 20)))
    with pytest.raises(RulesError, match="more than 10 games"):  # quickly, though it stands for millions
        parse_task(f"mnk({sizes},{sizes},1,marks=shared,line=wins|loses)", 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rules '' are malformed"),
        ("bttt(D4)|", "rules '' are malformed"),
        ("-1*bttt(D4)", "rules '-1*bttt(D4)' are malformed"),
        ("0*bttt(D4)", "impossible task: weights (0.0,) must be positive numbers"),
        ("bttt(|)", "bricks=|: an alternative is empty; write a value on both sides of each |"),
        ("mnk(3,3,3,full=draw||first)", "full=draw||first: an alternative is empty"),
        (
            "mnk(*,3,3)",
            "rows=*: only bricks can be every square; list values of rows with | between: a whole number from 1 to 19",
        ),
        (
            "mnk(5,5,4,line=*)",
            "line=*: only bricks can be every square; list values of line with | between: wins or loses",
        ),
        (
            "tic-tac-toe|mnk(4,4,3)|notakto(3,boards=2)",
            "impossible task: the games of a task must share one board size, and these have 3x3, 3x3 x2, 4x4",
        ),
        ("bttt(D4|H8)", "impossible rules: bricks: square 'H8' is off the board: 7x7 has A1 to G7"),
    ],
)
def test_an_error_quotes_the_text_and_lists_accepted_forms(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_task(text)
    assert str(caught.value).startswith(message)


def test_impossible_tasks_are_rejected() -> None:
    game = parse_rules("tic-tac-toe")
    for rules, weights, message in (
        ((), (), "a task needs at least one game"),
        ((game,), (), "a task of 1 games was given 0 weights"),
        ((game,), (float("nan"),), "weights (nan,) must be positive numbers"),
        ((game,), (float("inf"),), "weights (inf,) must be positive numbers"),
        ((game, game), (1, 1), "a task names tic-tac-toe twice; give it once, with a greater weight"),
    ):
        with pytest.raises(RulesError) as caught:
            Task(rules=rules, weights=weights)
        assert str(caught.value) == f"impossible task: {message}"


def test_games_without_weights_are_drawn_equally_often() -> None:
    games = tuple(map(parse_rules, ("bttt(D4)", "bttt(C3)", "bttt(A1)")))
    assert task_of(*games) == Task(rules=games, weights=(1.0, 1.0, 1.0))
    with pytest.raises(RulesError, match="twice"):
        task_of(games[0], games[0])
