"""`ModelSettings`: what a learned model says besides the next state. A value, checked without an array library."""

from typing import ClassVar, Literal

from noughts.networks.errors import NetworkError
from noughts.rules import Value

Ends = Literal["value", "reward", "learned"]


class ModelSettings(Value):
    """What a learned model of a game says.

    Attributes:
        ends: How a game ends for the model. ``value``: what follows the end is a state that stays, worth the outcome, with
            its sign turned at each further move; no rewards. ``reward``: the last move earns the outcome; what follows stays
            and is worth nothing. ``learned``: likewise, and the model says that the game is over; a search then counts
            nothing after it.
        legality: Who knows which moves are legal after the root: nobody but the policy (``root``), or a head that was told
            of them in training, and by which the search leaves moves out (``learned``).
        decoder: A head that draws the board which the model believes in, says who is to move and whether the game is over.
            ``probe``: it reads what the model has, and changes nothing of it. ``loss``: the model learns by it, too.
            ``none``: there is none, and nothing can be told of what the model believes.
        consistency: Whether it has the two layers of EfficientZero's consistency loss.
    """

    error_type: ClassVar = NetworkError
    called: ClassVar = "model"
    allowed: ClassVar = {
        "ends": "value, reward or learned",
        "legality": "root or learned",
        "decoder": "probe, loss or none",
        "consistency": "true or false",
    }

    ends: Ends = "value"
    legality: Literal["root", "learned"] = "root"
    decoder: Literal["probe", "loss", "none"] = "probe"
    consistency: bool = False
