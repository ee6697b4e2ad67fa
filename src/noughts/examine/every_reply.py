"""`every_reply`: a complete walk of an agent, optionally after a narrow one. The caller queries the agent.

If an agent claims to treat symmetric positions alike, these are merged, and the claim is checked: at each level the agent
is also queried in symmetric images of the level's positions, and must choose the images of its moves. A level with up to
`ALL_IMAGES` images is checked in all of them, which is as strong as a walk without merging, because the positions of that walk are
exactly these images. A larger level is checked in one random image of each position. For noughts' own agents a sample of about
`ALL_IMAGES` positions is enough, because their code treats images alike, which tests check.
"""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.examine.walk import MOST, Walk
from noughts.examine.walk_result import WalkResult
from noughts.positions import Side
from noughts.rules import AgentError, Rules, symmetries
from noughts.rules.errors import NotSymmetricError
from noughts.rules.symmetry import image_onto

PIECE = 128
"""Positions per query of an agent; searches process a power of two at once."""

ALL_IMAGES = 2000
"""The largest number of images of a level that are all checked."""


class Piece(NamedTuple):
    """Positions of one game and of one ply, for one query of an agent."""

    rules: Rules
    moves: NDArray[np.uint16]  # [positions, ply] the moves that lead to each


Asked = Sequence[Piece]
Choices = Sequence[Sequence[tuple[int, ...]]]
"""The agent's possible moves in each position of each piece."""

Replies = Callable[..., Generator[Asked, Choices, WalkResult]]
"""`every_reply` with its arguments, ready to be called with `observe`."""


def every_reply(
    rules: Rules,
    side: Side,
    symmetric: bool = False,
    until_lost: bool = True,
    hunt: int | None = None,
    limit: int = MOST,
    note: Callable[["Walk"], None] = lambda walk: None,
    alike: Sequence[Rules] = (),
    ours: bool = False,
    worth: Callable[["Walk"], NDArray[np.float64] | None] = lambda walk: None,
    observe: Callable[["Walk", Sequence[tuple[int, ...]]], None] = lambda walk, choices: None,
) -> Generator[Asked, Choices, WalkResult]:
    """Walk every reply to an agent, and all of its tie-breaks. Yields positions, and receives the agent's choices in them.

    Most agents that can be beaten lose early, to natural play. So a narrow walk may come first, which keeps only the
    positions of each level that look worst for the agent. If it finds no lost game, the complete walk follows.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: Whether to merge symmetric positions, because the agent claims to choose symmetric moves in them.
        until_lost: Whether to stop at the first level with a lost game; the agent is then queried again along that game.
        hunt: The number of positions of each level in the narrow walk; None to skip this walk.
        limit: Stop before the number of queried positions in one walk exceeds this.
        note: Called with the walk before each level.
        alike: Symmetric games that the walk also covers; the agent is queried in them, too.
        ours: Whether the agent is one of noughts' own, so that images of a sample of each level suffice.
        worth: Returns each position's value to the agent, by which the narrow walk keeps the worst; None for Table 2.
        observe: Called with the walk and the agent's choices in each position of its level, before the walk advances.

    Raises:
        AgentError: in a second query along a lost game, the agent does not repeat its moves.
        NotSymmetricError: the same for merged positions; or the agent does not choose the images of its moves in images
            of positions.
    """
    images = _Images(rules, symmetric, alike, ours)
    for width in (hunt, None) if hunt is not None and until_lost else (None,):
        walk = Walk(rules, side, symmetric, max(limit, MOST))
        while len(walk) and not (until_lost and walk.lost_game) and walk.decisions + len(walk) <= limit:
            note(walk)
            pieces = [Piece(rules, walk.moves(at, min(at + PIECE, len(walk)))) for at in range(0, len(walk), PIECE)]
            choices = [moves for some in (yield pieces) for moves in some]
            observe(walk, choices)
            yield from images.checked(pieces, choices)
            del pieces
            walk.advance(choices)
            del choices  # queries and choices are large
            if width is not None and walk.lost_game is None and len(walk) > width:
                walk.narrow(width, worth(walk))
        if walk.lost_game is not None or not walk.narrowed:
            break
    if until_lost and walk.lost_game is not None:
        game = np.array(walk.lost_game, np.uint16)
        for one in (rules, *alike):
            there = game if one == rules else np.array(image_onto(rules, one), np.uint16)[game]
            again = yield [Piece(one, there[None, :ply]) for ply in range(int(side), len(game), 2)]
            try:
                _require_played(one, side, there.tolist(), [choices for (choices,) in again])
            except AgentError as error:
                raise (NotSymmetricError(str(error)) if symmetric else error) from None
    found = walk.result()
    if len(walk) and not (until_lost and walk.lost_game):
        return found.model_copy(update={"whole": False, "limit": limit})
    return found


