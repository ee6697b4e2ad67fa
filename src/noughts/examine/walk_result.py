"""`WalkResult`: the result of a walk: the agent is proved, refuted by a game, or undecided.

A walk shows how an agent plays on one machine. A proof is its certificate, its moves position by position, after
the independent checker has accepted it. So a walk without a lost game is *walked*, and *proved* only with its certificate.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

from noughts.rules import StoreError, Value


class WalkResult(Value):
    """The result of walking every reply to an agent, from the agent's point of view.

    Attributes:
        lost_game: Moves of a game that it loses; None if none was found.
        drawn_game: Moves of a shortest game that ends in a draw, of those walked; None if none does.
        whole: Whether every reply was walked, to the end or to a lost game.
        limit: The number of allowed positions at which the walk stopped; None if it did not.
        won, drawn, lost: Numbers of distinct games walked with these results, counting symmetric ones separately; above
            2^53 rounded to 16 digits.
        decisions: Positions in which the agent chose; positions that are merged count once.
        ties: How many of these positions have several possible moves.
        longest: Plies of the longest game that ended.
        plies: Plies that the walk reached.
        certificate: SHA-256, in hexadecimal digits, of the saved certificate that the independent checker accepted;
            empty if there is none. Symmetric games share one.
        entries: Positions in that certificate.
        unchecked: Why there can be no checked certificate, one line; empty if there is one, or none was requested.
        again: Positions in which a third-party agent was queried again as in a game, after its earlier turns;
            0 for agents of this project, which are not.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "walk"

    lost_game: tuple[int, ...] | None
    drawn_game: tuple[int, ...] | None
    whole: bool
    limit: int | None = None
    won: int
    drawn: int
    lost: int
    decisions: int
    ties: int
    longest: int
    plies: int
    certificate: str = ""
    entries: int = 0
    unchecked: str = ""
    again: int = 0

    @property
    def walked(self) -> bool:
        """Whether every reply was walked, and no game was lost."""
        return self.lost_game is None and self.whole

    @property
    def proved(self) -> bool:
        """Whether no reply beats the agent: the walk lost no game, and the checker accepted its certificate."""
        return self.walked and bool(self.certificate)

    @property
    def wins(self) -> bool:
        """Whether the agent wins against every reply."""
        return self.proved and self.drawn_game is None

    @property
    def verb(self) -> Literal["wins", "never loses"]:
        """The claim about a proved or walked agent: ``wins`` or ``never loses``."""
        return "wins" if self.walked and self.drawn_game is None else "never loses"

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.won + self.drawn + self.lost

    def __str__(self) -> str:
        """Describe the result."""
        if self.lost_game is not None:
            return f"loses in {len(self.lost_game)} plies"
        if not self.whole:
            return "not decided"
        if not self.proved:
            return f"walked, not checked: {self.verb}"
        return "wins against every reply" if self.wins else "never loses"

    def moved(self, image: Sequence[int]) -> "WalkResult":
        """Return the result for a symmetric game, in which ``image[cell]`` is the image of each cell."""

        def there(game: tuple[int, ...] | None) -> tuple[int, ...] | None:
            return None if game is None else tuple(image[move] for move in game)

        return self.model_copy(update={"lost_game": there(self.lost_game), "drawn_game": there(self.drawn_game)})
