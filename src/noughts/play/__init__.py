"""Games that are played: one playthrough, many at once, matches and tournaments, and what is counted of them."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.play.playthrough import GamePlan as GamePlan
    from noughts.play.playthrough import play_game as play_game
    from noughts.play.playthrough import replay as replay
    from noughts.play.score import Player as Player
    from noughts.play.score import Score as Score
else:
    __getattr__, __dir__, __all__ = offer(
        __name__,
        {
            "noughts.play.playthrough": (
                "GamePlan",
                "play_game",
                "replay",
            ),
            "noughts.play.score": (
                "Player",
                "Score",
            ),
        },
    )
