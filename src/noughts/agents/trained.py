"""What names a trained agent: a run and an iteration of it, ``RUN@ITERATION``, or a file of weights, ``FILE.safetensors``.

It loads no weights into a network, and no array library.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from noughts.machine.arithmetic import arithmetic
from noughts.networks.spec import code_of_network
from noughts.rules import AgentError
from noughts.store.run_folder import RunFolder

LAST = "last"
FILE_ENDING = ".safetensors"


def is_file(target: str) -> bool:
    """Whether a target names a file of weights, and no run."""
    return target.endswith(FILE_ENDING)


def split_target(target: str) -> tuple[str, int | None]:
    """The run, a name or a folder, and the iteration; None for the last one there is.

    Raises:
        AgentError: what stands after the last ``@`` is no iteration.
    """
    run, at, iteration = target.rpartition("@")
    if not at or "/" in iteration:  # the @ is of a folder's name
        return target, None
    if iteration == LAST:
        return run, None
    if not re.fullmatch(r"[0-9]{1,18}", iteration):
        raise AgentError(
            f"iteration {iteration!r} is not allowed: write {run}@ITERATION, a whole number, or {run}@{LAST}"
        )
    return run, int(iteration)


def pinned(target: str) -> str:
    """The same with its iteration: the last one there is now, if none is given. A file is named by its path alone.

    One with an iteration is taken at its word, so that work can be planned for a run that is yet to come.

    Raises:
        AgentError: malformed, or there is no such file.
        StoreError: no such run, or it has no weights yet.
    """
    if is_file(target):
        _read(target)
        return target
    run, iteration = split_target(target)
    if iteration is None:
        iteration, _ = RunFolder.find(run).weights_at()
    return f"{run}@{iteration}"


def weights_hash(target: str) -> str:
    """A hash of the weights, hexadecimal digits; AgentError or StoreError if there are none."""
    if is_file(target):
        return hashlib.sha256(_read(target)).hexdigest()
    run, iteration = split_target(target)
    return RunFolder.find(run).weights_hash(iteration)


def trained_code(target: str) -> str:
    """What tells one state of a trained agent from another: its weights, what they are computed with, and, of a network
    from outside, its code.

    Raises:
        AgentError: there is nothing of this name.
        StoreError: likewise.
    """
    if is_file(target):
        network = _network_in(_read(target))
    else:
        network = str(RunFolder.find(split_target(target)[0]).description.config.get("network", ""))
    return " ".join([weights_hash(target), arithmetic(), *code_of_network(network).values()])


def _network_in(content: bytes) -> str:
    """The network's text in a file of weights; empty if it does not say."""
    from noughts.networks.weights_file import said_of_weights  # which loads NumPy

    try:
        return str(said_of_weights(content).get("network", ""))
    except (ValueError, KeyError, TypeError, RecursionError):  # whoever loads it will say so
        return ""


def read_weights(target: str, name: str) -> Mapping[str, bytes]:
    """The weights that a target names, content by file name; a file of weights is given this name.

    Raises:
        AgentError: malformed, or there is no such file.
        StoreError: no such run or iteration, or its weights are damaged.
    """
    if is_file(target):
        return {name: _read(target)}
    run, iteration = split_target(target)
    _, files = RunFolder.find(run).weights_at(iteration)
    return files


def _read(file: str) -> bytes:
    """The content of a file of weights; AgentError if it cannot be read."""
    path = Path(file).expanduser()
    if not path.is_file():
        raise AgentError(f"there is no file of weights {file!r}: `noughts runs export RUN --to {path.name}` writes one")
    try:
        return path.read_bytes()
    except OSError as error:
        raise AgentError(f"the file of weights {file!r} cannot be read: {error.strerror or error}") from error
