"""The weights of value networks as bytes: one safetensors file, with what else is worth knowing in the metadata."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from noughts.networks.errors import NetworkError
from noughts.networks.value_network import ValueNetwork
from noughts.networks.weights_file import loaded_weights, save_weights

WEIGHTS = "value.safetensors"


def save_values(networks: Mapping[str, ValueNetwork], about: Mapping[str, Any]) -> bytes:
    """The file's content: networks of one shape by name, and JSON values."""
    widths = next(iter(networks.values())).widths
    arrays = {name: network.parameters for name, network in networks.items()}
    return save_weights(arrays, {"widths": widths, "about": dict(about)})


def load_values(files: Mapping[str, bytes]) -> tuple[dict[str, ValueNetwork], dict[str, Any]]:
    """The networks in a file called `WEIGHTS`, and what was written with them.

    Raises:
        NetworkError: there is none, or it is not such a file.
    """
    with loaded_weights(files, WEIGHTS) as (arrays, described):
        widths, about = tuple(map(int, described["widths"])), dict(described["about"])
        networks = {name: ValueNetwork(widths, array.astype(np.float64)) for name, array in arrays.items()}
    if not all(np.isfinite(network.parameters).all() for network in networks.values()):
        raise NetworkError(f"{WEIGHTS} is not a file of weights: some are no finite numbers")
    if not networks:
        raise NetworkError(f"{WEIGHTS} is not a file of weights: it holds no network")
    return networks, about
