"""The fields of a value, told: key, default, what is allowed, and the meaning that the docstring gives."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from noughts.rules import Value
from noughts.rules.fields import FieldHelp, allowed_by, fields_of, meanings_of


class Inner(Value):
    """What is inside.

    Attributes:
        depth, width: How far it goes,
            in two lines.
    """

    depth: int = 3
    width: float = 0.5


class Outer(Value):
    """What holds it.

    Attributes:
        inner: What is inside.
        kind: Which ``one`` it is.
        named: Whom.

    And a last word: not a field.
    """

    allowed: ClassVar = {"named": "a name"}

    named: str
    kind: Literal["a", "b", "c"] = "b"
    open: bool = False
    inner: Inner = Inner(depth=5)


def test_fields_are_told_with_those_of_nested_values() -> None:
    assert fields_of(Outer) == [
        FieldHelp("named", None, True, "a name", "Whom."),
        FieldHelp("kind", "b", False, "a, b or c", "Which one it is."),
        FieldHelp("open", False, False, "true or false", ""),
        FieldHelp("inner.depth", 5, False, "a whole number", "How far it goes, in two lines."),
        FieldHelp("inner.width", 0.5, False, "a number", "How far it goes, in two lines."),
    ]


def test_a_default_that_is_made_is_told_as_it_comes_out() -> None:
    class Made(Value):
        widths: tuple[int, ...] = Field(default_factory=lambda: (8, 4))

    (field,) = fields_of(Made)
    assert field.default == [8, 4]


def test_a_class_without_such_a_section_means_nothing() -> None:
    assert meanings_of(int) == {}


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (bool, "true or false"),
        (str, "text"),
        (int, "a whole number"),
        (float, "a number"),
        (Path, "a path"),
        (Literal["own", "shared"], "own or shared"),
        (Literal["a", "b", 3], "a, b or 3"),
        (int | float, "a whole number or a number"),
        (int | None, "a whole number or none"),
        (list[int], "see its meaning"),
    ],
)
def test_what_a_type_allows_is_said_in_words(annotation: Any, words: str) -> None:
    assert allowed_by(annotation) == words
