"""Named presets: the games of the papers, and their parameters. A new preset takes one line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from noughts.rules.rules import Rules

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named template for `Rules`.

    Attributes:
        name: The name in texts.
        parameters: Names of its arguments, in order; each is text, and `fields` turns it into a field.
        fields: Returns the fields of `Rules` for the arguments.
        arguments: Returns the arguments for `Rules`, to write them as text; the caller checks the result.
        about: A description in one line.
        named_game: Whether the name is that of one game, so that other marks or another line rule need another name.
    """

    name: str
    parameters: tuple[str, ...]
    fields: Callable[..., Fields]
    arguments: Callable[[Rules], tuple[str, ...]]
    about: str
    named_game: bool = True


def _preset(name: str, about: str, **fields: Any) -> Preset:
    """A preset without arguments."""
    return Preset(name, (), lambda: fields, lambda rules: (), about)


_BTTT: dict[str, Any] = {"rows": 7, "cols": 7, "k": 4, "full": "second"}

# In order of preference for writing rules as text; the last preset can write all rules.
PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        _preset("tic-tac-toe", "3x3, three in a row wins", rows=3, cols=3, k=3),
        _preset("misere-tic-tac-toe", "3x3, three in a row loses", rows=3, cols=3, k=3, line="loses"),
        Preset(
            "bttt",
            ("bricks",),
            lambda bricks: {**_BTTT, "bricks": bricks},
            lambda rules: (rules.brick_names(),),
            "Brick Tic-Tac-Toe: 7x7, four in a row, a full board is the second player's; argument: the brick",
        ),
        _preset("bttt-variant-1", "Brick Tic-Tac-Toe with its brick on D4", **_BTTT, bricks="D4"),
        _preset("bttt-variant-2", "Brick Tic-Tac-Toe with its brick on E5", **_BTTT, bricks="E5"),
        Preset(
            "notakto",
            ("n",),
            lambda n: {"rows": n, "cols": n, "k": n, "marks": "shared", "line": "loses"},
            lambda rules: (str(rules.rows),),
            "n x n, both place X, a full row, column or main diagonal loses",
        ),
        _preset("gomoku", "15x15, five or more in a row wins", rows=15, cols=15, k=5),
        Preset(
            "mnk",
            ("rows", "cols", "k"),
            lambda rows, cols, k: {"rows": rows, "cols": cols, "k": k},
            lambda rules: (str(rules.rows), str(rules.cols), str(rules.k)),
            "any board: rows, columns, k; every field of the rules may follow as name=value",
            named_game=False,
        ),
    )
}
