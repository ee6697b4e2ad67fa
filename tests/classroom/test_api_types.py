"""The types of the class's API for its part of the page. Generate them with ``uv run python -m tests.classroom.test_api_types``."""

from noughts.classroom.opening import STATIC, class_app
from tests.web.api_types import types

PATH = STATIC / "api-types.d.ts"


def class_types() -> str:
    return types(class_app("127.0.0.1", None, "http://127.0.0.1:8400/"), "/api/class")


def test_the_generated_types_match_the_api() -> None:
    assert PATH.read_text(encoding="utf-8") == class_types(), "run python -m tests.classroom.test_api_types"


if __name__ == "__main__":
    PATH.write_text(class_types(), encoding="utf-8")
