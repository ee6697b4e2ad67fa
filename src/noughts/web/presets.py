"""The games that the page offers by name."""

from pydantic import BaseModel, Field

from noughts.rules import Rules, describe_rules, format_rules, parse_rules

_PRESETS = (
    ("tic-tac-toe", "Tic-tac-toe", "B2 A1 C3 A3 A2"),
    ("misere-tic-tac-toe", "Misère tic-tac-toe", "B2 A1 C3 A2"),
    ("bttt(D4)", "Brick Tic-Tac-Toe, brick on D4", "C3 D3 C4 C5 B4 E4 D5 B3 E6 A2"),
    ("bttt(E5)", "Brick Tic-Tac-Toe, brick on E5", "D4 D3 C4 E4 E3 C5 F2 G1 B5"),
    ("notakto(3)", "Notakto, 3x3", "B2 A1 C2"),
    ("notakto(4)", "Notakto, 4x4", "A1 C2 D2 B1 A4 C3"),
    ("notakto(5)", "Notakto, 5x5", "C3 A1 B4 E2 D1 A3 C5"),
    ("notakto(3,boards=3)", "Notakto on three boards", "1.B2 2.A1 1.A3 3.B2 1.C1 2.C2"),
    ("mnk(4,4,3)", "Three in a row on 4x4", "B2 C3 B3 B1 C2"),
    ("mnk(5,6,4)", "Four in a row on 5x6", "C3 C4 B4 D2 D4 B3 E4"),
    ("gomoku", "Gomoku, 15x15", "H8 H9 G9 G8 F10 I7 J8 H10 F8 I9 E9"),
)


def game_name(rules: Rules) -> str:
    """Return the name of a game for people, or its text if it has no name."""
    return next((name for text, name, _ in _PRESETS if parse_rules(text) == rules), format_rules(rules))


class PresetAnswer(BaseModel):
    """A named game."""

    text: str
    name: str
    sentence: str
    sample: list[str] = Field(description="Moves into the middle of a game, to be drawn.")


def presets() -> list[PresetAnswer]:
    """Return the named games."""
    read = [(parse_rules(text), name, moves) for text, name, moves in _PRESETS]
    return [
        PresetAnswer(text=format_rules(rules), name=name, sentence=describe_rules(rules), sample=moves.split())
        for rules, name, moves in read
    ]
