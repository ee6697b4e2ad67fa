from random import Random

import pytest
from hypothesis import given

from noughts.rules import Rules, RulesError, embed, line_table, parse_rules
from noughts.rules.rules import MAX_BOARDS
from noughts.rules.squares import MAX_SIDE
from tests.rules.one_field import PAIRS
from tests.rules.strategies import all_rules, random_rules

TIC_TAC_TOE = {"rows": 3, "cols": 3, "k": 3}
WHOLE = f"a whole number from 1 to {MAX_SIDE}"
SHORTER = "use a smaller k, or set lineless=true if that is intended"


@pytest.mark.parametrize("field", Rules.model_fields)
def test_each_field_has_two_games_that_differ_in_it(field: str) -> None:
    plain, other = (dict(rules) for rules in PAIRS[field])
    assert plain[field] != other[field]
    assert {name for name in plain if plain[name] != other[name]} <= {field, *(["k"] if field == "lineless" else [])}


@given(all_rules())
def test_json_round_trip(rules: Rules) -> None:
    again = Rules.from_json(rules.to_json())
    assert again == rules
    assert hash(again) == hash(rules)
    assert Rules.from_json(rules.to_json().encode()) == rules


@given(all_rules())
def test_cell_numbers_sizes_and_names_agree(rules: Rules) -> None:
    assert rules.board_size == rules.rows * rules.cols
    assert rules.size == rules.board_size * rules.boards
    assert len(rules.brick_cells) == len(rules.bricks) * rules.boards
    assert {cell % rules.board_size for cell in rules.brick_cells} == set(rules.bricks)
    for cell in range(rules.size):
        assert rules.cell_of(rules.name_of(cell)) == cell


@given(all_rules())
def test_lineless_is_true_if_and_only_if_no_line_fits(rules: Rules) -> None:
    assert rules.lineless != bool(line_table(rules).cells)
    with pytest.raises(RulesError, match="lineless=true"):
        Rules(**{**dict(rules), "lineless": not rules.lineless})


def test_lineless_is_correct_on_small_boards_with_few_lines() -> None:
    """Where every line of one kind is blocked: a rule that removes the others shows here."""
    random = Random(0)
    for _ in range(2000):
        rules = random_rules(random, (random.randint(1, 4), random.randint(1, 4), 1))
        assert rules.lineless != bool(line_table(rules).cells), rules


def test_bricks_are_named_or_numbered_in_any_order() -> None:
    expected = (0, 5)
    for bricks in ("A1+B3", "b3 + a1", ["A1", "B3"], ("B3", "A1"), {5, 0}):
        assert Rules(**TIC_TAC_TOE, bricks=bricks).bricks == expected


@pytest.mark.parametrize("bricks", ["A1+A1", "b3+A1+B3", ["A1", 0], (5, 5)])
def test_a_brick_is_named_once(bricks: object) -> None:
    with pytest.raises(RulesError, match=r"bricks: (A1|B3) is given twice: name each brick once"):
        Rules(**TIC_TAC_TOE, bricks=bricks)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rows": 0}, f"rows=0 is not allowed: {WHOLE}"),
        ({"rows": 20}, f"rows=20 is not allowed: {WHOLE}"),
        ({"cols": 3.0}, f"cols=3.0 is not allowed: {WHOLE}"),
        ({"k": "3"}, f"k='3' is not allowed: {WHOLE}"),
        ({"k": True}, f"k=True is not allowed: {WHOLE}"),
        ({"marks": "both"}, "marks='both' is not allowed: own or shared"),
        ({"line": "win"}, "line='win' is not allowed: wins or loses"),
        ({"full": "X"}, "full='X' is not allowed: draw, first or second"),
        ({"boards": 0}, f"boards=0 is not allowed: a whole number from 1 to {MAX_BOARDS}"),
        ({"boards": 101, "marks": "shared"}, f"boards=101 is not allowed: a whole number from 1 to {MAX_BOARDS}"),
        ({"boards": 2}, "boards=2 with marks=own: several boards at once need marks=shared"),
        ({"lineless": 1}, "lineless=1 is not allowed: true or false"),
        ({"lineless": True}, "lineless=true, but lines of k=3 do fit on 3x3; leave lineless out"),
        ({"k": 4}, f"k=4: no line of 4 fits on 3x3; {SHORTER}"),
        ({"bricks": "A1+A2+A3+B1+B2+C3"}, f"k=3: no line of 3 fits on 3x3 with these bricks; {SHORTER}"),
        ({"bricks": "D4"}, "bricks: square 'D4' is off the board: 3x3 has A1 to C3"),
        ({"bricks": [9]}, "bricks: brick 9 is off the board: 3x3 has cells 0 to 8"),
        ({"bricks": [-1]}, "bricks: brick -1 is off the board: 3x3 has cells 0 to 8"),
        ({"bricks": [True]}, "bricks: brick True is neither a square's name nor its index"),
        ({"bricks": 4}, "bricks: not a set of squares"),
        (
            {"bricks": range(9)},
            "bricks=A1+A2+A3+B1+B2+B3+C1+C2+C3: every cell of 3x3 is a brick; leave at least one to play on",
        ),
        (
            {"wrap": True},
            "wrap=True is not allowed: none, rows (top and bottom joined), columns (left and right joined) or both",
        ),
        ({"exactly": True}, f"unknown field 'exactly'; choose from: {', '.join(sorted(Rules.model_fields))}"),
        ({"k": 4, "wrap": "both"}, f"k=4: no line of 4 fits on 3x3 with wrap=both; {SHORTER}"),
        ({"rows": "x", "bricks": "B2"}, f"rows='x' is not allowed: {WHOLE}"),
        ({"rows": 0, "k": 0}, f"rows=0 is not allowed: {WHOLE}; k=0 is not allowed: {WHOLE}"),
    ],
)
def test_an_error_names_field_value_and_allowed_values(fields: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**{**TIC_TAC_TOE, **fields})
    assert str(caught.value) == f"impossible rules: {message}"


def test_every_field_documents_its_allowed_values() -> None:
    assert "see its meaning" not in map(Rules.allows, Rules.model_fields)


def test_an_error_names_missing_fields() -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**{"cols": 3})
    assert str(caught.value) == f"impossible rules: rows is missing: give {WHOLE}; k is missing: give {WHOLE}"


def test_a_smaller_board_is_a_larger_one_with_bricks_around() -> None:
    small = parse_rules("mnk(2,3,2,bricks=A2,line=loses,full=first)")
    large = embed(small, 3, 5)
    assert large.brick_names() == "A2+A4+A5+B4+B5+C1+C2+C3+C4+C5"
    assert {name: value for name, value in large if name not in ("rows", "cols", "bricks")} == {
        name: value for name, value in small if name not in ("rows", "cols", "bricks")
    }
    assert len(line_table(large).cells) == len(line_table(small).cells)
    assert embed(small, 2, 3) == small
    assert embed(parse_rules("mnk(2,3,2,wrap=columns)"), 4, 3).brick_names() == "C1+C2+C3+D1+D2+D3"
    joined = embed(parse_rules("mnk(2,3,2,bricks=A2,wrap=rows)"), 2, 5)
    assert joined.wrap == "rows"
    assert len(line_table(joined).cells) == len(line_table(parse_rules("mnk(2,3,2,bricks=A2,wrap=rows)")).cells)
