"""Networks as text, ``line`` or ``resnet:channels=64,blocks=6``: parse it, write it, create the network, check its code.

No array library is loaded before a network is made. A built-in network has the version of noughts, and a third-party one the
version of its code and of the files that its options name. Files of weights store these versions, so that weights are only read
by the code that trained them.
"""

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from noughts.machine.dependencies import NOTHING, Dependencies, of_options, together
from noughts.machine.parameters import from_text
from noughts.machine.plugins import PYTHON, SHUT
from noughts.networks.errors import NetworkError
from noughts.networks.options import NETWORK_PLUGINS, NETWORKS, ModelSettings, NetworkOptions
from noughts.rules import Value
from noughts.rules.errors import shortened
from noughts.rules.text import split_outside_parentheses, unknown

if TYPE_CHECKING:
    from noughts.networks.model import LatentModel
    from noughts.networks.network import Array, BoardShape, Network

_SHOWN = 200  # characters of a network's text, in an error
_CODE = "code"  # the key in a file of weights for the versions of the code that trained them, as JSON


class NetworkSpec(Value):
    """A kind of network and all of its options.

    Attributes:
        kind: A key of `NETWORKS`, or the name of a third-party one: ``python:file.py:Class`` or a name that a package offers.
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
    """Parse a network's text into its canonical form: with presets written out and defaults left out.

    Raises:
        NetworkError: malformed text, an unknown kind, option or preset, or a value that is not allowed.
    """
    name, rest = split_kind(text)
    text = shortened(text, _SHOWN)  # for errors
    kind, given = find_kind(name), dict[str, str]()
    presets: Mapping[str, dict[str, str]] = getattr(kind, "presets", {})
    for part in split_outside_parentheses(rest, ",") if rest.strip() else []:
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise NetworkError(f"network {text!r}: {part.strip()!r} is not an option; write option=value")
        if option in given:
            raise NetworkError(f"network {text!r}: {option} is given twice")
        given[option] = value
    preset = given.pop("preset", None)
    if preset is not None and preset not in presets:
        raise NetworkError(f"network {text!r}: " + unknown("preset", preset, presets, name))
    options = _options(text, kind, (presets[preset] if preset else {}) | given)
    default = kind()
    return NetworkSpec(
        kind=name,
        options=tuple((key, _write(value)) for key, value in options if value != getattr(default, key)),
    )


def make_network(spec: NetworkSpec, board: "BoardShape", key: "Array") -> "Network":
    """Create a network.

    Args:
        spec: From `parse_network`.
        board: The board of the training games; kinds that support any board ignore it.
        key: The random key of the weights.

    Raises:
        NetworkError: a third-party network cannot be made, or has a field that is neither an array nor a constant.
    """
    from noughts.networks.constants import with_constants

    made = _options_of(spec).make(board, key)
    return with_constants(made, str(spec))


def make_model(spec: NetworkSpec, board: "BoardShape", key: "Array", settings: ModelSettings) -> "LatentModel":
    """Create a learned model of a game, from the layers of a kind of network.

    Args:
        spec, board: As in `make_network`.
        key: The random key of the weights.
        settings: The model's heads.

    Raises:
        NetworkError: there is no learned model of this kind, or not with these options.
    """
    import jax

    from noughts.networks.constants import require_arrays
    from noughts.networks.model import LatentModel

    of_body, of_heads = jax.random.split(key)
    try:
        body = _options_of(spec).make_body(board, of_body)
        require_arrays(body)
    except NetworkError as error:
        raise NetworkError(f"network {str(spec)!r}: {error}") from None
    return LatentModel(of_heads, body, board, settings)


def split_kind(text: str) -> tuple[str, str]:
    """Split a network's text into its kind and its options."""
    text = text.strip()
    if text.startswith(f"{PYTHON}:"):
        name, _, rest = text.partition(",")
    else:
        name, _, rest = text.partition(":")
    return name.strip(), rest


def find_kind(name: str) -> type[NetworkOptions]:
    """Return the options of the kind of this name. Loads the code of a third-party one.

    Raises:
        NetworkError: there is none, or its code cannot be loaded.
    """
    if name in NETWORKS:
        return NETWORKS[name]
    if not NETWORK_PLUGINS.is_outside(name):
        raise NETWORK_PLUGINS.unknown(name, NETWORKS)
    from noughts.networks.outside import options_of

    return options_of(NETWORK_PLUGINS.load(name), name)


def _after(kind: str) -> str:
    """The separator between a kind and its options."""
    return "," if kind.startswith(f"{PYTHON}:") else ":"


def _options_of(spec: NetworkSpec) -> NetworkOptions:
    return _options(str(spec), find_kind(spec.kind), dict(spec.options))


def _options(text: str, kind: type[NetworkOptions], given: dict[str, str]) -> NetworkOptions:
    """Parse and check the options."""
    known = kind.model_fields
    for name in given:
        if name not in known:
            raise NetworkError(f"network {text!r}: " + unknown("option", name, [*known, "preset"]))
    read = {name: from_text(known[name].annotation, value) for name, value in given.items()}
    try:
        return kind(**read)
    except NetworkError as error:
        raise NetworkError(f"network {text!r}: {str(error).removeprefix('impossible network: ')}") from None


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def depends_on(text: str) -> Dependencies:
    """The code of a third-party network, and the files that its options name; `NOTHING` for a built-in one."""
    name, rest = split_kind(text)
    if name in NETWORKS:
        return NOTHING
    values = (part.partition("=")[2].strip() for part in split_outside_parentheses(rest, ","))
    return together(NETWORK_PLUGINS.depends_on(name), of_options(f"network {text}", values))


def written_code(code: Mapping[str, str]) -> dict[str, str]:
    """The entry in a file of weights for the code that trained them: the versions of `depends_on` at that time."""
    return {_CODE: json.dumps(code)} if code else {}


def read_code(said: Mapping[str, Any]) -> dict[str, str]:
    """The entry of `written_code` in a file's metadata; empty if there is none. ValueError or TypeError if it is damaged."""
    return dict(json.loads(said.get(_CODE, "{}")))


def change_of_code(text: str, learned: Mapping[str, str]) -> str:
    """Say that the code that trained weights, or a file that it read, has changed since, or is gone; empty if neither has.

    It is empty if the loader is shut, because then the code is not loaded and its place is private.

    Args:
        text: The network.
        learned: The versions of `depends_on` at that time; what has no entry is not checked.
    """
    if SHUT in os.environ:
        return ""
    name, _ = split_kind(text)
    now = depends_on(text).versions
    code, files = f"network {name}", f"network {text}"
    for key, called in ((code, f"the network's code {NETWORK_PLUGINS.source(name)}"), (files, f"a file of {files}")):
        if now.get(key) != learned.get(key, now.get(key)):
            return f"{called} has changed or is gone"
    return ""


def require_learned_by(text: str, learned: Mapping[str, str]) -> None:
    """NetworkError if the code that trained weights has changed since; see `change_of_code`."""
    if change := change_of_code(text, learned):
        raise NetworkError(f"{change}: put it back as it was")
