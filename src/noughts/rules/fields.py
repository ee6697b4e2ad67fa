"""What the fields of a `Value` are, for people: key, default, what is allowed and what it means.

Meanings are read from the section "Attributes" of the classes' docstrings, so that they are written once.
"""

import inspect
import re
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from noughts.rules.value import Value

_ENTRY = re.compile(r"(\w+(?:, \w+)*): (.*)")


class FieldHelp(NamedTuple):
    """One field.

    Attributes:
        key: Its name; of a field of a nested value with the names of those that hold it before it, joined by dots.
        default: Its default as a JSON value; None also stands for "not given".
        required: Whether it has no default.
        allowed: What may be given, in words.
        meaning: What it is, in words.
    """

    key: str
    default: Any
    required: bool
    allowed: str
    meaning: str


def fields_of(kind: type[Value], before: str = "") -> list[FieldHelp]:
    """Every field of a value, those of nested values in their place.

    Args:
        kind: The value's class.
        before: What stands before each key.
    """
    meanings, found = meanings_of(kind), list[FieldHelp]()
    for name, field in kind.model_fields.items():
        nested = field.annotation
        if isinstance(nested, type) and issubclass(nested, Value):
            found += _with_defaults(fields_of(nested, f"{before}{name}."), field.default, f"{before}{name}.")
        else:
            default = None if field.is_required() else _plain(field.get_default(call_default_factory=True))
            meaning = meanings.get(name, "")
            found.append(FieldHelp(before + name, default, field.is_required(), kind.allows(name), meaning))
    return found


def meanings_of(kind: type) -> Mapping[str, str]:
    """The entries on attributes in a class's docstring, by name; those of its bases too."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _attributes(inspect.cleandoc(base.__dict__.get("__doc__") or ""))
    return found


def _attributes(text: str) -> dict[str, str]:
    """By name: an entry is ``name, other: text``, its further lines deeper than its first."""
    section = re.search(r"^Attributes:\n((?:[ \t]+.*\n?|\n)+)", text, re.MULTILINE)
    if section is None:
        return {}
    entries: list[tuple[str, str]] = []
    for line in inspect.cleandoc("\n" + section[1]).splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is not None:
            entries.append((entry[1], entry[2]))
        elif entries:
            names, said = entries.pop()
            entries.append((names, f"{said} {line.strip()}".rstrip()))
    return {name: said.replace("``", "").replace("`", "") for names, said in entries for name in names.split(", ")}


def _with_defaults(fields: list[FieldHelp], default: object, before: str) -> list[FieldHelp]:
    """The fields of a nested value, with the defaults of the value that stands there unless another is given."""
    if not isinstance(default, Value):
        return fields
    return [
        field._replace(default=_plain(attrgetter(field.key.removeprefix(before))(default)), required=False)
        for field in fields
    ]


def _plain(value: object) -> Any:
    """A default as JSON has it."""
    return list(value) if isinstance(value, tuple) else value
