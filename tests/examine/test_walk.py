"""A walk of every reply finds what sample games may miss, and its counts equal a plain recursion's."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from noughts.agents import Agent, as_agent, build_agent, choose
from noughts.agents.asking import possible_moves
from noughts.examine import walk as walk_module
from noughts.examine import walk_kernels
from noughts.examine.walk import Walk
from noughts.positions import FIRST_MARK, Position, Rng, Side, derive_seed
from noughts.rules import AgentError, ComputeError, IllegalMoveError, Rules, parse_rules
from noughts.rules.symmetry import symmetries
from noughts.search.patterns import table_2
from tests.agents.deciders import Counts, Ends
from tests.examine.walking import fate, walk_every_reply
from tests.positions.reached import SMALL_GAMES

RULES = parse_rules("tic-tac-toe")

LARGE = "mnk(9,8,2)"
"""More cells than a word has bits; too many games, unless the agent wins as soon as possible."""


def walked(agent: Agent, rules: Rules, side: Side, symmetric: bool = False) -> Walk:
    walk = Walk(rules, side, symmetric)
    while len(walk):
        walk.advance(possible_moves(agent, walk.positions(0, len(walk))))
    return walk


@pytest.mark.parametrize(
    ("text", "game"),
    [
        *((text, game) for text in ("minimax:depth=1,ties=first", "mcts:sims=5", "random") for game in SMALL_GAMES),
        ("minimax:depth=1,ties=first", LARGE),
    ],
)
def test_counts_equal_a_plain_recursion(text: str, game: str) -> None:
    rules, agent = parse_rules(game), build_agent(text)

    def one_move(position: Position) -> tuple[int, ...]:
        return (choose(agent, position, Rng(derive_seed(3, position.cells.hex()))),)

    for side in Side:
        found = walk_every_reply(agent, rules, side, 3, until_lost=False)
        assert (found.won, found.drawn, found.lost, found.decisions) == fate(rules, side, one_move)[:4]
        assert (found.lost_game is None) == (found.lost == 0)


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_every_outcome_of_ties_is_walked(game: str) -> None:
    rules, agent = parse_rules(game), Ends()
    for side in Side:
        found = walked(agent, rules, side).result()
        assert (found.won, found.drawn, found.lost, found.decisions) == fate(rules, side, agent.name_choices)[:4]


@pytest.mark.parametrize(
    "game",
    [
        "tic-tac-toe",
        "notakto(3)",
        "mnk(3,4,3,full=second)",
        "mnk(3,3,3,bricks=A2)",
        "mnk(2,4,3,wrap=both,line=loses)",
        "mnk(5,2,3,wrap=both,bricks=B1+E1)",  # its one symmetry leaves the first squares unchanged
    ],
)
def test_symmetric_positions_are_merged_and_all_their_games_count(game: str) -> None:
    rules, agent = parse_rules(game), build_agent("minimax:depth=1")
    for side in Side:
        plain, merged = (walked(agent, rules, side, symmetric).result() for symmetric in (False, True))
        assert (merged.won, merged.drawn, merged.lost) == (plain.won, plain.drawn, plain.lost)
        assert merged.longest == plain.longest
        assert merged.decisions < plain.decisions
        for one, other in ((merged.lost_game, plain.lost_game), (merged.drawn_game, plain.drawn_game)):
            assert (one is None) == (other is None)
            assert one is None or other is None or len(one) == len(other)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("mnk(9,9,3)", marks=pytest.mark.heavy),
        "mnk(5,14,3)",
        pytest.param("notakto(5,boards=3)", marks=pytest.mark.heavy),
    ],
)
def test_the_image_with_the_least_words_is_kept(game: str) -> None:
    rules, agent = parse_rules(game), build_agent("minimax:depth=1,ties=first")
    words_of_side = (rules.size + 63) // 64
    walk = Walk(rules, Side.SECOND, symmetric=True)
    for _ in range(2):
        walk.advance(possible_moves(agent, walk.positions(0, len(walk))))
    sides = 1 if rules.marks == "shared" else 2
    positions = walk.positions(0, len(walk))
    assert len(positions) > 50

    def packed(marks: Sequence[tuple[int, int]], image: Sequence[int]) -> list[int]:
        words = [0] * (words_of_side * sides)
        for cell, content in marks:
            at = image[cell]
            words[(content - FIRST_MARK) * words_of_side + at // 64] |= 1 << at % 64
        return words

    words = walk._now.words[: len(walk)].tolist()
    assert len(set(map(tuple, words))) == len(words)  # so no two are images of each other
    step = len(positions) // 50  # comparing them all takes ten times as long
    for position, held in zip(positions[::step], words[::step], strict=True):
        marks = [(cell, content) for cell, content in enumerate(position.cells) if content >= FIRST_MARK]
        assert held == min(packed(marks, symmetry.image) for symmetry in symmetries(rules))


@pytest.mark.heavy
@pytest.mark.parametrize("symmetric", [False, True])
def test_examples_are_games_that_the_agent_can_play(symmetric: bool) -> None:
    agent = build_agent("minimax:depth=1,eval=none")
    for game in ("tic-tac-toe", "mnk(2,4,3,wrap=rows)", "mnk(3,3,3,bricks=A2)"):
        rules = parse_rules(game)
        for side in Side:
            walk = walked(agent, rules, side, symmetric)
            for moves, value in ((walk.lost_game, -1), (walk.drawn_game, 0)):
                assert moves is not None
                assert Position.start(rules, moves).outcome.value(side) == value
                for ply in range(int(side), len(moves), 2):
                    (choices,) = possible_moves(agent, [Position.start(rules, moves[:ply])])
                    assert moves[ply] in choices


@pytest.mark.parametrize(
    ("choices", "won", "lost"),
    [
        ([(2,), (1,), (2,)], 0, 3),  # the board fills in four plies; a line in three; and the board fills again
        ([(3,), (1,), (2, 1)], 1, 3),  # won; lost in three plies; in four; and in three again
    ],
)
def test_the_first_of_a_levels_shortest_games_is_taken(choices: list[tuple[int, ...]], won: int, lost: int) -> None:
    walk = Walk(parse_rules("mnk(1,4,2,line=loses,full=second)"), Side.FIRST)
    walk.advance([(0,)])
    assert [position.moves[1] for position in walk.positions(0, len(walk))] == [1, 2, 3]
    walk.advance(choices)
    found = walk.result()
    assert (found.won, found.lost) == (won, lost)
    assert found.lost_game == (0, 2, 1)
    assert found.longest == 4


def test_a_level_pauses_regularly_for_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = walked(Ends(), RULES, Side.SECOND).result()
    said: list[int] = []

    def expand(*arguments: object) -> int:
        said.append(walk_kernels.expand(*arguments))
        return said[-1]

    monkeypatch.setattr(walk_module, "expand", expand)
    assert walked(Ends(), RULES, Side.SECOND).result() == whole
    assert set(said) == {walk_kernels.DONE}
    said.clear()
    monkeypatch.setattr(walk_module, "_SLICE", 10)
    assert walked(Ends(), RULES, Side.SECOND).result() == whole
    assert said.count(walk_kernels.GO_ON) > said.count(walk_kernels.DONE)


@pytest.mark.parametrize("twice", [False, True])
def test_an_agent_is_queried_again_along_the_game_that_it_loses(twice: bool) -> None:
    said = "its moves may depend only" if twice else "deterministic: queried again in tic-tac-toe after"
    with pytest.raises(AgentError, match=said):
        walk_every_reply(as_agent(Counts()), RULES, Side.SECOND, twice=twice)
    found = walk_every_reply(Ends(), RULES, Side.SECOND, twice=twice)
    assert found.lost_game is not None
    assert found.lost_game == walked(Ends(), RULES, Side.SECOND).lost_game
    assert found.plies < 9  # the walk stops there


def test_a_torus_has_more_symmetries_than_a_byte_has_numbers() -> None:
    rules, agent = parse_rules("bttt(D4,wrap=both,line=loses)").model_copy(update={"bricks": ()}), Ends()
    walk = Walk(rules, Side.SECOND, symmetric=True)
    assert len(symmetries(rules)) == 392
    assert len(walk) == 1
    walk.advance(possible_moves(agent, walk.positions(0, 1)))
    assert all(position.ply == 3 for position in walk.positions(0, len(walk)))


def test_a_level_that_outgrows_its_memory_keeps_each_position_once() -> None:
    walk = Walk(parse_rules("mnk(4,4,4)"), Side.FIRST)
    for marks, positions in ((1, 16 * 15), (2, math.comb(16, 2) * math.comb(14, 2))):
        walk.advance([position.legal_moves for position in walk.positions(0, len(walk))])
        assert len(walk) == len(np.unique(walk.words(), axis=0)) == positions
        assert walk.ply == 2 * marks


def test_counts_of_games_are_those_found_by_hand() -> None:
    rules = parse_rules("mnk(1,14,15,lineless=true)")
    found = walk_every_reply(build_agent("minimax:depth=1,ties=first"), rules, Side.FIRST, 0, until_lost=False)
    assert found.drawn == 13 * 11 * 9 * 7 * 5 * 3
    rules = parse_rules("mnk(1,19,1)")
    found = walk_every_reply(build_agent("random"), rules, Side.SECOND, 0, until_lost=False)
    assert (found.won, found.drawn, found.lost) == (0, 0, 19)


@pytest.mark.heavy
def test_more_games_than_fit_64_bits_are_counted() -> None:
    """With shared marks and no lines, each order of the cells is a game; with joined edges, few positions differ."""
    rules = parse_rules("mnk(3,7,8,marks=shared,lineless=true,wrap=both)")
    found = walk_every_reply(build_agent("minimax:depth=1"), rules, Side.FIRST, until_lost=False)
    assert found.drawn == math.factorial(21) > 2**64


@pytest.mark.parametrize("side", Side)
def test_a_narrowed_level_keeps_the_worst_looking_positions(side: Side) -> None:
    rules, agent = parse_rules("bttt(B3)"), build_agent("minimax:depth=1,ties=first")
    walk = Walk(rules, side)
    walk.advance(possible_moves(agent, walk.positions(0, len(walk))))
    sign = 1 if side is Side.FIRST else -1
    before = [sign * table_2(rules)(position) for position in walk.positions(0, len(walk))]
    walk.narrow(len(walk))
    assert not walk.narrowed  # nothing was dropped
    walk.narrow(10)
    assert walk.narrowed
    kept = walk.positions(0, len(walk))
    assert sorted(sign * table_2(rules)(position) for position in kept) == sorted(before)[:10]
    walk.advance(possible_moves(agent, kept))
    assert {position.moves[: walk.ply - 2] for position in walk.positions(0, len(walk))} <= {p.moves for p in kept}


def test_too_many_positions_are_refused() -> None:
    walk = Walk(RULES, Side.FIRST, most=8)
    with pytest.raises(ComputeError, match="more than 8 positions, at ply 2: allow more"):
        walk.advance([(4,)])
    walk = Walk(RULES, Side.FIRST, most=9)
    walk.advance([(4,)])
    assert len(walk) == 8


def test_illegal_choices_are_rejected() -> None:
    walk = Walk(RULES, Side.SECOND)
    with pytest.raises(ValueError, match="choices for 1 positions"):
        walk.advance([(0,)])
    with pytest.raises(ValueError, match="one or more each"):
        walk.advance([()] * 9)
    for move in (0, 9, -1, 65535):
        walk = Walk(RULES, Side.SECOND)
        with pytest.raises(IllegalMoveError, match="after A1"):
            walk.advance([(move,)] * 9)
