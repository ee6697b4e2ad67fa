"""Heatmaps: if the games of a task differ by the square of one brick, a board shows the result on each square."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.document.result import BoardFigure, CellValue
from noughts.rules import Rules


class Shade(NamedTuple):
    """The content of a square.

    Attributes:
        value: The value that shades it, within the figure's range.
        text: The text on it.
        game: An example playthrough, as text; empty for none.
    """

    value: float
    text: str
    game: str = ""


def brick_heatmap(
    name: str, title: str, label: str, shades: Mapping[Rules, Shade], value_range: tuple[float, float] = (0.0, 100.0)
) -> BoardFigure | None:
    """The board of a task, each square shaded by the result with the brick there.

    None unless there are at least two games, which differ only by the square of one brick.

    Args:
        name, title: The name and title of the figure.
        label: The meaning of the shades, in words.
        shades: The shade of each game.
        value_range: The values at the two ends of the shades.
    """
    empty = {rules.model_copy(update={"bricks": ()}) for rules in shades}
    if len(empty) != 1 or len(shades) < 2 or any(len(rules.bricks) != 1 for rules in shades):
        return None
    return brick_board(name, title, label, shades, str(empty.pop()), value_range)


def brick_board(
    name: str,
    title: str,
    label: str,
    shades: Mapping[Rules, Shade],
    board: str,
    value_range: tuple[float, float] = (0.0, 100.0),
) -> BoardFigure:
    """A board whose squares represent the games with the brick there; as `brick_heatmap`, but `board` is a game without bricks."""
    values = tuple(
        CellValue(cell=rules.bricks[0], value=shade.value, text=shade.text, game=shade.game)
        for rules, shade in shades.items()
    )
    return BoardFigure(name=name, title=title, rules=board, values=values, value_range=value_range, value_label=label)
