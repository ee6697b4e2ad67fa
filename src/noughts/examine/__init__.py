"""One agent under examination: every reply to it walked, its moves beside exact truth, a certificate of what it does."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.examine.certify import certificate_of as certificate_of
    from noughts.examine.judge import Tally as Tally
    from noughts.examine.sample import Stratum as Stratum
    from noughts.examine.sample import all_positions as all_positions
    from noughts.examine.sample import sample_positions as sample_positions
    from noughts.examine.walk_result import WalkResult as WalkResult
else:
    __getattr__, __dir__, __all__ = offer(
        __name__,
        {
            "noughts.examine.certify": ("certificate_of",),
            "noughts.examine.judge": ("Tally",),
            "noughts.examine.sample": (
                "Stratum",
                "all_positions",
                "sample_positions",
            ),
            "noughts.examine.walk_result": ("WalkResult",),
        },
    )
