"""Positions as two words: bit `cell` of the first word is the first player's mark, of the second the second player's.

For games of up to 64 cells on all boards together. With shared marks every mark is in the first word. The number of
marks determines the side to move. A position of tic-tac-toe after X B2, O A1:

    cell   8 7 6 5 4 3 2 1 0
    first  0 0 0 0 1 0 0 0 0        16
    second 0 0 0 0 0 0 0 0 1         1
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Position
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, line_table, symmetries

WORD = 64


def words(position: Position) -> tuple[int, int]:
    """The position's two words."""
    return mask_of(position.cells, FIRST_MARK), mask_of(position.cells, SECOND_MARK)


def position_of(rules: Rules, first: int, second: int) -> Position:
    """Return the position of two words, whose game is not over; its moves are in some legal order."""
    cells = bytearray(Position.start(rules).cells)
    marks = cells_of(first), cells_of(second)
    for content, held in zip((FIRST_MARK, SECOND_MARK), marks, strict=True):
        for cell in held:
            cells[cell] = content
    if rules.marks == "own":
        moves = [0] * (len(marks[0]) + len(marks[1]))
        moves[0::2], moves[1::2] = marks
        return Position(rules, tuple(moves), bytes(cells), frozenset(), Outcome.ONGOING)
    closing: dict[int, set[int]] = {}
    for line in line_table(rules).cells if rules.boards > 1 else ():
        if all(first >> cell & 1 for cell in line):
            closing.setdefault(line[0] // rules.board_size, set(line)).intersection_update(line)
    last = {min(common) for common in closing.values()}  # all lines of a closed board contain the move that closed it
    order = sorted(marks[0], key=lambda cell: cell in last)
    return Position(rules, tuple(order), bytes(cells), frozenset(closing), Outcome.ONGOING)


def cells_of(word: int) -> list[int]:
    """The cells in a word, in ascending order."""
    cells = []
    while word:
        cells.append((word & -word).bit_length() - 1)
        word &= word - 1
    return cells


def mask_of(cells: bytes, content: int) -> int:
    """The cells that contain `content`, as a word."""
    return sum(1 << cell for cell, held in enumerate(cells) if held == content)


@lru_cache(maxsize=256)
def line_masks(rules: Rules) -> NDArray[np.uint64]:
    """uint64 [lines]: the cells of each live line."""
    return np.array([sum(1 << cell for cell in line) for line in line_table(rules).cells], dtype=np.uint64)


@lru_cache(maxsize=128)  # bounded, because a board with joined edges may have very many symmetries
def image_table(image: tuple[int, ...]) -> NDArray[np.uint64]:
    """uint64 [bytes, 256, words]: the image, under a map of the cells, of each byte of a set and each content."""
    contents = np.arange(256)
    table = np.zeros(((len(image) + 7) // 8, 256, (len(image) + 63) // 64), np.uint64)
    for cell, to in enumerate(image):
        table[cell // 8, contents >> cell % 8 & 1 == 1, to // 64] |= np.uint64(1 << to % 64)
    return table


def images_of(sets: NDArray[np.uint64], image: tuple[int, ...]) -> NDArray[np.uint64]:
    """The image of each set, uint64 [..., words], under a map of the cells."""
    octets = sets.astype("<u8", copy=False).view(np.uint8)
    found = np.zeros_like(sets)
    for number, images_of_byte in enumerate(image_table(image)):
        found |= images_of_byte[octets[..., number]]
    return found


@lru_cache(maxsize=256)
def images(rules: Rules) -> NDArray[np.uint64]:
    """uint64 [symmetries, bytes, 256]: ``images[s, b, value]`` is the image of byte b of a word under symmetry s."""
    return np.stack([image_table(symmetry.image)[:, :, 0] for symmetry in symmetries(rules)])


class GameWords(NamedTuple):
    """The rules, as the compiled searches need them."""

    lines: NDArray[np.uint64]  # [lines] `line_masks`, grouped by board
    boards: NDArray[np.uint64]  # [boards] the cells of each, without its bricks
    lines_each: int  # lines per board
    images: NDArray[np.uint64]  # [symmetries, bytes, 256] `images`
    origin: NDArray[np.int64]  # [symmetries, cells] the cell that each symmetry maps to a cell
    shared: bool  # both sides place the same mark
    wins: bool  # completing the line that ends the game wins it
    full: int  # who wins on a full board: 0 neither, 1 the first player, 2 the second


@lru_cache(maxsize=256)
def game_words(rules: Rules) -> GameWords:
    """The words of a game of up to 64 cells."""
    size, bricks = rules.board_size, rules.brick_cells
    boards = [
        sum(1 << cell for cell in range(board * size, (board + 1) * size) if cell not in bricks)
        for board in range(rules.boards)
    ]
    origin = np.empty((len(symmetries(rules)), rules.size), np.int64)
    for number, symmetry in enumerate(symmetries(rules)):
        origin[number, list(symmetry.image)] = range(rules.size)
    lines = line_masks(rules)
    return GameWords(
        lines=lines,
        boards=np.array(boards, np.uint64),
        lines_each=len(lines) // rules.boards,
        images=images(rules),
        origin=origin,
        shared=rules.marks == "shared",
        wins=rules.line == "wins",
        full={"draw": 0, "first": 1, "second": 2}[rules.full],
    )


@kernel
def image(images, symmetry, word):  # type: ignore[no-untyped-def]
    """The image of a word's cells under a symmetry."""
    taken = np.uint64(0)
    for byte in range(images.shape[1]):
        taken |= images[symmetry, byte, np.int64((word >> np.uint64(8 * byte)) & np.uint64(255))]
    return taken


@kernel
def canonical(images, first, second):  # type: ignore[no-untyped-def]
    """The least of a position's symmetric images, and the symmetry that maps the position to it."""
    least_first, least_second, by = first, second, 0
    for symmetry in range(1, images.shape[0]):
        other = image(images, symmetry, first)
        if other <= least_first:
            other_second = image(images, symmetry, second)
            if other < least_first or other_second < least_second:
                least_first, least_second, by = other, other_second, symmetry
    return least_first, least_second, by


@kernel
def count_bits(word):  # type: ignore[no-untyped-def]
    """The number of ones. The compiler recognises this form and emits a single instruction."""
    count = np.int64(0)
    while word != np.uint64(0):
        word &= word - np.uint64(1)
        count += 1
    return count


@kernel
def lowest(word):  # type: ignore[no-untyped-def]
    """The index of the lowest one; the word must not be 0."""
    return count_bits((word & (~word + np.uint64(1))) - np.uint64(1))


@kernel
def mix(first, second):  # type: ignore[no-untyped-def]
    """A hash of two words, uint64."""
    bits = first * np.uint64(0x9E3779B97F4A7C15) ^ (second + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(32))
