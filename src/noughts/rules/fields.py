"""Descriptions of the fields of a `Value`: key, default, allowed values and meaning.

Meanings come from the section "Attributes" of the classes' docstrings, so that each is written only once.
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
        key: Its name; for a field of a nested value, the names of the enclosing fields come first, joined by dots.
        default: Its default as a JSON value; None also stands for "not given".
        required: Whether it has no default.
        allowed: A description of the allowed values.
        meaning: A description of the field.
    """

    key: str
    default: Any
    required: bool
    allowed: str
    meaning: str


def fields_of(kind: type[Value], before: str = "") -> list[FieldHelp]:
    """List every field of a value, with the fields of nested values in their place.

    Args:
        kind: The value's class.
        before: A prefix for each key.
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
    """Parse descriptions by name: an entry is ``name, other: text``; later lines are indented deeper than the first."""
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
    """The fields of a nested value, with defaults from the enclosing field's default value."""
    if not isinstance(default, Value):
        return fields
    return [
        field._replace(default=_plain(attrgetter(field.key.removeprefix(before))(default)), required=False)
        for field in fields
    ]


def _plain(value: object) -> Any:
    """A default as a JSON value."""
    return list(value) if isinstance(value, tuple) else value
