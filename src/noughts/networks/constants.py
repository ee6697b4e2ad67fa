"""Networks with fields that are not arrays. Such a field is a constant of every compiled program, not a weight.

Modules of Equinox have such fields: `eqx.nn.MLP` has functions; `eqx.nn.Dropout`, and so `eqx.nn.MultiheadAttention`, a bool.
Training, saving and search treat a network as a tree of arrays, so the other fields are moved to a static field.
"""

from typing import Any, Self

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.networks.errors import NetworkError
from noughts.networks.network import BoardShape, Network, Observation, Prediction
from noughts.rules import Rules


class WithConstants(Network):
    """A third-party network whose constants are stored apart from its arrays.

    Attributes:
        arrays: The network, with None in place of each constant.
        constants: The constants.
        tree: The tree structure of the network with only its constants.
    """

    arrays: Network
    constants: tuple[Any, ...] = eqx.field(static=True)
    tree: Any = eqx.field(static=True)

    @property
    def sees_rules(self) -> bool:  # type: ignore[override] # a class variable elsewhere, but here it depends on the network
        """As in `Network`."""
        return self.arrays.sees_rules

    @property
    def whole(self) -> Network:
        """The network as its class made it."""
        network: Network = eqx.combine(self.arrays, jax.tree.unflatten(self.tree, self.constants))
        return network

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """`apply` of the network."""
        prediction, network = self.whole.apply(seen, board, training)
        return prediction, type(self)(eqx.filter(network, eqx.is_array), self.constants, self.tree)

    def predict(self, seen: Observation, board: BoardShape) -> Prediction:
        """`predict` of the network."""
        return self.whole.predict(seen, board)

    def refusal(self, rules: Rules) -> str | None:
        """`refusal` of the network."""
        return self.whole.refusal(rules)


def with_constants(network: Network, called: str) -> Network:
    """Wrap a network in `WithConstants` if it has constants. NumPy arrays count as arrays.

    Args:
        called: Its text; for errors.

    Raises:
        NetworkError: a field is neither an array nor hashable.
    """
    network = jax.tree.map(_as_array, network)
    arrays, rest = eqx.partition(network, eqx.is_array)
    for path, leaf in jax.tree_util.tree_leaves_with_path(rest):
        if not _is_constant(leaf):
            raise NetworkError(
                f"network {called!r}: field {_name(path)} is a {type(leaf).__name__}, which is neither an array nor hashable: "
                "give one of these"
            )
    leaves, tree = jax.tree.flatten(rest)
    return WithConstants(arrays, tuple(leaves), tree) if leaves else network


def require_arrays(part: eqx.Module) -> None:
    """NetworkError unless all fields are arrays, except those that are declared static."""
    for path, leaf in jax.tree_util.tree_leaves_with_path(part):
        if not eqx.is_array(leaf):
            name, kind = _name(path), type(leaf).__name__
            raise NetworkError(
                f"field {name} is no array: declare it {name.rpartition('.')[2]}: {kind} = eqx.field(static=True)"
            )


def _as_array(leaf: Any) -> Any:
    numbers = isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in "biufc"
    return jnp.asarray(leaf) if numbers else leaf


def _is_constant(leaf: Any) -> bool:
    try:
        hash(leaf)
    except TypeError:
        return False
    return True


def _name(path: Any) -> str:
    """A field as a Python expression, such as blocks[0].heads."""
    return jax.tree_util.keystr(path).removeprefix(".")
