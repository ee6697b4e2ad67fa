"""The types that check the page equal the server's."""

from tests.web.api_types import PATH, types


def test_the_generated_types_match_the_api() -> None:
    assert PATH.read_text(encoding="utf-8") == types(), "write them anew: uv run python -m tests.web.api_types"
