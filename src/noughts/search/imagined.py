"""Search by a learned model of the game (MuZero), on the device: the rules are known at the root alone.

The root is a real position: its illegal moves are masked. Below it every position is a latent state of the model, and so
are those that follow an illegal move or the end of the game: nothing tells the search that there is no such position.

Sides alternate, so mctx's discount is -1 on every edge; it is 0 where the model itself says that the game is over. Anything
that has the methods of `GameModel` can take the model's place: the tests put the true rules there, and then
the search finds what `guided_growth` finds, move for move.
"""

from functools import partial
from typing import Any, NamedTuple, Protocol, Self

import jax
import mctx

from noughts.networks.model import Imagined, ModelSurroundings
from noughts.networks.network import Array, BoardShape, Observation, Prediction, observe
from noughts.positions.batched import BatchedState
from noughts.search.settings import SearchSettings
from noughts.search.tree import BatchedSearchResult, grown, loop_until, masked


class GameModel(Protocol):
    """What is asked of a model: see `LatentModel`, whose methods these are."""

    def prepared(self, board: BoardShape) -> Self:
        """The same for many questions about a board."""
        ...

    def represent(self, seen: Observation, board: BoardShape) -> tuple[Any, Any]:
        """Latent states of positions."""
        ...

    def predict(self, latent: Any, around: ModelSurroundings) -> Prediction:
        """Their policies and values."""
        ...

    def imagine(self, latent: Any, action: Array, around: ModelSurroundings, board: BoardShape) -> Imagined:
        """What follows moves."""
        ...


class Planned(NamedTuple):
    """A search, and what it went through.

    Attributes:
        found: What came of it.
        tree: The tree, an `mctx.Tree` whose embeddings are latent states; None without simulations.
        around: What stayed as it was.
    """

    found: BatchedSearchResult
    tree: Any
    around: ModelSurroundings


def imagined_search(
    model: GameModel, board: BoardShape, states: BatchedState, key: Array, settings: SearchSettings, exploring: bool
) -> BatchedSearchResult:
    """Search B positions, none of them over; the arguments are those of `guided_growth`."""
    return planned(model, board, states, key, settings, exploring).found


def imagined_growth(
    model: GameModel,
    board: BoardShape,
    states: BatchedState,
    key: Array,
    settings: SearchSettings,
    exploring: bool,
    until: Array | None = None,
) -> tuple[BatchedSearchResult, Any]:
    """`imagined_search`, and its tree; the arguments are those of `guided_growth`."""
    plan = planned(model, board, states, key, settings, exploring, until)
    return plan.found, plan.tree


def planned(
    model: GameModel,
    board: BoardShape,
    states: BatchedState,
    key: Array,
    settings: SearchSettings,
    exploring: bool,
    until: Array | None = None,
) -> Planned:
    """`imagined_search`, and its tree; both after `until` of its simulations, if that is given."""
    model = model.prepared(board)
    seen = observe(board.env, states)
    around = ModelSurroundings.of(seen)
    latent, _ = model.represent(seen, board)
    said = model.predict(latent, around)
    illegal = ~states.legal_action_mask
    expand = partial(_expand, board=board)
    root = mctx.RootFnOutput(prior_logits=masked(said.logits, illegal), value=said.value, embedding=latent)
    loop = jax.lax.fori_loop if until is None else partial(loop_until, until)
    found, tree = grown((model, around), key, root, expand, illegal, settings, exploring, loop)
    return Planned(found, tree, around)


def _expand(
    weights: tuple[GameModel, ModelSurroundings], action: Array, latent: Any, board: BoardShape
) -> tuple[mctx.RecurrentFnOutput, Any]:
    """Imagine a move in each latent state."""
    model, around = weights
    imagined = model.imagine(latent, action, around, board)
    output = mctx.RecurrentFnOutput(
        reward=imagined.reward,
        discount=imagined.discount,
        prior_logits=imagined.logits,
        value=imagined.value,
    )
    return output, imagined.latent


def line_imagined(
    model: GameModel, board: BoardShape, states: BatchedState, actions: Array
) -> tuple[ModelSurroundings, Any, Prediction, Any]:
    """Lines of moves, imagined from B positions.

    Args:
        model, board, states: As of `imagined_search`.
        actions: int32 [plies, B].

    Returns:
        What stays as it is; the latent states of the positions and what is said of them; and of each move what follows it,
        an `Imagined` with a leading axis [plies].
    """
    seen = observe(board.env, states)
    around = ModelSurroundings.of(seen)
    latent, _ = model.represent(seen, board)

    def go_on(latent: Any, action: Array) -> tuple[Any, Imagined]:
        step = model.imagine(latent, action, around, board)
        return step.latent, step

    _, steps = jax.lax.scan(go_on, latent, actions)
    return around, latent, model.predict(latent, around), steps
