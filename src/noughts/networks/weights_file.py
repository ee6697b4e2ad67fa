"""A file of weights as bytes: safetensors, with JSON about them in its metadata.

safetensors does not detect a flipped bit, so save a hash together with such a file.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from noughts.networks.errors import NetworkError
from noughts.store.file_format import FileFormat

Arrays = dict[str, NDArray[Any]]

WEIGHTS = FileFormat("weights, .safetensors", 1, where="`format` of `noughts` in its metadata")

_METADATA = "noughts"
# What each method notes in a file, and those before it do not.
_NOTED = {"es": "widths", "mz": "model", "az": "network"}


def save_weights(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> bytes:
    """The file's content; equal arrays and JSON give equal bytes."""
    # One entry, because safetensors writes several in any order.
    return safetensors.numpy.save(
        dict(arrays), metadata={_METADATA: json.dumps({**about, "format": WEIGHTS.version}, sort_keys=True)}
    )


@contextmanager
def loaded_weights(files: Mapping[str, bytes], name: str) -> Iterator[tuple[Arrays, dict[str, Any]]]:
    """Load the arrays in a file called `name`, all finite, and the JSON about them, for a block that interprets them.

    Raises:
        NetworkError: the file is missing or invalid, a newer noughts wrote it, a number in it is not finite, or the block
            raises KeyError, ValueError or TypeError.
    """
    if name not in files:
        raise NetworkError(f"there are no weights: {name} is missing among {', '.join(sorted(files)) or 'no files'}")
    content = files[name]
    try:
        about = said_of_weights(content)
        version = about.pop("format", None)
    except (KeyError, ValueError, TypeError) as error:
        raise _no_weights(name, error) from error
    try:
        WEIGHTS.read(version, NetworkError)
    except NetworkError as error:
        raise NetworkError(f"{name}: {error}") from None
    try:
        arrays = safetensors.numpy.load(content)
        for array, numbers in arrays.items():
            if not np.isfinite(numbers).all():
                raise ValueError(f"{array} holds a number that is infinite or none, from which no move follows")
        yield arrays, about
    except (KeyError, ValueError, TypeError, safetensors.SafetensorError) as error:
        raise _no_weights(name, error) from error


def require_method(about: Mapping[str, Any], method: str) -> None:
    """NetworkError if another method than `method` (``az``, ``mz`` or ``es``) trained the weights that `about` describes."""
    found = next((name for name, noted in _NOTED.items() if noted in about), method)
    if found != method:
        raise NetworkError(f"these weights are of method {found}: they play as {found}, not as {method}")


def _no_weights(name: str, error: Exception) -> NetworkError:
    return NetworkError(f"{name} is not a file of weights: {' '.join(str(error).split())}")


def said_of_weights(content: bytes) -> dict[str, Any]:
    """The JSON about the weights in a file's content; KeyError, ValueError or TypeError if the file is invalid."""
    # The first 8 bytes are the length of the JSON after them, which contains the metadata.
    length = int.from_bytes(content[:8], "little")
    try:
        return dict(json.loads(json.loads(content[8 : 8 + length])["__metadata__"][_METADATA]))
    except RecursionError:
        raise ValueError("its header is nested too deeply") from None
