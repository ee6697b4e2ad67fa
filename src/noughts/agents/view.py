"""The canonical view of a position: one form for all positions that are equivalent under the symmetries of the board.

A network trained on symmetric copies treats them nearly alike, but not exactly. An agent that sees only canonical
positions treats them exactly alike, even if a symmetry moves the bricks. So a proof for one brick square holds for
all squares that are equivalent to it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from noughts.positions import Position
from noughts.rules import Rules, symmetries
from noughts.search import SearchResult
from noughts.search.trace import Trace, VisitedNode

_Sources = tuple[int, ...]


class View(NamedTuple):
    """The canonical view of a position.

    Attributes:
        position: The canonical image.
        ways: The symmetries that lead there, one or more: ``way[cell of the image]`` is the cell of the original.
    """

    position: Position
    ways: tuple[_Sources, ...]

    def choices(self, move: int) -> tuple[int, ...]:
        """The moves of the original that correspond to a move in the image, ascending."""
        return tuple(sorted({way[move] for way in self.ways}))

    def result(self, found: SearchResult, move: int) -> SearchResult:
        """Translate a result for the image to the original, where `move` corresponds to the image's move."""
        way = next(way for way in self.ways if way[found.move] == move)
        return replace(
            found,
            move=move,
            moves=tuple(sorted(one._replace(move=way[one.move]) for one in found.moves)),
            principal_variation=tuple(way[cell] for cell in found.principal_variation),
        )

    def trace(self, found: Trace) -> Trace:
        """Translate a search of the image to the original, by the first of the ways."""
        way = self.ways[0]

        def turned(moves: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(way[move] for move in moves)

        def nodes(some: tuple[VisitedNode, ...]) -> tuple[VisitedNode, ...]:
            return tuple(replace(node, moves=turned(node.moves)) for node in some)

        return replace(
            found,
            select=turned(found.select),
            expand=None if found.expand is None else way[found.expand],
            rollout=turned(found.rollout),
            path=nodes(found.path),
            nodes=nodes(found.nodes),
            tried=tuple(sorted(nodes(found.tried), key=lambda node: node.moves)),
            move=None if found.move is None else way[found.move],
        )


def from_one_side(position: Position) -> View:
    """The canonical view: the symmetric image whose `cells` are smallest, which is the same for all images of a position."""
    turns = _turns(position.rules)
    images = [bytes(turn(position.cells)) for _, turn in turns]
    smallest = min(images)
    ways = tuple([sources for (sources, _), image in zip(turns, images, strict=True) if image == smallest])
    rules, image = _turned(position.rules, ways[0])
    moves = tuple([image[move] for move in position.moves])
    return View(Position(rules, moves, smallest, position.closed, position.outcome), ways)


@lru_cache(maxsize=256)
def _turns(rules: Rules) -> tuple[tuple[_Sources, Callable[[bytes], tuple[int, ...]]], ...]:
    """For each symmetry of the board without bricks: the source of each cell of the image, and a function that applies it."""
    found = []
    for symmetry in symmetries(rules.model_copy(update={"bricks": ()})):
        sources = tuple(sorted(range(rules.size), key=symmetry.image.__getitem__))
        found.append((sources, itemgetter(*sources) if len(sources) > 1 else tuple))
    return tuple(found)


@lru_cache(maxsize=4096)
def _turned(rules: Rules, sources: _Sources) -> tuple[Rules, list[int]]:
    """The rules with their bricks moved by a symmetry, and the image of each cell."""
    bricks = tuple(cell for cell in range(rules.board_size) if sources[cell] in rules.bricks)
    return Rules(**{**dict(rules), "bricks": bricks}), sorted(range(len(sources)), key=sources.__getitem__)
