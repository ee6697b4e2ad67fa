"""Selection of moves in a tree: Gumbel AlphaZero, PUCT, and MuZero's own formula.

A search receives its root and a function that makes a move and evaluates the result. Whether that function uses the real
rules or a learned model of them makes no difference, so both kinds of agents search alike.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx

from noughts.networks.network import LOWEST, Array
from noughts.search.settings import SearchSettings
from noughts.search.simulations import Expand, simulated

SHOWN_PLIES = 12


def masked(logits: Array, illegal: Array) -> Array:
    """Shift logits so that the largest is 0, with `LOWEST` for illegal moves, bool [B, size]: float32 [B, size]."""
    return jnp.where(illegal, LOWEST, logits - logits.max(-1, keepdims=True))


class BatchedSearchResult(NamedTuple):
    """The results for B positions, before any move is sampled.

    Attributes:
        move: int32 [B], the move of the search, with Gumbel noise if exploring.
        policy: float32 [B, size], the network's training target: Gumbel's improved policy, or visit fractions.
        value: float32 [B], of the position after the search, for the side to move.
        prior: float32 [B, size], the network's policy over legal moves.
        visits: int32 [B, size].
        move_values: float32 [B, size], for the side to move; 0 where there were no visits.
        variation: int32 [B, plies], the principal variation, from the move on; -1 after its end.
    """

    move: Array
    policy: Array
    value: Array
    prior: Array
    visits: Array
    move_values: Array
    variation: Array


def grown(
    weights: Any,
    key: Array,
    root: mctx.RootFnOutput,
    expand: Expand,
    illegal: Array,
    settings: SearchSettings,
    exploring: bool,
    loop: Any = jax.lax.fori_loop,
) -> tuple[BatchedSearchResult, Any]:
    """Search from `root`; return the results and the tree, an `mctx.Tree`. Without simulations, the tree is None.

    Args:
        weights: Passed to `expand`.
        key: Random key for the noise; without exploring, it has no effect.
        root: B positions, with logits [B, size] that are `LOWEST` for illegal moves, values for the side to move, and
            the embeddings with which `expand` starts.
        expand: Makes moves.
        illegal: bool [B, size], at the root.
        settings: Static.
        exploring: Whether to add noise, as in self-play; static.
        loop: Runs the simulations, like `fori_loop`.
    """
    logits: Array = root.prior_logits
    prior = jax.nn.softmax(logits)
    if settings.simulations == 0:
        nothing = jnp.zeros_like(prior)
        move = jnp.argmax(logits, -1).astype(jnp.int32)
        variation = jnp.full((len(move), SHOWN_PLIES), -1, jnp.int32).at[:, 0].set(move)
        return (
            BatchedSearchResult(move, prior, root.value, prior, nothing.astype(jnp.int32), nothing, variation),
            None,
        )
    run = _gumbel if settings.method == "gumbel" else _best_first
    move, policy, tree = run(weights, key, root, expand, illegal, settings, exploring, loop)
    summary = tree.summary()
    found = BatchedSearchResult(
        move=move.astype(jnp.int32),
        policy=policy,
        value=summary.value,
        prior=prior,
        visits=summary.visit_counts.astype(jnp.int32),
        move_values=jnp.where(summary.visit_counts > 0, summary.qvalues, 0.0),
        variation=_variation(tree, move),
    )
    return found, tree


def loop_until(until: Array, first: int, last: int, body: Any, begin: Any) -> Any:
    """`fori_loop` that ends early, after `until` steps: an int32 from 0 to all."""
    return jax.lax.fori_loop(first, jnp.minimum(until, last), body, begin)


def _gumbel(
    weights: Any,
    key: Array,
    root: Any,
    expand: Expand,
    illegal: Array,
    settings: SearchSettings,
    exploring: bool,
    loop: Any,
) -> tuple[Array, Array, Any]:
    """Sequential halving at the root with Gumbel noise, and the improved policy (Danihelka et al. 2022)."""
    logits = masked(root.prior_logits, illegal)
    drawn = jax.random.gumbel(jax.random.split(key)[1], logits.shape)
    gumbel = drawn if exploring else jnp.zeros_like(logits)
    halving = partial(
        mctx.gumbel_muzero_root_action_selection,
        num_simulations=settings.simulations,
        max_num_considered_actions=settings.considered,
    )
    tree = simulated(
        weights,
        root.replace(prior_logits=logits),
        illegal,
        expand,
        at_root=lambda tree, node: halving(None, tree, node),
        below=lambda tree, node: mctx.gumbel_muzero_interior_action_selection(None, tree, node, None),
        simulations=settings.simulations,
        loop=loop,
        extra=mctx.GumbelMuZeroExtraData(root_gumbel=gumbel),
    )
    visits = tree.children_visits[:, 0]
    values = jax.vmap(mctx.qtransform_completed_by_mix_value, (0, None))(tree, 0)
    left = ~illegal & (visits == visits.max(-1, keepdims=True))  # after the halving
    move = jnp.argmax(jnp.where(left, gumbel + logits + values, -jnp.inf), -1)
    return move, jax.nn.softmax(masked(logits + values, illegal)), tree


def _best_first(
    weights: Any,
    key: Array,
    root: Any,
    expand: Expand,
    illegal: Array,
    settings: SearchSettings,
    exploring: bool,
    loop: Any,
) -> tuple[Array, Array, Any]:
    if exploring:
        root = root.replace(prior_logits=_with_noise(root.prior_logits, illegal, key, settings))

    def select(tree: Any, node: Array) -> Array:
        logits = tree.children_prior_logits[node]
        return jnp.argmax(jnp.where(logits > LOWEST / 2, score(tree, node, settings), -jnp.inf)).astype(jnp.int32)

    score = _SCORES[settings.method]
    tree = simulated(weights, root, illegal, expand, select, select, settings.simulations, loop)
    visits = tree.children_visits[:, 0]
    shares = visits / visits.sum(-1, keepdims=True)
    # The most visited move; of equal ones the one with the largest prior.
    move = jnp.argmax(jnp.where(illegal, -jnp.inf, visits + 0.5 * jax.nn.softmax(root.prior_logits)), -1)
    return move, shares, tree


def _puct(tree: Any, node: Array, settings: SearchSettings) -> Array:
    """Q + U of each move (Silver et al. 2018, methods), float32 [size]; Q of an untried move is 0."""
    logits, visits = tree.children_prior_logits[node], tree.children_visits[node]
    total = tree.node_visits[node] - 1  # mctx counts the visit that created the node
    c = settings.c_init + jnp.log((total + settings.c_base + 1) / settings.c_base)
    # At the first simulation the paper's sqrt(0) would make all moves equal, so start with the prior.
    bonus = c * jax.nn.softmax(logits) * jnp.sqrt(jnp.maximum(total, 1)) / (1 + visits)
    scores: Array = jnp.where(visits > 0, tree.qvalues(node), 0.0) + bonus
    return scores


def _muzero(tree: Any, node: Array, settings: SearchSettings) -> Array:
    """Schrittwieser et al. 2020, appendix B, float32 [size]: values are scaled to those of a node and its children.

    This is `mctx.muzero_action_selection` without two things: random noise for tie-breaking, which would make results depend
    on the other positions in a batch, and the masking of illegal moves below the root.
    """
    logits, visits, total = tree.children_prior_logits[node], tree.children_visits[node], tree.node_visits[node]
    c = settings.c_init + jnp.log((total + settings.c_base + 1) / settings.c_base)
    bonus = c * jax.nn.softmax(logits) * jnp.sqrt(total) / (1 + visits)
    scores: Array = mctx.qtransform_by_parent_and_siblings(tree, node) + bonus
    return scores


def _halving(tree: Any, node: Array, settings: SearchSettings) -> Array:
    """Danihelka et al. 2022, float32 [size]; mctx itself computes it during selection.

    At the root, the logit of the prior plus the scaled value: the half of the remaining moves with the lower scores
    drops out. Below it, the excess of a move's share of the improved policy over its share of the visits.
    """
    visits = tree.children_visits[node]
    improved = tree.children_prior_logits[node] + mctx.qtransform_completed_by_mix_value(tree, node)
    return jnp.where(node == 0, improved, jax.nn.softmax(improved) - visits / (1 + visits.sum()))


_SCORES = {"gumbel": _halving, "puct": _puct, "muzero": _muzero}


class SeenTree(NamedTuple):
    """The trees of B searches, for display; values are those of the side that moved into a node.

    Attributes:
        parent: int32 [B, nodes], -1 for the root.
        action: int32 [B, nodes], the move into it; -1 for the root.
        visits: int32 [B, nodes]; 0 for nodes that were never created.
        mean: float32 [B, nodes], Q.
        worth: float32 [B, nodes], its evaluation when it was created.
        over: bool [B, nodes], whether the search treats the game as over there. mctx still adds nodes below these,
            which do not count above.
        prior: float32 [B, nodes, size], of the moves from it.
        score: float32 [B, nodes, size], by which selection compares these moves.
    """

    parent: Array
    action: Array
    visits: Array
    mean: Array
    worth: Array
    over: Array
    prior: Array
    score: Array


def seen_tree(tree: Any, settings: SearchSettings) -> SeenTree:
    """Convert the tree from `grown`, an `mctx.Tree`, for display."""
    games, parent = jnp.arange(tree.parents.shape[0])[:, None], jnp.maximum(tree.parents, 0)
    action, is_root = jnp.maximum(tree.action_from_parent, 0), tree.parents < 0
    reward = jnp.where(is_root, 0.0, tree.children_rewards[games, parent, action])
    discount = jnp.where(is_root, -1.0, tree.children_discounts[games, parent, action])
    nodes = jnp.arange(tree.parents.shape[1])
    score = jax.vmap(lambda one: jax.vmap(lambda node: _SCORES[settings.method](one, node, settings))(nodes))(tree)
    return SeenTree(
        parent=tree.parents,
        action=tree.action_from_parent,
        visits=tree.node_visits,
        mean=reward + discount * tree.node_values,
        worth=reward + discount * tree.raw_values,
        over=discount == 0,
        prior=jax.nn.softmax(tree.children_prior_logits),
        score=score,
    )


def _with_noise(logits: Array, illegal: Array, key: Array, settings: SearchSettings) -> Array:
    """Logits of (1 - fraction) * prior + fraction * Dirichlet(alpha), over legal moves."""
    drawn = jnp.where(illegal, 0.0, jax.random.gamma(key, settings.dirichlet_alpha, logits.shape))
    noise = drawn / jnp.maximum(drawn.sum(-1, keepdims=True), 1e-30)
    mixed = (1 - settings.dirichlet_fraction) * jax.nn.softmax(logits) + settings.dirichlet_fraction * noise
    return jnp.where(illegal, LOWEST, jnp.log(jnp.maximum(mixed, 1e-30)))


def _variation(tree: Any, move: Array) -> Array:
    """The most visited moves, from `move` on: int32 [B, plies]."""
    games = jnp.arange(len(move))

    def follow(carry: tuple[Array, Array], _: None) -> tuple[tuple[Array, Array], Array]:
        node, action = carry
        child = jnp.where(action < 0, -1, tree.children_index[games, node, jnp.maximum(action, 0)])
        visits = tree.children_visits[games, jnp.maximum(child, 0)]
        most = jnp.where((child < 0) | (visits.max(-1) == 0), -1, visits.argmax(-1)).astype(jnp.int32)
        return (jnp.maximum(child, 0), most), action

    begin = (jnp.zeros_like(move, jnp.int32), move.astype(jnp.int32))
    _, variation = jax.lax.scan(follow, begin, None, length=SHOWN_PLIES)
    return variation.T
