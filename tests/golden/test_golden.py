"""The output of commands, the content of files and the API of packages only change on purpose."""

import pytest

from tests.golden.studies import differences
from tests.golden.transcript import FOLDER, is_heavy, names, run


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.heavy if is_heavy(name) else ()) for name in names()]
)
def test_outputs_equal_the_golden_files(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert run(name) == kept, f"if the change is meant: uv run python -m tests.golden {name}"


def test_pages_of_studies_are_compared_by_the_numbers_in_their_tables() -> None:
    page = "# In 2026\n| game | ours | verdict |\n| --- | ---: | --- |\n| bttt(D4) | 1,234 of 5.5 | ✓ (1) |\n"
    assert differences(page, page.replace("verdict", "it holds").replace("2026", "2027")) == []
    assert differences(page, page.replace("5.5", "5.6")) == ["row 2: 4 1,234 5.5 1 -> 4 1,234 5.6 1"]
    assert differences(page, page + "| 7 |\n") == ["row 3: nothing -> 7"]
