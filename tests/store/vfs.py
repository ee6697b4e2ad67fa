"""SQLite's files seen from below: a VFS that counts and records every write, every sync and every truncation.

It is made through ctypes from the one that SQLite uses by default, in the library that Python's own sqlite3 has loaded.
With what it recorded, the files are built as a loss of power may leave them.
"""

import _sqlite3
import ctypes
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.store.files import Disk

OK, IOERR = 0, 10
_Method = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_Truncate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
_Delete = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)


class _Methods(ctypes.Structure):
    """sqlite3_io_methods, of version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("close", _Method),
        ("read", ctypes.c_void_p),
        ("write", _Write),
        ("truncate", _Truncate),
        ("sync", _Sync),
        ("others", ctypes.c_void_p * 14),
    ]


class _File(ctypes.Structure):
    """sqlite3_file."""

    _fields_ = [("methods", ctypes.POINTER(_Methods))]


class _Vfs(ctypes.Structure):
    """sqlite3_vfs, of version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("max_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", _Open),
        ("delete", _Delete),
        ("others", ctypes.c_void_p * 15),
    ]


@dataclass(frozen=True)
class Step:
    """What was done to a file: written at a place, truncated there, synced, deleted, or renamed to what is its content;
    or its folder was synced."""

    kind: str
    name: str
    place: int = 0
    content: bytes = b""


class Recorder(Disk):
    """The steps of all SQLite files below a folder, while it is the default VFS, and those of the store's own."""

    def __init__(self, folder: Path) -> None:
        self.steps: list[Step] = []
        self._folder = str(folder) + os.sep
        self._library = ctypes.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
        self._library.sqlite3_vfs_register.argtypes = [ctypes.POINTER(_Vfs), ctypes.c_int]
        self._library.sqlite3_vfs_unregister.argtypes = [ctypes.POINTER(_Vfs)]
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []  # what C holds pointers to

    def __enter__(self) -> "Recorder":
        self._base = self._library.sqlite3_vfs_find(None)
        copy = _Vfs()
        ctypes.memmove(ctypes.byref(copy), self._base, ctypes.sizeof(_Vfs))
        copy.name = b"noughts-recorder"
        true_open, true_delete = self._base.contents.open, self._base.contents.delete
        base = ctypes.cast(self._base, ctypes.c_void_p)

        def open_(_: Any, name: int | None, file: int, flags: int, out: Any) -> int:
            code = int(true_open(base, name, file, flags, out))  # which keeps the pointer to the name
            if code == OK and name is not None:
                self._watch(file, ctypes.string_at(name).decode())
            return code

        def delete(_: Any, name: bytes, sync_folder: int) -> int:
            code = int(true_delete(base, name, sync_folder))
            if code == OK:
                self._note(Step("delete", name.decode()))
            return code

        copy.open, copy.delete = _Open(open_), _Delete(delete)
        self._kept += [copy, copy.open, copy.delete]
        self._vfs = copy
        assert self._library.sqlite3_vfs_register(ctypes.byref(copy), 1) == OK
        return self

    def __exit__(self, *_: object) -> None:
        self._library.sqlite3_vfs_register(self._base, 1)
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def sync(self, path: Path) -> None:
        super().sync(path)
        self._note(Step("sync", str(path)))

    def rename(self, old: Path, new: Path) -> None:
        super().rename(old, new)
        self._note(Step("rename", str(old), content=new.name.encode()))

    def sync_folder(self, folder: Path) -> None:
        super().sync_folder(folder)
        self._note(Step("sync folder", f"{folder}{os.sep}"))

    def _note(self, step: Step) -> None:
        if step.name.startswith(self._folder):
            self.steps.append(Step(step.kind, step.name.removeprefix(self._folder), step.place, step.content))

    def _watch(self, file: int, name: str) -> None:
        """Put methods of ours in the place of a file's."""
        found = ctypes.cast(file, ctypes.POINTER(_File)).contents
        true = found.methods.contents
        ours = _Methods()
        ctypes.memmove(ctypes.byref(ours), found.methods, ctypes.sizeof(_Methods))
        write, truncate, sync = true.write, true.truncate, true.sync

        def write_(this: int, content: int, count: int, place: int) -> int:
            self._note(Step("write", name, place, ctypes.string_at(content, count)))
            return int(write(this, content, count, place))

        def truncate_(this: int, size: int) -> int:
            self._note(Step("truncate", name, size))
            return int(truncate(this, size))

        def sync_(this: int, flags: int) -> int:
            self._note(Step("sync", name))
            return int(sync(this, flags))

        ours.write, ours.truncate, ours.sync = _Write(write_), _Truncate(truncate_), _Sync(sync_)
        self._kept += [ours, found.methods]
        found.methods = ctypes.pointer(ours)


def after_loss(steps: list[Step], rng: random.Random) -> dict[str, bytes]:
    """The files as a loss of power after these steps may leave them, by name.

    What was synced is there. Of what was done to a file since, there is nothing, all, or any of its writes, the last of
    which may be torn. A deletion may be forgotten until something else is synced.
    """
    files: dict[str, bytearray] = {}
    later: dict[str, list[Step]] = {}
    for number, step in enumerate(steps):
        if step.kind == "sync folder":
            continue
        if step.kind == "rename":
            if rng.random() < 0.5 or any(other.kind == "sync folder" for other in steps[number:]):
                files[step.content.decode()] = files.pop(step.name, bytearray())
                later.pop(step.name, None)
        elif step.kind == "sync":
            for done in later.pop(step.name, []):
                _do(files, done)
            files.setdefault(step.name, bytearray())
        else:
            later.setdefault(step.name, []).append(step)
    for waiting in later.values():
        mode = rng.randrange(3)
        for done in waiting:
            if mode == 1 or (mode == 2 and rng.random() < 0.5):
                torn = mode == 2 and done.kind == "write" and rng.random() < 0.3
                _do(
                    files,
                    Step("write", done.name, done.place, done.content[: len(done.content) // 2]) if torn else done,
                )
    return {name: bytes(content) for name, content in files.items()}


def _do(files: dict[str, bytearray], step: Step) -> None:
    if step.kind == "delete":
        files.pop(step.name, None)
        return
    content = files.setdefault(step.name, bytearray())
    if step.kind == "truncate":
        del content[step.place :]
        content.extend(bytes(step.place - len(content)))
    else:
        content.extend(bytes(max(0, step.place - len(content))))
        content[step.place : step.place + len(step.content)] = step.content


def is_possible() -> bool:
    """Whether SQLite can be seen from below: its library says where its VFS is."""
    try:
        return hasattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_vfs_find")
    except OSError:
        return False
