"""`SavedGames`: games that somebody kept, each a document of its own. The store does not read them."""

import secrets
from dataclasses import dataclass

from sqlalchemy import func, select

from noughts.store.database import Database
from noughts.store.run import now
from noughts.store.tables import saved_games


@dataclass(frozen=True)
class SavedGame:
    """A game that is kept.

    Attributes:
        id: What it is asked for by.
        name: What it is called; names need not differ.
        rules: Text form.
        plies: Moves of its main line.
        created, updated: Moments, ISO 8601 in UTC.
        document: JSON text; empty in lists.
    """

    id: str
    name: str
    rules: str
    plies: int
    created: str
    updated: str
    document: str = ""


class SavedGames:
    """The games of a store. Everything is on the disk when a method returns; StoreError if it cannot be."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self) -> tuple[SavedGame, ...]:
        """All games, the latest first, without their documents."""
        columns = [column for column in saved_games.c if column.name != "document"]
        order = (saved_games.c.updated.desc(), saved_games.c.id.desc())
        with self._database.reading() as connection:
            rows = connection.execute(select(*columns).order_by(*order)).mappings().all()
        return tuple(SavedGame(**row) for row in rows)

    def count(self) -> int:
        """How many there are."""
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).select_from(saved_games)).scalar_one()

    def get(self, game_id: str) -> SavedGame | None:
        """One game; None if there is none of that id."""
        with self._database.reading() as connection:
            row = connection.execute(select(saved_games).where(saved_games.c.id == game_id)).mappings().first()
        return None if row is None else SavedGame(**row)

    def add(self, name: str, rules: str, plies: int, document: str) -> str:
        """Keep a game; gives its id."""
        moment = now()
        text = moment.isoformat(timespec="microseconds")
        game = SavedGame(f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}", name, rules, plies, text, text, document)
        with self._database.writing() as connection:
            connection.execute(saved_games.insert().values(**vars(game)))
        return game.id

    def replace(self, game_id: str, name: str, rules: str, plies: int, document: str) -> bool:
        """Put another state in the place of a game; whether there was one."""
        updated = now().isoformat(timespec="microseconds")
        values = {"name": name, "rules": rules, "plies": plies, "updated": updated, "document": document}
        with self._database.writing() as connection:
            changed = connection.execute(saved_games.update().where(saved_games.c.id == game_id).values(**values))
        return changed.rowcount > 0

    def remove(self, game_id: str) -> bool:
        """Remove a game; whether there was one."""
        with self._database.writing() as connection:
            return connection.execute(saved_games.delete().where(saved_games.c.id == game_id)).rowcount > 0
