"""Walking every reply finds what playing some games may miss."""

from noughts.agents import build_agent
from noughts.matches.walk import walk_replies
from noughts.positions import Outcome, Position, Rng, Side
from noughts.rules import parse_rules

RULES = parse_rules("tic-tac-toe")


def test_counts_equal_a_plain_enumeration() -> None:
    agent = build_agent("minimax:depth=1,ties=first")

    def count(position: Position, side: Side) -> list[int]:
        if position.is_over:
            return [int(position.outcome.value(side) == value) for value in (1, 0, -1)]
        moves = [agent.choose(position, Rng())] if position.to_move == side else position.legal_moves
        return [sum(column) for column in zip(*(count(position.play(m), side) for m in moves), strict=True)]

    for side in Side:
        found = walk_replies(agent, RULES, side, seed=0)
        assert [found.won, found.drawn, found.lost] == count(Position.start(RULES), side)


def test_a_perfect_player_is_never_beaten_and_a_lost_game_is_a_lost_game() -> None:
    perfect = build_agent("minimax:depth=9,eval=none")
    for side in Side:
        for seed in range(5):
            assert walk_replies(perfect, RULES, side, seed).lost == 0
    found = walk_replies(build_agent("random"), RULES, Side.FIRST, seed=1)
    assert found.lost > 0
    assert found.lost_game is not None
    assert Position.start(RULES, found.lost_game).outcome is Outcome.SECOND


def test_an_instance_is_the_same_for_its_seed_and_another_for_another() -> None:
    agent = build_agent("mcts:sims=20")
    first = [walk_replies(agent, RULES, Side.SECOND, seed) for seed in (1, 1, 2)]
    assert first[0] == first[1]
    assert first[0] != first[2]
