"""`NetworkError`: what is wrong with a network."""

from noughts.rules import NoughtsError


class NetworkError(NoughtsError):
    """A network that does not exist, was given a wrong option, or cannot serve a game."""
