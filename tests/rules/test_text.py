from typing import Any

import pytest
from hypothesis import given

from noughts.rules import PRESETS, Rules, RulesError, describe_rules, format_rules, parse_rules, parse_task, read_rules
from noughts.rules.squares import square_name
from noughts.rules.text import counted, format_game, split_outside_parentheses
from tests.rules.one_field import PAIRS
from tests.rules.strategies import all_rules


@given(all_rules())
def test_text_round_trip(rules: Rules) -> None:
    text = format_rules(rules)
    assert str(rules) == text
    assert parse_rules(text) == rules
    assert parse_rules(f"  {text.upper()}  ") == rules
    assert format_rules(parse_rules(text)) == text


CANONICAL = {
    "tic-tac-toe": "tic-tac-toe",
    "mnk(3,3,3)": "tic-tac-toe",
    "tic-tac-toe()": "tic-tac-toe",
    "mnk(3,3,3,line=loses)": "misere-tic-tac-toe",
    "mnk(7,7,4,full=second,bricks=d4)": "bttt(D4)",
    "bttt-variant-1": "bttt(D4)",
    "bttt-variant-2": "bttt(E5)",
    "bttt( E5 + D4 )": "bttt(D4+E5)",
    "bttt(D4,full=draw)": "bttt(D4,full=draw)",
    "bttt(D4,line=loses)": "mnk(7,7,4,bricks=D4,line=loses,full=second)",
    "gomoku(marks=shared)": "mnk(15,15,5,marks=shared)",
    "mnk(4,4,4,marks=shared,line=loses)": "notakto(4)",
    "notakto(3,boards=2)": "notakto(3,boards=2)",
    "mnk(15,15,5)": "gomoku",
    "mnk(4,4,3,line=loses,bricks=D4+A1)": "mnk(4,4,3,bricks=A1+D4,line=loses)",
    "mnk(3,3,4,lineless=true)": "mnk(3,3,4,lineless=true)",
    "mnk(3,3,3,bricks=)": "tic-tac-toe",
    "gomoku(rows=13)": "mnk(13,15,5)",
    "mnk(3,4,3,wrap=Rows)": "mnk(3,4,3,wrap=rows)",
    "mnk(3,3,3,wrap=both)": "tic-tac-toe(wrap=both)",
    "mnk(7,7,4,wrap=columns,full=second,bricks=D4)": "bttt(D4,wrap=columns)",
}


@pytest.mark.parametrize(("text", "canonical"), CANONICAL.items())
def test_every_way_to_write_a_game_has_one_canonical_text(text: str, canonical: str) -> None:
    assert format_rules(parse_rules(text)) == canonical


def test_every_preset_is_tested() -> None:
    assert {text.split("(")[0] for text in (*CANONICAL, *CANONICAL.values())} == set(PRESETS)


MALFORMED = "are malformed: write a name with arguments in parentheses, such as bttt(D4) or mnk(4,4,3)"
PRESET_NAMES = "bttt, bttt-variant-1, bttt-variant-2, gomoku, misere-tic-tac-toe, mnk, notakto, tic-tac-toe"
FIELD_NAMES = ", ".join(sorted(Rules.model_fields))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"rules '' {MALFORMED}"),
        ("bttt(D4", f"rules 'bttt(D4' {MALFORMED}"),
        ("bttt(D4)x", f"rules 'bttt(D4)x' {MALFORMED}"),
        ("3*bttt(D4)", "one game is needed here, without | or *, and not '3*bttt(D4)'"),
        ("tictactoe", f"unknown rules preset 'tictactoe' (did you mean 'tic-tac-toe'?); choose from: {PRESET_NAMES}"),
        ("chess", f"unknown rules preset 'chess'; choose from: {PRESET_NAMES}"),
        ("tic-tac-toe(3)", "rules 'tic-tac-toe(3)': tic-tac-toe takes 0 arguments, tic-tac-toe, and got 1"),
        ("bttt", "rules 'bttt': bttt takes 1 argument, bttt(bricks), and got 0"),
        ("mnk(3,3)", "rules 'mnk(3,3)': mnk takes 3 arguments, mnk(rows,cols,k), and got 2"),
        ("mnk(3,3,3,)", "rules 'mnk(3,3,3,)': mnk takes 3 arguments, mnk(rows,cols,k), and got 4"),
        (
            "mnk(3,3,3,lines=2)",
            f"rules 'mnk(3,3,3,lines=2)': unknown field 'lines' (did you mean 'line'?); choose from: {FIELD_NAMES}",
        ),
        ("mnk(3,3,3,full=first,full=draw)", "rules 'mnk(3,3,3,full=first,full=draw)': full is given twice"),
        ("bttt(D4,bricks=E5)", "rules 'bttt(D4,bricks=E5)': bricks is given twice"),
        ("bttt(,full=draw)", "rules 'bttt(,full=draw)': bricks is empty"),
        ("mnk(full=first,3,3,3)", "rules 'mnk(full=first,3,3,3)': '3' must come before the named fields"),
        ("mnk(3,3,x)", "impossible rules: k='x' is not allowed: a whole number from 1 to 19"),
        ("mnk(3,3,\u0663)", "impossible rules: k='\u0663' is not allowed: a whole number from 1 to 19"),
        (
            "bttt(D\u0664)",
            "impossible rules: bricks: square 'D\u0664' is not a name such as G7: a row letter from A, then a column number from 1",
        ),
        ("x" * 100_000, "rules of 100000 characters are too long: at most 50000 are allowed"),
    ],
)
def test_an_error_quotes_the_text_and_lists_accepted_forms(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "tic-tac-toe",
            "Two players take turns on 3x3 cells, each with marks of their own; the first player to make 3 in a row,"
            " column or diagonal wins, and a full board with no line is a draw.",
        ),
        (
            "notakto(3,boards=2,bricks=A1+C3)",
            "Two players take turns on 3x3 cells on each of 2 boards, with bricks on A1, C3 that no player can use,"
            " both placing the same mark; 3 in a row closes a board, and the player who closes the last one loses;"
            " if cells run out before that, it is a draw.",
        ),
        (
            "mnk(2,3,4,lineless=true,full=first)",
            "Two players take turns on 2x3 cells, each with marks of their own; no line of 4 can be made,"
            " and the full board is a win for the first player.",
        ),
        (
            "mnk(3,4,3,bricks=A1,full=second,wrap=rows)",
            "Two players take turns on 3x4 cells, top and bottom edges joined, with a brick on A1 that no player can use,"
            " each with marks of their own; the first player to make 3 in a row, column or diagonal wins,"
            " and a full board with no line is a win for the second player.",
        ),
        (
            "mnk(3,4,3,marks=shared,boards=2,wrap=columns)",
            "Two players take turns on 3x4 cells on each of 2 boards, left and right edges joined,"
            " both placing the same mark; 3 in a row closes a board, and the player who closes the last one wins;"
            " if cells run out before that, it is a draw.",
        ),
    ],
)
def test_rules_in_words(text: str, sentence: str) -> None:
    assert describe_rules(parse_rules(text)) == sentence


