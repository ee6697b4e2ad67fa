"""The fields of a value: key, default, allowed values, and the meaning from the docstring."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from noughts.rules import NoughtsError, Value
from noughts.rules.allowed import allowed_by
from noughts.rules.fields import FieldHelp, fields_of, meanings_of


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


def test_fields_are_listed_with_those_of_nested_values() -> None:
    assert fields_of(Outer) == [
        FieldHelp("named", None, True, "a name", "Whom."),
        FieldHelp("kind", "b", False, "a, b or c", "Which one it is."),
        FieldHelp("open", False, False, "true or false", ""),
        FieldHelp("inner.depth", 5, False, "a whole number", "How far it goes, in two lines."),
        FieldHelp("inner.width", 0.5, False, "a number", "How far it goes, in two lines."),
    ]


def test_the_default_of_a_factory_is_its_value() -> None:
    class Made(Value):
        widths: tuple[int, ...] = Field(default_factory=lambda: (8, 4))

    (field,) = fields_of(Made)
    assert field.default == [8, 4]


def test_a_class_without_an_attributes_section_has_no_meanings() -> None:
    assert meanings_of(int) == {}


@pytest.mark.parametrize(
    ("annotation", "bounds", "words"),
    [
        (bool, Field(), "true or false"),
        (str, Field(), "text"),
        (int, Field(), "a whole number"),
        (float, Field(), "a number"),
        (Path, Field(), "a path"),
        (Literal["own", "shared"], Field(), "own or shared"),
        (Literal["a", "b", 3], Field(), "a, b or 3"),
        (int | float, Field(), "a whole number or a number"),
        (int | None, Field(), "a whole number or none"),
        (list[int], Field(), "see its meaning"),
        (int, Field(ge=1, le=512), "a whole number from 1 to 512"),
        (int, Field(ge=0, lt=1 << 63), "a whole number from 0 to 2^63 - 1"),
        (int | None, Field(ge=1, le=10**7), "a whole number from 1 to 10^7"),
        (float, Field(gt=0, le=10), "a number above 0 and up to 10"),
        (float, Field(ge=0.5, lt=1), "a number from 0.5 and below 1"),
        (float, Field(gt=0, allow_inf_nan=False), "a finite number above 0"),
        (float, Field(ge=1, le=1e30), "a number from 1 to 10^30"),
        (int, Field(ge=1), "a whole number from 1 on"),
    ],
)
def test_types_and_bounds_are_described_in_words(annotation: Any, bounds: Any, words: str) -> None:
    assert allowed_by(annotation, bounds.metadata) == words


def test_an_error_gives_the_bounds_of_the_field() -> None:
    class Bounded(Value):
        width: int = Field(default=1, ge=1, le=4)
        kind: Literal["a", "b"] = "a"
        text: str = ""

    with pytest.raises(NoughtsError, match=r"^impossible Bounded: width=5 is not allowed: a whole number from 1 to 4$"):
        Bounded(width=5)
    with pytest.raises(NoughtsError, match=r"kind='c' is not allowed: a or b$"):
        Bounded(kind="c")
    with pytest.raises(NoughtsError, match=r"text=1 is not allowed: Input should be a valid string$"):
        Bounded(text=1)
