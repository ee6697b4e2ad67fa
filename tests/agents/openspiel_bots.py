"""Bots and policies as a user of OpenSpiel would write them."""

from typing import Any

import pyspiel
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import Policy


def make_bot(game: Any, player: int, rng: Any) -> Any:
    return UniformRandomBot(player, rng)


class Last(pyspiel.Bot):  # type: ignore[misc]
    """Plays the last legal move, or the one before it."""

    def __init__(self, game: Any, player: int, rng: Any, skip: int = 0) -> None:
        super().__init__()
        self.skip = skip

    def restart_at(self, state: Any) -> None:
        """Does nothing, because the bot has no state."""

    def step(self, state: Any) -> int:
        return int(state.legal_actions()[-1 - min(self.skip, len(state.legal_actions()) - 1)])


class CornersFirst(Policy):  # type: ignore[misc]
    """One of the first two legal moves, the first three times as likely."""

    def __init__(self, game: Any, player: int, rng: Any) -> None:
        super().__init__(game, [player])

    def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
        legal = state.legal_actions()
        shares = [1.0] if len(legal) == 1 else [0.75, 0.25]
        return dict.fromkeys(legal, 0.0) | dict(zip(legal, shares, strict=False))


class NoMove(CornersFirst):
    """Gives no move a probability."""

    def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
        return dict.fromkeys(state.legal_actions(), 0.0)


def nothing(game: Any, player: int, rng: Any) -> int:
    return 3
