"""Checks of what a third-party network returns, before anything is computed: its shapes must be those that all readers expect."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.constants import WithConstants
from noughts.networks.errors import NetworkError
from noughts.networks.network import BoardShape, Network, Observation, observation_shapes
from noughts.networks.spec import make_network, parse_network
from noughts.rules import Rules

_OWN = __name__.partition(".")[0]


def require_outputs(network: Network, board: BoardShape) -> None:
    """Check the shapes that a third-party network returns; ours are not checked. Errors of its own code are passed on.

    Args:
        network: Its arrays may be mere shapes. Built-in networks are not checked.
        board: The board of games that it supports.

    Raises:
        NetworkError: `apply` or `predict` does not return a prediction for each of several boards.
    """
    own = network.whole if isinstance(network, WithConstants) else network
    if type(own).__module__.partition(".")[0] == _OWN:
        return
    count = next(n for n in range(2, 12) if n not in {4, board.rows, board.cols, board.boards * board.rows, board.size})

    prediction = f"Prediction(logits=float[n, {board.size}], value=float[n])"

    def look(own: Network, seen: Observation) -> None:  # traced, as what it returns is
        def require(method: str, given: Any, wanted: str) -> None:
            if (form := _form(given, own, count)) != wanted:
                raise NetworkError(f"{_called(own)}: {method} must return {wanted}, and returned {form}")

        for training in (True, False):
            require("apply", own.apply(seen, board, training), f"({prediction}, network)")
        if type(own).predict is not Network.predict:
            require("predict", own.predict(seen, board), prediction)

    eqx.filter_eval_shape(look, own, observation_shapes(board, count))


def require_outputs_of(text: str, games: Sequence[Rules]) -> None:
    """The same for a third-party network that is yet to be made, before any device is used; it reports no other errors.

    Args:
        text: As `parse_network` takes it.
        games: What it is to learn, on boards of one size.
    """
    board = BoardShape.of(games)
    try:
        network = eqx.filter_eval_shape(make_network, parse_network(text), board, jax.eval_shape(jax.random.key, 0))
        refused = any(network.refusal(rules) for rules in games)
    except Exception:  # some networks cannot be made from mere shapes
        return
    if not refused:
        require_outputs(network, board)


def _form(given: Any, own: Network, count: int) -> str:
    """The form of a value, in words, with n for the number of positions. Values of equal form are interchangeable."""
    if hasattr(given, "logits") and hasattr(given, "value"):
        logits, value = (_form(part, own, count) for part in (given.logits, given.value))
        return f"Prediction(logits={logits}, value={value})"
    if type(given) in (tuple, list):
        return f"({', '.join(_form(part, own, count) for part in given)})"
    if isinstance(given, Network):
        return "network" if given is own or _shapes(given) == _shapes(own) else "network with other arrays"
    if hasattr(given, "shape") and hasattr(given, "dtype"):
        kind = "float" if jnp.issubdtype(given.dtype, jnp.floating) else given.dtype
        return f"{kind}[{', '.join('n' if size == count else str(size) for size in given.shape)}]"
    return "None" if given is None else type(given).__name__


def _shapes(network: Network) -> Any:
    """The parts of a network that training must not change: its tree structure, and the shapes of its arrays."""
    leaves, tree = jax.tree.flatten(eqx.filter(network, eqx.is_array))
    return tree, [leaf.shape for leaf in leaves]


def _called(own: Network) -> str:
    """A network's name in errors: its class and file."""
    file = getattr(sys.modules.get(type(own).__module__), "__file__", None)
    return f"network {type(own).__name__}" + (f" ({Path(file).name})" if file else "")
