"""Published exact counts of positions and games."""

import json
from pathlib import Path
from typing import Any

from noughts.rules import Rules, parse_rules

DATA = Path(__file__).parent.parent / "data"


def published(name: str) -> tuple[Rules, dict[str, Any]]:
    """The rules and the counts in a file, which explains them."""
    data = json.loads((DATA / f"{name}.json").read_text())
    return parse_rules(data["rules"]), data
