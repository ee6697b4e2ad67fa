"""Asks networks about positions, and gives them weights in which nothing is zero by accident."""

from collections.abc import Sequence

import equinox as eqx
import jax
import numpy as np
from numpy.typing import NDArray

from noughts.networks.network import Board, Network, Observation, Prediction, observe
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position, Rng
from noughts.rules import Rules, Symmetry

Floats = NDArray[np.float32]


@eqx.filter_jit
def _predict(network: Network, seen: Observation, board: Board) -> Prediction:
    return network.predict(seen, board)


def seen_in(positions: Sequence[Position]) -> tuple[Observation, Board]:
    """What is seen in positions of one size of board."""
    board = Board.of(position.rules for position in positions)
    return jax.jit(lambda states: observe(board.env, states))(board.env.states(positions)), board


def ask(network: Network, positions: Sequence[Position]) -> tuple[Floats, Floats]:
    """Logits and values of positions, all in one batch."""
    seen, board = seen_in(positions)
    logits, value = _predict(network, seen, board)
    return np.asarray(logits), np.asarray(value)


def made(text: str, rules: Rules, seed: int = 0) -> Network:
    """A network whose biases, scales and statistics are random, too."""

    @eqx.filter_jit
    def make(key: jax.Array) -> Network:
        network = make_network(parse_network(text), Board.of([rules]), key)
        leaves, structure = jax.tree.flatten(network)
        keys = jax.random.split(key, len(leaves))
        shaken = [leaf + 0.2 * jax.random.uniform(k, leaf.shape) for leaf, k in zip(leaves, keys, strict=True)]
        whole: Network = jax.tree.unflatten(structure, shaken)
        return whole

    network: Network = make(jax.random.key(seed))
    return network


def some_positions(rules: Rules, count: int, seed: int = 0) -> list[Position]:
    """Unfinished positions of random play, from the start to the last plies."""
    rng, found = Rng(seed), list[Position]()
    for _ in range(count):
        position = Position.start(rules)
        for _ in range(rng.below(rules.size)):
            after = position.play(rng.choice(position.legal_moves))
            if after.is_over:
                break
            position = after
        found.append(position)
    return found


def turned(position: Position, symmetry: Symmetry) -> Position:
    """The position with all that is on the board moved, bricks included."""
    rules = position.rules
    bricks = tuple(sorted(symmetry.image[brick] for brick in rules.bricks))
    other = rules.model_copy(update={"bricks": bricks})
    return Position.start(other, tuple(symmetry.image[move] for move in position.moves))
