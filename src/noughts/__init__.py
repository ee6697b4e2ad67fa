"""noughts: learn k-in-a-row games from nothing, and measure what was learned against exact truth."""

import sys

if sys.modules.get("gymnasium"):  # `gymnasium.make("noughts:noughts/mnk-v0")` imports this package to find the name
    import noughts.registration  # noqa: F401

__version__ = "0.1.0"
