"""A heat map of squares knows a lost game for each square that has one: those who look at it can open the game."""

from noughts.rules import format_game, parse_rules
from noughts.studies import is_minimax_perfect
from noughts.studies.generalisation.tables import _lost_game
from tests.store.samples import game


def test_where_minimax_loses() -> None:
    lost, won, unknown = (parse_rules(f"bttt({square})") for square in ("A1", "D4", "G7"))
    walked = {
        lost: is_minimax_perfect.Walked((24, 8, 25), 3, 0, 1, 3, 3),
        won: is_minimax_perfect.Walked(None, 3, 0, 0, 3, 3),
        unknown: None,
    }
    figure = is_minimax_perfect._squares_figure("name", "title", walked)
    assert {value.cell: value.game for value in figure.values} == {0: "bttt(A1) D4 B2 D5", 24: ""}
    assert format_game(lost, (24, 8, 25)) == "bttt(A1) D4 B2 D5"


def test_the_first_game_that_a_contender_lost() -> None:
    records = [
        game("0", rules="bttt(A1)", ending="first", moves=(1,)),
        game("1", rules="bttt(A1)", ending="second", moves=(24, 8)),
        game("2", rules="bttt(A1)", ending="second", moves=(25, 9)),
    ]
    assert _lost_game(records) == "bttt(A1) D4 B2"
    assert _lost_game(records[:1]) == ""
