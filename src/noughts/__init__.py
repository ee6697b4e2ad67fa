"""noughts: learn k-in-a-row games from nothing, and measure what was learned against exact truth."""

__version__ = "0.1.0"
