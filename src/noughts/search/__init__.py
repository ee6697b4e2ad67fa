"""Searches: from a position to a move, with everything else that they found. They do not depend on agents.

Each compiled kernel has a readable reference implementation, and the two agree node for node with the same seed.
Import the search you need from its module; importing this package loads no array library.
"""

from noughts.search.result import Kind, MoveResult, SearchResult

__all__ = ["Kind", "MoveResult", "SearchResult"]
