"""The page about the results database describes its tables as the code creates them."""

import re

from sqlalchemy.dialects import sqlite

from noughts.store.tables import metadata, saved
from tests.docs.pages import DOCS

PAGE = (DOCS / "reference" / "database.md").read_text()


def told() -> dict[str, list[tuple[str, str]]]:
    """The columns of each table on the page, with their types."""
    found = {}
    for section in re.split(r"^### ", PAGE, flags=re.M)[1:]:
        name = section.partition("`")[2].partition("`")[0]
        found[name] = re.findall(r"^\| `(\w+)` \| ([^|]+?) \| \S", section.partition("\n## ")[0], re.M)
    return found


def test_every_table_and_column_is_documented_as_created() -> None:
    dialect = sqlite.dialect()
    made: dict[str, list[tuple[str, str]]] = {}
    for table in (metadata.tables | saved.tables).values():
        for column in table.c:
            more = ", key" if column.primary_key else ", may be null" if column.nullable else ""
            made.setdefault(table.name, []).append((column.name, column.type.compile(dialect) + more))
    assert told() == made
