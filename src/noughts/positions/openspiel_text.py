"""The texts of our games for `pyspiel.load_game`, without importing OpenSpiel."""

from typing import Any

from noughts.rules import Rules

NAME = "noughts"
"""The game's short name in OpenSpiel."""

DEFAULTS: dict[str, Any] = {**dict(Rules(rows=3, cols=3, k=3)), "bricks": ""}
"""The parameters of our game there; they are left out at these values."""


def game_text(rules: Rules) -> str:
    """Return the text from which `pyspiel.load_game` loads these rules, such as ``noughts(rows=7,cols=7,k=4,bricks=D4)``."""
    return f"{NAME}({','.join(f'{name}={value}' for name, value in parameters_of(rules).items())})"


def own_game_text(rules: Rules) -> str | None:
    """Return OpenSpiel's own C++ game with these rules, such as ``gomoku(size=7,connect=4)``; None if it has none.

    Its actions have the same numbers as our cells. ``gomoku`` is the fastest, and square. With joined edges it joins all
    four, and then has lines longer than the side that wrap around the board repeatedly, which our games do not have.
    """
    if rules.bricks or rules.marks == "shared" or rules.full != "draw":
        return None
    if rules.wrap != "none":
        if rules.wrap != "both" or rules.rows != rules.cols or rules.lineless:
            return None
        return f"gomoku(size={rules.rows},connect={rules.k},anti={rules.line == 'loses'},wrap=True)"
    if (rules.rows, rules.cols) != (3, 3) or rules.k != 3:
        if rules.rows == rules.cols:
            return f"gomoku(size={rules.rows},connect={rules.k},anti={rules.line == 'loses'})"
        text = f"mnk(m={rules.cols},n={rules.rows},k={rules.k})"
    else:
        text = "tic_tac_toe()"
    return text if rules.line == "wins" else f"misere(game={text})"


def parameters_of(rules: Rules) -> dict[str, Any]:
    """The fields that are not at their default, as OpenSpiel's parameters."""
    fields = {**dict(rules), "bricks": rules.brick_names()}
    return {name: fields[name] for name, default in DEFAULTS.items() if fields[name] != default}
