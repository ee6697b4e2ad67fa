"""Three designs of game and search as libraries have them, each with faults that can be planted, and adapters for `conform`.

`Canonical` follows alpha-zero-general: boards of +1 and -1, seen by the player to move. `Stateful` follows OpenSpiel: a
state that actions change, and returns for each player. `Functional` follows Pgx with mctx: a record of arrays, and a search whose
discount flips signs. All are tic-tac-toe, written here from scratch.
"""

import math
from typing import Any, NamedTuple

import numpy as np

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
C = 1.25


def has_line(cells: Any) -> bool:
    held = list(cells)
    return any(held[a] and held[b] and held[c] for a, b, c in LINES)


def pick(prior: Any, visits: Any, values: Any, legal: Any) -> int:
    """PUCT with values of the player to move."""
    bonus = C * prior * math.sqrt(visits.sum() + 1) / (1 + visits)
    return int(np.argmax(np.where(legal, values + bonus, -np.inf)))


class Canonical:
    """A board of +1 for the first player and -1 for the second; state is (board, player)."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def start(self) -> Any:
        return np.zeros(9, int), 1

    def player(self, state: Any) -> int:
        return 0 if state[1] == 1 else 1

    def legal(self, state: Any) -> Any:
        mask = (state[0] == 0) & (self.ended(*state) == 0)
        return np.roll(mask, 1) if self.fault == "mask" else mask

    def play(self, state: Any, move: int) -> Any:
        board = state[0] if self.fault == "in place" else state[0].copy()
        board[move] = state[1]
        return board, -state[1]

    def ended(self, board: Any, player: int) -> float:
        """1 if `player` has won, -1 if the other has, a little for a draw, 0 if the game goes on."""
        for who in (1, -1):
            if has_line(board == who):
                return 1 if self.fault == "end" else who * player
        return 0 if (board == 0).any() else 1e-4

    def returns(self, state: Any) -> Any:
        result = self.ended(state[0], 1)
        return None if result == 0 else (0, 0) if result == 1e-4 else (int(result), -int(result))

    def symmetries(self, state: Any, policy: Any) -> Any:
        board, policy = state[0].reshape(3, 3), np.asarray(policy).reshape(3, 3)
        for turns in range(4):
            moved = np.rot90(policy, 0 if self.fault == "symmetry" else turns)
            yield (np.rot90(board, turns).reshape(-1), state[1]), moved.reshape(-1)

    def search(self, state: Any, evaluate: Any, simulations: int) -> Any:
        nodes: dict[Any, Any] = {}

        def look(state: Any) -> float:
            """The negated value for the player to move there, that is, the value for the player who just moved."""
            sign = 1 if self.fault == "sign" else -1
            ended = self.ended(*state)
            if ended != 0:
                return sign * ended
            key = (state[0].tobytes(), state[1])
            if key not in nodes:
                prior, value = evaluate(state)
                nodes[key] = (np.asarray(prior), np.zeros(9), np.zeros(9))
                return sign * float(value)
            prior, visits, totals = nodes[key]
            move = pick(prior, visits, totals / np.maximum(visits, 1), state[0] == 0)
            worth = look(self.play(state, move))
            visits[move] += 1
            totals[move] += worth
            return sign * worth

        for _ in range(simulations):
            look(state)
        visits = nodes[state[0].tobytes(), state[1]][1]
        return np.where(visits == visits.max(), visits + 3, visits) if self.fault == "visits" else visits


class Mutable:
    """A state that actions change."""

    def __init__(self) -> None:
        self.moves: list[int] = []

    def clone(self) -> "Mutable":
        other = Mutable()
        other.moves = self.moves.copy()
        return other

    def current_player(self) -> int:
        return len(self.moves) % 2

    def apply_action(self, move: int) -> None:
        self.moves.append(move)

    def won(self) -> bool:
        mine = self.moves[(len(self.moves) - 1) % 2 :: 2]
        return has_line([cell in mine for cell in range(9)])

    def is_terminal(self) -> bool:
        return bool(self.moves) and (self.won() or len(self.moves) == 9)

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [cell for cell in range(9) if cell not in self.moves]

    def returns(self) -> list[float]:
        if not self.is_terminal() or not self.won():
            return [0.0, 0.0]
        return [1.0, -1.0] if len(self.moves) % 2 else [-1.0, 1.0]


class Node:
    def __init__(self, player: int, prior: float) -> None:
        self.player, self.prior, self.visits, self.total = player, prior, 0, 0.0
        self.children: dict[int, Node] = {}


class Stateful:
    """Returns for each player, and a tree whose nodes store who moved into them."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def start(self) -> Any:
        return Mutable()

    def player(self, state: Any) -> int:
        return 0 if self.fault == "turn" else int(state.current_player())

    def legal(self, state: Any) -> Any:
        return state.legal_actions()

    def play(self, state: Any, move: int) -> Any:
        after = state.clone()
        after.apply_action(move)
        return after

    def returns(self, state: Any) -> Any:
        if not state.is_terminal() or (self.fault == "draw" and not state.won()):
            return None
        return tuple(state.returns()[::-1] if self.fault == "end" else state.returns())

    def search(self, state: Any, evaluate: Any, simulations: int) -> Any:
        root = Node(1 - state.current_player(), 1.0)
        for _ in range(simulations):
            node, here, path = root, state.clone(), [root]
            while node.children:
                total = math.sqrt(node.visits)

                def worth(move: int, node: Node = node, total: float = total) -> float:
                    child = node.children[move]
                    return child.total / max(child.visits, 1) + C * child.prior * total / (1 + child.visits)

                move = max(node.children, key=worth)
                here.apply_action(move)
                node = node.children[move]
                path.append(node)
            if here.is_terminal():
                values = here.returns()
            else:
                prior, value = evaluate(here)
                mover = 0 if self.fault == "first player's value" else here.current_player()
                values = [value, -value] if mover == 0 else [-value, value]
                if node is root or self.fault != "depth":
                    node.children = {move: Node(here.current_player(), prior[move]) for move in here.legal_actions()}
            for one in path:
                one.visits += 1
                one.total += values[1 - one.player if self.fault == "player of the node" else one.player]
        return [root.children[cell].visits if cell in root.children else 0 for cell in range(9)]


