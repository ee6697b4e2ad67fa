"""How a share is told with its interval; and without one where every position there is was judged."""

from noughts.statistics import Interval

EVERY_POSITION = "every position"
"""What stands in place of an interval where nothing was left to chance."""


def share_text(share: Interval, exact: bool) -> str:
    """A share in percent with its 95 percent interval, or with one more digit and without an interval if it is exact."""
    if exact:
        return f"{100 * share.share:.2f} % ({EVERY_POSITION})"
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
