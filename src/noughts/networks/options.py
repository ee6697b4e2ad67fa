"""`NetworkOptions`: what makes networks of one kind, the ground on which `spec` and every kind of network stand.

It loads no array library, so that a configuration is checked in no time.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from noughts.machine.plugins import PluginKind
from noughts.networks.errors import NetworkError
from noughts.rules import Value

if TYPE_CHECKING:
    from noughts.networks.model import ModelBody
    from noughts.networks.network import Array, BoardShape, Network


NETWORK_PLUGINS = PluginKind("network", "noughts.networks", NetworkError)
"""How networks come from outside."""


class NetworkOptions(Value):
    """The base of each kind's options."""

    error_type: ClassVar = NetworkError
    called: ClassVar = "network"

    @abstractmethod
    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """A new network with these options; see `make_network`."""

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """What a learned model is made of with these options; see `make_model`. NetworkError if there is no such thing."""
        raise NetworkError("this kind of network has no learned model: use one that has, such as line, resnet or mlp")
