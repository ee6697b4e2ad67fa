"""The machine: one core and one thread for everybody, and what is worth saying about it."""

import importlib.metadata
import os
import platform

from benchmarks.results import Machine

_PACKAGES = ("numba", "numpy", "jax", "mctx", "open-spiel", "pgx", "pettingzoo", "gymnasium")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def use_one_core() -> bool:
    """Keep this process to one core and one thread; whether the core could be chosen.

    To be called before any numerical library is imported: they count the cores when they start.
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
    """Processes that wanted a core in the last minute, where the system says so."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def describe(pinned: bool, load_before: float | None) -> Machine:
    """This machine, after a run."""
    from noughts.machine.environment import current_environment, processor_name

    versions = {name: current_environment().versions[name] for name in ("noughts", "python")}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return Machine(
        processor=processor_name() or "unknown processor",
        system=f"{platform.system()} {platform.machine()}",  # a release's name may name a host
        cores=os.cpu_count() or 1,
        pinned=pinned,
        versions=versions,
        commit=current_environment().commit,
        load_before=load_before,
        load_after=load(),
    )
