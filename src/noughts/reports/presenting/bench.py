"""A scorecard: a table of its rows, and a summary line."""

import re
from collections import Counter
from typing import Any

from noughts.document.document import Document, Listing
from noughts.document.names import Names
from noughts.rules.text import counted


def present_scorecard(card: Any, asked: None, names: Names) -> Document:
    """The rows of a `Scorecard` as a table, and its badge."""
    rows = tuple((row.group, row.task, row.answer, row.n or "") for row in card.rows)
    reasons = Counter(_reason(row.why) for row in card.rows if row.why)  # one reason usually covers many tasks
    notes = tuple(f"{counted(count, 'task')} without a value: {reason}" for reason, count in reasons.items())
    title = f"{names.within(card.agent)}, suite {card.suite} v{card.version}"
    grid = Listing(title, ("tests", "task", "answer", "n"), rows, notes, labels=3)
    return Document((grid, str(card)), card.model_dump(mode="json"))


def _reason(error: str) -> str:
    """The reason within an error such as ``AGENT cannot be proved: REASON: where``, without the agent's text, or such as
    ``AGENT failed in GAME: ValueError: REASON``.
    """
    *_, raised = re.split(r"\b\w*Error: ", error)
    if raised != error:
        return raised
    parts = error.split(": ")
    return re.sub(r"^\S+:\S+ ", "it ", parts[min(1, len(parts) - 1)])
