"""The kinds of networks, with the options of each; and `ModelSettings`, the options of a learned model.

To add a kind, write its class in a module of this package, and add its options here, also to `NETWORKS`. Third-party
networks come as ``python:file.py:Class`` or by an entry point in the group ``noughts.networks`` (see `outside`). This
module loads no array library before it makes a network, so that checking a configuration is fast.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from noughts.machine.plugins import PluginKind
from noughts.networks.errors import NetworkError
from noughts.rules import Value

if TYPE_CHECKING:
    from noughts.networks.model import ModelBody
    from noughts.networks.network import Array, BoardShape, Network

_WIDTH = r"([1-9][0-9]{0,2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6])"  # from 1 to 4096
_WIDTHS = rf"^(none|{_WIDTH}(x{_WIDTH}){{0,15}})$"

NETWORK_PLUGINS = PluginKind("network", "noughts.networks", NetworkError)
"""How third-party networks are found."""


class NetworkOptions(Value):
    """The base of all kinds' options.

    A class may have `presets`, named sets of options that are written ``preset=name``, and `about`, one line for users in place of
    its docstring's first. They are not declared here, because options of third-party code may have these names.
    """

    error_type: ClassVar = NetworkError
    called: ClassVar = "network"

    @abstractmethod
    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Create a network with these options; see `make_network`."""

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Create the body of a learned model with these options; see `make_model`. NetworkError if the kind has none."""
        raise NetworkError("this kind of network has no learned model: use one that has, such as line, resnet or mlp")


class LineOptions(NetworkOptions):
    """Of `line.LineNetwork`.

    Attributes:
        features: The number of features of a cell.
        blocks: The number of message rounds between cells and lines.
        knots: The number of places along a line that have weights; others interpolate between them.
        reverse: Whether lines are also read backwards.
        bricks: Whether a line through a brick is absent, or a brick is a feature of its cell.
    """

    about: ClassVar = "cells and lines pass messages; its weights serve every game"

    features: int = Field(default=24, ge=1, le=512)
    blocks: int = Field(default=3, ge=0, le=64)
    knots: int = Field(default=4, ge=1, le=19)
    reverse: bool = True
    bricks: Literal["absent", "feature"] = "absent"

    def block(self, board: "BoardShape") -> int:
        """See `Network.block`: about 640 KB of messages, in multiples of a vector register's length."""
        messages = max(board.lengths) * self.features * board.size
        return max(32, 163_840 // messages // 16 * 16)

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights serve every board."""
        from noughts.networks.line import LineNetwork

        return LineNetwork(key, self)

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights serve every board."""
        from noughts.networks.line_model import LineBody

        return LineBody(key, self)


class GraphOptions(NetworkOptions):
    """Of `graph.GraphNetwork`.

    Attributes:
        features: The number of features of a cell.
        rounds: The number of message rounds between adjacent cells.
    """

    about: ClassVar = "adjacent cells pass messages, without knowledge of lines; its weights serve every board"

    features: int = Field(default=32, ge=1, le=512)
    rounds: int = Field(default=4, ge=0, le=64)

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights serve every board."""
        from noughts.networks.graph import GraphNetwork

        return GraphNetwork(key, self)


class ResNetOptions(NetworkOptions):
    """Of `resnet.ResNet`.

    Attributes:
        channels: The number of channels.
        blocks: The number of residual blocks, of two convolutions each.
        kernel: The side of a convolution's window, in cells.
        norm: Normalisation: by the batch, by layer, or none.
        heads: ``dense`` serves one size of board, as in AlphaZero; ``pooled`` serves any.
        planes: The number of input planes: all 4, or 3 without the plane of the first player.
        slope: The slope of the rectifiers below zero; 0 for ReLU.
        value_width: The width of the hidden layer of the value head.
        epsilon: The number that batch normalisation adds to a variance.
        features: ``lines`` adds the contents of the lines through each cell to the input planes.
    """

    about: ClassVar = "convolutions with residual connections"
    presets: ClassVar = {
        # Table 1 of the Brick Tic-Tac-Toe paper: 912,939 parameters on 7x7.
        "paper": {
            "channels": "75",
            "blocks": "5",
            "kernel": "4",
            "norm": "batch",
            "heads": "dense",
            "planes": "3",
            "slope": "0.3",
            "value_width": "20",
            "epsilon": "0.001",
        }
    }

    channels: int = Field(default=32, ge=1, le=1024)
    blocks: int = Field(default=4, ge=0, le=64)
    kernel: int = Field(default=3, ge=1, le=19)
    norm: Literal["batch", "layer", "none"] = "batch"
    heads: Literal["pooled", "dense"] = "pooled"
    planes: Literal[3, 4] = 4
    slope: float = Field(default=0.0, ge=0, le=1)
    value_width: int = Field(default=32, ge=1, le=1024)
    epsilon: float = Field(default=1e-5, gt=0, le=1)
    features: Literal["none", "lines"] = "none"

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights are made for the board."""
        from noughts.networks.resnet import ResNet

        return ResNet(key, board, self)

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights are made for the board."""
        from noughts.networks.resnet_model import ResNetBody

        return ResNetBody(key, board, self)


class MlpOptions(NetworkOptions):
    """Of `mlp.Mlp`. Widths are written ``81x81``; ``none`` for no hidden layer.

    Attributes:
        widths: The widths of the hidden layers that both heads share.
        policy_widths, value_widths: The widths of the hidden layers of each head.
        norm: Normalisation: by the batch, by layer, or none.
        inputs: ``signed`` for one number a cell, or all four ``planes``.
        rectified_logits: Whether the logits go through a ReLU, a mistake whose cost a study measures.
    """

    about: ClassVar = "fully connected layers; for one size of board"
    presets: ClassVar = {
        "tic-tac-toe": {
            "widths": "81x81",
            "policy_widths": "18",
            "value_widths": "18",
            "norm": "batch",
            "inputs": "signed",
        },
        "notakto": {"widths": "64x64", "norm": "none", "inputs": "signed"},
    }
    allowed: ClassVar = {
        "widths": "widths from 1 to 4096 such as 81x81, or none",
        "policy_widths": "widths from 1 to 4096 such as 18, or none",
        "value_widths": "widths from 1 to 4096 such as 18, or none",
    }

    widths: str = Field(default="128x128", pattern=_WIDTHS)
    policy_widths: str = Field(default="none", pattern=_WIDTHS)
    value_widths: str = Field(default="none", pattern=_WIDTHS)
    norm: Literal["batch", "layer", "none"] = "none"
    inputs: Literal["signed", "planes"] = "planes"
    rectified_logits: bool = False

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights are made for the board."""
        from noughts.networks.mlp import Mlp

        return Mlp(key, board, self)

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights are made for the board."""
        from noughts.networks.mlp_model import MlpBody

        return MlpBody(key, board, self)

    @staticmethod
    def numbers(widths: str) -> tuple[int, ...]:
        """Widths as numbers: ``81x81`` as (81, 81), ``none`` as ()."""
        return () if widths == "none" else tuple(map(int, widths.split("x")))


NETWORKS: dict[str, type[NetworkOptions]] = {
    "line": LineOptions,
    "graph": GraphOptions,
    "resnet": ResNetOptions,
    "mlp": MlpOptions,
}


Ends = Literal["value", "reward", "learned"]


class ModelSettings(Value):
    """Settings of a learned model of a game.

    Attributes:
        ends: How a game ends for the model. ``value``: states after the end keep the outcome as their value, with alternating
            signs; no rewards. ``reward``: the last move earns the outcome, and later states are worth nothing.
            ``learned``: the same, and the model also predicts the end, after which a search counts nothing.
        legality: Where a search gets legal moves after the root: from the policy alone (``root``), or from a head that learned
            them and excludes other moves (``learned``).
        decoder: A head that decodes the imagined board, the side to move and the end of the game. ``probe``: it reads the
            model and does not change it. ``loss``: the model also learns from it. ``none``: imagined boards cannot be shown.
        consistency: Whether the model has the two layers of EfficientZero's consistency loss.
    """

    error_type: ClassVar = NetworkError
    called: ClassVar = "model"

    ends: Ends = "value"
    legality: Literal["root", "learned"] = "root"
    decoder: Literal["probe", "loss", "none"] = "probe"
    consistency: bool = False
