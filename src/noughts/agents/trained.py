"""The targets of trained agents: a run and a moment of the run, or a file of weights.

    RUN@ITERATION           the weights after an iteration
    RUN@POSITIONSp          the first weights that were saved after this number of positions
    FILE.safetensors@HASH   these weights in a file, by the first digits of their SHA-256
    example@HASH            the weights that ship with noughts, also by the first digits of their hash

This module loads no weights into a network, and no array library.
"""

import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from noughts.machine.dependencies import Dependencies, together
from noughts.networks import spec as network_spec
from noughts.networks.errors import NetworkError
from noughts.networks.spec import read_code, require_learned_by
from noughts.rules import AgentError, StoreError
from noughts.rules.errors import shortened
from noughts.store.run_folder import RunFolder, find_folder

LAST = "last"
FILE_ENDING = ".safetensors"
_HASH_DIGITS = 16
_MOST_SHOWN = 200  # characters of a run that does not exist, in an error
_RUN_FILES = ("run.json", "status.json", "metrics.jsonl")
EXAMPLE = "example"
"""The name of the weights that ship with noughts: a line network, trained on bttt(D4) alone. A certificate proves that
its raw policy, with the canonical view, wins there as first player."""
EXAMPLE_KIND = "az"
_FILE = re.compile(rf"(.*{re.escape(FILE_ENDING)}|{EXAMPLE})(?:@([0-9a-f]{{{_HASH_DIGITS}}}))?", re.DOTALL)


class Target(NamedTuple):
    """A run, and the iteration or number of positions that selects its weights; without either, the last weights.

    Attributes:
        run: A name or a folder.
    """

    run: str
    iteration: int | None = None
    positions: int | None = None

    def weights(self) -> tuple[RunFolder, int | None]:
        """The run, and the iteration of the selected weights; None for the last ones.

        Raises:
            StoreError: no such run, or it saved no weights after `positions` positions.
        """
        found = find_run(self.run)
        if self.positions is None:
            return found, self.iteration
        kept = set(found.iterations())
        for line in found.lines():
            if line.kind == "measurement" and line.positions >= self.positions and line.iteration in kept:
                return found, line.iteration
        raise StoreError(
            f"run {found.name} saved no weights after {self.positions:,} positions: it has seen {found.status().positions:,}"
        )


def find_run(run: str) -> RunFolder:
    """Return the run that a text names; see `RunFolder.find`.

    Raises:
        StoreError: there is none. If the text looks like a file, the message names the ending of files of weights.
    """
    try:
        folder = find_folder(run)
    except StoreError as error:
        if run.endswith(FILE_ENDING) or not (Path(run).suffix[1:].isalpha() or _is_there(run)):
            raise
        shown = shortened(run, _MOST_SHOWN)
        raise StoreError(f"{shown!r} does not end in {FILE_ENDING}, as files of weights do, and {error}") from None
    return RunFolder.open(folder)


def _is_there(path: str) -> bool:
    try:
        return Path(path).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):  # not a valid path, or no home folder for ~
        return False


def is_file(target: str) -> bool:
    """Whether a target names a file of weights or the example, not a run."""
    return _FILE.fullmatch(target) is not None


def require_no_file(run: str) -> None:
    """AgentError if agents could not play the weights of a run with this name, because it names a file of weights."""
    if is_file(run):
        raise AgentError(
            f"the run name {shortened(run, 60)!r} is not allowed: it names a file of weights, so take another"
        )


def is_example(target: str) -> bool:
    """Whether a target names the weights that ship with noughts."""
    return is_file(target) and _split_file(target)[0] == EXAMPLE


def split_target(target: str) -> Target:
    """Split a target into its run and moment.

    Raises:
        AgentError: the text after the last ``@`` is not a moment.
    """
    run, at, moment = target.rpartition("@")
    if not at or "/" in moment:  # the @ is part of a folder's name
        return Target(target)
    if moment == LAST:
        return Target(run)
    found = re.fullmatch(r"([0-9]{1,18})(p?)", moment)
    if found is None:
        raise AgentError(
            f"iteration {moment!r} is not allowed: write {run}@ITERATION, a whole number, {run}@POSITIONSp or {run}@{LAST}"
        )
    return Target(run, positions=int(found[1])) if found[2] else Target(run, int(found[1]))


