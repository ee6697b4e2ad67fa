"""The agent that learned the game's rules, too: a model from a training run, and a search in what it imagines."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.agents.agent import grouped
from noughts.agents.learned import LearnedAgent, Loaded
from noughts.networks.evaluate import full_batches
from noughts.networks.model import Belief, LatentModel, ModelSurroundings
from noughts.networks.network import Array, BoardShape, observe
from noughts.networks.weights import load_model
from noughts.positions import Position
from noughts.positions.batched import BatchedState
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK
from noughts.rules import Rules
from noughts.search.imagined import imagined_growth, line_imagined
from noughts.search.settings import SearchSettings

_AT_ONCE = 8  # positions that are searched together, always, so that none depends on its company


class ImaginedPosition(NamedTuple):
    """One imagined position.

    Attributes:
        moves: Those that lead there from a real position; some may be illegal, or made after the end.
        visits: How often a search came there; 1 where nothing was searched.
        value: What the model takes it to be worth for the side to move there, from -1 to +1.
        over: Whether it takes the game to be over; None if it cannot say.
        first: Whether it believes that the first player is to move; likewise.
        cells: What it believes each cell to hold, as in `Position.cells`; likewise. The side that it takes to be to move has
            made the marks that it takes for its own.
    """

    moves: tuple[int, ...]
    visits: int
    value: float
    over: bool | None
    first: bool | None
    cells: bytes | None


class ModelAgent(LearnedAgent):
    """Plays the move that a search in a learned model likes best, or the model's policy itself."""

    kind: ClassVar = "mz"

    @staticmethod
    def load(content: Mapping[str, bytes]) -> Loaded:
        """Read files of weights."""
        model, _, _, about = load_model(content)
        return model, about

    @property
    def _model(self) -> LatentModel:
        return cast(LatentModel, self._search.network)

    def imagined_line(self, position: Position, line: Sequence[int]) -> list[ImaginedPosition]:
        """What it believes after none, one, two ... of the moves of a line, which need not be legal.

        It looks at the position as it is, whatever the option ``view`` says.

        Args:
            position: Not over; the only one that it sees.
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
        """All that its search goes through from each position, the position itself left out, as it is without the option ``view``.

        A position comes after the one that it follows. Without search nothing is imagined, and the lists are empty.
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


_Told = dict[str, Any]
"""By name, arrays of what is believed: ``value``, and with a decoder or a head for it ``over``, ``first``, ``kinds``."""


def _told(model: LatentModel, latent: Any, around: ModelSurroundings, worth: Array, discount: Array) -> _Told:
    """What is believed of N latent states."""
    said: _Told = {"value": worth}
    believed: Belief | None = model.believe(latent, around)
    if believed is not None:
        said |= {"over": believed.over > 0, "first": believed.first > 0, "kinds": believed.cells.argmax(-1)}
    if model.ends is not None:
        said["over"] = discount == 0
    return said


@eqx.filter_jit
def _told_line(model: LatentModel, board: BoardShape, states: BatchedState, actions: Array) -> _Told:
    """What is believed along lines, [plies + 1, B]."""
    around, latent, said, steps = line_imagined(model, board, states, actions)
    root = _told(model, latent, around, said.value, -jnp.ones_like(said.value))
    worth = -(steps.reward + steps.discount * steps.value)
    after = [_told(model, steps.latent[ply], around, worth[ply], steps.discount[ply]) for ply in range(len(actions))]
    told: _Told = jax.tree.map(lambda *plies: jnp.stack(plies), root, *after)
    return told


@eqx.filter_jit
def _told_search(model: LatentModel, board: BoardShape, states: BatchedState, settings: SearchSettings) -> _Told:
    """What is believed of each node of searches, [B, nodes], and how it was reached."""
    _, tree = imagined_growth(model, board, states, jax.random.key(0), settings, False)
    batch, nodes = tree.parents.shape
    games, parents, actions = jnp.arange(batch)[:, None], jnp.maximum(tree.parents, 0), tree.action_from_parent
    actions = jnp.maximum(actions, 0)
    discount = tree.children_discounts[games, parents, actions]
    worth = -(tree.children_rewards[games, parents, actions] + discount * tree.raw_values)
    flat = jax.tree.map(lambda array: array.reshape(batch * nodes, *array.shape[2:]), tree.embeddings)
    around = ModelSurroundings.of(observe(board.env, states))
    around = jax.tree.map(lambda array: jnp.repeat(array, nodes, 0), around)
    told = _told(model, flat, around, worth.reshape(-1), discount.reshape(-1))
    told = {name: array.reshape(batch, nodes, *array.shape[1:]) for name, array in told.items()}
    return {**told, "parent": tree.parents, "action": tree.action_from_parent, "visits": tree.node_visits}


def _nodes(told: _Told, rules: Rules) -> list[ImaginedPosition]:
    """The nodes of one search but for its root, in the order in which they were made."""
    moves: dict[int, tuple[int, ...]] = {0: ()}
    found = []
    for node in range(1, len(told["visits"])):
        if told["visits"][node] == 0:  # a line went so deep that nothing was added
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
