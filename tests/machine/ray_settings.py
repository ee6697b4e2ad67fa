"""Ray with our settings for tests. Ray reads them at its first import, so all tests import it from here."""

from typing import Any

import pytest

from noughts.machine.ray_cluster import quiet_ray
from noughts.rules.errors import MissingLibraryError


def ray_or_skip() -> Any:
    try:
        return quiet_ray()
    except MissingLibraryError as error:
        pytest.skip(str(error))
