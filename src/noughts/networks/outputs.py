"""What a network from outside gives, looked at before anything is computed: the shapes that all who read it take for granted."""

import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.code import depends_on
from noughts.networks.constants import WithConstants
from noughts.networks.errors import NetworkError
from noughts.networks.network import BoardShape, Network, Observation
from noughts.networks.spec import make_network, parse_network
from noughts.rules import Rules

_RETURN = "(Prediction(logits, value), network)"
_OWN = __name__.partition(".")[0]


def require_outputs(network: Network, board: BoardShape) -> None:
    """Ask a network from outside for shapes alone; those of ours are not asked. What its own code raises is passed on.

    Args:
        network: Its arrays may be mere shapes.
        board: Of games that it serves.

    Raises:
        NetworkError: what `apply` or `predict` gives is no prediction for each of several boards.
    """
    own = network.whole if isinstance(network, WithConstants) else network
    if type(own).__module__.partition(".")[0] == _OWN:
        return
    count = next(n for n in range(2, 12) if n not in {4, board.rows, board.cols, board.boards * board.rows, board.size})

    def look(own: Network, seen: Observation) -> None:
        for training in (True, False):
            given = own.apply(seen, board, training)
            _require_pair(own, given)
            _require_prediction(own, "apply", given[0], count, board)
        if type(own).predict is not Network.predict:
            _require_prediction(own, "predict", own.predict(seen, board), count, board)

    eqx.filter_eval_shape(look, own, _observation(count, board))


def require_outputs_of(text: str, games: Sequence[Rules]) -> None:
    """The same of a network from outside that is yet to be made, before any device is used; what else is wrong with it is not said.

    Args:
        text: As `parse_network` takes it.
        games: What it is to learn, on boards of one size.

    Raises:
        NetworkError: as of `require_outputs`.
    """
    _require_outputs_of(text, tuple(games), depends_on(text).basis)


@lru_cache(maxsize=64)
def _require_outputs_of(text: str, games: tuple[Rules, ...], code: str) -> None:
    """`require_outputs_of`, once for each version of a network's code."""
    board = BoardShape.of(games)
    try:
        network = eqx.filter_eval_shape(make_network, parse_network(text), board, jax.eval_shape(jax.random.key, 0))
        refused = any(network.refusal(rules) for rules in games)
    except Exception:  # it may be one that is not made of mere shapes
        return
    if not refused:
        require_outputs(network, board)


def _observation(count: int, board: BoardShape) -> Observation:
    """The shapes of what is seen on so many boards."""
    kinds = (jnp.float32, jnp.int32, jnp.bool_, jnp.bool_, jnp.int32, jnp.int32)
    sizes = ((board.boards * board.rows, board.cols, 4), (), (), (), (), ())
    shape: Any = jax.ShapeDtypeStruct
    return Observation(*(shape((count, *size), kind) for size, kind in zip(sizes, kinds, strict=True)))


def _require_pair(own: Network, given: Any) -> None:
    """NetworkError unless `apply` gave two things, the second a network of the same arrays."""
    if not (isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[1], Network)):
        raise NetworkError(f"{_called(own)}: apply must return {_RETURN}, and returned {_kind(given)}")
    if given[1] is not own and _shapes(given[1]) != _shapes(own):
        raise NetworkError(
            f"{_called(own)}: apply must return the network with arrays of the shapes that they had, and returned one with others"
        )


def _require_prediction(own: Network, method: str, given: Any, count: int, board: BoardShape) -> None:
    """NetworkError unless there is a number for each cell and one for each board."""
    if not (hasattr(given, "logits") and hasattr(given, "value")):
        must, what = "Prediction(logits, value)", _kind(given)
        if method == "apply":
            must, what = _RETURN, f"{what} in place of the Prediction"
        raise NetworkError(f"{_called(own)}: {method} must return {must}, and returned {what}")
    for name, array, wanted, each in (
        ("logits", given.logits, (count, board.size), "one for each cell of each board"),
        ("values", given.value, (count,), "one for each board"),
    ):
        must = f"and must give {_shown(wanted, count)}, {each}"
        if not (hasattr(array, "shape") and hasattr(array, "dtype")):
            raise NetworkError(f"{_called(own)}: {method} gives {_kind(array)} as {name}, {must}")
        if tuple(array.shape) != wanted:
            raise NetworkError(f"{_called(own)}: {method} gives {name} of shape {_shown(array.shape, count)}, {must}")
        if not jnp.issubdtype(array.dtype, jnp.floating):
            raise NetworkError(f"{_called(own)}: {method} gives {name} of type {array.dtype}, and must give float32")


def _shapes(network: Network) -> Any:
    """What must stay as it is of a network while it learns: its form, and the shapes of its arrays."""
    leaves, tree = jax.tree.flatten(eqx.filter(network, eqx.is_array))
    return tree, [leaf.shape for leaf in leaves]


def _called(own: Network) -> str:
    """A network as errors name it: its class, and the file of that."""
    file = getattr(sys.modules.get(type(own).__module__), "__file__", None)
    return f"network {type(own).__name__}" + (f" ({Path(file).name})" if file else "")


def _kind(given: Any) -> str:
    """What something is, in words."""
    if type(given) is tuple:
        return f"({', '.join(map(_kind, given))})"
    if given is None:
        return "None"
    name = "array" if hasattr(given, "shape") and hasattr(given, "dtype") else type(given).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _shown(shape: tuple[int, ...], count: int) -> str:
    """A shape, with n for the number of boards."""
    sizes = list(map(str, shape))
    if count in shape:
        sizes[tuple(shape).index(count)] = "n"
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
