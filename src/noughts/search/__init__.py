"""Searches: from a position to a move, with what was found on the way. They know nothing of agents.

Each has a readable reference beside its compiled kernel, and the two agree node for node under one seed.
Import the search you need from its module; importing this package loads no array library.
"""

from noughts.search.result import Kind, MoveResult, SearchResult

__all__ = ["Kind", "MoveResult", "SearchResult"]
