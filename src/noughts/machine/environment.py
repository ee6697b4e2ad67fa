"""The environment in which a result was made: versions, git commit, machine."""

import functools
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import ClassVar

import noughts
from noughts.machine.arithmetic import instruction_sets, of_processor
from noughts.rules import StoreError, Value

_PACKAGES = ("numba", "numpy", "jax", "jaxlib", "mctx", "equinox", "optax", "scipy", "pydantic", "sqlalchemy")


class Environment(Value):
    """What a reader needs to repeat a result, or to explain a different one.

    Attributes:
        versions: Version of noughts, of Python and of the libraries that results depend on.
        commit: The git commit of noughts, with ``+changes`` if files differ from it; empty outside a checkout.
        machine: Operating system, architecture, processor and its instruction sets.
        cores: Processor cores this process may use.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "environment"

    versions: dict[str, str]
    commit: str
    machine: str
    cores: int


@functools.lru_cache(maxsize=1)
def current_environment() -> Environment:
    """The environment of this process."""
    versions = {"noughts": noughts.__version__, "python": platform.python_version()}
    versions |= {package: importlib.metadata.version(package) for package in _PACKAGES}
    processor = f"{processor_name()} ({instruction_sets()})".strip()
    machine = " ".join(filter(None, (platform.system(), platform.release(), platform.machine(), processor)))
    return Environment(versions=versions, commit=_commit(), machine=machine, cores=usable_cores())


def usable_cores() -> int:
    """Processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor_name() -> str:
    """The name of the processor; empty where it is unknown."""
    return of_processor("model name") or platform.processor()


def _commit() -> str:
    source = Path(noughts.__file__).parent

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(source), *words],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        return done.stdout.strip()

    try:
        # An installed copy may be inside another repository: only our own checkout counts.
        if Path(git("rev-parse", "--show-toplevel")) / "src" / "noughts" != source:
            return ""
        return git("rev-parse", "HEAD") + ("+changes" if git("status", "--porcelain", "--", ".") else "")
    except (OSError, subprocess.SubprocessError):
        return ""
