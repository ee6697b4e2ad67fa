"""The machine: one core and one thread for every program, and the facts about it that a reader needs."""

import importlib.metadata
import os
import platform

from benchmarks.results import Machine

_PACKAGES = ("numba", "numpy", "jax", "mctx", "open-spiel", "pgx", "pettingzoo", "gymnasium")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def use_one_core() -> bool:
    """Pin this process to one core and one thread; return whether the core could be chosen.

    Call this before any numerical library is imported, because they count the cores when they start.
    """
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    os.environ["JAX_PLATFORMS"] = "cpu"
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


def load() -> float | None:
    """The load average of the last minute; None if the system has none."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def describe(pinned: bool, load_before: float | None) -> Machine:
    """Describe this machine, after a run."""
    from noughts.machine.environment import current_environment, processor_name

    versions = {name: current_environment().versions[name] for name in ("noughts", "python")}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return Machine(
        processor=processor_name() or "unknown processor",
        system=f"{platform.system()} {platform.machine()}",  # a release's name may contain a host's name
        cores=os.cpu_count() or 1,
        pinned=pinned,
        versions=versions,
        commit=current_environment().commit,
        load_before=load_before,
        load_after=load(),
    )
