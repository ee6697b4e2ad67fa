"""Memory: asked for before a table is made, because an operating system promises more than it has; and kept once it was had."""

import contextlib
import ctypes
from pathlib import Path

import psutil

from noughts.rules import SolverError

GIB = 1 << 30
DEFAULT_BYTES = GIB
"""What a solver's tables may take unless more is allowed."""

_SPARE = 200 << 20  # left for everything else

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # glibc's numbers of what `mallopt` sets


def available_bytes() -> int:
    """Memory that can be taken now: what the machine has free, or what is left of this group's limit."""
    free = int(psutil.virtual_memory().available)
    with contextlib.suppress(OSError, ValueError):  # no limit, or not Linux
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    return max(0, free)


def require_memory(needed: int, allowed: int, purpose: str) -> None:
    """SolverError, naming `purpose`, unless `needed` bytes are allowed and there."""
    if needed > allowed:
        raise SolverError(
            f"{purpose} needs {in_words(needed)}, and {in_words(allowed)} are allowed: allow more with --memory {-(-needed // GIB)}"
        )
    free = available_bytes()
    if needed + _SPARE > free:
        raise SolverError(f"{purpose} needs {in_words(needed)}, and only {in_words(free)} are free on this machine")


def keep_freed_memory() -> bool:
    """Let this process keep what it frees, for what it allocates next; whether it does.

    The C library gives large blocks back to the system as they are freed, and the system clears every page of the next one. A
    step of learning allocates and frees tens of MiB, so that clearing pages may take half of its time. Only glibc is told;
    other systems' libraries do as they do.
    """
    try:
        told = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, or Windows
        return False
    return bool(told(_MMAP_MAX, 0)) and bool(told(_TRIM_THRESHOLD, (1 << 31) - 1))


def in_words(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / GIB:.1f} GiB" if size >= GIB // 10 else f"{size / (1 << 20):.1f} MiB"
