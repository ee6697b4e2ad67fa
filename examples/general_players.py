"""General game search programs by others as agents of noughts: pip install "easyAI<2.1" mctspy mcts mcts-simple.

Play one as python:examples/general_players.py:EasyAI,depth=4; each class imports its own package.
"""

# ruff: noqa: D102, N802  (the packages name and document the methods)

import copy
import random

import numpy as np

from noughts.positions import Side


class EasyAI:
    """Negamax of easyAI with a depth limit, where every position is worth 0."""

    def __init__(self, depth: int = 4):
        from easyAI import Negamax, TwoPlayerGame

        class Game(TwoPlayerGame):
            def __init__(self, position):
                self.position, self.current_player = position, 1

            def copy(self):
                return copy.copy(self)

            def possible_moves(self):
                return list(self.position.legal_moves)

            def make_move(self, move):
                self.position = self.position.play(move)

            def is_over(self):
                return self.position.is_over

            def scoring(self):
                return 100 * self.position.outcome.value(self.position.to_move) if self.position.is_over else 0

        self.game, self.search = Game, Negamax(depth)

    def choose(self, position, rng):
        return int(self.search(self.game(position)))


class Mctspy:
    """UCT of mctspy, which plays the move with the best mean."""

    def __init__(self, sims: int = 100):
        from mctspy.tree import nodes, search

        self.sims, self.nodes, self.search = sims, nodes, search

    def choose(self, position, rng):
        np.random.seed(rng.getrandbits(32))  # the package draws from the global generator
        root = self.nodes.TwoPlayersGameMonteCarloTreeSearchNode(MctspyState(position))
        # It visits each move once before it compares any, so fewer simulations would leave some out.
        best = self.search.MonteCarloTreeSearch(root).best_action(max(self.sims, len(position.legal_moves)))
        return best.state.position.moves[-1]


class MctspyState:
    """A position for mctspy: 1 is the first player, -1 the second."""

    def __init__(self, position):
        self.position = position
        self.next_to_move = 1 if position.to_move == Side.FIRST else -1

    @property
    def game_result(self):
        return self.position.outcome.value(Side.FIRST) if self.position.is_over else None

    def is_game_over(self):
        return self.position.is_over

    def get_legal_actions(self):
        return list(self.position.legal_moves)

    def move(self, action):
        return MctspyState(self.position.play(action))


class Mcts:
    """UCT of mcts 1.0.4: rewards are those of the searching player, and every node maximises them."""

    def __init__(self, sims: int = 100):
        from mcts import mcts

        self.search = mcts(iterationLimit=sims)

    def choose(self, position, rng):
        random.seed(rng.getrandbits(32))  # the package draws from the global generator
        return self.search.search(MctsState(position, position.to_move))


class MctsState:
    """A position for mcts, with rewards for `side`."""

    def __init__(self, position, side):
        self.position, self.side = position, side

    def getPossibleActions(self):
        return self.position.legal_moves

    def takeAction(self, action):
        return MctsState(self.position.play(action), self.side)

    def isTerminal(self):
        return self.position.is_over

    def getReward(self):
        return self.position.outcome.value(self.side)


class MctsSimple:
    """UCT of mcts-simple, which builds a tree of the whole game from `sims` games that start at the position."""

    def __init__(self, sims: int = 100):
        from mcts_simple import UCT

        self.uct, self.sims = UCT, sims

    def choose(self, position, rng):
        search = self.uct(MctsSimpleGame(position), seed=rng.getrandbits(32))
        for _ in range(self.sims):
            search.step()
        return search.root.choose_best_action(training=False)


class MctsSimpleGame:
    """A game for mcts-simple that starts at a position."""

    def __init__(self, position):
        self.position = position

    def __deepcopy__(self, memo):
        return MctsSimpleGame(self.position)

    def get_state(self):
        return self.position.moves

    def current_player(self):
        return int(self.position.to_move)

    def possible_actions(self):
        return list(self.position.legal_moves)

    def take_action(self, action):
        self.position = self.position.play(action)

    def has_outcome(self):
        return self.position.is_over

    def winner(self):
        values = [self.position.outcome.value(side) for side in (Side.FIRST, Side.SECOND)]
        return [0, 1] if values[0] == values[1] else [values.index(1)]
