"""Networks as text, ``line`` or ``resnet:channels=64,blocks=6``, and which there are.

To add one: write its class in a module of this package, and here its options and one `NetworkKind`. From outside the
project, ``python:file.py:Class`` or an entry point in the group ``noughts.networks`` does the same (see `outside`). This
module loads no array library before a network of ours is made, so that a configuration can be checked in no time.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from noughts.machine.parameters import from_text
from noughts.machine.plugins import FORMS, PYTHON
from noughts.networks.errors import NetworkError
from noughts.networks.options import NETWORK_PLUGINS, NetworkOptions
from noughts.rules import Value
from noughts.rules.errors import shortened
from noughts.rules.text import split_outside_parentheses, unknown

if TYPE_CHECKING:
    from noughts.networks.model import LatentModel, ModelBody
    from noughts.networks.model_settings import ModelSettings
    from noughts.networks.network import Array, BoardShape, Network


_SHOWN = 200  # characters of a text that errors repeat
_WIDTH = r"([1-9][0-9]{0,2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6])"  # from 1 to 4096
_WIDTHS = rf"^(none|{_WIDTH}(x{_WIDTH}){{0,15}})$"


class LineOptions(NetworkOptions):
    """Of `line.LineNetwork`.

    Attributes:
        features: Numbers that a cell carries.
        blocks: Rounds of messages between cells and lines.
        knots: Places along a line at which weights are kept; those between are interpolated.
        reverse: Whether lines are read backwards, too.
        bricks: Whether a line through a brick is absent, or a brick is a feature of its cell.
    """

    allowed: ClassVar = {
        "features": "a whole number from 1 to 512",
        "blocks": "a whole number from 0 to 64",
        "knots": "a whole number from 1 to 19",
        "reverse": "true or false",
        "bricks": "absent or feature",
    }

    features: int = Field(default=24, ge=1, le=512)
    blocks: int = Field(default=3, ge=0, le=64)
    knots: int = Field(default=4, ge=1, le=19)
    reverse: bool = True
    bricks: Literal["absent", "feature"] = "absent"

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights serve every board."""
        from noughts.networks.line import LineNetwork

        return LineNetwork(key, **dict(self))

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights serve every board."""
        from noughts.networks.line_model import LineBody

        return LineBody(key, **dict(self))


class GraphOptions(NetworkOptions):
    """Of `graph.GraphNetwork`.

    Attributes:
        features: Numbers that a cell carries.
        rounds: Of messages between cells that touch.
    """

    allowed: ClassVar = {
        "features": "a whole number from 1 to 512",
        "rounds": "a whole number from 0 to 64",
    }

    features: int = Field(default=32, ge=1, le=512)
    rounds: int = Field(default=4, ge=0, le=64)

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Its weights serve every board."""
        from noughts.networks.graph import GraphNetwork

        return GraphNetwork(key, **dict(self))


