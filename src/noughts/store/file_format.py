"""`FileFormat`: the version of a kind of file, and the rules for files of other versions.

Every kind of file that noughts reads again has one, as a constant of the module that writes it. A page of the documentation
lists them. These rules apply to all of them:

- A file contains its version. One without a version has version 1.
- Each change of a kind of file gives it the next number, even a new field, because older programs would reject or misread it.
- noughts reads every older version, unless the module names the oldest one.
- noughts rejects a newer version with one line. It reads nothing of it, and does not treat it as damaged.

So the places of the version and of the hash, if there is one, are the same in all versions.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import pydantic_core

from noughts.rules.errors import NoughtsError, StoreError, shortened
from noughts.rules.value import Value


class NewerFormatError(StoreError):
    """A file that a newer noughts wrote."""


@dataclass(frozen=True)
class FileFormat:
    """A kind of file.

    Attributes:
        name: A description for people.
        version: The version that is written now.
        oldest: The oldest version that can be read.
        where: The place of the version in a file.
    """

    name: str
    version: int
    oldest: int = 1
    where: str = "`format`"

    def read(self, found: object, error_type: type[NoughtsError] = NewerFormatError) -> int:
        """Validate and return the version found in a file; None is version 1.

        Raises:
            error_type: this noughts does not read that version.
        """
        version = 1 if found is None else found
        if type(version) is not int or version < self.oldest:
            raise error_type(f"it is of version {shortened(repr(version), 40)}, and there are {self._versions}")
        if version > self.version:
            raise error_type(f"it is of version {version}, and this noughts reads {self._versions}: update noughts")
        return version

    def read_text(self, found: str | None) -> int:
        """The same for a version that is given as text."""
        return self.read(int(found) if found is not None and found.isascii() and found.isdecimal() else found)

    @property
    def _versions(self) -> str:
        return f"{self.oldest} to {self.version}" if self.oldest < self.version else f"{self.version}"


class VersionedValue(Value):
    """A value that is written as a file, or as a line of one. Its field `format` is the version.

    Attributes:
        file_format: The kind of file.
    """

    file_format: ClassVar[FileFormat]

    format: Literal[1] = 1

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parse the text of `to_json`. Raise `NewerFormatError` if a newer noughts wrote it; otherwise as in `Value`."""
        try:
            return super().from_json(text)
        except NoughtsError:
            cls.file_format.read(_format_in(text))
            raise


def _format_in(text: str | bytes) -> Any:
    """The field `format` of a JSON object; None if there is none."""
    try:
        found = pydantic_core.from_json(text)
    except ValueError:
        return None
    return found.get("format") if isinstance(found, dict) else None
