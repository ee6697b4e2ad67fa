"""Configurations that go by a name."""

from collections.abc import Mapping
from typing import Any, TypeVar

from noughts.rules import NoughtsError
from noughts.rules.text import unknown

Config = TypeVar("Config")

Presets = Mapping[str, Mapping[str, Any]]
"""By name, the fields that differ from the default."""


def from_preset(config_type: type[Config], presets: Presets, name: str, fields: Mapping[str, Any]) -> Config:
    """The configuration of a name, with some fields of one's own.

    Raises:
        NoughtsError: there is no such preset, or a field is impossible.
    """
    if name not in presets:
        raise NoughtsError(unknown("preset", name, presets))
    return config_type(**{**presets[name], **fields})
