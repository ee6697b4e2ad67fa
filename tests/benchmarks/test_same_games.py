"""That what is compared is the same game: OpenSpiel's beside noughts', move by move."""

import random

import pytest

from benchmarks.peers_openspiel import GOMOKU_7, GOMOKU_15, MNK_7, TIC_TAC_TOE
from noughts.positions import Position, Side
from noughts.rules import parse_rules

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("rules", "name"),
    [("tic-tac-toe", TIC_TAC_TOE), ("mnk(7,7,4)", GOMOKU_7), ("mnk(7,7,4)", MNK_7), ("gomoku", GOMOKU_15)],
)
def test_the_same_moves_end_the_same_way(rules: str, name: str) -> None:
    rng = random.Random(1)
    for _ in range(30):
        position, state = Position.start(parse_rules(rules)), pyspiel.load_game(name).new_initial_state()
        while not position.is_over:
            assert not state.is_terminal()
            assert tuple(state.legal_actions()) == position.legal_moves
            move = rng.choice(position.legal_moves)
            position = position.play(move)
            state.apply_action(move)
        assert state.is_terminal()
        assert state.returns() == [position.outcome.value(side) for side in Side]


@pytest.mark.parametrize("name", [TIC_TAC_TOE, GOMOKU_7])
def test_one_simulation_evaluates_the_empty_board_and_no_other(name: str) -> None:
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(5, 1), 1.0, 1, 1000, False, 1, False)
    root = bot.mcts_search(game.new_initial_state())
    assert root.explore_count == 1
    assert len(root.children) == 0
