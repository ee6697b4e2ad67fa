"""The simulations of a guided search: B trees grow at once, by one node per simulation.

This is `mctx.search`, number for number, but in place. mctx backs up under `vmap`, so every step up copies whole trees.
With 1,000 simulations and a small network, that took nine tenths of the time.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mctx

from noughts.networks.network import Array

Expand = Callable[[Any, Array, Any], tuple[mctx.RecurrentFnOutput, Any]]
"""Takes weights, a move in each of B nodes and their embeddings; returns evaluations of the new nodes, and their embeddings."""

Rule = Callable[[mctx.Tree, Array], Array]
"""Takes one tree and the number of a node, int32 []; returns the move to follow from there, int32 []."""


def simulated(
    weights: Any,
    root: mctx.RootFnOutput,
    illegal: Array,
    expand: Expand,
    at_root: Rule,
    below: Rule,
    simulations: int,
    loop: Any,
    extra: Any = None,
) -> mctx.Tree:
    """Return the trees after `simulations` simulations, at least one.

    Args:
        weights: Passed to `expand`.
        root: B positions.
        illegal: bool [B, size], moves with which no simulation begins.
        expand: Makes and evaluates a node.
        at_root: Selects the first move of a simulation.
        below: Selects the later ones.
        simulations: Static.
        loop: Runs the simulations, like `fori_loop`.
        extra: The trees' `extra_data`, for the rules; arrays [B, ...].
    """
    games = jnp.arange(len(root.value))
    deepest = min(simulations, illegal.shape[-1])

    def simulate(number: Array, tree: mctx.Tree) -> mctx.Tree:
        parent, move, child = _leaf(tree, at_root, below, deepest)
        node = jnp.where(child < 0, number + 1, child)  # an existing child: at the maximum depth it is evaluated again
        before = jax.tree.map(lambda array: array[games, parent], tree.embeddings)
        step, embedding = expand(weights, move, before)
        tree = _with_node(tree, node, step.prior_logits, step.value, embedding)
        tree = tree.replace(
            children_index=tree.children_index.at[games, parent, move].set(node),
            children_rewards=tree.children_rewards.at[games, parent, move].set(step.reward),
            children_discounts=tree.children_discounts.at[games, parent, move].set(step.discount),
            parents=tree.parents.at[games, node].set(parent),
            action_from_parent=tree.action_from_parent.at[games, node].set(move),
        )
        return _backed_up(tree, node)

    return loop(0, simulations, simulate, _roots(root, illegal, simulations + 1, extra))


def _leaf(tree: mctx.Tree, at_root: Rule, below: Rule, deepest: int) -> tuple[Array, Array, Array]:
    """The node and the move by which each simulation leaves the tree, and the node after it: -1 if it does not exist yet."""
    games = jnp.arange(len(tree.node_visits))

    def is_inside(at: tuple[Array, Array, Array, Array]) -> Array:
        _, _, child, depth = at
        return (child >= 0).any() & (depth < deepest)

    def follow(at: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        node, move, child, depth = at
        inside = child >= 0
        node = jnp.where(inside, child, node)
        move = jnp.where(inside, jax.vmap(below)(tree, node), move)
        return node, move, tree.children_index[games, node, move], depth + 1

    node = jnp.zeros(len(games), jnp.int32)
    move = jax.vmap(at_root)(tree, node)
    begin = (node, move, tree.children_index[games, node, move], jnp.int32(1))
    return jax.lax.while_loop(is_inside, follow, begin)[:3]


def _backed_up(tree: mctx.Tree, leaf: Array) -> mctx.Tree:
    """Back up the value of each leaf, int32 [B], to the nodes above it.

    All games go up in step. A game that is at its root already writes to a nonexistent node, which JAX drops.
    """
    games, nowhere = jnp.arange(len(leaf)), tree.node_visits.shape[1]

    def go_up(carry: tuple[Array, ...]) -> tuple[Array, ...]:
        values, visits, child_values, child_visits, value, node = carry
        parent, move = tree.parents[games, node], tree.action_from_parent[games, node]
        value = tree.children_rewards[games, parent, move] + tree.children_discounts[games, parent, move] * value
        count = visits[games, parent]
        mean = (values[games, parent] * count + value) / (count + 1.0)
        into = jnp.where(node == 0, nowhere, parent)
        child_values = child_values.at[games, into, move].set(values[games, node], mode="drop")
        child_visits = child_visits.at[games, into, move].add(1, mode="drop")
        values = values.at[games, into].set(mean, mode="drop")
        visits = visits.at[games, into].set(count + 1, mode="drop")
        return values, visits, child_values, child_visits, value, jnp.maximum(parent, 0)

    counted = (tree.node_values, tree.node_visits, tree.children_values, tree.children_visits)
    begin: tuple[Array, ...] = (*counted, tree.node_values[games, leaf], leaf)
    values, visits, child_values, child_visits, *_ = jax.lax.while_loop(
        lambda carry: (carry[-1] != 0).any(), go_up, begin
    )
    return tree.replace(
        node_values=values, node_visits=visits, children_values=child_values, children_visits=child_visits
    )


def _roots(root: mctx.RootFnOutput, illegal: Array, nodes: int, extra: Any) -> mctx.Tree:
    """Trees of roots alone, with capacity for `nodes` nodes."""
    games, size = root.prior_logits.shape
    none, moves = jnp.full((games, nodes), -1, jnp.int32), jnp.zeros((games, nodes, size))
    tree = mctx.Tree(
        node_visits=jnp.zeros((games, nodes), jnp.int32),
        raw_values=jnp.zeros((games, nodes)),
        node_values=jnp.zeros((games, nodes)),
        parents=none,
        action_from_parent=none,
        children_index=jnp.full((games, nodes, size), -1, jnp.int32),
        children_prior_logits=moves,
        children_values=moves,
        children_visits=jnp.zeros((games, nodes, size), jnp.int32),
        children_rewards=moves,
        children_discounts=moves,
        embeddings=jax.tree.map(lambda a: jnp.zeros((games, nodes, *a.shape[1:]), a.dtype), root.embedding),
        root_invalid_actions=illegal,
        extra_data=extra,
    )
    return _with_node(tree, jnp.zeros(games, jnp.int32), root.prior_logits, root.value, root.embedding)


def _with_node(tree: mctx.Tree, node: Array, logits: Array, value: Array, embedding: Any) -> mctx.Tree:
    """Write the evaluation of a node, int32 [B], into each tree."""
    games = jnp.arange(len(node))
    return tree.replace(
        children_prior_logits=tree.children_prior_logits.at[games, node].set(logits),
        raw_values=tree.raw_values.at[games, node].set(value),
        node_values=tree.node_values.at[games, node].set(value),
        node_visits=tree.node_visits.at[games, node].add(1),
        embeddings=jax.tree.map(lambda all_, new: all_.at[games, node].set(new), tree.embeddings, embedding),
    )
