"""The disk space of a store, by its parts."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from noughts.store.files import explained
from noughts.store.place import is_url, store_folder, store_place
from noughts.store.run_folder import run_names, training_folder

_TRAINING = "training/"


class DiskPart(NamedTuple):
    """A part of a store, which is a folder or some files: the number of its files, and their bytes."""

    name: str
    files: int
    bytes: int

    @classmethod
    def total(cls, name: str, parts: Iterable["DiskPart"]) -> Self:
        """The sum of some parts, under a new name."""
        some = list(parts)
        return cls(name, sum(part.files for part in some), sum(part.bytes for part in some))

    @property
    def is_training(self) -> bool:
        """Whether it is the folder of one training."""
        return self.name.startswith(_TRAINING)


def disk_usage() -> list[DiskPart]:
    """The size of each part: the database with its log, each training, then the rest of the store's folder.

    A database on a server has no files here and is left out; `Store.server_bytes` returns its size.

    Raises:
        StoreError: a file cannot be examined.
    """
    folder, training = store_folder(), training_folder()
    with explained(f"the store {folder}", "measured"):
        parts = [] if is_url(store_place()) else [part_of("database", sorted(folder.glob("results.sqlite*")))]
        parts += [part_of(f"{_TRAINING}{name}", [training / name]) for name in run_names()]
        counted = {"results.sqlite", "results.sqlite-wal", "results.sqlite-shm", training.name}
        others = [path for path in sorted(folder.iterdir()) if path.name not in counted] if folder.exists() else []
        return parts + [part_of(path.name, [path]) for path in others]


def part_of(name: str, paths: list[Path]) -> DiskPart:
    """The total size of some files and folders; OSError if one cannot be examined."""
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    return DiskPart(name, len(files), sum(file.stat().st_size for file in files))
