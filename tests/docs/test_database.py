"""The page about the results database says of its tables what the code that makes them says."""

import re

from sqlalchemy.dialects import sqlite

from noughts.store.tables import metadata, saved
from tests.docs.pages import DOCS

PAGE = (DOCS / "reference" / "database.md").read_text()


def told() -> dict[str, list[tuple[str, str]]]:
    """Of each table on the page, its columns and their types."""
    found = {}
    for section in re.split(r"^### ", PAGE, flags=re.M)[1:]:
        name = section.partition("`")[2].partition("`")[0]
        found[name] = re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", section.partition("\n## ")[0], re.M)
    return found


def test_every_table_and_column_is_told_as_it_is_made() -> None:
    dialect = sqlite.dialect()
    made = {
        table.name: [
            (
                column.name,
                column.type.compile(dialect)
                + (", key" if column.primary_key else ", may be null" if column.nullable else ""),
            )
            for column in table.c
        ]
        for table in (metadata.tables | saved.tables).values()
    }
    assert told() == made


def test_every_column_is_explained() -> None:
    assert all(
        re.findall(rf"^\| `{column}` \| [^|]+ \| \S", PAGE, re.M) for table in told().values() for column, _ in table
    )


def test_there_are_five_recipes() -> None:
    assert re.findall(r"^\*\*(\d)\. ", PAGE, re.M) == ["1", "2", "3", "4", "5"]
