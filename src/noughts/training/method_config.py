"""`MethodConfig`: the base of the configs of all methods, including third-party ones."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, field_validator, model_validator

from noughts.rules import NoughtsError, Value, format_task, parse_task
from noughts.rules.text import unknown
from noughts.training.schedule import Schedule

Presets = Mapping[str, Mapping[str, Any]]
"""For each name, the fields that differ from the default."""


class MethodConfig(Value):
    """A run of some method. A subclass adds the fields of its own.

    Attributes:
        task: The game or games to learn, as text. Of several, one is drawn for each game that is played.
        seed: The random seed.
        schedule: Until when, and how often it is measured and saved.
        presets: Configurations that go by a name: for each, the fields that differ from the default.
        small_preset: The one of them with which ``noughts train`` learns small games if none is named.
    """

    error_type: ClassVar = NoughtsError
    called: ClassVar = "configuration"
    allowed: ClassVar = {
        "task": "a game or a set of games, such as tic-tac-toe, bttt(D4) or bttt(D3|D4)",
    }
    presets: ClassVar[Presets] = {}
    small_preset: ClassVar[str | None] = None

    task: str
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    schedule: Schedule = Schedule(minutes=10)

    @field_validator("task")
    @classmethod
    def _canonical_task(cls, text: str) -> str:
        return canonical(text)

    @model_validator(mode="after")
    def _says_what_is_played(self) -> Self:
        if not self.task:
            raise ValueError("task is missing: give a game or games, such as bttt(D4)")
        return self

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Self:
        """Return the configuration of a preset, with some fields replaced.

        Raises:
            NoughtsError: there is no such preset, or a field is invalid.
        """
        if name not in cls.presets:
            raise NoughtsError(unknown("preset", name, cls.presets))
        return cls(**{**cls.presets[name], **fields})


def canonical(text: str) -> str:
    """A task in the form of `format_task`; "" for an empty text."""
    return format_task(parse_task(text)) if text.strip() else ""
