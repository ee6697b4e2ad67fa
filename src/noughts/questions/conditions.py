"""The conditions of a sweep: every combination of settings, or a random sample of them."""

import itertools
import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator

from noughts.positions import Rng, derive_seed
from noughts.rules import NoughtsError, Value

Setting = Mapping[str, Any]
"""Values by the keys of `noughts train --set`."""


class Range(Value):
    """The numbers from `low` to `high`, both included; only whole numbers if both ends are whole.

    Attributes:
        low, high: The ends.
        log: Whether to draw uniformly on a logarithmic scale.
    """

    called: ClassVar = "range"
    allowed: ClassVar = {"low": "a number", "high": "a number"}

    low: int | float
    high: int | float
    log: bool = False

    @field_validator("low", "high", mode="before")
    @classmethod
    def _is_a_number(cls, given: Any) -> Any:
        if type(given) not in (int, float):
            raise ValueError(f"{given!r} is not allowed: a number")
        return given

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"low={self.low:g} is not below high={self.high:g}")
        if self.log and self.low <= 0:
            raise ValueError(f"low={self.low:g} has no logarithm: give a number above 0, or log = false")
        return self

    @property
    def whole(self) -> bool:
        """Whether only whole numbers count."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, share: float) -> int | float:
        """The number at a fraction of the way, from 0 to below 1."""
        low, high = float(self.low), float(self.high)
        if self.whole:  # each number has an interval of its own
            low, high = low - 0.5, high + 0.5
        if self.log:
            found = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            found = low + share * (high - low)
        return min(max(round(found), int(self.low)), int(self.high)) if self.whole else found


Choices = tuple[Any, ...] | Range
"""The possible values of a setting: a list, or a range of numbers."""


def grid(space: Mapping[str, Choices]) -> list[dict[str, Any]]:
    """Every combination of the values; NoughtsError if a setting is a range, which has no list of values."""
    for key, choices in space.items():
        if isinstance(choices, Range):
            raise NoughtsError(f'settings.{key} is a range: a grid needs a list of values; or write choose = "random"')
    listed = [choices for choices in space.values() if not isinstance(choices, Range)]
    return [dict(zip(space, values, strict=True)) for values in itertools.product(*listed)]


def drawn(space: Mapping[str, Choices], count: int, seed: int) -> list[dict[str, Any]]:
    """Draw `count` random settings; repeats are dropped. Equal seeds give equal settings, and a larger count adds more."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for number in range(count):
        rng = Rng(derive_seed(seed, "settings", number))
        setting = {key: _draw(choices, rng) for key, choices in space.items()}
        found.setdefault(tuple(map(repr, setting.values())), setting)
    return list(found.values())


def _draw(choices: Choices, rng: Rng) -> Any:
    if isinstance(choices, Range):
        return choices.at(rng.random())
    return choices[rng.below(len(choices))]


def write_setting(value: Any) -> str:
    """Format a value for people."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def nested(setting: Setting) -> dict[str, Any]:
    """The setting with each dotted key as nested fields.

    Raises:
        NoughtsError: a key is given twice, or is a part of another.
    """
    found: dict[str, Any] = {}
    for key, value in setting.items():
        inside = found
        *path, last = key.split(".")
        for name in path:
            inside = inside.setdefault(name, {})
            if not isinstance(inside, dict):
                raise NoughtsError(f"settings {key} and {name} cannot both be given: one is a part of the other")
        if last in inside:
            raise NoughtsError(f"{key} is given twice, by itself and as a part of another setting: give it once")
        inside[last] = deepcopy(dict(value)) if isinstance(value, Mapping) else value
    return found


def keys_of(settings: Sequence[Setting]) -> tuple[str, ...]:
    """The keys of some settings, in the order of first occurrence."""
    return tuple(dict.fromkeys(key for setting in settings for key in setting))
