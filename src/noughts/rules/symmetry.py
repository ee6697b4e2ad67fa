"""The symmetry group of a game: the symmetries of the board that keep its bricks in place.

A board has up to 8: rotations and reflections. If edges are joined it can also be translated, so that a torus of
7x7 has 8 * 49. Do not assume that a group has at most 8 elements.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from noughts.rules.rules import Rules
from noughts.rules.squares import Wrap, joins_columns, joins_rows

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


_TURNED: dict[Wrap, Wrap] = {"none": "none", "rows": "columns", "columns": "rows", "both": "both"}
"""The joined edges after a map that exchanges rows and columns."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of the board: ``image[cell]`` is the image of `cell`.

    Its name has the rotation or reflection, which comes first, and then how far everything moves over joined edges:
    ``transpose+down-1+right-2``.
    """

    name: str
    image: tuple[int, ...]


@lru_cache(maxsize=256)
def _board_symmetries(rows: int, cols: int, wrap: Wrap) -> Mapping[tuple[int, ...], str]:
    """Distinct maps of one board onto itself with their names, those without translation first; ignores bricks."""
    turns = rows == cols and _TURNED[wrap] == wrap
    maps = _KEEP_SHAPE | (_SWAP_SHAPE if turns else {})
    found: dict[tuple[int, ...], str] = {}
    for down, right in _moves(rows, cols, wrap):
        for name, move in maps.items():
            # On 1xn boards several maps coincide.
            found.setdefault(_image(rows, cols, move, (rows, cols), down, right), _name(name, down, right))
    return MappingProxyType(found)


def _name(name: str, down: int, right: int) -> str:
    """The name of a rotation or reflection followed by a translation."""
    parts = [name] * (name != "identity" or down == right == 0)
    return "+".join([*parts, *([f"down-{down}"] * (down > 0)), *([f"right-{right}"] * (right > 0))])


def _moves(rows: int, cols: int, wrap: Wrap) -> Iterator[tuple[int, int]]:
    """The translations of a board over its joined edges, down and right, the identity first."""
    return itertools.product(range(rows if joins_rows(wrap) else 1), range(cols if joins_columns(wrap) else 1))


@lru_cache(maxsize=4096)
def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """The symmetry group of `rules`, the identity first; it maps all boards alike."""
    bricks = set(rules.bricks)
    return tuple(
        Symmetry(name, tuple(board * rules.board_size + to for board in range(rules.boards) for to in image))
        for image, name in _board_symmetries(rules.rows, rules.cols, rules.wrap).items()
        if {image[brick] for brick in bricks} == bricks
    )


def image_onto(rules: Rules, other: Rules) -> tuple[int, ...] | None:
    """Return the image of each cell under a symmetry of the board that turns `rules` into `other`; None if there is none.

    Symmetric games have equal values, and proofs carry over from one to the other.
    """
    for image, moved in _images(rules):
        if moved == other:
            return tuple(board * rules.board_size + to for board in range(rules.boards) for to in image)
    return None


def image_classes(games: Iterable[Rules]) -> list[list[Rules]]:
    """Group games that are symmetric, in order of first appearance."""
    classes: dict[Rules, list[Rules]] = {}
    for rules in games:
        classes.setdefault(least_image(rules), []).append(rules)
    return list(classes.values())


@lru_cache(maxsize=4096)
def least_image(rules: Rules) -> Rules:
    """Return the canonical representative of all games that are symmetric to this one."""
    return min((moved for _, moved in _images(rules)), key=lambda each: (each.rows, each.cols, each.wrap, each.bricks))


def _images(rules: Rules) -> Iterator[tuple[tuple[int, ...], Rules]]:
    """The images of a game, those without translation first, each with the image of each cell of one board."""
    turned = {"rows": rules.cols, "cols": rules.rows, "wrap": _TURNED[rules.wrap]}
    kinds = ((_KEEP_SHAPE, rules), (_SWAP_SHAPE, rules.model_copy(update=turned)))
    # Without bricks, translations repeat the same games.
    moves = list(_moves(rules.rows, rules.cols, rules.wrap)) if rules.bricks else [(0, 0)]
    for by_rows, by_cols in moves:
        for maps, after in kinds:
            down, right = (by_rows, by_cols) if after is rules else (by_cols, by_rows)
            for move in maps.values():
                image = _image(rules.rows, rules.cols, move, (after.rows, after.cols), down, right)
                bricks = tuple(sorted(image[brick] for brick in rules.bricks))
                yield image, after.model_copy(update={"bricks": bricks})


def _image(rows: int, cols: int, move: _Map, onto: tuple[int, int], down: int, right: int) -> tuple[int, ...]:
    """The image of each cell of a `rows` x `cols` board under a map and a translation, on a board of size `onto`."""
    images = (move(*divmod(cell, cols), rows - 1, cols - 1) for cell in range(rows * cols))
    return tuple((row + down) % onto[0] * onto[1] + (col + right) % onto[1] for row, col in images)
