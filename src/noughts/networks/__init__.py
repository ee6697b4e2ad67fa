"""Networks: from the side to move's view of a position to a policy and a value. They depend on no named game.

`network` is the interface of a policy and value network; `options` lists the kinds and `spec` parses one from text; `weights`
saves one in a file. Evolution trains the networks of `value_network`.
"""

from typing import TYPE_CHECKING

from noughts.offering import offer

if TYPE_CHECKING:
    from noughts.networks.errors import NetworkError as NetworkError
    from noughts.networks.evaluate import Evaluation as Evaluation
    from noughts.networks.network import BoardShape as BoardShape
    from noughts.networks.network import Network as Network
    from noughts.networks.network import Observation as Observation
    from noughts.networks.network import Prediction as Prediction
    from noughts.networks.options import NETWORKS as NETWORKS
    from noughts.networks.options import NetworkOptions as NetworkOptions
    from noughts.networks.spec import NetworkSpec as NetworkSpec
    from noughts.networks.spec import make_network as make_network
    from noughts.networks.spec import parse_network as parse_network
    from noughts.networks.value_network import ValueNetwork as ValueNetwork
    from noughts.networks.weights import LoadedNetwork as LoadedNetwork
    from noughts.networks.weights import load_network as load_network
    from noughts.networks.weights import save_network as save_network
else:
    __getattr__, __dir__, __all__ = offer(__name__)
