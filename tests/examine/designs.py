"""A game and a search as libraries have them, with faults that can be planted, and the adapter for `conform`.

It follows alpha-zero-general: boards of +1 and -1 and a player who sees them turned round. It is tic-tac-toe, written here from nothing.
Designs with states that actions change, and with records of arrays, are those of the guide's adapters.
"""

import math
from typing import Any

import numpy as np

LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
BITS = 1 << np.arange(9)
C = 1.25


def has_line(cells: Any) -> bool:
    marks = int(cells @ BITS)
    return any(marks & line == line for line in LINES)


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
        return 0 if state[1] == 1 or self.fault == "turn" else 1

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
            """The negative of the value for the player to move there, which is what it is worth to who moved."""
            sign = 1 if self.fault == "sign" else -1
            ended = self.ended(*state)
            if ended != 0:
                return -self.ended(state[0], 1) if self.fault == "first player's end" else sign * ended
            key = (state[0].tobytes(), state[1])
            if key not in nodes:
                prior, value = evaluate(state)
                nodes[key] = (np.asarray(prior), np.zeros(9), np.zeros(9))
                return sign * float(value) * (state[1] if self.fault == "first player's value" else 1)
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
