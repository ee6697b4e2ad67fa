"""What is kept: records of games and of where they were played, and the database and files that hold them.

`Store` is in `noughts.store.results`, and not here, because it loads SQLAlchemy: most modules need only a `GameRecord`.
"""

from noughts.machine.environment import Environment, current_environment
from noughts.store.files import write_atomically
from noughts.store.records import Ending, GameRecord

__all__ = ["Ending", "Environment", "GameRecord", "current_environment", "write_atomically"]
