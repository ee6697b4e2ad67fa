"""Ray for tests: with our settings, which it reads at its first import, so no test imports it otherwise."""

from typing import Any

import pytest

from noughts.machine.ray_cluster import quiet_ray
from noughts.rules.errors import MissingLibraryError


def ray_or_skip() -> Any:
    try:
        return quiet_ray()
    except MissingLibraryError as error:
        pytest.skip(str(error))
