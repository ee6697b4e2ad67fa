"""How OpenSpiel writes our games, without OpenSpiel: the text that `pyspiel.load_game` reads."""

from typing import Any

from noughts.rules import Rules

NAME = "noughts"
"""The game's short name at OpenSpiel."""

DEFAULTS: dict[str, Any] = {**dict(Rules(rows=3, cols=3, k=3)), "bricks": ""}
"""The parameters of our game there; they are left out at these values."""


def game_text(rules: Rules) -> str:
    """What `pyspiel.load_game` reads as these rules, such as ``noughts(rows=7,cols=7,k=4,bricks=D4)``."""
    return f"{NAME}({','.join(f'{name}={value}' for name, value in parameters_of(rules).items())})"


def own_game_text(rules: Rules) -> str | None:
    """OpenSpiel's own game of these rules, written in C++, such as ``gomoku(size=7,connect=4)``; None if it has none.

    Its actions are numbered as our cells are. ``gomoku`` is the quickest, and square; where it joins edges it joins all, and
    there it has lines longer than the side, all round the board again and again, which no game of ours has.
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
