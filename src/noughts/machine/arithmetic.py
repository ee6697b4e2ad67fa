"""What computes numbers, besides the libraries: the instruction set, the device and the settings of XLA.

If these differ, the last bits of a network's outputs may differ, and with them a move: of 1,040 moves of one network,
3 differed between SSE 4.2 and AVX2. So answers of networks are saved under the arithmetic that computed them. Every
command needs this description, so no library is loaded to find it.
"""

import functools
import importlib.metadata
import os
import platform
from pathlib import Path

_CPU_FLAGS = ("sse4_2", "avx", "avx2", "avx512f", "asimd", "sve")
"""Processor flags that change what XLA compiles."""

_PLUGINS = ("jax-cuda12-plugin", "jax-cuda13-plugin", "jax-rocm60-plugin", "libtpu")
"""Packages through which JAX uses an accelerator."""


def arithmetic() -> str:
    """Describe the arithmetic in one line: instruction sets, the kinds of devices that JAX may use, and XLA's settings.

    NPROC is the number of XLA's threads, if it is set. Otherwise that is the number of cores, which is not in the line, because
    only trainings depend on it, and machines of a cluster could not work together.
    """
    return " ".join([instruction_sets(), _devices(), f"XLA_FLAGS={' '.join(sorted(_xla_flags()))}", *chosen_threads()])


def chosen_threads() -> tuple[str, ...]:
    """The number of XLA's threads, such as ``NPROC=1``; empty if it is not set."""
    return (f"NPROC={os.environ['NPROC']}",) if "NPROC" in os.environ else ()


@functools.lru_cache(maxsize=1)
def instruction_sets() -> str:
    """The instruction sets that change numbers, such as ``sse4_2+avx+avx2``; the architecture if they are unknown."""
    flags = of_processor("flags", "Features").split()
    return "+".join(flag for flag in _CPU_FLAGS if flag in flags) if flags else platform.machine()


def of_processor(*names: str) -> str:
    """The first processor's entry under one of these names in /proc/cpuinfo; empty if there is none."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in names:
                return value.strip()
    return ""


def _devices() -> str:
    """The devices that JAX may choose: those in JAX_PLATFORMS, or else those with both a plugin and a driver."""
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
    """The settings of XLA that may change numbers, so without those that only name a folder for dumps."""
    return [flag for flag in os.environ.get("XLA_FLAGS", "").split() if not flag.startswith("--xla_dump")]
