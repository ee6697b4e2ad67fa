"""The symmetry group of a game: those of the 8 symmetries of the board that keep its bricks in place."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from noughts.rules.rules import Rules

# Each maps (row, col) to its image; `last_row` and `last_col` are the largest row and column.
_Map = Callable[[int, int, int, int], tuple[int, int]]
_KEEP_SHAPE: dict[str, _Map] = {
    "identity": lambda row, col, last_row, last_col: (row, col),
    "rotate-180": lambda row, col, last_row, last_col: (last_row - row, last_col - col),
    "flip-rows": lambda row, col, last_row, last_col: (last_row - row, col),
    "flip-columns": lambda row, col, last_row, last_col: (row, last_col - col),
}
_SWAP_SHAPE: dict[str, _Map] = {
    "rotate-90": lambda row, col, last_row, last_col: (col, last_row - row),
    "rotate-270": lambda row, col, last_row, last_col: (last_col - col, row),
    "transpose": lambda row, col, last_row, last_col: (col, row),
    "anti-transpose": lambda row, col, last_row, last_col: (last_col - col, last_row - row),
}


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the board: ``image[cell]`` is where `cell` goes."""

    name: str
    image: tuple[int, ...]


def _board_symmetries(rules: Rules) -> dict[tuple[int, ...], str]:
    """Distinct maps of one board onto itself, with their names; bricks are ignored."""
    maps = _KEEP_SHAPE | (_SWAP_SHAPE if rules.rows == rules.cols else {})
    found: dict[tuple[int, ...], str] = {}
    for name, move in maps.items():
        found.setdefault(_image(rules, move, rules.cols), name)  # on 1xn boards several maps are the same
    return found


@lru_cache(maxsize=4096)
def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """The symmetry group of `rules`, the identity first; with several boards each moves alike."""
    bricks = set(rules.bricks)
    return tuple(
        Symmetry(name, tuple(board * rules.board_size + to for board in range(rules.boards) for to in image))
        for image, name in _board_symmetries(rules).items()
        if {image[brick] for brick in bricks} == bricks
    )


def image_onto(rules: Rules, other: Rules) -> tuple[int, ...] | None:
    """Where each cell goes under a rotation or reflection that makes `other` of `rules`; None if there is none.

    Games of which one is such an image of the other have equal values, and what is proved of one carries over.
    """
    for image, moved in _images(rules):
        if moved == other:
            return tuple(board * rules.board_size + to for board in range(rules.boards) for to in image)
    return None


def image_classes(games: Iterable[Rules]) -> list[list[Rules]]:
    """The games in groups that are images of one another, each in order of first appearance."""
    classes: dict[Rules, list[Rules]] = {}
    for rules in games:
        # The least image names the group; it is the same for every game of the group.
        moved = (moved for _, moved in _images(rules))
        classes.setdefault(min(moved, key=lambda each: (each.rows, each.cols, each.bricks)), []).append(rules)
    return list(classes.values())


def _images(rules: Rules) -> Iterator[tuple[tuple[int, ...], Rules]]:
    """The 8 rotations and reflections of a game, each with where it takes each cell of one board."""
    swapped = {"rows": rules.cols, "cols": rules.rows}
    for maps, shape in ((_KEEP_SHAPE, {}), (_SWAP_SHAPE, swapped)):
        for move in maps.values():
            image = _image(rules, move, shape.get("cols", rules.cols))
            bricks = tuple(sorted(image[brick] for brick in rules.bricks))
            yield image, rules.model_copy(update={**shape, "bricks": bricks})


def _image(rules: Rules, move: _Map, cols: int) -> tuple[int, ...]:
    """Where a map takes each cell of one board, on a board of `cols` columns."""
    images = (move(*divmod(cell, rules.cols), rules.rows - 1, rules.cols - 1) for cell in range(rules.board_size))
    return tuple(row * cols + col for row, col in images)


def brick_orbit(rules: Rules) -> frozenset[tuple[int, ...]]:
    """The sets of bricks that the 8 symmetries make of this one: what augmentation by all 8 shows a learner."""
    return frozenset(tuple(sorted(image[brick] for brick in rules.bricks)) for image in _board_symmetries(rules))
