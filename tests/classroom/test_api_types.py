"""The types that check the class's part of the page equal the server's."""

from tests.classroom.api_types import PATH, class_types


def test_the_generated_types_match_the_api() -> None:
    assert PATH.read_text(encoding="utf-8") == class_types(), "write them: uv run python -m tests.classroom.api_types"
