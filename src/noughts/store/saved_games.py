"""`SavedGames`: games that somebody kept, each a document of its own. The store does not read them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from noughts.rules.errors import StoreError
from noughts.store.database import REPAIR, Database
from noughts.store.run import now
from noughts.store.tables import NAMES, is_whole, saved_games, with_checksum


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
            rows = connection.execute(select(*columns).order_by(*order)).all()
        return tuple(map(self._game, rows))

    def count(self) -> int:
        """How many there are."""
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).select_from(saved_games)).scalar_one()

    def get(self, game_id: str) -> SavedGame | None:
        """One game; None if there is none of that id."""
        with self._database.reading() as connection:
            row = connection.execute(select(saved_games).where(saved_games.c.id == game_id)).first()
        return None if row is None else self._game(row)

    def add(self, name: str, rules: str, plies: int, document: str) -> str:
        """Keep a game; gives its id."""
        moment = now()
        text = moment.isoformat(timespec="microseconds")
        game = SavedGame(f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}", name, rules, plies, text, text, document)
        with self._database.writing() as connection:
            connection.execute(saved_games.insert().values(**with_checksum(saved_games, vars(game))))
        return game.id

    def replace(self, game_id: str, name: str, rules: str, plies: int, document: str) -> bool:
        """Put another state in the place of a game; whether there was one."""
        updated = now().isoformat(timespec="microseconds")
        this = saved_games.c.id == game_id
        with self._database.writing() as connection:
            row = connection.execute(select(saved_games).where(this)).first()
            if row is None:
                return False
            game = replace(self._game(row), name=name, rules=rules, plies=plies, updated=updated, document=document)
            connection.execute(saved_games.update().where(this).values(**with_checksum(saved_games, vars(game))))
        return True

    def remove(self, game_id: str) -> bool:
        """Remove a game; whether there was one."""
        with self._database.writing() as connection:
            return connection.execute(saved_games.delete().where(saved_games.c.id == game_id)).rowcount > 0

    def _game(self, values: Sequence[Any]) -> SavedGame:
        """The game of a row; StoreError if it is not as it was written."""
        row = dict(zip(NAMES[saved_games.name], values, strict=False))
        if not is_whole(saved_games, values):
            raise StoreError(
                f"{self._database.called} is damaged (saved game {row['id']!r} has a wrong checksum): {REPAIR}"
            )
        del row["checksum"]
        return SavedGame(**row)