def pinned(target: str) -> str:
    """Return the target with a moment or, for a file, a hash; if it has none, with the present one.

    A given moment or hash is not checked, so that work can be planned for a run that does not exist yet.

    Raises:
        AgentError: malformed, or there is no such file.
        StoreError: no such run, or it has no weights yet.
    """
    if is_file(target):
        path, digits = _split_file(target)
        return target if digits else f"{path}@{hashlib.sha256(_read(target)).hexdigest()[:_HASH_DIGITS]}"
    found = split_target(target)
    if found.positions is not None:
        return f"{found.run}@{found.positions}p"
    if found.iteration is not None:
        return f"{found.run}@{found.iteration}"
    last, _ = find_run(found.run).weights_at()
    return f"{found.run}@{last}"


def weights_hash(target: str) -> str:
    """Return a hash of the weights, as hexadecimal digits; AgentError or StoreError if there are none."""
    if is_file(target):
        return hashlib.sha256(_read(target)).hexdigest()
    run, iteration = split_target(target).weights()
    return run.weights_hash(iteration)


def depends_on(target: str) -> Dependencies:
    """The weights of a trained agent and, for a third-party network, its code.

    Raises:
        AgentError: the target does not exist, or its network's code has changed since training.
        StoreError: the target does not exist.
    """
    if is_file(target):
        network, learned = _network_in(_read(target))
    else:
        described = find_run(split_target(target)[0]).description
        network, learned = str(described.config.get("network", "")), described.outside
    try:
        require_learned_by(network, learned)
    except NetworkError as error:
        raise AgentError(f"{target}: {error}") from None
    weights = Dependencies(((target, weights_hash(target)),), _files_of(target))
    return together(weights, network_spec.depends_on(network))


def _files_of(target: str) -> tuple[Path, ...]:
    """The files of the weights and, for a run, those that select the weights."""
    if is_file(target):
        file = _split_file(target)[0]
        return () if file == EXAMPLE else (Path(file).expanduser().resolve(),)
    run, iteration = split_target(target).weights()
    chosen, files = run.weights_at(iteration)
    folder = run.weights.path(chosen)
    named = [*(run.folder / name for name in _RUN_FILES), *(folder / name for name in files), *folder.glob("*.json")]
    return tuple(dict.fromkeys(path.resolve() for path in named if path.is_file()))


def _network_in(content: bytes) -> tuple[str, Mapping[str, str]]:
    """The network's text in a file of weights, and the code that trained them; both empty if the file has neither."""
    from noughts.networks.weights_file import said_of_weights  # which loads NumPy

    try:
        said = said_of_weights(content)
        return str(said.get("network", "")), read_code(said)
    except (ValueError, KeyError, TypeError):  # loading the file reports the error
        return "", {}


def read_weights(target: str, name: str) -> Mapping[str, bytes]:
    """Return the weights that a target names, content by file name; a file of weights gets the name `name`.

    Raises:
        AgentError: malformed, there is no such file, or its hash differs from the target's.
        StoreError: no such run, no weights of that moment, or they are damaged.
    """
    if is_file(target):
        return {name: _read(target)}
    run, iteration = split_target(target).weights()
    _, found = run.weights_at(iteration)
    return found


def example_file(name: str) -> Path:
    """A file of the example that ships with noughts: ``example.safetensors``, or a certificate of its play."""
    return Path(str(files("noughts.agents"))) / "example" / name


def _split_file(target: str) -> tuple[str, str]:
    """The path of a file of weights, and the first digits of its hash, or an empty text."""
    found = _FILE.fullmatch(target)
    assert found is not None
    return found[1], found[2] or ""


def _read(target: str) -> bytes:
    """The content of a file of weights; AgentError if it cannot be read, or its hash differs from the target's."""
    file, digits = _split_file(target)
    path = example_file("example.safetensors") if file == EXAMPLE else Path(file).expanduser()
    if not path.is_file():
        raise AgentError(f"there is no file of weights {file!r}: `noughts runs export RUN --to {path.name}` writes one")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise AgentError(f"the file of weights {file!r} cannot be read: {error.strerror or error}") from error
    if not hashlib.sha256(content).hexdigest().startswith(digits):
        raise AgentError(f"the file {file!r} holds other weights than those of @{digits}: leave out the @ to use those")
    return content
