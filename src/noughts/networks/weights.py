"""The weights of Equinox networks as bytes: a file that also contains the network's text and its board."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.errors import NetworkError
from noughts.networks.evaluate import BATCH, Evaluation, evaluate
from noughts.networks.model import LatentModel
from noughts.networks.network import BoardShape, Network
from noughts.networks.options import ModelSettings
from noughts.networks.spec import NetworkSpec, make_model, make_network, parse_network, read_code, require_learned_by
from noughts.networks.weights_file import loaded_weights, require_method, save_weights
from noughts.positions import Position
from noughts.rules.squares import WRAPS

WEIGHTS = "weights.safetensors"
"""The name of the file of a network's weights."""

Tree = TypeVar("Tree")

_MODEL = "model"  # the key in a file for a model's `ModelSettings`
_LARGEST = 1000  # the largest valid number of a board; larger ones mean that the file is damaged


@dataclass(frozen=True)
class LoadedNetwork:
    """A network from a file.

    Attributes:
        spec: The network's kind and options.
        board: The board that it was made for.
        about: The other texts in the file.
    """

    network: Network
    spec: NetworkSpec
    board: BoardShape
    about: dict[str, str]

    def __repr__(self) -> str:
        """Its spec, board and iteration, without the arrays."""
        after = f", iteration {self.about['iteration']}" if "iteration" in self.about else ""
        return f"<LoadedNetwork {self.spec}, for {self.board.rows}x{self.board.cols}{after}>"

    def evaluate(self, positions: Sequence[Position], batch: int = BATCH) -> Evaluation:
        """Values float32 [B] for the side to move, and policies float32 [B, size]; see `evaluate`."""
        return evaluate(self.network, positions, batch)


def save_network(
    network: Network | LatentModel, spec: NetworkSpec, board: BoardShape, about: Mapping[str, str]
) -> bytes:
    """The file's content; `about` is any other texts."""
    said = {**about, "network": str(spec), "board": json.dumps(_described(board))}
    if isinstance(network, LatentModel):
        said[_MODEL] = network.settings.to_json()
    return save_weights(to_arrays(network), said)


def load_network(files: Mapping[str, bytes]) -> LoadedNetwork:
    """Load the network in a file called `WEIGHTS`.

    Raises:
        NetworkError: the file is missing, invalid or of another method, or the code of its third-party network has changed since training.
    """
    arrays, spec, board, about = _read(files, "az")
    fresh = eqx.filter_eval_shape(make_network, spec, board, jax.random.key(0))
    return LoadedNetwork(from_arrays(fresh, arrays), spec, board, about)


def load_model(files: Mapping[str, bytes]) -> tuple[LatentModel, NetworkSpec, BoardShape, dict[str, str]]:
    """Load the learned model in a file called `WEIGHTS`, with its network's spec, its board, and the other texts in the file.

    Raises:
        NetworkError: the file is missing, invalid or of another method, or the code of its third-party network has changed since training.
    """
    arrays, spec, board, about = _read(files, "mz")
    settings = ModelSettings.from_json(about.pop(_MODEL))
    fresh = eqx.filter_eval_shape(make_model, spec, board, jax.random.key(0), settings)
    return from_arrays(fresh, arrays), spec, board, about


def _read(
    files: Mapping[str, bytes], method: str
) -> tuple[Mapping[str, NDArray[Any]], NetworkSpec, BoardShape, dict[str, str]]:
    """Arrays, network, board, and the other texts of a file."""
    with loaded_weights(files, WEIGHTS) as (arrays, about):
        require_method(about, method)
        board = _board(json.loads(about.pop("board")))
        text = about.pop("network")
        require_learned_by(text, read_code(about))
        spec = parse_network(text)
    return arrays, spec, board, about


def _described(board: BoardShape) -> list[Any]:
    """A board as JSON. Without joined edges it has the old format, which had no field for them."""
    return list(board) if board.wraps != ("none",) else list(board[:-1])


def _board(described: Any) -> BoardShape:
    """Read the board that `save_network` wrote; ValueError if it is invalid."""
    rows, cols, boards, lengths, *more = described
    numbers, wraps = (rows, cols, boards, *lengths), tuple(more[0] if more else ("none",))
    if not all(type(number) is int and 1 <= number <= _LARGEST for number in numbers):
        raise ValueError(f"its board is {described!r}")
    if len(more) > 1 or not wraps or not set(wraps) <= set(WRAPS):
        raise ValueError(f"its board is {described!r}")
    return BoardShape(rows, cols, boards, tuple(lengths), wraps)


def to_arrays(tree: Any) -> dict[str, NDArray[np.generic]]:
    """The arrays of a tree by name; random keys as their raw data."""
    found = {}
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        if eqx.is_array(leaf):
            plain = jax.random.key_data(leaf) if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf
            found[jax.tree_util.keystr(path)] = np.asarray(plain, order="C")
    return found


def from_arrays(like: Tree, arrays: Mapping[str, NDArray[np.generic]]) -> Tree:
    """Fill a tree with the arrays from `to_arrays`.

    Args:
        like: A tree of the same form, whose arrays may be mere shapes.
        arrays: By name.

    Raises:
        NetworkError: the names, shapes or types differ.
    """

    def is_slot(leaf: object) -> bool:
        return eqx.is_array(leaf) or isinstance(leaf, jax.ShapeDtypeStruct)

    unused = set(arrays)

    def fill(path: Any, leaf: Any) -> Any:
        if not is_slot(leaf):
            return leaf
        name = jax.tree_util.keystr(path)
        is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
        expected = jax.eval_shape(jax.random.key_data, leaf) if is_key else leaf
        found = arrays.get(name)
        if found is None or found.shape != expected.shape or found.dtype != expected.dtype:
            given = "missing" if found is None else f"{found.dtype}{list(found.shape)}"
            raise NetworkError(f"array {name} is {given}, and should be {expected.dtype}{list(expected.shape)}")
        unused.discard(name)
        return jax.random.wrap_key_data(jnp.asarray(found)) if is_key else jnp.asarray(found)

    filled: Tree = jax.tree_util.tree_map_with_path(fill, like, is_leaf=is_slot)
    if unused:
        raise NetworkError(f"array {min(unused)} belongs to no part of it")
    return filled
