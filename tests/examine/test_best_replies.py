"""How often an agent loses to the best replies, beside a recursion that reads no walk."""

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise

import pytest

from noughts.agents import Agent, build_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine.best_replies import LosingChance, best_replies
from noughts.examine.every_reply import every_reply
from noughts.positions import Outcome, Position, Side
from noughts.rules import Rules, parse_rules
from tests.examine.walking import walk_every_reply, walked_with

Chooses = Callable[[Position], tuple[int, ...]]


def found_by_walking(
    rules: Rules, side: Side, choices: Chooses, symmetric: bool = False, limit: int = 10**6
) -> LosingChance:
    walk = best_replies(rules, side, symmetric, partial(every_reply, rules, side, symmetric, limit=limit))
    return walked_with(walk, lambda positions: list(map(choices, positions)))[1]


def found_by_recursion(rules: Rules, side: Side, choices: Chooses) -> float:
    lost = Outcome.SECOND if side is Side.FIRST else Outcome.FIRST

    def of(position: Position) -> float:
        if position.is_over:
            return float(position.outcome is lost)
        if position.to_move is not side:
            return max(of(position.play(move)) for move in position.legal_moves)
        some = choices(position)
        return sum(of(position.play(move)) for move in some) / len(some)

    return of(Position.start(rules))


def anything(position: Position) -> tuple[int, ...]:
    return position.legal_moves


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
def test_it_is_what_a_recursion_over_all_games_finds(text: str, side: Side) -> None:
    rules, agent = parse_rules(text), build_agent("minimax:depth=1")
    assert is_symmetric(agent)
    slow = found_by_recursion(rules, side, chooser(agent))
    for symmetric in (False, True):
        assert found_by_walking(rules, side, chooser(agent), symmetric).low == pytest.approx(slow, abs=1e-12)
    lost = walk_every_reply(agent, rules, side).lost_game is not None
    assert (slow > 0) == lost, "what a walk refutes is lost with some chance, and nothing else"


def test_a_chance_that_can_be_worked_out_by_hand() -> None:
    rules = parse_rules("mnk(4,1,2)")  # four cells in a row, and two marks beside each other win
    # The agent is second: X takes an inner cell, and may then complete a pair on either side. O can stop one of them.
    assert found_by_walking(rules, Side.SECOND, anything).low == 1.0
    # It is first. After an inner cell (half of the time) O never gets two beside each other. After an outer one O takes the
    # cell beside it; of X's two moves one leaves O the pair. So it loses a half of a half.
    assert found_by_walking(rules, Side.FIRST, anything).low == 0.25


@pytest.mark.parametrize("side", Side)
def test_a_walk_that_is_given_up_gives_bounds_that_close_as_it_goes_on(side: Side) -> None:
    rules, agent = parse_rules("tic-tac-toe"), build_agent("minimax:depth=2,eval=none")
    exact = found_by_walking(rules, side, chooser(agent))
    assert (exact.low, exact.limit) == (exact.high, None)
    bounds = [
        found_by_walking(rules, side, chooser(agent), limit=limit) for limit in (1, 20, 100, 200, exact.decisions)
    ]
    for narrow, wide in pairwise([*bounds, exact][::-1]):
        assert wide.low <= narrow.low <= exact.low <= narrow.high <= wide.high
    assert (bounds[0].low, bounds[0].high, bounds[0].limit) == (0.0, 1.0, 1)
    assert bounds[-1] == exact


@pytest.mark.parametrize(("game", "chance"), [("mnk(3,1,1)", 1.0), ("mnk(3,1,1,line=loses)", 0.0), ("mnk(1,1,1)", 1.0)])
def test_a_game_that_ends_before_the_agent_moves_is_lost_for_certain_or_never(game: str, chance: float) -> None:
    found = found_by_walking(parse_rules(game), Side.SECOND, anything)
    assert (found.low, found.high, found.limit) == (chance, chance, None)
