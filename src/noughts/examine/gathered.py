"""`GatheredStrategy`: what an agent plays, gathered while every reply to it is walked, and kept as its certificate."""

from collections.abc import Sequence

from noughts.examine.certify import AgentCertificate
from noughts.examine.walk import Walk
from noughts.positions import Side
from noughts.rules import CertificateError, Rules
from noughts.store.certificates import keep_certificate


class GatheredStrategy:
    """The moves of an agent, level by level of a walk. A walk that is narrowed leaves out replies, and shows no strategy.

    Args:
        rules: The game.
        side: The side that the agent plays.
        agent: Its text.
        symmetric: Its choices at symmetric positions are the symmetric ones.
    """

    def __init__(self, rules: Rules, side: Side, agent: str, symmetric: bool) -> None:
        self._of = (rules, side, agent, symmetric)
        self._found: AgentCertificate | None = None
        self._why_not = ""
        self._level: Walk | None = None

    def look_at(self, walk: Walk) -> None:
        """A level is about to be asked; the first of a walk begins the strategy anew."""
        if walk.level == 0:
            try:
                self._found = AgentCertificate(*self._of)
            except CertificateError as error:
                self._why_not = str(error)
        if walk.narrowed:
            self._found = None
        self._level = walk

    def add(self, choices: Sequence[tuple[int, ...]]) -> None:
        """What the agent may choose in each position of the level that was looked at last; nothing if there was none since."""
        if self._level is not None and self._found is not None:
            self._found.add(self._level.words(), choices)
        self._level = None

    def keep(self, verb: str) -> str:
        """Keep the certificate of a walk that lost no game, and give its SHA-256.

        Args:
            verb: What the agent does: ``wins`` or ``never loses``.

        Raises:
            CertificateError: there can be none: the game or the walk is too large.
            NotSymmetricError: positions were merged, and the agent is not symmetric.
            StoreError: it cannot be written.
        """
        if self._found is None:
            raise CertificateError(self._why_not or "no whole walk was made")
        return keep_certificate(self._found.content("wins" if verb == "wins" else "never loses"))
