"""Documents of answers: each type has one, with the same content everywhere."""

import importlib
import re

import pytest

from noughts.document.document import Document, Listing
from noughts.play.score import Score
from noughts.questions.played import GameScore, MatchResult
from noughts.reports import presenting
from noughts.reports.html import document_html
from noughts.rules import parse_task


@pytest.mark.parametrize("name", presenting.PRESENTERS)
def test_each_presented_type_has_its_function(name: str) -> None:
    module, _, function = presenting.PRESENTERS[name].partition(":")
    found = getattr(importlib.import_module(f"noughts.reports.presenting.{module}"), function)
    assert found.__doc__


def test_a_match_of_several_games_has_totals_and_a_heatmap() -> None:
    games = parse_task("tic-tac-toe(bricks=A1|B2)").rules
    half = Score(wins=1, losses=1)
    by_game = tuple(GameScore(rules, half, 2) for rules in games)
    counts = {"a_first": half, "a_second": half, "distinct_first": 2, "distinct_second": 2}
    result = MatchResult(a="random", b="<b>", by_game=by_game, problems=("<script>",), **counts)
    document = presenting.present(result)
    grid, figure = document.blocks
    assert isinstance(grid, Listing)
    assert (grid.title, len(grid.rows), grid.totals) == ("2 games: random against <b>", 5, 3)
    assert grid.rows[-1][:5] == ("in all", 4, 2, 0, 2)
    assert figure is next(document.figures)
    assert document.data["total"]["wins"] == 2
    shown = document_html(document)
    assert "random against &lt;b&gt;" in shown
    assert "&lt;script&gt;" in shown
    assert not {"<b>", "<script>"} & set(re.findall("<[^>]*>", shown))
    assert "<svg" in shown


def test_repeated_games_of_a_match_are_no_further_evidence() -> None:
    result = MatchResult(a="random", b="perfect", a_first=Score(wins=2), distinct=1, distinct_first=1)
    (grid,) = presenting.present(result).blocks
    assert isinstance(grid, Listing)
    assert grid.notes[0].startswith("1 different game of 2: intervals count repeated games once, because ")


def test_number_columns_without_values_are_left_out() -> None:
    grid = Listing("", ("label", "a", "b"), (("", 0, ""), ("", 1, None)))
    assert grid.without_empty().columns == ("label", "a")


def test_only_answers_can_be_presented() -> None:
    assert not presenting.is_presented(Document(()))
    with pytest.raises(KeyError):
        presenting.present(3)
