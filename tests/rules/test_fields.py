"""The fields of a value, told: key, default, what is allowed, and the meaning that the docstring gives."""

from typing import ClassVar, Literal

from noughts.rules import Value
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


def test_fields_are_told_with_those_of_nested_values() -> None:
    assert fields_of(Outer) == [
        FieldHelp("named", None, True, "a name", "Whom."),
        FieldHelp("kind", "b", False, "a, b or c", "Which one it is."),
        FieldHelp("open", False, False, "true or false", ""),
        FieldHelp("inner.depth", 5, False, "a whole number", "How far it goes, in two lines."),
        FieldHelp("inner.width", 0.5, False, "a number", "How far it goes, in two lines."),
    ]


def test_a_class_without_such_a_section_means_nothing() -> None:
    assert meanings_of(int) == {}
