"""What is kept: records of games and of where they were played, and the database and files that hold them.

`Store` is in `noughts.store.results`, and not here, because it loads SQLAlchemy: most modules need only a `GameRecord`.
"""

from noughts.store.records import GameRecord

__all__ = ["GameRecord"]
