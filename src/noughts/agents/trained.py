"""What names a trained agent: a run and a moment of it, or a file of weights.

    RUN@ITERATION           the weights after an iteration
    RUN@POSITIONSp          the first weights that were kept after so many positions
    FILE.safetensors@HASH   these weights in a file, by the beginning of their SHA-256
    example@HASH            the weights that ship with noughts, likewise

It loads no weights into a network, and no array library.
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
_MOST_SHOWN = 200  # characters of what is no run
_RUN_FILES = ("run.json", "status.json", "metrics.jsonl")
EXAMPLE = "example"
"""What names the weights that ship with noughts: a line network, trained on bttt(D4) alone, of which a certificate shows
that it wins there as first player by its bare policy, seen from one side."""
EXAMPLE_KIND = "az"
_FILE = re.compile(rf"(.*{re.escape(FILE_ENDING)}|{EXAMPLE})(?:@([0-9a-f]{{{_HASH_DIGITS}}}))?", re.DOTALL)


class Target(NamedTuple):
    """A run and a moment of it: after so many iterations, or after so many positions; neither for the last weights.

    Attributes:
        run: A name or a folder.
    """

    run: str
    iteration: int | None = None
    positions: int | None = None

    def weights(self) -> tuple[RunFolder, int | None]:
        """The run, and the iteration whose weights are meant; None for the last ones.

        Raises:
            StoreError: no such run, or it saved no weights after so many positions.
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
    """The run that a text names, as of `RunFolder.find`.

    Raises:
        StoreError: there is none; of what looks like a file, it says how files of weights end.
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
    """Whether a text names a file."""
    try:
        return Path(path).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):  # what cannot be a path, or has no home
        return False


def is_file(target: str) -> bool:
    """Whether a target names a file of weights, or those of the example, and no run."""
    return _FILE.fullmatch(target) is not None


def is_example(target: str) -> bool:
    """Whether a target names the weights that ship with noughts."""
    return is_file(target) and _split_file(target)[0] == EXAMPLE


def split_target(target: str) -> Target:
    """The run and the moment that a target names.

    Raises:
        AgentError: what stands after the last ``@`` is no moment.
    """
    run, at, moment = target.rpartition("@")
    if not at or "/" in moment:  # the @ is of a folder's name
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
    """The same with its moment, or a file with its hash: as they are now, if none is given.

    One with a moment or a hash is taken at its word, so that work can be planned for a run that is yet to come.

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
    """A hash of the weights, hexadecimal digits; AgentError or StoreError if there are none."""
    if is_file(target):
        return hashlib.sha256(_read(target)).hexdigest()
    run, iteration = split_target(target).weights()
    return run.weights_hash(iteration)


def depends_on(target: str) -> Dependencies:
    """The weights of a trained agent and, of a network from outside, its code.

    Raises:
        AgentError: there is nothing of this name, or its network's code has changed since it learned.
        StoreError: there is nothing of this name.
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
    """The files of the weights, and of a run those that tell which weights are meant."""
    if is_file(target):
        file = _split_file(target)[0]
        return () if file == EXAMPLE else (Path(file).expanduser().resolve(),)
    run, iteration = split_target(target).weights()
    chosen, files = run.weights_at(iteration)
    folder = run.weights.path(chosen)
    named = [*(run.folder / name for name in _RUN_FILES), *(folder / name for name in files), *folder.glob("*.json")]
    return tuple(dict.fromkeys(path.resolve() for path in named if path.is_file()))


def _network_in(content: bytes) -> tuple[str, Mapping[str, str]]:
    """The network's text in a file of weights and the code by which they were learned; both empty if it does not say."""
    from noughts.networks.weights_file import said_of_weights  # which loads NumPy

    try:
        said = said_of_weights(content)
        return str(said.get("network", "")), read_code(said)
    except (ValueError, KeyError, TypeError):  # whoever loads it will say so
        return "", {}


def read_weights(target: str, name: str) -> Mapping[str, bytes]:
    """The weights that a target names, content by file name; a file of weights is given this name.

    Raises:
        AgentError: malformed, there is no such file, or it holds other weights than the target says.
        StoreError: no such run, no weights of that moment, or they are damaged.
    """
    if is_file(target):
        return {name: _read(target)}
    run, iteration = split_target(target).weights()
    _, found = run.weights_at(iteration)
    return found


def example_file(name: str) -> Path:
    """A file of the example that ships with noughts: ``example.safetensors``, and certificates of what it plays."""
    return Path(str(files("noughts.agents"))) / "example" / name


def _split_file(target: str) -> tuple[str, str]:
    """The path of a file of weights, and the beginning of its hash or nothing."""
    found = _FILE.fullmatch(target)
    assert found is not None
    return found[1], found[2] or ""


def _read(target: str) -> bytes:
    """The content of a file of weights; AgentError if it cannot be read, or its hash is not the one that is named."""
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
