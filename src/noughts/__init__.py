"""noughts: learn k-in-a-row games from nothing, and measure the result against exact truth.

The public functions, for example ``noughts.solve_many``, are in this package and are loaded when they are first used, so
importing it takes no time. ``__init__.pyi`` lists them, and most are defined in `noughts.library`.
"""

import sys

from noughts.offering import offer

if sys.modules.get("gymnasium"):  # `gymnasium.make("noughts:noughts/mnk-v0")` imports this package to find the name
    import noughts.registration  # noqa: F401

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = offer(__name__, "__init__.pyi")
