"""How a package names what it offers, and loads none of it before it is used."""

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_OFFERED = re.compile(r"^ *from (\S+) import (\w+) as \2$", re.MULTILINE)


def offer(package: str, names: str = "__init__.py") -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package that offers some names.

    Type checkers are told them by lines such as ``from noughts.rules.text import parse_rules as parse_rules``, which are not
    executed. The same lines are read here.

    Args:
        package: Its name.
        names: The file in its folder that has these lines.
    """
    text = Path(str(sys.modules[package].__file__)).with_name(names).read_text("utf-8")
    homes = {name: module for module, name in _OFFERED.findall(text)}
    listed = sorted(homes)

    def load(name: str) -> Any:
        """What is offered under a name, loaded when it is first asked for."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def names_there() -> list[str]:
        """Everything that is offered, also what is not loaded yet, and packages within; not what the package uses itself."""
        own = {
            name
            for name, found in vars(sys.modules[package]).items()
            if name.startswith("__") or getattr(found, "__name__", "") == f"{package}.{name}"
        }
        return sorted({*own, *listed})

    return load, names_there, listed
