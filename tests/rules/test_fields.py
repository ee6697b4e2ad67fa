"""Every field of what people configure says what it is, what it allows and what it is by default."""

from typing import ClassVar, Literal

import pytest

from noughts.networks.spec import NETWORKS
from noughts.rules import Value
from noughts.rules.fields import FieldHelp, fields_of, meanings_of
from noughts.training.registry import METHODS


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


@pytest.mark.parametrize("kind", [*METHODS.values(), *NETWORKS.values()], ids=[*METHODS, *NETWORKS])
def test_nothing_that_can_be_set_is_without_a_meaning(kind: object) -> None:
    values: type[Value] = getattr(kind, "config", None) or kind.options  # type: ignore[attr-defined]
    fields = fields_of(values)
    assert len(fields) >= 5
    assert [field.key for field in fields if not field.meaning or field.allowed.startswith("see")] == []
