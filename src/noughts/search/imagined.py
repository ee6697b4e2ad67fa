"""Search in a learned model of the game (MuZero), on the device: only the root uses the rules.

The root is a real position, whose illegal moves are masked. Below it every position is a latent state of the model, even
after an illegal move or the end of the game: the search has no information that no such position exists.

Sides alternate, so mctx's discount is -1 on every edge; it is 0 where the model itself predicts that the game is over. Tests
replace the model by the true rules, and then the search gives the results of `guided_growth`, move for move.
"""

from functools import partial
from typing import Any

import jax
import mctx

from noughts.networks.model import LatentModel, without_marks
from noughts.networks.network import Array, BoardShape, Observation, Prediction, observe
from noughts.positions.batched import BatchedState
from noughts.search.settings import SearchSettings
from noughts.search.tree import BatchedSearchResult, grown, loop_until, masked


def imagined_growth(
    model: LatentModel,
    board: BoardShape,
    states: BatchedState,
    key: Array,
    settings: SearchSettings,
    exploring: bool,
    until: Array | None = None,
) -> tuple[BatchedSearchResult, Any]:
    """Search B positions, none of them over; the arguments are those of `guided_growth`.

    Also returns the tree, an `mctx.Tree` whose embeddings are latent states; None without simulations.
    """
    model = model.prepared(board)
    seen = observe(board.env, states)
    around = without_marks(seen)
    latent, _ = model.represent(seen, board)
    said = model.predict(latent, around)
    illegal = ~states.legal_action_mask
    expand = partial(_expand, board=board)
    root = mctx.RootFnOutput(prior_logits=masked(said.logits, illegal), value=said.value, embedding=latent)
    loop = jax.lax.fori_loop if until is None else partial(loop_until, until)
    return grown((model, around), key, root, expand, illegal, settings, exploring, loop)


def _expand(
    weights: tuple[LatentModel, Observation], action: Array, latent: Any, board: BoardShape
) -> tuple[mctx.RecurrentFnOutput, Any]:
    """Imagine a move in each latent state."""
    model, around = weights
    return model.imagine(latent, action, around, board)


def line_imagined(
    model: LatentModel, board: BoardShape, states: BatchedState, actions: Array
) -> tuple[Observation, Any, Prediction, Any]:
    """Imagine lines of moves from B positions.

    Args:
        model, board, states: As in `imagined_growth`.
        actions: int32 [plies, B].

    Returns:
        The positions without marks, which do not change; the latent states of the positions and the predictions for them; and the
        results of `LatentModel.imagine` for each move, with a leading axis [plies].
    """
    seen = observe(board.env, states)
    around = without_marks(seen)
    latent, _ = model.represent(seen, board)

    def go_on(latent: Any, action: Array) -> tuple[Any, Any]:
        output, latent = model.imagine(latent, action, around, board)
        return latent, (output, latent)

    _, steps = jax.lax.scan(go_on, latent, actions)
    return around, latent, model.predict(latent, around), steps
