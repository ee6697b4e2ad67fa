"""Checkpoints: a series of sets of files in one folder. Each set is complete or absent, and damage is detected.

    folder/
      00001200/            one checkpoint, named by its iteration
        weights.safetensors
        optimizer.safetensors
        manifest.json      SHA-256 and length of each file, what the checkpoint is about, and its own SHA-256

A checkpoint is written under a temporary name, with each file forced to the disk, and then renamed. So a crash leaves the
earlier checkpoints, and a half-written one is never mistaken for a checkpoint. This module does not interpret the bytes.
"""

import contextlib
import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.machine import disk
from noughts.rules.errors import StoreError
from noughts.store.file_format import FileFormat, NewerFormatError
from noughts.store.files import explained, make_folder, names_in

CHECKPOINT = FileFormat("the manifest.json of a checkpoint or of weights", 1)

_MANIFEST = "manifest.json"
_DIGITS = 8  # in a folder's name, so that names sort like numbers
_UNFINISHED = ".unfinished-"


@dataclass(frozen=True)
class Checkpoint:
    """The content of a checkpoint.

    Attributes:
        files: Content by file name.
        about: JSON values by name, as given to `Checkpoints.save`.
        digest: The SHA-256 of the files' names and contents, as 64 hexadecimal digits.
    """

    iteration: int
    files: Mapping[str, bytes]
    about: Mapping[str, Any]
    digest: str