@pytest.mark.parametrize("field", PAIRS)
def test_the_description_contains_every_field(field: str) -> None:
    plain, other = PAIRS[field]
    assert describe_rules(plain) != describe_rules(other)
    # Several boards have another sentence. The omitted fields make several boards, or are not allowed with them.
    if field not in ("marks", "boards", "lineless"):
        plain, other = (Rules(**dict(rules) | {"marks": "shared", "boards": 2}) for rules in PAIRS[field])
        assert describe_rules(plain) != describe_rules(other)


EVERY_BRICK = " | ".join(f"gomoku(bricks={square_name(cell, 19, 19)})" for cell in range(361))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("3*bttt(D4) | bttt(E5)", "3*bttt(D4) | bttt(E5)"),
        ("bttt(D4)|bttt(E5)", "bttt(D4)|bttt(E5)"),
        ("bttt(*)", "bttt(*)"),
        ("mnk(3|4,3,3)", "mnk(3|4,3,3)"),
        (EVERY_BRICK, "gomoku(bricks=A1) | gomoku(bricks=A2) | gomoku(bricks=A3 ..."),
    ],
)
def test_a_task_of_several_games_is_not_one_game(text: str, shown: str) -> None:
    for read in (parse_rules, read_rules):
        with pytest.raises(RulesError) as caught:
            read(text)
        assert str(caught.value) == f"one game is needed here, without | or *, and not {shown!r}"
        assert len(str(caught.value)) <= 120


@pytest.mark.parametrize("text", ["bttt(D3|Z9)", "mnk(3|4,3,3)", "bttt(D4|)"])
def test_a_text_that_is_neither_game_nor_task_gets_the_error_of_a_game(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert "task" not in str(caught.value)


def test_a_value_that_is_no_text_is_rejected_as_a_game() -> None:
    wrong: Any = parse_task("bttt(D3|D4)")
    said = "a game is given by its text, such as .*, or as Rules, and not as a value of type Task"
    with pytest.raises(RulesError, match=said):
        read_rules(wrong)


@pytest.mark.parametrize("text", ["x" * 100_000, "|".join(["bttt(D4)"] * 6000), "\u0663*bttt(D4)"])
def test_a_tasks_length_is_limited_and_its_weights_have_ascii_digits(text: str) -> None:
    with pytest.raises(RulesError, match=r"^rules (of \d+ characters are too long|'\u0663)"):
        parse_task(text)


def test_separators_inside_parentheses_do_not_split() -> None:
    assert split_outside_parentheses("a(b|c)|d|e((|)|)", "|") == ["a(b|c)", "d", "e((|)|)"]
    assert split_outside_parentheses("", "|") == [""]


def test_a_games_text_is_its_rules_and_its_moves() -> None:
    assert format_game(parse_rules("bttt(D4)"), (16, 25)) == "bttt(D4) C3 D5"
    assert format_game(parse_rules("tic-tac-toe"), ()) == "tic-tac-toe"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 positions"), (1, "1 position"), (2, "2 positions"), (1000, "1,000 positions")]
)
def test_counted_nouns_have_the_right_plural(number: int, text: str) -> None:
    assert counted(number, "position") == text
