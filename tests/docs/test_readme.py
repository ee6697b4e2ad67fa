"""README is short, keeps its two commands, and its result is what the commands beside it wrote."""

import json
import re
from typing import Any

import noughts
from noughts.positions import Position
from noughts.reports.boards import BoardOptions, board_svg
from noughts.rules import parse_rules
from tests.docs.pages import DOCS, ROOT
from tests.docs.transcript import printed, shown

TEXT = (ROOT / "README.md").read_text()
PAPERS_GAMES = 490
"""Games of Minimax as first player, all won: Table 7 of the Brick Tic-Tac-Toe paper."""


def wrote(name: str) -> list[dict[str, Any]]:
    """The games in a file that a command of README's wrote."""
    return list(json.loads((DOCS / "findings" / name).read_text())["games"])


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= 900


def test_its_two_commands_stand_there() -> None:
    assert "\npip install uv && uv run noughts study run generalisation " in TEXT
    assert "\nuv run pytest " in TEXT


def test_every_number_of_its_result_comes_from_a_command() -> None:
    values, walks = wrote("brick-exact-values.json"), wrote("minimax-every-reply.json")
    squares = len(walks)
    won = sum(game["answer"] == "wins" for game in walks)
    lost = sum(game["answer"] == "refuted" for game in walks)
    on_d4 = next(game for game in walks if game["rules"] == "bttt(D4)")
    assert won + lost == squares
    result = TEXT.partition("\n## A result\n")[2].partition("\n## ")[0]
    said = [int(number) for number in re.findall(r"\b\d+\b", re.sub(r"`[^`]*`|\(docs/[^)]*\)", "", result))]
    first_player_wins = sum(game["value"] == 1 for game in values)
    assert said == [PAPERS_GAMES, first_player_wins, len(values), won, squares, lost, len(on_d4["game"])]


def test_what_its_commands_print_is_what_they_printed() -> None:
    wrote_by = printed()
    assert len(shown()) == 2
    for commands, lines in shown():
        assert set(lines) <= {line for command in commands for line in wrote_by[command]}


def test_the_picture_is_the_game_that_the_command_found() -> None:
    game = next(game for game in wrote("minimax-every-reply.json") if game["rules"] == "bttt(D4)")
    rules = parse_rules("bttt(D4)")
    position = Position.start(rules, tuple(rules.cell_of(name) for name in game["game"]))
    title = "A game that minimax:depth=2 loses as first player"
    drawn = board_svg(position, BoardOptions(numbers=True), title=title)
    assert (DOCS / "images" / "minimax-loses-D4.svg").read_text() == drawn
    assert 'src="docs/images/minimax-loses-D4.svg"' in TEXT


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {noughts.__version__}\n" in (ROOT / "CITATION.cff").read_text()
