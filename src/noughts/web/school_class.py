"""`SchoolClass`: a class that a server holds: who is in it, its games, what is to be done, and who is told."""

from noughts.store.class_records import ClassRecords
from noughts.web.class_games import ClassGames
from noughts.web.class_progress import ClassProgress
from noughts.web.classroom import Classroom
from noughts.web.engine import Engine
from noughts.web.limits import Limits


class SchoolClass:
    """A class.

    Attributes:
        room: Who is in it.
        games: The games in it.
        progress: What is to be done, and what was.
    """

    def __init__(self, records: ClassRecords, limits: Limits, address: str, engine: Engine) -> None:
        """Go on with the class of a store, or begin one.

        Args:
            records: Where it is kept.
            limits: How much there may be of everything.
            address: Of the page, as pupils reach it.
            engine: Makes the moves of agents.

        Raises:
            StoreError: it cannot be read or written, or another server holds it.
        """
        self.room = Classroom(records, limits, address)
        self.games = ClassGames(self.room, engine)
        self.progress = ClassProgress(self.room, self.games)

    def go_on(self) -> None:
        """Have agents move wherever one is to; called in the event loop."""
        self.games.go_on()

    def close(self) -> None:
        """At the end of the server."""
        self.games.close()
        self.room.close()
