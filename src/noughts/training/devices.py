"""The devices for training: all GPUs, or the cores of a CPU as one device each.

On a CPU, more cores hardly speed up a single XLA program with networks as small as ours, but XLA runs programs on several
devices in parallel. So each core becomes a device, and one sharded program uses them all; it works with several GPUs, too.
"""

from collections.abc import Sequence

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from noughts.machine.environment import usable_cores
from noughts.machine.memory import keep_freed_memory
from noughts.rules import NoughtsError

GAMES = "games"
"""The axis of a mesh: games in self-play, samples in learning."""


def prepare(devices: int | None = None) -> None:
    """Make a device of each CPU core, and keep freed memory for reuse. Once JAX computes, its devices are fixed.

    Args:
        devices: The number of devices; None for one per core that this process may use.

    Raises:
        NoughtsError: the number is not positive, or JAX computes already, on fewer devices.
    """
    if devices is not None and not 1 <= devices <= 1024:
        raise NoughtsError(f"devices={devices} is not allowed: give a whole number from 1 to 1024")
    keep_freed_memory()
    try:
        jax.config.update("jax_num_cpu_devices", devices or usable_cores())  # type: ignore[no-untyped-call]
    except RuntimeError:  # JAX is initialised already: use the devices that exist
        if devices is not None and devices > jax.device_count():
            raise NoughtsError(
                f"devices={devices} is not possible: this process computes on {jax.device_count()} already. "
                "Give fewer, or train in a new process"
            ) from None


def mesh_for(*counts: int, at_most: int | None = None) -> Mesh:
    """A mesh of the most devices, up to `at_most`, whose number divides all of `counts`, such as parallel games and batch size."""
    devices: Sequence[jax.Device] = jax.devices()[:at_most]
    number = max(n for n in range(1, len(devices) + 1) if all(count % n == 0 for count in counts))
    return Mesh(np.array(devices[:number]), (GAMES,))


def split(mesh: Mesh) -> NamedSharding:
    """The sharding of arrays whose leading axis is split over the devices."""
    return NamedSharding(mesh, PartitionSpec(GAMES))  # type: ignore[no-untyped-call]


def everywhere(mesh: Mesh) -> NamedSharding:
    """The sharding of arrays that every device has in full."""
    return NamedSharding(mesh, PartitionSpec())  # type: ignore[no-untyped-call]
