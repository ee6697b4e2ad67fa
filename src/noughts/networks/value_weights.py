"""The weights of value networks as bytes: one safetensors file, with what else is worth knowing in the metadata."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from noughts.networks.spec import NetworkError
from noughts.networks.value import ValueNetwork

WEIGHTS = "value.safetensors"
_METADATA = "noughts"


def save_values(networks: Mapping[str, ValueNetwork], about: Mapping[str, Any]) -> bytes:
    """The file's content: networks of one shape by name, and JSON values."""
    widths = next(iter(networks.values())).widths
    described = json.dumps({"widths": widths, "about": dict(about)}, sort_keys=True)
    arrays = {name: network.parameters for name, network in networks.items()}
    return safetensors.numpy.save(arrays, metadata={_METADATA: described})


def load_values(files: Mapping[str, bytes]) -> tuple[dict[str, ValueNetwork], dict[str, Any]]:
    """The networks in a file called `WEIGHTS`, and what was written with them.

    Raises:
        NetworkError: there is none, or it is not such a file.
    """
    if WEIGHTS not in files:
        raise NetworkError(f"there are no weights: {WEIGHTS} is missing among {', '.join(sorted(files)) or 'no files'}")
    content = files[WEIGHTS]
    try:
        # The first 8 bytes say how long the JSON after them is, which holds the metadata.
        length = int.from_bytes(content[:8], "little")
        described = json.loads(json.loads(content[8 : 8 + length])["__metadata__"][_METADATA])
        widths, about = tuple(map(int, described["widths"])), dict(described["about"])
        arrays = safetensors.numpy.load(content)
        networks = {name: ValueNetwork(widths, array.astype(np.float64)) for name, array in arrays.items()}
    except (KeyError, ValueError, TypeError, safetensors.SafetensorError) as error:
        raise NetworkError(f"{WEIGHTS} is not a file of weights: {' '.join(str(error).split())}") from error
    if not all(np.isfinite(network.parameters).all() for network in networks.values()):
        raise NetworkError(f"{WEIGHTS} is not a file of weights: some are no finite numbers")
    if not networks:
        raise NetworkError(f"{WEIGHTS} is not a file of weights: it holds no network")
    return networks, about
