"""The loss rate against best replies equals a recursion that shares no code with the walk."""

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from operator import attrgetter

import pytest

from noughts.agents import Agent, build_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine.best_replies import LosingChance, best_replies
from noughts.examine.every_reply import every_reply
from noughts.positions import Position, Side
from noughts.rules import Rules, parse_rules
from tests.examine.walking import fate, walk_every_reply, walked_with

Chooses = Callable[[Position], tuple[int, ...]]
ANYTHING: Chooses = attrgetter("legal_moves")


def by_walking(rules: Rules, side: Side, choices: Chooses, symmetric: bool = False, limit: int = 10**6) -> LosingChance:
    walk = best_replies(rules, side, symmetric, partial(every_reply, rules, side, symmetric, limit=limit))
    return walked_with(walk, lambda positions: list(map(choices, positions)))[1]


def chooser(agent: Agent) -> Chooses:
    @cache
    def of(cells: bytes, position: Position) -> tuple[int, ...]:
        return possible_moves(agent, [position])[0]

    return lambda position: of(position.cells, position)


GAMES = [
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "mnk(3,4,3,bricks=B2,full=second)",
    "mnk(3,3,2)",
    "notakto(3)",
    "mnk(2,3,2,marks=shared,line=loses,boards=2)",
]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("text", GAMES)
def test_the_loss_rate_equals_a_recursion_over_all_games(text: str, side: Side) -> None:
    rules, agent = parse_rules(text), build_agent("minimax:depth=1")
    assert is_symmetric(agent)
    slow = fate(rules, side, chooser(agent)).chance
    for symmetric in (False, True):
        assert by_walking(rules, side, chooser(agent), symmetric).low == pytest.approx(slow, abs=1e-12)
    lost = walk_every_reply(agent, rules, side).lost_game is not None
    assert (slow > 0) == lost, "what a walk refutes is lost with some chance, and nothing else"


def test_a_loss_rate_computed_by_hand() -> None:
    rules = parse_rules("mnk(4,1,2)")  # four cells in a row, where two adjacent marks win
    # The agent is second: X takes an inner cell, and may then complete a pair on either side. O can block one of them.
    assert by_walking(rules, Side.SECOND, ANYTHING).low == 1.0
    # The agent is first. After an inner cell (probability 1/2) O never gets two adjacent cells. After an outer one O takes the
    # adjacent cell; one of X's two moves then leaves O the pair. So the agent loses with probability 1/4.
    assert by_walking(rules, Side.FIRST, ANYTHING).low == 0.25


@pytest.mark.parametrize("side", Side)
def test_a_stopped_walk_gives_bounds_that_narrow_as_it_continues(side: Side) -> None:
    rules, agent = parse_rules("tic-tac-toe"), build_agent("minimax:depth=2,eval=none")
    exact = by_walking(rules, side, chooser(agent))
    assert (exact.low, exact.limit) == (exact.high, None)
    bounds = [by_walking(rules, side, chooser(agent), limit=limit) for limit in (1, 20, 100, 200, exact.decisions)]
    for narrow, wide in pairwise([*bounds, exact][::-1]):
        assert wide.low <= narrow.low <= exact.low <= narrow.high <= wide.high
    assert (bounds[0].low, bounds[0].high, bounds[0].limit) == (0.0, 1.0, 1)
    assert bounds[-1] == exact


@pytest.mark.parametrize(("game", "chance"), [("mnk(3,1,1)", 1.0), ("mnk(3,1,1,line=loses)", 0.0), ("mnk(1,1,1)", 1.0)])
def test_a_game_that_ends_before_the_agent_moves_has_a_certain_result(game: str, chance: float) -> None:
    found = by_walking(parse_rules(game), Side.SECOND, ANYTHING)
    assert (found.low, found.high, found.limit) == (chance, chance, None)
