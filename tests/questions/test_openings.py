"""Openings leave both agents a move, or the match is refused in one line."""

import pytest

from noughts.agents import parse_agent
from noughts.questions.played import Played
from noughts.rules import AgentError, parse_task

RANDOM = parse_agent("random")


def _match(rules: str, opening_plies: int) -> Played:
    return Played(task=parse_task(rules), a=RANDOM, b=RANDOM, games=20, moves_first="a", opening_plies=opening_plies)


@pytest.mark.parametrize(
    ("rules", "most"), [("tic-tac-toe", 7), ("mnk(3,3,3,bricks=A1+B2,lineless=false)", 5), ("mnk(1,1,1)", 0)]
)
def test_an_opening_leaves_two_cells(rules: str, most: int) -> None:
    for opening in (most + 1, 10):
        with pytest.raises(AgentError) as caught:
            _match(rules, opening)
        assert str(caught.value).endswith(
            f"opening_plies={opening} leaves an agent without a move: on so many cells at most {most} are allowed"
        )
    assert _match(rules, most).opening_plies == most


def test_an_opening_has_as_many_moves_as_were_asked_for() -> None:
    with pytest.raises(AgentError, match=r"^an opening of 6 moves leaves an agent without a move in notakto\(3\)"):
        _match("notakto(3)", 6).needs()
    assert {len(game.opening) for game in _match("notakto(3)", 2).needs()} == {2}
