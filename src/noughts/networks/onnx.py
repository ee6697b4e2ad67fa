"""A network's weights as an ONNX model, for programs without JAX and noughts.

The model evaluates any number B of positions on one size of board:

    planes     float32 [B, boards * rows, cols, 4]   the side to move's view; see `Observation`
    k          int32 [B]                             cells in a complete line
    shared     bool [B]                              whether both sides place the same mark
    line_wins  bool [B]                              whether the side that completes the deciding line wins
    full       int32 [B]                             outcome when the cells run out: 1 first, 2 second, 3 draw
    wrap       int32 [B]                             which edges are joined: 0 none, 1 rows, 2 columns, 3 both
    logits     float32 [B, cells]                    policy; ignore those of illegal cells
    value      float32 [B]                           from -1 to +1, for the side to move

The model has only the inputs that its network uses, and lists them.
"""

import json
import logging
from typing import Any

import jax

from noughts.networks.convolution import plain_convolutions
from noughts.networks.errors import NetworkError, require_served
from noughts.networks.network import Array, BoardShape, Observation, observation_shapes
from noughts.networks.weights import LoadedNetwork
from noughts.rules import Rules
from noughts.rules.errors import MissingLibraryError, one_line
from noughts.store.file_format import FileFormat

ONNX = FileFormat("a network as ONNX, .onnx", 1, where="`noughts.format` in its metadata")
INPUTS = Observation._fields
OUTPUTS = ("logits", "value")
_OPSET = 23


def onnx_model(loaded: LoadedNetwork, rules: Rules | None = None) -> bytes:
    """Return the model, as the content of a ``.onnx`` file.

    Args:
        loaded: The network.
        rules: A game, for whose board the model is made; None for the board that the network was trained on.

    Raises:
        NetworkError: the network does not support the game, or has a part that cannot be written as ONNX.
        MissingLibraryError: jax2onnx, the extra ``onnx``, is not installed.
    """
    try:
        from jax2onnx import to_onnx
    except ImportError:
        raise MissingLibraryError.of("jax2onnx", "onnx") from None
    if rules is not None:
        require_served(loaded.network, rules)
    board = loaded.board if rules is None else BoardShape.of([rules])

    def look(*given: Array) -> tuple[Array, Array]:
        with plain_convolutions():  # ONNX has its own
            seen = loaded.network.predict(Observation(*given), board)
        return seen.logits, seen.value

    (batch,) = jax.export.symbolic_shape("B")
    shapes = list(observation_shapes(board, batch))
    logging.getLogger("onnx_ir").setLevel(logging.ERROR)  # it warns of values without types
    try:
        model: Any = to_onnx(look, shapes, model_name="noughts", opset=_OPSET, input_names=INPUTS, output_names=OUTPUTS)
    except Exception as error:  # jax2onnx raises various types for parts that it does not support
        raise NetworkError(f"the network {loaded.spec} cannot be written as ONNX: {one_line(error)}") from error
    about = {
        "format": str(ONNX.version),
        "network": str(loaded.spec),
        "board": json.dumps(board._asdict()),
        **loaded.about,
    }
    for key in sorted(about):
        entry = model.metadata_props.add()
        entry.key, entry.value = f"noughts.{key}", about[key]
    content: bytes = model.SerializeToString(deterministic=True)
    return content
