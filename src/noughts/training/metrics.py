"""`MetricMeaning`: the meaning of a number that training measures."""

from typing import NamedTuple


class MetricMeaning(NamedTuple):
    """The meaning of a metric in the result of a method's `measure`.

    Attributes:
        about: What is measured, and against which opponent.
        whole: The value that stands for 100 percent, 1 or 100; None if the metric is not a proportion of a random sample,
            so that it has no confidence interval.
    """

    about: str
    whole: float | None = None


def _alphazero() -> dict[str, MetricMeaning]:
    found: dict[str, MetricMeaning] = {}
    for prefix, where in (("", ""), ("held_out_", ", in games held out of training")):
        for side in ("first", "second"):
            about = f"points against minimax:depth=2 as {side} player, a draw half a point{where}"
            found[f"{prefix}{side}_score"] = MetricMeaning(about, 1.0)
        for name, how in (("policy", "the network alone"), ("search", "the network with search")):
            about = f"moves of {how} that are optimal in non-trivial positions{where}"
            found[f"{prefix}{name}_optimal"] = MetricMeaning(about, 1.0)
    return found


def _evolution() -> dict[str, MetricMeaning]:
    found: dict[str, MetricMeaning] = {}
    for prefix, who in (("", "the mean"), ("best_", "the best so far")):
        against = "minimax, to the end of small games and else of depth 2"
        for how in ("lost", "drawn"):
            about = f"{how} by {who}, of 100 rounds of two games against {against}"
            found[f"{prefix}{how}_rounds"] = MetricMeaning(about, 100.0)
    return found


_PROOF = {
    "proved": MetricMeaning(
        "1 if no reply beats it, as a certificate shows, and else 0: of a run that ends when it is proved"
    ),
    "replies_walked": MetricMeaning("positions in which the proof needed its move"),
    "loses_in": MetricMeaning("moves of the game that beats it"),
    "supplied": MetricMeaning("positions of games that beat it, from which games of self-play may begin, so far"),
}
ALPHAZERO, EVOLUTION = _alphazero() | _PROOF, _evolution() | _PROOF
