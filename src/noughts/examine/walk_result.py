"""`WalkResult`: what walking every reply to an agent showed: proved, refuted by a game, or not decided.

A walk shows what an agent does on one machine; a proof is its certificate, what the agent plays position by position, which
the independent checker has accepted. So a walk that lost no game is *walked*, and *proved* only with its certificate.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

from noughts.rules import StoreError, Value


class WalkResult(Value):
    """What walking every reply to an agent showed, from the agent's point of view.

    Attributes:
        lost_game: Moves of a game that it loses; None if none was found.
        drawn_game: Moves of a shortest game that ends in a draw, of those walked; None if none does.
        whole: Whether every reply was walked, to the end or to a lost game.
        limit: Where it was given up: positions that were allowed. None if it was not.
        won, drawn, lost: How many different games end so, symmetric ones too, of those walked; rounded to 16 digits
            where there are more than 2^53.
        decisions: Positions in which the agent was asked; those that count as one are counted once.
        ties: Those of them in which chance decides between moves.
        longest: Plies of the longest game that ended.
        plies: So far the walk went.
        certificate: SHA-256 of the certificate that was kept and that the independent checker accepted, hexadecimal digits;
            empty if there is none. Of games that are images of one another, one has it for all.
        entries: Positions in that certificate.
        unchecked: Why there can be no checked certificate, one line; empty if there is one, or none was asked for.
        again: How many positions an agent from outside the project was asked about again as in a game, after its turns before;
            0 of ours, which are not asked again.
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
        """Whether no reply beats it: so it was walked, and its certificate was checked."""
        return self.walked and bool(self.certificate)

    @property
    def wins(self) -> bool:
        """Whether it wins against every reply."""
        return self.proved and self.drawn_game is None

    @property
    def verb(self) -> Literal["wins", "never loses"]:
        """What it does if it is proved, or walked: ``wins`` or ``never loses``."""
        return "wins" if self.walked and self.drawn_game is None else "never loses"

    @property
    def games(self) -> int:
        """All games that were counted."""
        return self.won + self.drawn + self.lost

    def __str__(self) -> str:
        """In words."""
        if self.lost_game is not None:
            return f"loses in {len(self.lost_game)} plies"
        if not self.whole:
            return "not decided"
        if not self.proved:
            return f"walked, not checked: {self.verb}"
        return "wins against every reply" if self.wins else "never loses"

    def moved(self, image: Sequence[int]) -> "WalkResult":
        """The same of an image of the game, where ``image[cell]`` says where each cell goes."""

        def there(game: tuple[int, ...] | None) -> tuple[int, ...] | None:
            return None if game is None else tuple(image[move] for move in game)

        return self.model_copy(update={"lost_game": there(self.lost_game), "drawn_game": there(self.drawn_game)})
