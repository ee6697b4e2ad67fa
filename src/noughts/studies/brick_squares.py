"""The 49 games of Brick Tic-Tac-Toe, one for each brick square, which of them are images of one another, and their board."""

from collections.abc import Iterable

from noughts.document.result import BoardFigure, CellValue
from noughts.rules import Rules, parse_task
from noughts.rules.symmetry import image_classes

SQUARES = parse_task("bttt(*)")
"""7x7, four in a row; a full board is the second player's."""
CLASSES = tuple(map(tuple, image_classes(SQUARES.rules)))
"""The 10 classes of images: all games of a class, that of its first square first."""


def brick_board(
    name: str,
    title: str,
    squares: Iterable[tuple[Rules, float, str, str]],
    label: str,
    value_range: tuple[float, float] = (0.0, 100.0),
) -> BoardFigure:
    """The board of brick squares.

    Args:
        name, title, value_range: As of a figure.
        squares: A game, the value by which its square is shaded, what is written there, and a playthrough that shows it.
        label: What the values are.
    """
    values = tuple(CellValue(cell=r.bricks[0], value=value, text=text, game=game) for r, value, text, game in squares)
    return BoardFigure(
        name=name, title=title, rules="mnk(7,7,4)", values=values, value_range=value_range, value_label=label
    )
