"""The MuZero agent: a learned model of the game from a training run, and a search in positions that it imagines."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.agents.agent import grouped
from noughts.agents.learned import Loaded, NetworkAgent, Search, trained_search
from noughts.networks.evaluate import full_batches
from noughts.networks.model import Belief, LatentModel, without_marks
from noughts.networks.network import Array, BoardShape, Observation, observe
from noughts.networks.weights import load_model
from noughts.positions import Position
from noughts.positions.batched import BatchedState
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK
from noughts.rules import Rules
from noughts.search.imagined import imagined_growth, line_imagined
from noughts.search.settings import SearchSettings

_AT_ONCE = 8  # positions searched together: a fixed number, so that a result does not depend on the batch


class ImaginedPosition(NamedTuple):
    """One imagined position.

    Attributes:
        moves: The moves that lead there from a real position; some may be illegal, or made after the end.
        visits: How often a search visited it; 1 if there was no search.
        value: The predicted value for the side to move there, from -1 to +1.
        over: Whether the model predicts that the game is over; None if it has no such output.
        first: Whether it predicts that the first player is to move; None without such an output.
        cells: The predicted content of each cell, as in `Position.cells`; None without such an output. "Own" marks belong
            to the side that is predicted to move.
    """

    moves: tuple[int, ...]
    visits: int
    value: float
    over: bool | None
    first: bool | None
    cells: bytes | None


class ModelAgent(NetworkAgent):
    """Plays the best move of a search in a learned model, or of the model's raw policy."""

    def __init__(self, target: str, sims: int, search: Search, view: Literal["plain", "canonical"]) -> None:
        """Errors as for `trained_search`."""
        called = f"mz:{target}"
        super().__init__(trained_search(called, _load, target, sims, search), called, view == "canonical")

    @property
    def _model(self) -> LatentModel:
        return cast(LatentModel, self._search.network)

    def imagined_line(self, position: Position, line: Sequence[int]) -> list[ImaginedPosition]:
        """Return the predictions after 0, 1, 2 ... moves of a line; the moves need not be legal.

        The model sees the position as it is; the option ``view`` has no effect.

        Args:
            position: The only real position that the model sees; not over.
            line: Cells of its board.
        """
        self._require([position.rules])
        board = BoardShape.of([position.rules])
        states = board.env.states([position])
        told = jax.device_get(_told_line(self._model, board, states, jnp.asarray(line, jnp.int32).reshape(-1, 1)))
        return [
            _position(tuple(line[:ply]), 1, jax.tree.map(lambda array, ply=ply: array[ply, 0], told), position.rules)
            for ply in range(len(line) + 1)
        ]

    def imagined_searches(self, positions: Sequence[Position]) -> list[list[ImaginedPosition]]:
        """Return all positions that its search visits from each position, without the root; the option ``view`` has no effect.

        A position comes after its parent. The lists are empty if the agent makes no simulations.
        """
        if self._search.settings.simulations == 0:
            return [[] for _ in positions]
        return grouped(positions, lambda position: position.rules, self._searches)

    def _searches(self, positions: Sequence[Position]) -> list[list[ImaginedPosition]]:
        rules = positions[0].rules
        self._require([rules])
        board, found = BoardShape.of([rules]), []
        for some, filled in full_batches(positions, _AT_ONCE):
            nodes = jax.device_get(_told_search(self._model, board, board.env.states(filled), self._search.settings))
            found += [_nodes(jax.tree.map(lambda array, n=n: array[n], nodes), rules) for n in range(len(some))]
        return found


def _load(content: Mapping[str, bytes]) -> Loaded:
    model, _, _, about = load_model(content)
    return model, about


_Told = dict[str, Any]
"""Predictions as arrays, by name: ``value``, and with a decoder or a head for it ``over``, ``first``, ``kinds``."""


def _told(model: LatentModel, latent: Any, around: Observation, worth: Array, discount: Array) -> _Told:
    """The predictions for N latent states."""
    said: _Told = {"value": worth}
    believed: Belief | None = model.believe(latent, around)
    if believed is not None:
        said |= {"over": believed.over > 0, "first": believed.first > 0, "kinds": believed.cells.argmax(-1)}
    if model.ends is not None:
        said["over"] = discount == 0
    return said


@eqx.filter_jit
def _told_line(model: LatentModel, board: BoardShape, states: BatchedState, actions: Array) -> _Told:
    """The predictions along lines, [plies + 1, B]."""
    around, latent, said, (steps, latents) = line_imagined(model, board, states, actions)
    root = _told(model, latent, around, said.value, -jnp.ones_like(said.value))
    worth = -(steps.reward + steps.discount * steps.value)
    after = [_told(model, latents[ply], around, worth[ply], steps.discount[ply]) for ply in range(len(actions))]
    told: _Told = jax.tree.map(lambda *plies: jnp.stack(plies), root, *after)
    return told


@eqx.filter_jit
def _told_search(model: LatentModel, board: BoardShape, states: BatchedState, settings: SearchSettings) -> _Told:
    """The predictions for each node of searches, [B, nodes], and how the node was reached."""
    _, tree = imagined_growth(model, board, states, jax.random.key(0), settings, False)
    batch, nodes = tree.parents.shape
    games, parents, actions = jnp.arange(batch)[:, None], jnp.maximum(tree.parents, 0), tree.action_from_parent
    actions = jnp.maximum(actions, 0)
    discount = tree.children_discounts[games, parents, actions]
    worth = -(tree.children_rewards[games, parents, actions] + discount * tree.raw_values)
    flat = jax.tree.map(lambda array: array.reshape(batch * nodes, *array.shape[2:]), tree.embeddings)
    around = without_marks(observe(board.env, states))
    around = jax.tree.map(lambda array: jnp.repeat(array, nodes, 0), around)
    told = _told(model, flat, around, worth.reshape(-1), discount.reshape(-1))
    told = {name: array.reshape(batch, nodes, *array.shape[1:]) for name, array in told.items()}
    return {**told, "parent": tree.parents, "action": tree.action_from_parent, "visits": tree.node_visits}


def _nodes(told: _Told, rules: Rules) -> list[ImaginedPosition]:
    """The nodes of one search except its root, in the order of their expansion."""
    moves: dict[int, tuple[int, ...]] = {0: ()}
    found = []
    for node in range(1, len(told["visits"])):
        if told["visits"][node] == 0:  # unused: a simulation at the depth limit adds no node
            continue
        moves[node] = (*moves[int(told["parent"][node])], int(told["action"][node]))
        here: _Told = {name: told[name][node] for name in ("value", "over", "first", "kinds") if name in told}
        found.append(_position(moves[node], int(told["visits"][node]), here, rules))
    return found


def _position(moves: tuple[int, ...], visits: int, told: _Told, rules: Rules) -> ImaginedPosition:
    cells = None
    if "kinds" in told:
        first = bool(told["first"])
        own, other = (FIRST_MARK, SECOND_MARK) if first or rules.marks == "shared" else (SECOND_MARK, FIRST_MARK)
        cells = bytes(np.array([EMPTY, own, other, BRICK], np.uint8)[np.asarray(told["kinds"])])
    return ImaginedPosition(
        moves=moves,
        visits=visits,
        value=float(np.clip(told["value"], -1, 1)),
        over=bool(told["over"]) if "over" in told else None,
        first=bool(told["first"]) if "first" in told else None,
        cells=cells,
    )
