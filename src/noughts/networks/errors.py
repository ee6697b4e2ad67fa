"""`NetworkError`, for all errors about networks."""

from typing import Any

from noughts.rules import NoughtsError, Rules


class NetworkError(NoughtsError):
    """A network that does not exist, was given a wrong option, or cannot serve a game."""


def require_served(network: Any, rules: Rules) -> None:
    """NetworkError if a network, or a learned model, does not support these rules."""
    reason = network.refusal(rules)
    if reason is not None:
        raise NetworkError(f"the network cannot serve {rules}: {reason}")
