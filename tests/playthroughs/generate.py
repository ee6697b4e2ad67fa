"""Playthroughs: for each game a text file with what every layer makes of its rules and of one random game.

They are read by people, and reviewed as a diff when something changes. `uv run python -m tests.playthroughs`
writes them anew.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np

from noughts.positions import EMPTY, Outcome, Position, Rng, derive_seed
from noughts.positions.batched import Batched, rules_arrays
from noughts.positions.kernels import FREE, OUTCOME, SECOND_SHIFT, MutableBoard, board_at, play, tables
from noughts.rules import Rules, describe_rules, format_rules, line_table, parse_rules, symmetries

FOLDER = Path(__file__).parent

# Every preset, with arguments where it takes some, and games that show the other fields of the rules.
GAMES = {
    "tic-tac-toe": "tic-tac-toe",
    "misere-tic-tac-toe": "misere-tic-tac-toe",
    "bttt-D4": "bttt(D4)",
    "bttt-variant-1": "bttt-variant-1",
    "bttt-variant-2": "bttt-variant-2",
    "notakto-3": "notakto(3)",
    "notakto-4": "notakto(4)",
    "notakto-3-two-boards": "notakto(3,boards=2)",
    "gomoku": "gomoku",
    "mnk-4-4-3": "mnk(4,4,3)",
    "mnk-3-5-3-bricks": "mnk(3,5,3,bricks=A1+B3,line=loses,full=first)",
    "mnk-3-4-3-wrap": "mnk(3,4,3,bricks=B2,wrap=columns)",
    "mnk-2-3-4-lineless": "mnk(2,3,4,lineless=true,full=second)",
}

_FEW = 60  # more names than that do not help a reader


def playthrough(text: str) -> str:
    rules = parse_rules(text)
    return "\n".join([*_about(text, rules), *_game(text, rules)]) + "\n"


def _about(text: str, rules: Rules) -> Iterator[str]:
    group = symmetries(rules)
    yield f"written: {text}"
    yield f"text: {format_rules(rules)}"
    yield f"JSON: {rules.to_json()}"
    yield f"in words: {describe_rules(rules)}"
    yield f"cells: {rules.size}, {len(rules.brick_cells)} of them bricks"
    yield f"lines: {len(line_table(rules).cells)}"
    yield f"symmetries: {len(group)}: {', '.join(symmetry.name for symmetry in group)}"


def _game(text: str, rules: Rules) -> Iterator[str]:
    env = Batched.of(rules)
    init, step, observe = _compiled(env)
    rng = Rng(derive_seed(1, "playthrough", text))
    position, board, state = Position.start(rules), board_at(Position.start(rules)), init(rules_arrays(rules))
    while True:
        yield ""
        yield f"ply {position.ply}"
        yield str(position)
        yield f"to move: {position.to_move.name.lower()}"
        yield f"legal moves: {_legal(position)}"
        yield f"lines by marks: {_lines(board)}"
        yield f"kernel: {_counts(board)}"
        yield f"observation: {_planes(np.asarray(observe(state)))}"
        yield f"outcome: {position.outcome.name.lower()}"
        if position.is_over:
            lines = [" ".join(map(rules.name_of, line)) for line in position.winning_lines()]
            yield f"complete lines: {', '.join(lines) or 'none'}"
            yield f"rewards: {' '.join(f'{reward:+.0f}' for reward in state.rewards.tolist())}"
            return
        move = position.legal_moves[rng.below(len(position.legal_moves))]
        yield f"move: {rules.name_of(move)} (cell {move})"
        position = position.play(move)
        play(tables(rules), board, move)
        state = step(state, move)


@cache
def _compiled(env: Batched) -> tuple[Any, Any, Any]:
    return jax.jit(env.init), jax.jit(env.step), jax.jit(env.observe)


def _legal(position: Position) -> str:
    legal, empty = position.legal_moves, tuple(c for c, content in enumerate(position.cells) if content == EMPTY)
    if len(legal) > _FEW and legal == empty:
        return f"{len(legal)}, every empty cell"
    return f"{len(legal)}" + "".join(f" {position.rules.name_of(cell)}" for cell in legal)


def _lines(board: MutableBoard) -> str:
    """How many lines hold how many marks of each side, read from the kernel's codes."""
    mask = (1 << SECOND_SHIFT) - 1
    codes = board.codes.tolist()
    found = Counter(((code & mask).bit_count(), (code >> SECOND_SHIFT).bit_count()) for code in codes)
    return ", ".join(f"{first}-{second}: {count}" for (first, second), count in sorted(found.items())) or "no lines"


def _counts(board: MutableBoard) -> str:
    outcome = Outcome(int(board.counts[OUTCOME]))
    free = int(board.counts[FREE]) if outcome is Outcome.ONGOING else 0
    return f"{free} free, boards closed {board.closed.tolist()}, outcome {outcome.name.lower()}"


def _planes(planes: "np.ndarray[Any, np.dtype[np.float32]]") -> str:
    ones = " ".join(str(int(count)) for count in planes.sum(axis=(0, 1)))
    return f"{'x'.join(map(str, planes.shape))}, ones on each plane: {ones}"


def write_all() -> list[Path]:
    paths = []
    for name, text in GAMES.items():
        path = FOLDER / f"{name}.txt"
        path.write_text(playthrough(text), encoding="utf-8")
        paths.append(path)
    return paths