class Checkpoints:
    """A series of checkpoints in one folder, which the first one creates. Only one process at a time may save.

    Args:
        keep: How many of the last checkpoints to keep; None for all.
    """

    def __init__(self, folder: Path, keep: int | None = None) -> None:
        if keep is not None and keep < 1:
            raise ValueError(f"keep={keep} must be at least 1")
        self.folder = folder
        self.keep = keep

    def save(self, iteration: int, files: Mapping[str, bytes], about: Mapping[str, Any] | None = None) -> None:
        """Save a checkpoint. It is complete and on the disk when this returns, or else absent.

        An existing checkpoint of this iteration is replaced if it is damaged or differs. With `keep`, those before the last
        `keep` are removed.

        Args:
            files: Content by file name; names without folders.
            about: JSON values to save with it.

        Raises:
            StoreError: it cannot be written; then the earlier ones are unchanged.
        """
        if not 0 <= iteration < 10**_DIGITS or not files or any(not _is_plain(name) for name in files):
            raise ValueError(f"a checkpoint of iteration {iteration} with files {sorted(files)} is not possible")
        facts = {
            "about": dict(about or {}),
            "files": {
                name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                for name, content in sorted(files.items())
            },
            "format": CHECKPOINT.version,
            "iteration": iteration,
        }
        manifest = _render(facts)
        target = self.path(iteration)
        make_folder(self.folder)
        with explained(f"the checkpoint {target}", "written"):
            self._clear_unfinished()
            if not self._holds(iteration, manifest):
                with disk.made_whole(target, self._unfinished().name) as new:
                    disk.DISK.make_folder(new)
                    for name, content in [*files.items(), (_MANIFEST, manifest)]:
                        disk.DISK.create(new / name, content)
                        disk.DISK.sync(new / name)
                    if target.exists():  # a folder cannot be renamed over another one
                        disk.DISK.rename(target, self._unfinished())
            self._clear_unfinished()
            if self.keep is not None:
                self._remove([other for other in self.iterations() if other <= iteration][: -self.keep])

    def iterations(self) -> tuple[int, ...]:
        """The iterations that have a checkpoint, damaged or not, in ascending order."""
        return tuple(int(name) for name in names_in(self.folder) if len(name) == _DIGITS and name.isdecimal())

    def read(self, iteration: int) -> Checkpoint:
        """Read a checkpoint, and check every byte.

        Raises:
            StoreError: there is none, or it is damaged; the error names the file and the damage.
        """
        facts = self._facts(iteration)
        files = {}
        for name, claim in facts["files"].items():
            path = self.path(iteration) / name
            content = _read(path)
            if len(content) != claim["bytes"]:
                raise StoreError(f"{path} is damaged: it has {len(content)} bytes and should have {claim['bytes']}")
            if hashlib.sha256(content).hexdigest() != claim["sha256"]:
                raise StoreError(f"{path} is damaged: its content does not have the SHA-256 in {_MANIFEST}")
            files[name] = content
        return Checkpoint(iteration, files, facts["about"], _digest(facts["files"]))

    def latest(self) -> tuple[Checkpoint | None, tuple[str, ...]]:
        """The newest undamaged checkpoint, or None, and one line for each newer damaged one.

        Raises:
            NewerFormatError: a newer noughts wrote a later one.
        """
        damaged: list[str] = []
        for iteration in reversed(self.iterations()):
            try:
                return self.read(iteration), tuple(damaged)
            except NewerFormatError:  # its content must not be lost
                raise
            except StoreError as error:
                damaged.append(str(error))
        return None, tuple(damaged)

    def digest(self, iteration: int) -> str:
        """The digest of a checkpoint, as in `Checkpoint`; StoreError if there is none or its manifest is damaged."""
        return _digest(self._facts(iteration)["files"])

    def remove_after(self, iteration: int) -> None:
        """Remove the checkpoints of later iterations."""
        with explained(f"a checkpoint of {self.folder}", "removed"):
            self._remove([other for other in self.iterations() if other > iteration])

    def remove_damaged(self) -> dict[int, str]:
        """Remove damaged checkpoints, and return the fault of each by iteration. NewerFormatError as for `latest`."""
        faults: dict[int, str] = {}
        for iteration in self.iterations():
            try:
                self.read(iteration)
            except NewerFormatError:
                raise
            except StoreError as error:
                faults[iteration] = str(error)
        with explained(f"a checkpoint of {self.folder}", "removed"):
            self._remove(list(faults))
        return faults

    def _facts(self, iteration: int) -> dict[str, Any]:
        """The content of a manifest; StoreError if it is missing, or not byte for byte what `save` wrote."""
        if not self.path(iteration).is_dir():
            there = ", ".join(map(str, self.iterations())) or "none"
            raise StoreError(f"there is no checkpoint of iteration {iteration} in {self.folder}; there are: {there}")
        path = self.path(iteration) / _MANIFEST
        content = _read(path)
        try:
            facts = json.loads(content)
            sha256 = facts.pop("sha256")
            whole = _render(facts) == content and sha256 == _hash_of(facts)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            whole = False
        if not whole:
            raise StoreError(f"{path} is damaged: it does not have the SHA-256 that it names")
        try:
            CHECKPOINT.read(facts.get("format"))
        except NewerFormatError as error:
            raise NewerFormatError(f"{path}: {error}") from None
        if facts["iteration"] != iteration:
            raise StoreError(f"{path} is of iteration {facts['iteration']}: its folder was renamed")
        return dict(facts)

    def _holds(self, iteration: int, manifest: bytes) -> bool:
        """Whether exactly this checkpoint exists, undamaged."""
        try:
            self.read(iteration)
            return _read(self.path(iteration) / _MANIFEST) == manifest
        except NewerFormatError:
            raise
        except StoreError:
            return False

    def _remove(self, iterations: list[int]) -> None:
        """Remove checkpoints. They are renamed first, so that a crash leaves none that looks damaged."""
        for iteration in iterations:
            disk.DISK.rename(self.path(iteration), self._unfinished())
        self._clear_unfinished()

    def _clear_unfinished(self) -> None:
        """Remove folders that a crash left half written or half removed; after a failure, a later call tries again."""
        for path in self.folder.glob(_UNFINISHED + "*"):
            with contextlib.suppress(OSError):
                disk.DISK.remove(path)

    def path(self, iteration: int) -> Path:
        """The folder of a checkpoint, which need not exist."""
        return self.folder / f"{iteration:0{_DIGITS}}"

    def _unfinished(self) -> Path:
        return self.folder / f"{_UNFINISHED}{secrets.token_hex(8)}"


def _is_plain(name: str) -> bool:
    return name == Path(name).name and not name.startswith(".") and name != _MANIFEST


def _render(facts: Mapping[str, Any]) -> bytes:
    """A manifest: the facts with their hash."""
    text = json.dumps({**facts, "sha256": _hash_of(facts)}, indent=2, sort_keys=True, allow_nan=False)
    return (text + "\n").encode()


def _hash_of(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _digest(claims: Any) -> str:
    return _hash_of({name: claim["sha256"] for name, claim in claims.items()})


def _read(path: Path) -> bytes:
    with explained(path, "read"):
        if not path.exists():
            raise StoreError(f"{path} is missing")
        return path.read_bytes()
