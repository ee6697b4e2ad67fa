"""Where the machine code of JAX programs is kept, so that the next process, and the next day, need not compile again.

To compile a search or a step of learning takes seconds, and a study asks for dozens of them in each of its workers.
"""

from pathlib import Path
from typing import Any

import jax
import platformdirs


def keep_programs() -> None:
    """Keep compiled programs in the user's cache folder, unless JAX was told of another place (JAX_COMPILATION_CACHE_DIR).

    What cannot be written or read there is compiled as if there were none. JAX names each by a hash of the program,
    of its options and of the machine.
    """
    config: Any = jax.config  # its published type leaves out its options
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(programs_folder()))
        config.update("jax_persistent_cache_min_compile_time_secs", 0)  # a training begins with some thirty small ones


def programs_folder() -> Path:
    """Where they are kept; it need not exist."""
    told = getattr(jax.config, "jax_compilation_cache_dir", None)
    return Path(told or Path(platformdirs.user_cache_dir("noughts", appauthor=False)) / "programs")
