"""Describes what a field allows, from its type and from the bounds that pydantic checks."""

import math
import types
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_UNKNOWN = "see its meaning"
_WORDS = {bool: "true or false", str: "text", int: "a whole number", float: "a number", Path: "a path"}
_POWERS_FROM = 10**6  # print greater powers of ten as powers
_MOST_SIGNED = (1 << 63) - 1


def allowed_by(annotation: Any, bounds: Sequence[Any] = ()) -> str:
    """Describe the values that a type allows.

    Args:
        annotation: The type. For a number with bounds, the description leaves out None.
        bounds: A pydantic field's `metadata`, such as its ``ge`` and ``le``.
    """
    origin, members = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return _either(list(map(str, members)))
    if origin in (typing.Union, types.UnionType):
        others = [allowed_by(member, bounds) for member in members if member is not types.NoneType]
        return _either([*others, "none"] if types.NoneType in members and not bounds else others)
    words = _WORDS.get(annotation, _UNKNOWN)
    if any(getattr(bound, "allow_inf_nan", None) is False for bound in bounds):
        words = words.replace("a number", "a finite number")
    return words + _between(annotation, bounds) if annotation in (int, float) else words


def is_told(annotation: Any, bounds: Sequence[Any]) -> bool:
    """Whether `allowed_by` describes all that a field checks: true of choices and of numbers with bounds."""
    members = [member for member in typing.get_args(annotation) if member is not types.NoneType] or [annotation]
    if typing.get_origin(annotation) is typing.Literal:
        return len(members) > 1 and "" not in members
    numbers = all(member in (int, float) for member in members) and bool(_between(members[0], bounds))
    return numbers or annotation is bool


def _between(kind: type, bounds: Sequence[Any]) -> str:
    """Describe the bounds of a number, to follow "a number"."""
    least, most, above, below = (
        next((value for bound in bounds if (value := getattr(bound, name, None)) is not None), None)
        for name in ("ge", "le", "gt", "lt")
    )
    if kind is int and below is not None:
        most, below = below - 1, None
    words = "" if least is None else f" from {_number(least)}"
    words += "" if above is None else f" above {_number(above)}"
    if most is not None:
        return f"{words} to {_number(most)}" if above is None else f"{words} and up to {_number(most)}"
    if below is not None:
        return f"{words} and below {_number(below)}"
    return f"{words} on" if least is not None else words


def _number(value: float) -> str:
    if value >= _POWERS_FROM and value == float(10 ** round(math.log10(value))):
        return f"10^{round(math.log10(value))}"
    return "2^63 - 1" if value == _MOST_SIGNED else str(value)


def _either(words: list[str]) -> str:
    """Join alternatives with commas and "or"."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
