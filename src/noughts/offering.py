"""How a package lists its public names without loading them before they are used."""

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_OFFERED = re.compile(r"^ *from (\S+) import (\w+) as \2$", re.MULTILINE)


def offer(package: str, names: str = "__init__.py") -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` for a package that loads its public names lazily.

    The names are in lines such as ``from noughts.rules.text import parse_rules as parse_rules``, which type checkers read
    and Python does not execute. This function reads the same lines.

    Args:
        package: Its name.
        names: The file in its folder that has these lines.
    """
    text = Path(str(sys.modules[package].__file__)).with_name(names).read_text("utf-8")
    homes = {name: module for module, name in _OFFERED.findall(text)}
    listed = sorted(homes)

    def load(name: str) -> Any:
        """Load a public name when it is first used."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def names_there() -> list[str]:
        """All public names, loaded or not, and subpackages; without the package's own imports."""
        own = {
            name
            for name, found in vars(sys.modules[package]).items()
            if name.startswith("__") or getattr(found, "__name__", "") == f"{package}.{name}"
        }
        return sorted({*own, *listed})

    return load, names_there, listed
