"""What numbers are computed with, besides the libraries: the instruction set, the device, the settings of XLA.

A network's answers may differ in their last bits where these differ, and then so may a move: of 1,040 moves of one network,
3 differed between SSE 4.2 and AVX2. So an answer of a network is an answer under one arithmetic. Nothing is loaded here to
find it out: it is asked for before every command.
"""

import functools
import importlib.metadata
import os
import platform
from pathlib import Path

_CPU_FLAGS = ("sse4_2", "avx", "avx2", "avx512f", "asimd", "sve")
"""Processor flags for which XLA compiles differently."""

_PLUGINS = ("jax-cuda12-plugin", "jax-cuda13-plugin", "jax-rocm60-plugin", "libtpu")
"""Packages with which JAX finds an accelerator."""


def arithmetic() -> str:
    """In one line: the processor's instruction sets, the kinds of devices that may be used, and XLA's settings."""
    return " ".join([instruction_sets(), _devices(), f"XLA_FLAGS={' '.join(sorted(_xla_flags()))}"])


@functools.lru_cache(maxsize=1)
def instruction_sets() -> str:
    """Those of this processor that matter for numbers, such as ``sse4_2+avx+avx2``; its architecture where that is unknown."""
    flags = of_processor("flags", "Features").split()
    return "+".join(flag for flag in _CPU_FLAGS if flag in flags) if flags else platform.machine()


def of_processor(*names: str) -> str:
    """The entry of one of these names for the first processor, on Linux; empty if there is none."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in names:
                return value.strip()
    return ""


def _devices() -> str:
    """Which devices JAX may choose: those of JAX_PLATFORMS, or else those that it has a plugin and a driver for."""
    told = os.environ.get("JAX_PLATFORMS", "")
    if told:
        return told
    if not _has_accelerator():
        return "cpu"
    return "+".join(["cpu", *filter(_is_installed, _PLUGINS)])


def _is_installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _has_accelerator() -> bool:
    return any(Path(device).exists() for device in ("/dev/nvidiactl", "/dev/kfd", "/dev/accel0"))


def _xla_flags() -> list[str]:
    """The settings of XLA that may change numbers: not where it writes what it compiles."""
    return [flag for flag in os.environ.get("XLA_FLAGS", "").split() if not flag.startswith("--xla_dump")]
