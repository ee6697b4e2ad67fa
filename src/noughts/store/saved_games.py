"""`SavedGames`: games that people saved, each as one document, which the store does not interpret.

Each belongs to a keeper, and only the keeper can see, change or remove it. The store's owner is the keeper without a name.
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
    """A saved game.

    Attributes:
        id: The unique id.
        name: The name for people, which need not be unique.
        rules: The text of the rules.
        plies: The number of moves of the main line.
        created, updated: Times, ISO 8601 in UTC.
        keeper: The keeper's name; empty for the store's owner.
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
    """The games of a store. Changes are on the disk when a method returns; StoreError if they cannot be written.

    Each method sees only the games of the keeper that it is given.
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
        """The number of a keeper's games."""
        return len(self.list(keeper))

    def get(self, game_id: str, keeper: str = "") -> SavedGame | None:
        """The game of an id; None if this keeper has no such game."""
        chosen = select(saved_games).where(_this(game_id, keeper))
        rows = self._database.rows(saved_games, chosen)
        return _game(rows[0]) if rows else None

    def add(self, name: str, rules: str, plies: int, document: str, keeper: str = "") -> str:
        """Save a game, and return its id."""
        moment = now()
        text = moment.isoformat(timespec="microseconds")
        game_id = f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        game = SavedGame(game_id, name, rules, plies, text, text, keeper, document)
        row = with_checksum(saved_games, vars(game))
        with self._database.writing() as connection:
            connection.execute(saved_games.insert(), row)
        return game.id

    def replace(self, game_id: str, name: str, rules: str, plies: int, document: str, keeper: str = "") -> bool:
        """Replace a game; return whether this keeper had it."""
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
        """Remove a game; return whether this keeper had it."""
        this = saved_games.delete().where(_this(game_id, keeper))
        with self._database.writing() as connection:
            return connection.execute(this).rowcount > 0


def _game(row: Mapping[str, Any]) -> SavedGame:
    return SavedGame(**{name: value for name, value in row.items() if name != "checksum"})


def _this(game_id: str, keeper: str) -> ColumnElement[bool]:
    """The condition that selects a keeper's game by its id."""
    return and_(saved_games.c.id == game_id, saved_games.c.keeper == keeper)
