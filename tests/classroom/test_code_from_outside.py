"""No code from outside is run for pupils."""

from pathlib import Path

import pytest

from tests.classroom.classes import school
from tests.web.test_code_from_outside import make_code, require_refused


@pytest.mark.anyio
@pytest.mark.heavy
async def test_a_pupil_s_requests_run_none(tmp_path: Path) -> None:
    file = make_code(tmp_path)

    async with school(file.parent / "store") as here:
        pupil = await here.join("Ada")
        await require_refused(pupil.client, file, in_class=True)
