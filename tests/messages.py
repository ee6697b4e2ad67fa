"""Messages about code that failed, where it does not matter in which file and on which line."""

import re


def without_place(message: str) -> str:
    """A message without the place in the user's own code that may stand at its end."""
    return re.sub(r" \(\w+\.py, line \d+\)$", "", message)
