"""Games of random play in the form that self-play saves, with distinguishable policies and values."""

import numpy as np

from noughts.positions import Outcome, Rng
from noughts.rules import Rules
from noughts.training.muzero.selfplay import PlayedGames
from tests.positions.reached import played_out


def random_games(rules: Rules, count: int, seed: int, begin: int = 0) -> PlayedGames:
    """Random games of one kind; the first `begin` moves are before ply 0, and none ends a game."""
    rng, numbers, size = Rng(seed), np.random.default_rng(seed), rules.size
    rows: dict[str, list[object]] = {name: [] for name in PlayedGames._fields}
    for _ in range(count):
        game = played_out(rules, rng)
        *_, over = game
        moves = list(over.moves[begin:])
        length = len(moves)
        boards = game[begin:] + [over] * (size - length)
        legal = np.array([[float(board.is_legal(cell)) for cell in range(size)] for board in boards[:size]])
        policy = numbers.random((size, size)) * np.where(legal.sum(-1, keepdims=True) > 0, legal, 1.0)
        rows["number"].append(0)
        rows["begin"].append(begin)
        rows["length"].append(length)
        rows["result"].append({Outcome.FIRST: 1.0, Outcome.SECOND: -1.0, Outcome.DRAW: 0.0}[over.outcome])
        rows["cells"].append([list(board.cells) for board in boards])
        rows["closed"].append([[number in board.closed for number in range(rules.boards)] for board in boards])
        rows["action"].append(moves + [0] * (size - length))
        rows["policy"].append(policy / policy.sum(-1, keepdims=True))
        rows["value"].append(numbers.uniform(-1, 1, size))
        rows["astray"].append([False] * size)
    types = {"cells": np.int8, "closed": np.bool_, "action": np.int16, "astray": np.bool_}
    types |= dict.fromkeys(("number", "begin", "length"), np.int32)
    return PlayedGames(**{name: np.array(row, types.get(name, np.float32)) for name, row in rows.items()})  # type: ignore[arg-type]
