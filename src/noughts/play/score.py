"""`Score`: the results of games from one player's point of view. Endings are counted only here."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Self

from noughts.rules import Value
from noughts.statistics import Interval, effective_games, points_interval, wilson
from noughts.store.records import GameRecord

Player = Literal["first", "second"]


class Score(Value):
    """The results of games from one player's point of view.

    Attributes:
        wins, draws, losses: A game that an agent's error ended is lost by that agent.
        errors: The number of games that ended in an error. Those that no agent caused count for neither player.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    errors: int = 0

    @classmethod
    def of(cls, records: Iterable[GameRecord], player: Player | Callable[[GameRecord], Player]) -> Self:
        """The score of a player in some games.

        Args:
            records: The games.
            player: The player's side, or a function that returns the side in each game.
        """
        counts = dict.fromkeys(("wins", "draws", "losses", "errors"), 0)
        for record in records:
            side = player(record) if callable(player) else player
            counts["errors"] += record.ending == "error"
            if record.ending == "draw":
                counts["draws"] += 1
            elif record.culprit:
                counts["losses" if record.culprit == side else "wins"] += 1
            elif record.ending != "error":
                counts["wins" if record.ending == side else "losses"] += 1
        return cls(**counts)

    def turned(self) -> "Score":
        """The same games from the other player's point of view."""
        return Score(wins=self.losses, draws=self.draws, losses=self.wins, errors=self.errors)

    @property
    def games(self) -> int:
        """Games that were won, drawn or lost."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The mean points of a game: 1 for a win, 1/2 for a draw; 0 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def points_interval(self) -> Interval:
        """`points` with a confidence interval, which is above 1/2 if the wins show that this player is better."""
        return points_interval(self.wins, self.draws, self.losses)

    @property
    def win_interval(self) -> Interval:
        """The share of wins, with its Wilson interval."""
        return wilson(self.wins, self.games)

    @property
    def draw_interval(self) -> Interval:
        """The share of draws, likewise."""
        return wilson(self.draws, self.games)

    @property
    def loss_interval(self) -> Interval:
        """The share of losses, likewise."""
        return wilson(self.losses, self.games)

    def __str__(self) -> str:
        """Wins - losses, with draws between them if there are any."""
        counts = (self.wins, self.draws, self.losses) if self.draws else (self.wins, self.losses)
        return " - ".join(map(str, counts))

    def __add__(self, other: "Score") -> "Score":
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in Score.model_fields})


def points_with_repeats(groups: Sequence[tuple[Score, int]]) -> Interval:
    """Mean points over groups of games, each with the number of different ones; repeats narrow no interval: `effective_games`."""
    total, effective = _effective(groups)
    return points_interval(
        *(count / max(1, total.games) * effective for count in (total.wins, total.draws, total.losses))
    )


def wins_with_repeats(groups: Sequence[tuple[Score, int]]) -> Interval:
    """The share of wins, as in `points_with_repeats`."""
    total, effective = _effective(groups)
    return wilson(total.wins / max(1, total.games) * effective, effective)


def _effective(groups: Sequence[tuple[Score, int]]) -> tuple[Score, float]:
    """The sum of scores, and its number of effective games."""
    games, distinct = [score.games for score, _ in groups], [different for _, different in groups]
    return sum((score for score, _ in groups), Score()), effective_games(games, distinct)
