"""Shares in words with their intervals, but without an interval if every position was judged."""

from noughts.rules.text import counted
from noughts.statistics import Interval

EVERY_POSITION = "every position"
"""Replaces an interval if nothing was sampled."""

REPEATS_SAY_NOTHING = "intervals count repeated games once, because they are no further evidence"
"""The note if some games were played more than once."""


def share_text(share: Interval, exact: bool) -> str:
    """A share in percent with its 95 percent interval; if it is exact, with one more digit and no interval."""
    if exact:
        return f"{100 * share.value:.2f} % ({EVERY_POSITION})"
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def different_games(distinct: int, games: int) -> str:
    """The number of different games, and of all games if there are more."""
    return counted(distinct, "different game") + (f" of {games:,}" if distinct < games else "")
