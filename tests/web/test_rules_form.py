"""The page's form for rules has every field, and boards are drawn with each."""

from importlib.resources import files

import pytest

from noughts.positions import Position
from noughts.rules import Rules
from noughts.web.boards import show_position
from noughts.web.reading import read_position
from tests.rules.one_field import PAIRS

FORM = (files("noughts.web") / "static" / "parts" / "rules.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("field", Rules.model_fields)
def test_the_form_has_every_field(field: str) -> None:
    for rules in PAIRS[field]:
        position = read_position(str(rules))
        assert position == Position.start(rules)
        assert show_position(position).rules == str(rules)
    if field != "lineless":  # a game without lines can only be given as text
        assert f"{field}:" in FORM.split("@typedef {{")[1].split("*/")[0]


def test_a_line_over_a_joined_edge_is_struck_through_in_pieces() -> None:
    rules = PAIRS["wrap"][1]
    start = show_position(Position.start(rules))
    assert (start.wrap, start.strokes, len(start.edges)) == ("both", [], 16)
    won = show_position(Position.start(rules, tuple(map(rules.cell_of, ("A3", "B1", "A4", "B2", "A1")))))
    assert won.winning_lines == [["A3", "A4", "A1"]]
    assert won.strokes == [[[2.15, 0.5, 4.0, 0.5], [0.0, 0.5, 0.85, 0.5]]]
    assert show_position(Position.start(PAIRS["wrap"][0])).edges == []
