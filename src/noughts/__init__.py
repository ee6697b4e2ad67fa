"""noughts: learn k-in-a-row games from nothing, and measure what was learned against exact truth."""

import sys

if (
    "gymnasium" in sys.modules
):  # so that `gymnasium.make("noughts:noughts/mnk-v0")`, which imports this package, finds it
    import noughts.bridges.registration  # noqa: F401

__version__ = "0.1.0"
