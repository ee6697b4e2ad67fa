"""The store: saved games and other answers, the runs that they belong to, and the database and files that hold them.

`Store` is in `noughts.store.results`, and not here, because it loads SQLAlchemy: most modules need only a `GameRecord`.
"""

from noughts.store.records import GameRecord

__all__ = ["GameRecord"]
