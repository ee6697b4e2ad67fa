from typing import Any

import pytest

from noughts.rules import PRESETS, Rules, parse_rules

OWN: dict[str, Any] = {"marks": "own", "boards": 1, "lineless": False}

DEFAULTS = {name: field.default for name, field in Rules.model_fields.items() if not field.is_required()}

# The table of games, field by field. An omitted field has its default, as will any later field.
GAMES: dict[str, dict[str, Any]] = {
    "tic-tac-toe": {"rows": 3, "cols": 3, "k": 3, "bricks": (), "line": "wins", "full": "draw", **OWN},
    "misere-tic-tac-toe": {"rows": 3, "cols": 3, "k": 3, "bricks": (), "line": "loses", "full": "draw", **OWN},
    "bttt(A7)": {"rows": 7, "cols": 7, "k": 4, "bricks": (6,), "line": "wins", "full": "second", **OWN},
    "bttt-variant-1": {"rows": 7, "cols": 7, "k": 4, "bricks": (24,), "line": "wins", "full": "second", **OWN},
    "bttt-variant-2": {"rows": 7, "cols": 7, "k": 4, "bricks": (32,), "line": "wins", "full": "second", **OWN},
    "notakto(5)": {
        "rows": 5, "cols": 5, "k": 5, "bricks": (), "line": "loses", "full": "draw",
        "marks": "shared", "boards": 1, "lineless": False,
    },
    "mnk(4,6,3)": {"rows": 4, "cols": 6, "k": 3, "bricks": (), "line": "wins", "full": "draw", **OWN},
    "gomoku": {"rows": 15, "cols": 15, "k": 5, "bricks": (), "line": "wins", "full": "draw", **OWN},
}  # fmt: skip


@pytest.mark.parametrize("text", GAMES)
def test_a_preset_is_the_game_it_names(text: str) -> None:
    assert dict(parse_rules(text)) == DEFAULTS | GAMES[text]


def test_every_preset_is_tested() -> None:
    assert {text.split("(")[0] for text in GAMES} == set(PRESETS)
