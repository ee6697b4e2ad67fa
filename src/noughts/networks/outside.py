"""Third-party networks: the options of a class are the parameters of its constructor.

    class Wide(Network):
        def __init__(self, key, board, width: int = 64, depth: int = 2): ...

    python:wide.py:Wide,width=128

To give options more properties, such as bounds, name a subclass of `NetworkOptions` instead of the network.
"""

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import PydanticUserError, create_model
from pydantic.errors import PydanticSchemaGenerationError

from noughts.machine.parameters import is_simple, parameters_of
from noughts.networks.errors import NetworkError
from noughts.networks.options import NETWORK_PLUGINS, NetworkOptions
from noughts.rules.allowed import allowed_by

if TYPE_CHECKING:
    from noughts.networks.network import Array, BoardShape, Network

_GIVEN = ("key", "board")


class OptionsOfClass(NetworkOptions):
    """The base of the options that are read from a constructor.

    Attributes:
        network: The class.
        takes: Which of ``key`` and ``board`` its constructor also takes.
    """

    network: ClassVar[Any]
    takes: ClassVar[tuple[str, ...]]

    def make(self, board: "BoardShape", key: "Array") -> "Network":
        """Create a network of the class; NetworkError if that fails."""
        given = {name: value for name, value in (("key", key), ("board", board)) if name in self.takes}
        try:
            with NETWORK_PLUGINS.guarded(f"network {self.network.__name__} cannot be made"):
                made: Network = self.network(**given, **dict(self))
        except NetworkError as error:
            if isinstance(error.__cause__, dataclasses.FrozenInstanceError):
                raise NetworkError(
                    f"{error}: declare each field in the class, as in `places: jax.Array`"
                ) from error.__cause__
            raise
        return made


@functools.lru_cache(maxsize=64)
def options_of(loaded: Any, name: str) -> type[NetworkOptions]:
    """The class of options of a loaded object.

    Args:
        loaded: A subclass of `Network` or of `NetworkOptions`.
        name: Its name in errors.

    Raises:
        NetworkError: it is neither, or its constructor has a parameter that cannot be read from text.
    """
    if isinstance(loaded, type) and issubclass(loaded, NetworkOptions):
        return loaded
    from noughts.networks.network import Network

    if not (isinstance(loaded, type) and issubclass(loaded, Network)):
        raise NetworkError(f"network {name!r} is no network: give a subclass of noughts.networks.Network")
    with NETWORK_PLUGINS.guarded(f"network {name!r}: its constructor cannot be read"):
        parameters = parameters_of(loaded)
    takes = tuple(given for given in _GIVEN if parameters.pop(given, None) is not None)
    fields: dict[str, Any] = {}
    for option, parameter in parameters.items():
        if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise NetworkError(f"network {name!r}: its constructor takes {parameter}: name each option")
        if parameter.default is parameter.empty:
            raise NetworkError(
                f"network {name!r}: {option} of its constructor has no default: give it one, as in {option}: int = 64"
            )
        if isinstance(parameter.annotation, str):
            raise NetworkError(
                f"network {name!r}: the annotation {parameter.annotation} of {option} cannot be looked up: import it always"
            )
        annotated = parameter.annotation is not parameter.empty
        fields[option] = (parameter.annotation if annotated else type(parameter.default), parameter.default)
    fields.setdefault("presets", (ClassVar[Any], getattr(loaded, "presets", {})))  # an option may have this name
    try:
        made = create_model(
            f"{loaded.__name__}Options",
            __base__=OptionsOfClass,
            __module__=__name__,
            __doc__=loaded.__doc__ or "",  # whose attributes are options
            **fields,
        )
    except (PydanticSchemaGenerationError, PydanticUserError, NameError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise NetworkError(
            f"network {name!r}: an option of its constructor cannot be read from text: {reason}"
        ) from None
    made.network, made.takes = loaded, takes
    made.allowed = {name: allowed_by(annotation) for name, (annotation, _) in fields.items() if is_simple(annotation)}
    return made
