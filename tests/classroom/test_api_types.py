"""The types that the class's part of the page is checked against are those of the server."""

from tests.classroom.api_types import PATH, class_types


def test_the_types_are_those_that_the_api_has_now() -> None:
    assert PATH.read_text(encoding="utf-8") == class_types(), "write them: uv run python -m tests.classroom.api_types"
