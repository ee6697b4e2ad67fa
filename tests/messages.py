"""Messages about failed code, for tests that ignore file and line."""

import re


def without_place(message: str) -> str:
    """A message without the place in the user's code at its end."""
    return re.sub(r" \(\w+\.py, line \d+\)$", "", message)
