"""How a package names what it offers, and loads none of it before it is used."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def offer(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package that offers these names.

    Args:
        package: Its name.
        names: What is offered, by the module where it is, in full.
    """
    homes = {name: module for module, some in names.items() for name in some}
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
