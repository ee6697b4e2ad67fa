"""The types that the page is checked against are those of the server."""

from tests.web.api_types import PATH, types


def test_the_pages_types_are_those_that_the_api_has_now() -> None:
    assert PATH.read_text(encoding="utf-8") == types(), "write them anew: uv run python -m tests.web.api_types"
