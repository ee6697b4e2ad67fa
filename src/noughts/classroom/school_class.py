"""`SchoolClass`: a class that a server holds: who is in it, its games, and what is to be done."""

from fastapi.requests import HTTPConnection

from noughts.classroom.games import ClassGames
from noughts.classroom.progress import ClassProgress
from noughts.classroom.room import Classroom
from noughts.web.services import Services


class SchoolClass:
    """A class: go on with that of a store, or begin one.

    Attributes:
        room: Who is in it.
        games: The games in it.
        progress: What is to be done, and what was.
    """

    def __init__(self, services: Services, address: str) -> None:
        """StoreError if it cannot be read or written, or another server holds it; `address` is the page's, as pupils reach it."""
        self.room = Classroom(services.store.class_records, services.limits, address)
        self.games = ClassGames(self.room, services.engine)
        self.progress = ClassProgress(self.room, self.games)

    def close(self) -> None:
        """At the end of the server."""
        self.games.close()
        self.room.close()


def class_of(connection: HTTPConnection) -> SchoolClass:
    """The class of the server that is asked."""
    found: SchoolClass = connection.app.state.school_class
    return found
