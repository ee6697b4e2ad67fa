"""`UntilProved`: training ends when no reply beats the agent, with the side, simulations and repetitions of the proof."""

from typing import Literal, Self

from pydantic import Field

from noughts.positions import Side
from noughts.rules import NoughtsError, Value

_PROVED = "proved"
FORM = "proved[:sims=N|:raw][,as=first|second|both][,stable=N]"
DEFAULT_SIMULATIONS = 32
Seat = Literal["first", "second", "both"]


class UntilProved(Value):
    """When a proof ends training.

    Attributes:
        sims: Simulations of each move of the agent that is proved; 0 for the network's policy alone. Agents that do not search,
            such as evolved ones, have none.
        seat: Which player the agent must be proved as.
        stable: The number of measurements in a row at which the agent must be proved.
    """

    called = "until"

    sims: int = Field(default=DEFAULT_SIMULATIONS, ge=0, le=100_000)
    seat: Seat = Field(default="both", validation_alias="as")
    stable: int = Field(default=1, ge=1, le=1000)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a text such as ``proved:raw,as=first``; NoughtsError if it is malformed."""
        name, _, rest = text.partition(":" if text.startswith(f"{_PROVED}:") else ",")
        fields, is_known = dict[str, str](), name == _PROVED
        for part in filter(None, rest.split(",")):
            key, equals, value = ("sims", "=", "0") if part == "raw" else part.partition("=")
            is_known &= key in cls._given_names() and key not in fields and equals == "="
            fields[key] = value
        if not is_known:
            raise NoughtsError(f"until={text!r} is not allowed: write {FORM}")
        return cls.model_validate_strings(fields)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        how = "raw" if self.sims == 0 else f"sims={self.sims}"
        return f"{_PROVED}:{how},as={self.seat},stable={self.stable}"

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that the agent must be proved on."""
        return {"first": (Side.FIRST,), "second": (Side.SECOND,)}.get(self.seat, (Side.FIRST, Side.SECOND))
