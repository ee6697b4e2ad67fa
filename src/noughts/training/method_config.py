"""`MethodConfig`: what the configs of a method of one's own begin with."""

from typing import Any, ClassVar, Self

from pydantic import Field, field_validator

from noughts.rules import NoughtsError, Value, format_task, parse_task
from noughts.training.presets import Presets, from_preset
from noughts.training.schedule import Schedule


class MethodConfig(Value):
    """A run of some method. A subclass adds the fields of its own.

    Attributes:
        task: What is played, as text.
        seed: Everything random derives from it.
        schedule: Until when, and how often it is measured and saved.
        presets: Configurations that go by a name: for each, the fields that differ from the default.
    """

    error_type: ClassVar = NoughtsError
    called: ClassVar = "configuration"
    allowed: ClassVar = {"seed": "a whole number from 0 to 2^63 - 1"}
    presets: ClassVar[Presets] = {}

    task: str
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    schedule: Schedule = Schedule(minutes=10)

    @field_validator("task")
    @classmethod
    def _canonical_task(cls, text: str) -> str:
        return format_task(parse_task(text))

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Self:
        """See `from_preset`."""
        return from_preset(cls, cls.presets, name, fields)
