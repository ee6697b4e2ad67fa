"""Compilation of kernels, and the folder for their machine code.

Numba caches the code of a function until its file changes. But kernels are inlined into one another across files,
so after a change in `kernels.py` the searches would still use the old rules of play. Therefore the folder is named
after a hash of every file with kernels, and a change in any of them starts a new folder.
"""

import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from numba import config, njit

_CONFIG: Any = config  # its type stubs leave out CACHE_DIR
_PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS_WITH_KERNELS = ("positions", "networks", "search", "solvers", "examine", "training/evolution")
"""A change to any file in these folders starts a new folder of machine code."""


def _folder() -> str:
    """The folder for these sources: in the user's NUMBA_CACHE_DIR, or else in the package's ``__pycache__``.

    If it is not writable, Numba falls back to its own folders.
    """
    sources = hashlib.blake2b(digest_size=8)
    for name in FOLDERS_WITH_KERNELS:
        for path in sorted((_PACKAGE / name).glob("*.py")):
            sources.update(f"{name}/{path.name}\0".encode() + path.read_bytes() + b"\0")
    name = f"kernels-{sources.hexdigest()}"
    if _CONFIG.CACHE_DIR:
        return os.path.join(_CONFIG.CACHE_DIR, name)  # perhaps shared with other versions, whose folders stay
    folder = _PACKAGE / "__pycache__" / name
    if not os.path.exists(folder):
        with contextlib.suppress(OSError):  # not readable
            for outdated in folder.parent.glob("kernels-*"):
                shutil.rmtree(outdated, ignore_errors=True)
    return str(folder)


_FOLDER = _folder()


def kernels_folder() -> Path:
    """The folder of the machine code; it need not exist."""
    return Path(_FOLDER)


def kernel(function: Any) -> Any:
    """Compile for speed: the machine code is cached on disk, the GIL is released, and floats stay exact.

    Kernels allocate nothing: callers pass arrays for scratch and results. So the compiler may leave out
    reference counts (`_nrt`), and may inline calls; together these make rollouts five times faster.
    """
    compiler: Any = njit  # its type stubs leave out nogil and _nrt
    users, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, _FOLDER  # read once, here; other packages keep their folder
    try:
        return compiler(cache=True, nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function)
    finally:
        _CONFIG.CACHE_DIR = users
