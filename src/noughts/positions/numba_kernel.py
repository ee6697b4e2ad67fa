"""How kernels are compiled, and where their machine code is kept.

Numba keeps the code of a function until the file that defines it changes. Kernels are inlined into one another,
across files: after a change in `kernels.py` the searches would go on with the old rules of play. So the folder
is named after a hash of every file that holds kernels, and a change in any of them starts a new folder.
"""

import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from numba import config, njit

_CONFIG: Any = config  # its published names leave out CACHE_DIR
_PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS_WITH_KERNELS = ("positions", "networks", "search", "solvers", "examine", "training/evolution")
"""A change of any file in these starts a new folder of machine code."""


def _folder() -> str:
    """The folder for these sources: in the user's NUMBA_CACHE_DIR, or else in the package's ``__pycache__``.

    It may turn out not to be writable; Numba then falls back to places of its own.
    """
    sources = hashlib.blake2b(digest_size=8)
    for name in FOLDERS_WITH_KERNELS:
        for path in sorted((_PACKAGE / name).glob("*.py")):
            sources.update(f"{name}/{path.name}\0".encode() + path.read_bytes() + b"\0")
    name = f"kernels-{sources.hexdigest()}"
    if _CONFIG.CACHE_DIR:
        return os.path.join(_CONFIG.CACHE_DIR, name)  # perhaps shared with other versions: theirs stay
    folder = _PACKAGE / "__pycache__" / name
    if not os.path.exists(folder):
        with contextlib.suppress(OSError):  # not ours to read
            for outdated in folder.parent.glob("kernels-*"):
                shutil.rmtree(outdated, ignore_errors=True)
    return str(folder)


_FOLDER = _folder()


def kernels_folder() -> Path:
    """Where the machine code is kept; it need not exist."""
    return Path(_FOLDER)


def kernel(function: Any) -> Any:
    """Compile for speed: machine code is kept on disk, the interpreter's lock is released, floats stay exact.

    Kernels allocate nothing: their callers hand them room for scratch and results. So the compiler may leave
    out reference counts (`_nrt`), and calls may be inlined; together they make rollouts five times faster.
    """
    compiler: Any = njit  # its published signature leaves out nogil and _nrt
    users, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, _FOLDER  # read now, once; other people's functions keep their own
    try:
        return compiler(cache=True, nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function)
    finally:
        _CONFIG.CACHE_DIR = users
