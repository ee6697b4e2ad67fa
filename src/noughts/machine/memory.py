"""Memory: checked before a large allocation, because an operating system promises more than it has; and kept when freed."""

import contextlib
import ctypes
from pathlib import Path

import psutil

from noughts.rules import SolverError

GIB = 1 << 30
DEFAULT_BYTES = GIB
"""The default limit for the tables of a solver."""

_SPARE = 200 << 20  # left for everything else

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # parameter numbers of glibc's `mallopt`


def available_bytes() -> int:
    """Memory that this process can allocate now: the machine's free memory or the rest of the cgroup's limit, if that is less."""
    free = int(psutil.virtual_memory().available)
    with contextlib.suppress(OSError, ValueError):  # no limit, or not Linux
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    return max(0, free)


def require_memory(needed: int, allowed: int, purpose: str) -> None:
    """Raise SolverError, naming `purpose`, unless `needed` bytes are both allowed and available."""
    if needed > allowed:
        raise SolverError(
            f"{purpose} needs {size_text(needed)}, and {size_text(allowed)} are allowed: allow more with --memory {-(-needed // GIB)}"
        )
    free = available_bytes()
    if needed + _SPARE > free:
        raise SolverError(f"{purpose} needs {size_text(needed)}, and only {size_text(free)} are free on this machine")


def keep_freed_memory() -> bool:
    """Let this process reuse the memory that it frees; return whether that succeeded.

    The C library returns large freed blocks to the system, which clears every page of the next one. A step of learning
    allocates and frees tens of MiB, so clearing pages may take half of its time. Only glibc has this setting; with other
    C libraries nothing changes.
    """
    try:
        told = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, or Windows
        return False
    return bool(told(_MMAP_MAX, 0)) and bool(told(_TRIM_THRESHOLD, (1 << 31) - 1))


def size_text(size: int) -> str:
    """A number of bytes in a readable unit: 812 B, 3.4 MiB."""
    amount, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if amount >= 1024:
            amount, unit = amount / 1024, larger
    return f"{amount:.0f} B" if unit == "B" else f"{amount:.1f} {unit}"
