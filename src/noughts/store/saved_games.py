"""`SavedGames`: games that people saved, each a document of its own. The store does not read them.

Each belongs to a keeper, who alone sees, changes or removes it. The owner of the store is the keeper without a name.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, and_, select

from noughts.store.database import Database, whole_rows
from noughts.store.run import now
from noughts.store.tables import saved_games, with_checksum


@dataclass(frozen=True)
class SavedGame:
    """A game that is kept.

    Attributes:
        id: What it is asked for by.
        name: What it is called; names need not differ.
        rules: Text form.
        plies: Moves of its main line.
        created, updated: Moments, ISO 8601 in UTC.
        keeper: Whose it is; empty for the owner.
        document: JSON text; empty in lists.
    """

    id: str
    name: str
    rules: str
    plies: int
    created: str
    updated: str
    keeper: str = ""
    document: str = ""


class SavedGames:
    """The games of a store. Everything is on the disk when a method returns; StoreError if it cannot be.

    Methods take the keeper whose games they are about; another one's games are not there for them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, keeper: str = "") -> tuple[SavedGame, ...]:
        """A keeper's games, the latest first, without their documents."""
        columns = [column for column in saved_games.c if column.name != "document"]
        order = (saved_games.c.updated.desc(), saved_games.c.id.desc())
        chosen = select(*columns).where(saved_games.c.keeper == keeper).order_by(*order)
        return tuple(map(_game, self._database.rows(saved_games, chosen)))

    def count(self, keeper: str = "") -> int:
        """How many a keeper has."""
        return len(self.list(keeper))

    def get(self, game_id: str, keeper: str = "") -> SavedGame | None:
        """One game; None if this keeper has none of that id."""
        chosen = select(saved_games).where(_this(game_id, keeper))
        rows = self._database.rows(saved_games, chosen)
        return _game(rows[0]) if rows else None

    def add(self, name: str, rules: str, plies: int, document: str, keeper: str = "") -> str:
        """Keep a game; gives its id."""
        moment = now()
        text = moment.isoformat(timespec="microseconds")
        game_id = f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        game = SavedGame(game_id, name, rules, plies, text, text, keeper, document)
        row = with_checksum(saved_games, vars(game))
        with self._database.writing() as connection:
            connection.execute(saved_games.insert(), row)
        return game.id

    def replace(self, game_id: str, name: str, rules: str, plies: int, document: str, keeper: str = "") -> bool:
        """Put another state in the place of a game; whether this keeper had one."""
        updated = now().isoformat(timespec="microseconds")
        this = _this(game_id, keeper)

        with self._database.writing() as connection:
            rows = whole_rows(saved_games, connection.execute(select(saved_games).where(this).with_for_update()))
            if not rows:
                return False
            game = replace(_game(rows[0]), name=name, rules=rules, plies=plies, updated=updated, document=document)
            connection.execute(saved_games.update().where(this).values(**with_checksum(saved_games, vars(game))))
            return True

    def remove(self, game_id: str, keeper: str = "") -> bool:
        """Remove a game; whether this keeper had one."""
        this = saved_games.delete().where(_this(game_id, keeper))
        with self._database.writing() as connection:
            return connection.execute(this).rowcount > 0


def _game(row: Mapping[str, Any]) -> SavedGame:
    return SavedGame(**{name: value for name, value in row.items() if name != "checksum"})


def _this(game_id: str, keeper: str) -> ColumnElement[bool]:
    """The condition for one keeper's game of an id."""
    return and_(saved_games.c.id == game_id, saved_games.c.keeper == keeper)
