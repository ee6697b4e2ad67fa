"""The devices that training runs on: every GPU there is, or the cores of a CPU as devices of their own.

XLA on a CPU gains little from more cores on networks as small as ours, but it runs programs on several devices side by
side. So each core becomes a device, and one sharded program serves them all; the same program serves several GPUs.
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
    """Make devices of a CPU's cores, and keep the memory that learning frees. Call it before anything is computed with JAX; afterwards it changes nothing.

    Args:
        devices: How many; None for one for each core that this process may use.

    Raises:
        NoughtsError: the number is not positive.
    """
    if devices is not None and not 1 <= devices <= 1024:
        raise NoughtsError(f"devices={devices} is not allowed: give a whole number from 1 to 1024")
    keep_freed_memory()
    try:
        jax.config.update("jax_num_cpu_devices", devices or usable_cores())  # type: ignore[no-untyped-call]
    except RuntimeError:  # JAX has begun: what there is must do
        return


def mesh_for(*counts: int) -> Mesh:
    """A mesh of as many devices as divide all of `counts`, such as the games played at once and a batch."""
    devices: Sequence[jax.Device] = jax.devices()
    number = max(n for n in range(1, len(devices) + 1) if all(count % n == 0 for count in counts))
    return Mesh(np.array(devices[:number]), (GAMES,))


def split(mesh: Mesh) -> NamedSharding:
    """For arrays whose leading axis is shared out."""
    return NamedSharding(mesh, PartitionSpec(GAMES))  # type: ignore[no-untyped-call]


def everywhere(mesh: Mesh) -> NamedSharding:
    """For what every device has whole."""
    return NamedSharding(mesh, PartitionSpec())  # type: ignore[no-untyped-call]