class _Images:
    """The images of a walk's positions in which the agent is also checked, because the walk covers them.

    Args:
        rules, symmetric, alike, ours: As in `every_reply`.
    """

    def __init__(self, rules: Rules, symmetric: bool, alike: Sequence[Rules], ours: bool) -> None:
        group = np.array([symmetry.image for symmetry in symmetries(rules)[: None if symmetric else 1]], np.uint16)
        onto = [np.array(image_onto(rules, one), np.uint16)[group] for one in alike]
        self._games = [rules, *alike]
        self._images = np.concatenate([group[1:], *onto])  # [images, size], without the identity
        self._game = np.repeat(np.arange(len(self._games)), [len(group) - 1, *map(len, onto)])
        self._ours, self._drawn = ours, np.random.default_rng(0)

    def checked(self, pieces: Asked, choices: Sequence[tuple[int, ...]]) -> Generator[Asked, Choices, None]:
        """Query the agent in images of these positions; raise NotSymmetricError unless it chooses the images of its moves."""
        if not len(self._images):
            return
        moves, pairs = np.concatenate([piece.moves for piece in pieces]), self._pairs(len(choices))
        asked, of = list[Piece](), list[NDArray[np.int64]]()
        for number, rules in enumerate(self._games):
            here = pairs[self._game[pairs[:, 1]] == number]
            for at in range(0, len(here), PIECE):
                rows, images = here[at : at + PIECE].T
                asked.append(Piece(rules, self._images[images[:, None], moves[rows]]))
                of.append(here[at : at + PIECE])
        for there, some, found in zip(asked, of, (yield asked), strict=True):
            for (number, image), played, answer in zip(some.tolist(), there.moves, found, strict=True):
                expected = tuple(sorted(self._images[image, list(choices[number])].tolist()))
                if answer != expected:
                    names = ["+".join(map(there.rules.name_of, cells)) for cells in (answer, expected)]
                    raise NotSymmetricError(
                        f"the agent claims that it is symmetric, and is not: in {there.rules} "
                        f"{_after(there.rules, played.tolist())} it plays {names[0]}, and in an image of that {names[1]}; "
                        "let its attribute `symmetric` be False"
                    )

    def _pairs(self, positions: int) -> NDArray[np.int64]:
        """int64 [queries, 2]: the positions of a level to check, and the image of each."""
        count = len(self._images)
        if positions * count <= ALL_IMAGES:
            return np.stack(np.divmod(np.arange(positions * count), count), axis=1)
        share = min(1.0, ALL_IMAGES / positions) if self._ours else 1.0
        asked = np.flatnonzero(self._drawn.random(positions) < share)
        return np.stack([asked, self._drawn.integers(count, size=len(asked))], axis=1)


def _after(rules: Rules, moves: Sequence[int]) -> str:
    return f"after {' '.join(map(rules.name_of, moves))}" if moves else "at the start"


def _require_played(rules: Rules, side: Side, game: Sequence[int], choices: Sequence[tuple[int, ...]]) -> None:
    """Raise AgentError unless an agent that plays `side` may still choose the moves of a game in a second query.

    Args:
        choices: Its possible moves in each of its positions of the game, from the second query.
    """
    for ply, moves in zip(range(int(side), len(game), 2), choices, strict=True):
        if game[ply] not in moves:
            raise AgentError(
                f"the agent is not deterministic: queried again in "
                f"{rules} {_after(rules, game[:ply])}, it no longer plays {rules.name_of(game[ply])}"
            )
