"""The cache folder for compiled JAX programs, so that later processes need not compile again.

It takes seconds to compile a search or a training step, and each worker of a study needs dozens of them.
"""

from pathlib import Path
from typing import Any

import jax
import platformdirs

from noughts.machine.arithmetic import chosen_threads, instruction_sets
from noughts.machine.environment import usable_cores


def keep_programs() -> None:
    """Save compiled programs in the user's cache folder, unless JAX has another one (JAX_COMPILATION_CACHE_DIR).

    A program that cannot be written or read there is compiled as usual. JAX names each by a hash of the program,
    of its options and of the machine.
    """
    config: Any = jax.config  # its published type leaves out its options
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(programs_folder()))
        config.update("jax_persistent_cache_min_compile_time_secs", 0)  # training starts with about thirty small ones


def programs_folder() -> Path:
    """The cache folder, which need not exist.

    It is another one for each processor, number of usable cores, and number of threads (NPROC, which XLA reads), for which XLA
    compiles. JAX's names do not distinguish them, so a program compiled for one core would change the last bits of a training
    on two, depending on what ran before.
    """
    told = getattr(jax.config, "jax_compilation_cache_dir", None)
    own = Path(platformdirs.user_cache_dir("noughts", appauthor=False)) / "programs"
    return Path(told or own / "-".join([f"{usable_cores()}-cores", *chosen_threads(), instruction_sets()]))
