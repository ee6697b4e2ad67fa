"""Games as a dataset for learning, with exact values for every step: one NumPy file of named arrays, after RLDS.

A game is an episode. An episode of n moves has n + 1 steps; the last is the final position. All games have one board size. No
array needs pickle: ``numpy.load(path)`` reads the file. Sizes: S steps, E episodes, C cells of all boards.

    observation   int8 [S, C]       cells: 0 empty, 1 the first player's mark or the shared one, 2 the second's, 3 a brick
    to_move       int8 [S]          0 the first player, 1 the second
    legal         bool [S, C]       legal moves; none at the last step
    action        int16 [S]         the move that was made; -1 at the last step
    reward        float32 [S, 2]    the reward of each side for this action: 1, 0 or -1 for the one that ended the game, else 0
    discount      float32 [S]       1; 0 at the last step
    is_first, is_last, is_terminal  bool [S]   as in RLDS; the last two are equal, because unfinished games are left out
    episode       int32 [S]         the index of the game
    ply           int16 [S]         moves before it
    value_low, value_high   int8 [S]      bounds on the exact value for the side to move; equal if it is known
    move_low, move_high     int8 [S, C]   bounds on the exact value of each legal move, for the side to move; -2 for others
    optimal       bool [S, C]       the moves that are proved optimal; none where the value is not known, or at the last step
    rules, first, second    text [E]      texts of the rules and of the agents
    ending        text [E]          the winner: first, second or draw
    seed          uint64 [E]        of the game
    opening       int16 [E]         number of moves that were set before the agents began
    seconds       float64 [E, 2]    time that each side took for its moves
    run_id, basis   text [E]        of a game from the store: its run and its version; else empty
    about         text []           JSON: version of this format, of noughts, and the size of the board
"""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import noughts
from noughts.bridges.positions import by_rules
from noughts.bridges.rows import COLUMNS
from noughts.play.playthrough import replay
from noughts.positions import Position
from noughts.rules import StoreError, task_of
from noughts.solvers.solution import Solution
from noughts.store.records import GameRecord

NO_MOVE = -1
NOT_LEGAL = -2

_TEXTS = ("rules", "first", "second", "ending", "run_id", "basis")
_KINDS = {"action": np.int16, "reward": np.float32, "discount": np.float32, "episode": np.int32, "ply": np.int16}


def write_dataset(records: Sequence[GameRecord], values: Mapping[Position, Solution]) -> bytes:
    """The content of the file.

    Args:
        records: The games; aborted ones are left out.
        values: Exact values or bounds of positions; others are written as unknown.

    Raises:
        StoreError: no game is left.
        RulesError: the games have boards of several sizes.
    """
    whole = [record for record in records if record.ending != "error"]
    if not whole:
        raise StoreError("no game was played to its end, and a dataset needs one")
    games = [replay(record)[0] for record in whole]
    task_of(*dict.fromkeys(games))  # raises an error if their sizes differ
    steps: dict[str, list[Any]] = {}
    for episode, (record, rules) in enumerate(zip(whole, games, strict=True)):
        position = Position.start(rules)
        for ply, move in enumerate([*record.moves, NO_MOVE]):
            step = _step(position, move, values.get(position)) | {"episode": episode, "ply": ply}
            for name, value in step.items():
                steps.setdefault(name, []).append(value)
            if move != NO_MOVE:
                position = position.play(move)
    arrays: dict[str, Any] = {name: np.array(column, _KINDS.get(name)) for name, column in steps.items()}
    for name in _TEXTS:
        arrays[name] = np.array([COLUMNS[name].of(record) for record in whole])
    arrays["seed"] = np.array([record.seed for record in whole], np.uint64)
    arrays["opening"] = np.array([record.opening for record in whole], np.int16)
    arrays["seconds"] = np.array([(record.seconds_first, record.seconds_second) for record in whole])
    board = {"rows": games[0].rows, "cols": games[0].cols, "boards": games[0].boards}
    arrays["about"] = np.array(json.dumps({"version": 1, "noughts": noughts.__version__} | board))
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    return content.getvalue()


def _step(position: Position, move: int, known: Solution | None) -> dict[str, Any]:
    """One row of the arrays, by name; `move` is NO_MOVE at the end."""
    found = known or by_rules(position)
    size = position.rules.size
    ends = move == NO_MOVE
    legal, optimal = np.zeros(size, bool), np.zeros(size, bool)
    low, high = np.full(size, NOT_LEGAL, np.int8), np.full(size, NOT_LEGAL, np.int8)
    legal[list(position.legal_moves)] = True
    optimal[list(found.optimal)] = True
    for one in found.moves:
        low[one.move], high[one.move] = one.low, one.high
    after = None if ends else position.play(move)
    over = after is not None and after.is_over
    return {
        "observation": np.frombuffer(position.cells, np.int8),
        "to_move": np.int8(position.to_move),
        "legal": legal,
        "action": move,
        "reward": [after.outcome.value(side) for side in type(position.to_move)] if over and after else [0, 0],
        "discount": 0.0 if ends else 1.0,
        "is_first": position.ply == 0,
        "is_last": ends,
        "is_terminal": ends,
        "value_low": np.int8(found.low),
        "value_high": np.int8(found.high),
        "move_low": low,
        "move_high": high,
        "optimal": optimal,
    }
