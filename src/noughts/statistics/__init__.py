"""Confidence intervals, exact tests, and verdicts on claims. No other package computes them."""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.statistics.intervals import ClusteredShare as ClusteredShare
    from noughts.statistics.intervals import Interval as Interval
    from noughts.statistics.intervals import clustered_share as clustered_share
    from noughts.statistics.intervals import difference as difference
    from noughts.statistics.intervals import effective_games as effective_games
    from noughts.statistics.intervals import interval_of_sums as interval_of_sums
    from noughts.statistics.intervals import mean_difference as mean_difference
    from noughts.statistics.intervals import mean_interval as mean_interval
    from noughts.statistics.intervals import mean_share as mean_share
    from noughts.statistics.intervals import points_interval as points_interval
    from noughts.statistics.intervals import recover_variances as recover_variances
    from noughts.statistics.intervals import wilson as wilson
    from noughts.statistics.significance import holm as holm
    from noughts.statistics.significance import same_rate as same_rate
    from noughts.statistics.significance import same_rate_paired as same_rate_paired
    from noughts.statistics.verdicts import LEVEL as LEVEL
    from noughts.statistics.verdicts import MARGIN as MARGIN
    from noughts.statistics.verdicts import Comparison as Comparison
    from noughts.statistics.verdicts import Verdict as Verdict
    from noughts.statistics.verdicts import compare as compare
    from noughts.statistics.verdicts import compare_with_always as compare_with_always
    from noughts.statistics.verdicts import verdicts_on as verdicts_on
else:
    __getattr__, __dir__, __all__ = offer(__name__)
