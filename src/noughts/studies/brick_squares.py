"""The 49 games of Brick Tic-Tac-Toe, one for each brick square, and which of them are images of one another."""

from noughts.rules import parse_task
from noughts.rules.symmetry import image_classes

SQUARES = parse_task("bttt(*)")
"""7x7, four in a row; a full board is the second player's."""
CLASSES = tuple(map(tuple, image_classes(SQUARES.rules)))
"""The 10 classes of images: all games of a class, that of its first square first."""
BOARD = "mnk(7,7,4)"
"""The board on which a study shows what was found on each square."""
