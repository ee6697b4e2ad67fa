"""Commands print, files hold and packages offer what they did, but for what a commit changes on purpose."""

import pytest

from tests.golden.transcript import FOLDER, is_heavy, names, run


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.heavy if is_heavy(name) else ()) for name in names()]
)
def test_it_is_what_would_be_written_now(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert run(name) == kept, f"if the change is meant: uv run python -m tests.golden {name}"