class Record(NamedTuple):
    current_player: int
    board: Any  # int [9]: 0 free, 1 the first player's, 2 the second's
    rewards: Any  # float [2], of the players
    terminated: bool
    legal_action_mask: Any


class Functional:
    """A record of arrays, and a search in arrays: reward and discount on each edge, values of the player to move."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def start(self) -> Any:
        return Record(0, np.zeros(9, int), np.zeros(2), False, np.ones(9, bool))

    def player(self, state: Any) -> int:
        return int(state.current_player)

    def legal(self, state: Any) -> Any:
        return state.legal_action_mask

    def play(self, state: Any, move: int) -> Any:
        board = state.board.copy()
        board[move] = state.current_player + 1
        won, rewards = has_line(board == state.current_player + 1), np.zeros(2)
        if won:
            winner = 1 - state.current_player if self.fault == "end" else state.current_player
            rewards[winner], rewards[1 - winner] = 1.0, -1.0
        over = won or bool((board > 0).all())
        mask = np.zeros(9, bool) if over else board == 0
        mask = np.roll(mask, 1) if self.fault == "mask" else mask
        return Record(1 - state.current_player, board, rewards, over, mask)

    def returns(self, state: Any) -> Any:
        return tuple(state.rewards) if state.terminated else None

    def search(self, state: Any, evaluate: Any, simulations: int) -> Any:
        states, children = [state], [np.full(9, -1)]
        prior, _ = evaluate(state)
        priors, visits, totals = [np.asarray(prior)], [np.zeros(9)], [np.zeros(9)]
        for _ in range(simulations):
            path, at = [], 0
            while True:
                values = totals[at] / np.maximum(visits[at], 1)
                move = pick(priors[at], visits[at], values, states[at].legal_action_mask)
                path.append((at, move))
                child = int(children[at][move])
                if child < 0:
                    break
                at = child
                if states[at].terminated:
                    break
            if child < 0:
                after = self.play(states[at], move)
                children[at][move] = len(states)
                prior, _ = (np.zeros(9), 0.0) if after.terminated else evaluate(after)
                states.append(after)
                children.append(np.full(9, -1))
                priors.append(np.asarray(prior))
                visits.append(np.zeros(9))
                totals.append(np.zeros(9))
                at = len(states) - 1
            after = states[at]
            value = 0.0 if after.terminated else float(evaluate(after)[1])
            for node, move in reversed(path):
                below = states[int(children[node][move])]
                mover = states[node].current_player
                reward = float(below.rewards[0 if self.fault == "first player's value" else mover])
                discount = 0.0 if below.terminated else (1.0 if self.fault == "sign" else -1.0)
                value = reward + discount * value
                visits[node][move] += 1
                totals[node][move] += value
        return visits[0]
