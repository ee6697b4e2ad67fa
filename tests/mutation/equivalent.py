"""Mutants that no test can tell from the code: each with the reason."""

import tomllib
from pathlib import Path

from tests.mutation.mutants import Mutant

FILE = Path(__file__).with_name("equivalent.toml")


def equivalents(file: Path = FILE) -> dict[tuple[str, str, str], str]:
    """The reason for each mutant that is equivalent, by its path and its lines before and after."""
    entries = tomllib.loads(file.read_text()).get("mutant", [])
    return {(entry["path"], entry["line"], entry["instead"]): entry["reason"] for entry in entries}


def key(mutant: Mutant, source: str) -> tuple[str, str, str]:
    """What `equivalents` knows a mutant by."""
    return (mutant.path, *mutant.lines(source))
