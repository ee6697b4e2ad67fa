"""`Value`: the base of all values in files and between processes: frozen, checked once, converted to and from JSON."""

from typing import Any, ClassVar, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError

from noughts.rules.allowed import allowed_by, is_told
from noughts.rules.errors import NoughtsError, shortened
from noughts.showing import Shown

_SHOWN = 200  # characters of a value in an error


class Value(Shown, BaseModel):
    """A frozen pydantic model whose errors are one line.

    Attributes:
        error_type: The error raised for wrong fields.
        called: What to call the value in that error, e.g. "rules"; the name of the class unless given.
        allowed: What fields allow, in words, where their types and bounds do not show it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    error_type: ClassVar[type[NoughtsError]] = NoughtsError
    called: ClassVar[str] = ""
    allowed: ClassVar[dict[str, str]] = {}

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise self.error_type(self._explain(error)) from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parse the output of `to_json`; raise `error_type` if it is not JSON or not such a value."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise cls.error_type(cls._explain(error)) from None

    def to_json(self) -> str:
        """Return one JSON object with every field."""
        return self.model_dump_json()

    @classmethod
    def allows(cls, name: str) -> str:
        """Describe the values that a field allows."""
        field = cls.model_fields[name]
        return cls.allowed.get(name) or allowed_by(field.annotation, field.metadata)

    @classmethod
    def _told(cls, name: str) -> str:
        """What a field allows, which may be named by its alias; "" where pydantic's own reason is better."""
        if name in cls.allowed:
            return cls.allowed[name]
        field = dict(zip(cls._given_names(), cls.model_fields.values(), strict=True)).get(name)
        if field is None or not is_told(field.annotation, field.metadata):
            return ""
        return allowed_by(field.annotation, field.metadata)

    @classmethod
    def _explain(cls, error: ValidationError) -> str:
        """Return one line for all errors that pydantic found: field, value, what is allowed."""
        from noughts.rules.text import unknown  # it imports this module

        reasons = []
        called = cls.called or cls.__name__
        for found in error.errors(include_url=False):
            field = ".".join(str(part) for part in found["loc"])
            reason = str(found["msg"]).removeprefix("Value error, ").removeprefix(f"impossible {called}: ")
            allowed = cls._told(field)
            if found["type"] == "missing":
                reasons.append(f"{field} is missing" + (f": give {allowed}" if allowed else ""))
            elif found["type"] == "extra_forbidden":
                reasons.append(unknown("field", field, cls._given_names()))
            elif found["type"] == "json_invalid":
                reasons.append(f"not JSON: {reason.removeprefix('Invalid JSON: ')}")
            elif found["type"] == "value_error":
                reasons.append(f"{field}: {reason}" if field else reason)
            else:
                value = shortened(repr(found["input"]), _SHOWN)
                given = f"{field}={value}" if field else value
                reasons.append(f"{given} is not allowed: {allowed or reason}")
        return f"impossible {called}: " + "; ".join(reasons)

    @classmethod
    def _given_names(cls) -> list[str]:
        """The input names of the fields: the first alias of each that has one."""
        names = []
        for name, field in cls.model_fields.items():
            alias = field.validation_alias
            first = alias.choices[0] if isinstance(alias, AliasChoices) else alias
            names.append(first if isinstance(first, str) else name)
        return names
