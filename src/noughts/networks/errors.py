"""`NetworkError`: what is wrong with a network."""

from typing import Any

from noughts.rules import NoughtsError, Rules


class NetworkError(NoughtsError):
    """A network that does not exist, was given a wrong option, or cannot serve a game."""


def require_served(network: Any, rules: Rules) -> None:
    """NetworkError if the weights of a network, or of a learned model, cannot serve these rules."""
    reason = network.refusal(rules)
    if reason is not None:
        raise NetworkError(f"the network cannot serve {rules}: {reason}")
