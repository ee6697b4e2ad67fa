"""`load_network` reads a network from a run or a file, ready to evaluate positions."""

from pathlib import Path

from noughts.agents.trained import read_weights
from noughts.networks import weights
from noughts.networks.weights import LoadedNetwork
from noughts.store.run_folder import RunFolder


def load_network(source: str | Path | RunFolder) -> LoadedNetwork:
    """Load a policy and value network; ``load_network(...).evaluate(positions)`` returns NumPy arrays.

    Args:
        source: A run, given by its name or folder as ``RUN`` or ``RUN@ITERATION``, or a file of weights, ``FILE.safetensors``.

    Raises:
        StoreError: there is no such run or iteration, or it has no weights yet.
        AgentError: there is no such file.
        NetworkError: the file does not contain the weights of such a network.
    """
    target = str(source.folder) if isinstance(source, RunFolder) else str(source)
    return weights.load_network(read_weights(target, weights.WEIGHTS))