class ResNetOptions(NetworkOptions):
    """Of `resnet.ResNet`.

    Attributes:
        channels: Numbers that a cell carries.
        blocks: Residual blocks of two convolutions each.
        kernel: Cells on a side of what a convolution sees.
        norm: Normalisation: by the batch, by layer, or none.
        heads: ``dense``: for one size of board, as in AlphaZero; ``pooled``: for any.
        planes: What it sees of a position: all 4 planes, or 3, without who moves first.
        slope: Of the rectifiers below zero; 0 for ReLU.
        value_width: Numbers in the hidden layer of the value.
        epsilon: What batch normalisation adds to a variance.
        features: ``lines`` to be told what the lines through each cell hold, besides the planes.
    """

    allowed: ClassVar = {
        "channels": "a whole number from 1 to 1024",
        "blocks": "a whole number from 0 to 64",
        "kernel": "a whole number from 1 to 19",
        "norm": "batch, layer or none",
        "heads": "pooled or dense",
        "planes": "3 or 4",
        "slope": "a number from 0 to 1",
        "value_width": "a whole number from 1 to 1024",
        "epsilon": "a number above 0 and up to 1",
        "features": "none or lines",
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

        return ResNet(key, board, **dict(self))

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights are made for the board."""
        from noughts.networks.resnet_model import ResNetBody

        return ResNetBody(key, board, **dict(self))


class MlpOptions(NetworkOptions):
    """Of `mlp.Mlp`. Widths are written ``81x81``; ``none`` for no hidden layer.

    Attributes:
        widths: Of the hidden layers that both heads share.
        policy_widths, value_widths: Of the hidden layers of either head.
        norm: Normalisation: by the batch, by layer, or none.
        inputs: One signed number a cell, or all four planes.
        rectified_logits: Whether the logits go through a ReLU, a mistake that a study shows.
    """

    allowed: ClassVar = {
        "widths": "widths from 1 to 4096 such as 81x81, or none",
        "policy_widths": "widths from 1 to 4096 such as 18, or none",
        "value_widths": "widths from 1 to 4096 such as 18, or none",
        "norm": "batch, layer or none",
        "inputs": "signed or planes",
        "rectified_logits": "true or false",
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

        return Mlp(key, board, **self._read())

    def make_body(self, board: "BoardShape", key: "Array") -> "ModelBody":
        """Its weights are made for the board."""
        from noughts.networks.mlp_model import MlpBody

        return MlpBody(key, board, **self._read())

    def _read(self) -> dict[str, Any]:
        """The options, widths as numbers."""

        def numbers(text: str) -> tuple[int, ...]:
            return () if text == "none" else tuple(map(int, text.split("x")))

        widths = {name: numbers(getattr(self, name)) for name in ("widths", "policy_widths", "value_widths")}
        return dict(self) | widths


@dataclass(frozen=True, slots=True)
class NetworkKind:
    """A kind of network.

    Attributes:
        options: What may be given, with defaults; they make the network.
        presets: Options that go by one name, written ``preset=name``; of a class from outside, its ``presets``.
        about: One line for people.
    """

    options: type[NetworkOptions]
    presets: dict[str, dict[str, str]]
    about: str


NETWORKS: dict[str, NetworkKind] = {
    "line": NetworkKind(
        LineOptions,
        {},
        "cells and lines pass messages; its weights serve every game",
    ),
    "graph": NetworkKind(
        GraphOptions,
        {},
        "cells that touch pass messages, and know nothing of lines; its weights serve every board",
    ),
    "resnet": NetworkKind(
        ResNetOptions,
        {
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
        },
        "convolutions with residual connections",
    ),
    "mlp": NetworkKind(
        MlpOptions,
        {
            "tic-tac-toe": {
                "widths": "81x81",
                "policy_widths": "18",
                "value_widths": "18",
                "norm": "batch",
                "inputs": "signed",
            },
            "notakto": {"widths": "64x64", "norm": "none", "inputs": "signed"},
        },
        "fully connected layers; for one size of board",
    ),
}


class NetworkSpec(Value):
    """A kind of network and all of its options.

    Attributes:
        kind: A key of `NETWORKS`, or what names one from outside: ``python:file.py:Class`` or a name that a package offers.
        options: The text of every option that is not at its default, in order.
    """

    error_type: ClassVar = NetworkError
    called: ClassVar = "network"

    kind: str
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """The text that `parse_network` reads back."""
        written = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.kind}{_after(self.kind)}{written}" if written else self.kind


def parse_network(text: str) -> NetworkSpec:
    """The network that a text stands for, in its canonical form: presets written out, defaults left out.

    Raises:
        NetworkError: malformed text, an unknown kind, option or preset, or a value that is not allowed.
    """
    name, rest = split_kind(text)
    text = shortened(text, _SHOWN)  # as errors name it
    kind, given = find_kind(name), dict[str, str]()
    for part in split_outside_parentheses(rest, ",") if rest.strip() else []:
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise NetworkError(f"network {text!r}: {part.strip()!r} is not an option; write option=value")
        if option in given:
            raise NetworkError(f"network {text!r}: {option} is given twice")
        given[option] = value
    preset = given.pop("preset", None)
    if preset is not None and preset not in kind.presets:
        raise NetworkError(f"network {text!r}: " + unknown("preset", preset, kind.presets or ["none at all"]))
    options = _options(text, kind, (kind.presets[preset] if preset else {}) | given)
    default = kind.options()
    return NetworkSpec(
        kind=name,
        options=tuple((key, _write(value)) for key, value in options if value != getattr(default, key)),
    )


def make_network(spec: NetworkSpec, board: "BoardShape", key: "Array") -> "Network":
    """A new network.

    Args:
        spec: As `parse_network` gives it.
        board: Of the games that it will be trained on; kinds that serve any board ignore it.
        key: Of the random weights.

    Raises:
        NetworkError: one from outside cannot be made, or has a field that is neither an array nor a constant.
    """
    from noughts.networks.constants import with_constants

    made = _options(str(spec), find_kind(spec.kind), dict(spec.options)).make(board, key)
    return with_constants(made, str(spec))


def make_model(spec: NetworkSpec, board: "BoardShape", key: "Array", settings: "ModelSettings") -> "LatentModel":
    """A new learned model of a game, of the layers of a kind of network.

    Args:
        spec, board: As of `make_network`.
        key: Of the random weights.
        settings: What it is to say.

    Raises:
        NetworkError: there is no learned model of this kind, or not with these options.
    """
    import jax

    from noughts.networks.constants import require_arrays
    from noughts.networks.model import LatentModel

    of_body, of_heads = jax.random.split(key)
    try:
        body = _options(str(spec), find_kind(spec.kind), dict(spec.options)).make_body(board, of_body)
        require_arrays(body)
    except NetworkError as error:
        raise NetworkError(f"network {str(spec)!r}: {error}") from None
    return LatentModel(of_heads, body, board, settings)


def split_kind(text: str) -> tuple[str, str]:
    """What a network's text says before its options, and its options, if any."""
    text = text.strip()
    if text.startswith(f"{PYTHON}:"):
        name, _, rest = text.partition(",")
    else:
        name, _, rest = text.partition(":")
    return name.strip(), rest


def find_kind(name: str) -> NetworkKind:
    """The kind of this name: one of ours, or one from outside, whose code is loaded.

    Raises:
        NetworkError: there is none, or its code cannot be loaded.
    """
    if name in NETWORKS:
        return NETWORKS[name]
    if not NETWORK_PLUGINS.is_outside(name):
        raise NetworkError(unknown("network", name, {*NETWORKS, *NETWORK_PLUGINS.offered(), *FORMS}))
    from noughts.networks.outside import options_of

    loaded = NETWORK_PLUGINS.load(name)
    about = next(iter((loaded.__doc__ or "").splitlines()), "")
    return NetworkKind(options_of(loaded, name), getattr(loaded, "presets", {}), about)


def _after(kind: str) -> str:
    """What stands between a kind and its options."""
    return "," if kind.startswith(f"{PYTHON}:") else ":"


def _options(text: str, kind: NetworkKind, given: dict[str, str]) -> NetworkOptions:
    """The options' values, checked."""
    known = kind.options.model_fields
    for name in given:
        if name not in known:
            raise NetworkError(f"network {text!r}: " + unknown("option", name, [*known, "preset"]))
    read = {name: from_text(known[name].annotation, value) for name, value in given.items()}
    try:
        return kind.options(**read)
    except NetworkError as error:
        raise NetworkError(f"network {text!r}: {str(error).removeprefix('impossible network: ')}") from None


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
