"""Networks for programs: the weights of a run or a file, ready to evaluate positions."""

from pathlib import Path

from noughts.agents.trained import read_weights
from noughts.networks import weights
from noughts.networks.weights import LoadedNetwork
from noughts.store.run_folder import RunFolder


def load_network(source: str | Path | RunFolder) -> LoadedNetwork:
    """Load a network of policy and value; ``load_network(...).evaluate(positions)`` returns NumPy arrays.

    Args:
        source: A run, ``RUN`` or ``RUN@ITERATION`` by name or folder, or a file of weights, ``FILE.safetensors``.

    Raises:
        StoreError: no such run or iteration, or it has no weights yet.
        AgentError: no such file.
        NetworkError: these are no weights of such a network.
    """
    target = str(source.folder) if isinstance(source, RunFolder) else str(source)
    return weights.load_network(read_weights(target, weights.WEIGHTS))
