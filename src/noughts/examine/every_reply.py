"""`every_reply`: a walk from its beginning to its end, for whoever asks the agent: a narrow one first, then the whole."""

from collections.abc import Callable, Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.examine.walk import MOST, Walk
from noughts.examine.walk_result import WalkResult
from noughts.positions import Side
from noughts.rules import AgentError, Rules

PIECE = 200
"""Positions in which an agent is asked at once."""

Asked = Sequence[NDArray[np.uint16]]
"""Positions that an agent is asked about, in pieces: each the moves that lead there, uint16 [positions, ply]."""
Choices = Sequence[Sequence[tuple[int, ...]]]
"""What it may choose in each position of each piece."""


def every_reply(
    rules: Rules,
    side: Side,
    symmetric: bool = False,
    until_lost: bool = True,
    hunt: int | None = None,
    limit: int = MOST,
    note: Callable[["Walk"], None] = lambda walk: None,
) -> Generator[Asked, Choices, WalkResult]:
    """Walk every reply to an agent, and every way its ties can fall: yields what it must be asked, and is sent its answers.

    Agents that can be beaten are mostly beaten soon by play that looks good. So a narrow walk may come first: of each
    level it keeps the positions that look worst for the agent. If it finds no lost game, the whole walk follows.

    Args:
        rules: The game.
        side: The side that the agent plays.
        symmetric: The agent's choices at symmetric positions are the symmetric ones.
        until_lost: Whether to stop at the first level with a lost game; the agent is then asked again along it.
        hunt: How many positions of each level the narrow walk keeps; None for no such walk.
        limit: Stop before the positions asked in one walk would be more than these.
        note: Told of the walk before each level.

    Raises:
        AgentError: asked again along a lost game, the agent no more plays it.
    """
    for width in (hunt, None) if hunt is not None and until_lost else (None,):
        walk = Walk(rules, side, symmetric, max(limit, MOST))
        while len(walk) and not (until_lost and walk.lost_game) and walk.decisions + len(walk) <= limit:
            note(walk)
            pieces = range(0, len(walk), PIECE)  # what is asked and answered is large: no name keeps it
            walk.advance(
                [c for some in (yield [walk.moves(at, min(at + PIECE, len(walk))) for at in pieces]) for c in some]
            )
            if width is not None and walk.lost_game is None:
                walk.narrow(width)
        if walk.lost_game is not None or not walk.narrowed:
            break
    if until_lost and walk.lost_game is not None:
        game = np.array(walk.lost_game, np.uint16)
        again = yield [game[None, :ply] for ply in range(int(side), len(game), 2)]
        _require_played(rules, side, walk.lost_game, [choices for (choices,) in again])
    found = walk.result()
    if len(walk) and not (until_lost and walk.lost_game):
        return found.model_copy(update={"whole": False, "limit": limit})
    return found


def _require_played(rules: Rules, side: Side, game: Sequence[int], choices: Sequence[tuple[int, ...]]) -> None:
    """AgentError unless an agent that plays `side`, asked again along a game, may still choose its moves.

    Args:
        choices: What it may choose in each of its positions of the game, asked again.
    """
    for ply, moves in zip(range(int(side), len(game), 2), choices, strict=True):
        if game[ply] not in moves:
            played = " ".join(map(rules.name_of, game[:ply]))
            raise AgentError(
                f"the agent does not decide alike whenever it meets the same position: asked again in "
                f"{rules} {'after ' + played if played else 'at the start'}, it plays no more "
                f"{rules.name_of(game[ply])}"
            )
