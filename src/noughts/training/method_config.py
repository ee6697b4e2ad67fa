"""`MethodConfig`: what the configs of every method begin with, one's own too."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, field_validator, model_validator

from noughts.rules import NoughtsError, Value, format_task, parse_task
from noughts.rules.text import unknown
from noughts.training.schedule import Schedule

Presets = Mapping[str, Mapping[str, Any]]
"""By name, the fields that differ from the default."""


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
        """The configuration of a name, with some fields of one's own.

        Raises:
            NoughtsError: there is no such preset, or a field is impossible.
        """
        if name not in cls.presets:
            raise NoughtsError(unknown("preset", name, cls.presets))
        return cls(**{**cls.presets[name], **fields})


def canonical(text: str) -> str:
    """A task as `format_task` writes it; "" for none."""
    return format_task(parse_task(text)) if text.strip() else ""
