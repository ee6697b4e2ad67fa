"""noughts: learn k-in-a-row games from nothing, and measure what was learned against exact truth.

What a program or a notebook needs is offered here, ``noughts.solve_many`` for one, and loaded when it is first used: to
import this package takes no time. It is listed in ``__init__.pyi``, and most of it is in `noughts.library`.
"""

import importlib
import sys

from noughts.offering import offer
from noughts.showing import Form, shown_by

if sys.modules.get("gymnasium"):  # `gymnasium.make("noughts:noughts/mnk-v0")` imports this package to find the name
    import noughts.registration  # noqa: F401

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = offer(__name__, "__init__.pyi")


def _show(value: object, form: Form) -> str | None:
    """Show a value by what draws here, which is loaded now."""
    found: str | None = importlib.import_module("noughts.library.display").show(value, form)
    return found


shown_by(_show)
