"""Search guided by a network: Gumbel AlphaZero and PUCT on the device, many positions at once.

mctx provides the tree, its arrays and its loops. This module says what a move is worth, which move a simulation follows,
and what noise is added. `guided_search` is a pure function for use inside compiled programs; `GuidedSearch` answers
for positions.

A simulation steps from a parent to a child, which the network evaluates. Values are those of the side to move at
each node, so a child's value counts for its parent with its sign turned: mctx's discount is -1 on every edge, and 0
on edges into positions that are over, whose true result is the edge's reward.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import numpy as np

from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.networks.spec import NetworkError
from noughts.positions import Position
from noughts.positions.batched import BatchedState, RulesArrays
from noughts.rules import Rules
from noughts.search.result import Kind, MoveResult, SearchResult
from noughts.search.settings import SearchSettings

_SHOWN_PLIES = 12
_AT_ONCE = 8  # on a CPU core larger batches gain nothing
_LOWEST = float(np.finfo(np.float32).min)


class BatchedSearchResult(NamedTuple):
    """What was found about B positions, before anything is drawn.

    Attributes:
        move: int32 [B], the move of the search. With Gumbel noise in it, if there was to be any.
        policy: float32 [B, size], what the network should learn to say: Gumbel's improved policy, or visit shares.
        value: float32 [B], of the position after the search, for the side to move.
        raw_value: float32 [B], what the network itself says.
        prior: float32 [B, size], the network's policy over legal moves.
        visits: int32 [B, size].
        move_values: float32 [B, size], for the side to move; 0 where there were no visits.
        variation: int32 [B, plies], the line expected, from the move on; -1 after its end.
    """

    move: Array
    policy: Array
    value: Array
    raw_value: Array
    prior: Array
    visits: Array
    move_values: Array
    variation: Array


def guided_search(
    network: Network, board: BoardShape, states: BatchedState, key: Array, settings: SearchSettings, exploring: bool
) -> BatchedSearchResult:
    """Search B positions, none of them over.

    Args:
        network: Its weights.
        board: Static.
        states: With one leading axis [B].
        key: Of the noise; without exploring, nothing depends on it.
        settings: Static.
        exploring: Whether to add noise, as in self-play; static.
    """
    seen = network.predict(observe(board.env, states), board)
    illegal = ~states.legal_action_mask
    logits = jnp.where(illegal, _LOWEST, seen.logits - seen.logits.max(-1, keepdims=True))
    prior = jax.nn.softmax(logits)
    if settings.simulations == 0:
        nothing = jnp.zeros_like(prior)
        move = jnp.argmax(logits, -1).astype(jnp.int32)
        variation = jnp.full((len(move), _SHOWN_PLIES), -1, jnp.int32).at[:, 0].set(move)
        return BatchedSearchResult(
            move, prior, seen.value, seen.value, prior, nothing.astype(jnp.int32), nothing, variation
        )
    root = mctx.RootFnOutput(prior_logits=logits, value=seen.value, embedding=_without_rules(states))
    expand = partial(_expand, board=board, settings=settings)
    run = _gumbel if settings.method == "gumbel" else _puct
    move, policy, tree = run((network, states.rules), key, root, expand, illegal, settings, exploring)
    summary = tree.summary()
    return BatchedSearchResult(
        move=move.astype(jnp.int32),
        policy=policy,
        value=summary.value,
        raw_value=seen.value,
        prior=prior,
        visits=summary.visit_counts.astype(jnp.int32),
        move_values=jnp.where(summary.visit_counts > 0, summary.qvalues, 0.0),
        variation=_variation(tree, move),
    )


def _expand(
    weights: tuple[Network, RulesArrays],
    key: Array,
    action: Array,
    before: BatchedState,
    board: BoardShape,
    settings: SearchSettings,
) -> tuple[mctx.RecurrentFnOutput, BatchedState]:
    """Make a move in each position, and evaluate the position after it. The states are those of `_without_rules`."""
    network, rules = weights
    mover = before.ply & 1
    states = jax.vmap(board.env.step)(before._replace(rules=rules), action)
    seen = network.predict(observe(board.env, states), board)
    reward = jnp.take_along_axis(states.rewards, mover[:, None], 1)[:, 0]
    over = states.is_terminal
    if settings.terminal == "network":
        # The mistake that this option repeats: the network evaluates finished positions too, and the result is not used.
        # The tree goes on below a finished position. Steps do not change it, nor the side to move.
        reward, worth = jnp.zeros_like(reward), jnp.where(states.ply == before.ply, 1.0, -1.0)
        value = seen.value
    else:
        worth, value = jnp.where(over, 0.0, -1.0), jnp.where(over, 0.0, seen.value)
    logits = jnp.where(states.legal_action_mask, seen.logits - seen.logits.max(-1, keepdims=True), _LOWEST)
    output = mctx.RecurrentFnOutput(reward=reward, discount=worth, prior_logits=logits, value=value)
    return output, _without_rules(states)


def _without_rules(states: BatchedState) -> BatchedState:
    """States for the nodes of a tree. Their rules are None: no step changes them, and every node would hold a copy."""
    return states._replace(rules=None)  # type: ignore[arg-type]


def _gumbel(
    weights: Any, key: Array, root: Any, expand: Any, illegal: Array, settings: SearchSettings, exploring: bool
) -> tuple[Array, Array, Any]:
    found = mctx.gumbel_muzero_policy(
        params=weights,
        rng_key=key,
        root=root,
        recurrent_fn=expand,
        num_simulations=settings.simulations,
        invalid_actions=illegal,
        max_depth=min(settings.simulations, illegal.shape[-1]),
        max_num_considered_actions=settings.considered,
        gumbel_scale=1.0 if exploring else 0.0,
    )
    return found.action, found.action_weights, found.search_tree


def _puct(
    weights: Any, key: Array, root: Any, expand: Any, illegal: Array, settings: SearchSettings, exploring: bool
) -> tuple[Array, Array, Any]:
    if exploring:
        root = root.replace(prior_logits=_with_noise(root.prior_logits, illegal, key, settings))

    def select(key: Array, tree: Any, node: Array, depth: Array) -> Array:
        """The move of largest Q + U (Silver et al. 2018, methods); Q of a move that was never made is 0."""
        logits, visits = tree.children_prior_logits[node], tree.children_visits[node]
        total = tree.node_visits[node] - 1  # mctx counts the visit that made the node
        c = settings.c_init + jnp.log((total + settings.c_base + 1) / settings.c_base)
        # At the first simulation the paper's sqrt(0) would make all moves equal: begin with the prior.
        bonus = c * jax.nn.softmax(logits) * jnp.sqrt(jnp.maximum(total, 1)) / (1 + visits)
        values = jnp.where(visits > 0, tree.qvalues(node), 0.0)
        return jnp.argmax(jnp.where(logits > _LOWEST / 2, values + bonus, -jnp.inf)).astype(jnp.int32)

    tree = mctx.search(
        params=weights,
        rng_key=key,
        root=root,
        recurrent_fn=expand,
        root_action_selection_fn=lambda key, tree, node: select(key, tree, node, jnp.int32(0)),
        interior_action_selection_fn=select,
        num_simulations=settings.simulations,
        max_depth=min(settings.simulations, illegal.shape[-1]),
        invalid_actions=illegal,
    )
    visits = tree.children_visits[:, 0]
    shares = visits / visits.sum(-1, keepdims=True)
    # Most visits; of equal ones the one with the larger prior.
    move = jnp.argmax(jnp.where(illegal, -jnp.inf, visits + 0.5 * jax.nn.softmax(root.prior_logits)), -1)
    return move, shares, tree


def _with_noise(logits: Array, illegal: Array, key: Array, settings: SearchSettings) -> Array:
    """Logits of (1 - fraction) * prior + fraction * Dirichlet(alpha), over legal moves."""
    drawn = jnp.where(illegal, 0.0, jax.random.gamma(key, settings.dirichlet_alpha, logits.shape))
    noise = drawn / jnp.maximum(drawn.sum(-1, keepdims=True), 1e-30)
    mixed = (1 - settings.dirichlet_fraction) * jax.nn.softmax(logits) + settings.dirichlet_fraction * noise
    return jnp.where(illegal, _LOWEST, jnp.log(jnp.maximum(mixed, 1e-30)))


def _variation(tree: Any, move: Array) -> Array:
    """The moves visited most, from `move` on: int32 [B, plies]."""
    games = jnp.arange(len(move))

    def follow(carry: tuple[Array, Array], _: None) -> tuple[tuple[Array, Array], Array]:
        node, action = carry
        child = jnp.where(action < 0, -1, tree.children_index[games, node, jnp.maximum(action, 0)])
        visits = tree.children_visits[games, jnp.maximum(child, 0)]
        most = jnp.where((child < 0) | (visits.max(-1) == 0), -1, visits.argmax(-1)).astype(jnp.int32)
        return (jnp.maximum(child, 0), most), action

    begin = (jnp.zeros_like(move, jnp.int32), move.astype(jnp.int32))
    _, variation = jax.lax.scan(follow, begin, None, length=_SHOWN_PLIES)
    return variation.T


@eqx.filter_jit
def _compiled(
    network: Network, board: BoardShape, states: BatchedState, settings: SearchSettings
) -> BatchedSearchResult:
    return guided_search(network, board, states, jax.random.key(0), settings, exploring=False)


class GuidedSearch:
    """A network and a search, ready to answer for positions.

    A program is compiled when first needed, one for each board. It looks at so many positions at once, always: with
    another number XLA would add up in another order, and what is found about a position would depend on its company.
    """

    def __init__(self, network: Network, settings: SearchSettings) -> None:
        self.network, self.settings = network, settings

    def find(self, positions: Sequence[Position]) -> Iterator[tuple[Position, BatchedSearchResult]]:
        """What is found about each position; all share a board size. Arrays are NumPy's, without a leading axis."""
        for start in range(0, len(positions), _AT_ONCE):
            some = positions[start : start + _AT_ONCE]
            filled = [*some, *[some[-1]] * (_AT_ONCE - len(some))]
            board = BoardShape.of({position.rules for position in filled})
            found = jax.device_get(_compiled(self.network, board, board.env.states(filled), self.settings))
            for number, position in enumerate(some):
                yield position, jax.tree.map(lambda array, number=number: array[number], found)

    def moves(self, positions: Sequence[Position]) -> list[int]:
        """The move in each position."""
        return [int(found.move) for _, found in self.find(positions)]

    def search(self, positions: Sequence[Position]) -> list[SearchResult]:
        """All that is known of each position."""
        return [_result(position, found, self.settings) for position, found in self.find(positions)]


def _result(position: Position, found: BatchedSearchResult, settings: SearchSettings) -> SearchResult:
    moves = tuple(
        MoveResult(
            move,
            int(found.visits[move]),
            float(np.clip(found.move_values[move], -1, 1)),
            Kind.ESTIMATE,
            prior=float(found.prior[move]),
        )
        for move in position.legal_moves
    )
    variation = tuple(int(move) for move in found.variation if move >= 0)
    return SearchResult(
        int(found.move),
        float(np.clip(found.value, -1, 1)),
        Kind.ESTIMATE,
        moves,
        _legal_part(position, variation),
        settings.simulations,
    )


def _legal_part(position: Position, variation: tuple[int, ...]) -> tuple[int, ...]:
    """A line up to the end of the game. A tree may go on beyond it."""
    line: list[int] = []
    for move in variation:
        if not position.is_legal(move):
            break
        position = position.play(move)
        line.append(move)
    return tuple(line)


def refuse(network: Network, rules: Rules) -> None:
    """NetworkError if the network's weights cannot serve these rules."""
    reason = network.refusal(rules)
    if reason is not None:
        raise NetworkError(f"the network cannot serve {rules}: {reason}")
