"""The methods of training, by name. A method's trainer is imported only when it is made.

A third-party method, ``python:file.py:Class`` or an entry point in the group ``noughts.methods``, is a class that
keeps the laws of `Trainer`. Its constructor takes a config and a number of devices, and its ``Config`` is the config's class.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.agents.kinds import AGENTS
from noughts.machine.dependencies import NOTHING, Dependencies, together
from noughts.machine.plugins import PluginKind
from noughts.networks import spec as network_spec
from noughts.rules import NoughtsError
from noughts.training import metrics
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.method_config import MethodConfig
from noughts.training.metrics import MetricMeaning
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.trainer import Trainer
from noughts.training.until import UntilProved


@dataclass(frozen=True)
class Method:
    """A method of learning.

    Attributes:
        name: Its name in commands.
        about: One line for users.
        config: The class of its configs, which has their presets.
        trainer: Creates a new `Trainer` from a config, for a number of devices; None means all devices. NoughtsError if that
            fails.
        player: The kind of agent that plays with the weights: ``az`` for ``az:RUN``, or a third-party kind, which receives
            ``run=RUN`` or ``run=RUN@ITERATION``: ``python:file.py:Class`` or a name that a package offers.
        metrics: The meanings of its measurements, by name.
        brief: Config fields that make measuring during training cheapest, for callers that measure in another way.
    """

    name: str
    about: str
    config: type[MethodConfig]
    trainer: Callable[[Any, int | None], Trainer]
    player: str = "az"
    metrics: Mapping[str, MetricMeaning] = field(default_factory=dict)
    brief: Mapping[str, Any] = field(default_factory=dict)


def _self_play(config: AlphaZeroConfig | MuZeroConfig, devices: int | None) -> Trainer:
    from noughts.training.devices import prepare

    prepare(devices)  # first: once JAX computes, its devices are fixed
    if isinstance(config, MuZeroConfig):
        from noughts.training.muzero.train import MuZero

        return MuZero(config, devices)
    from noughts.training.alphazero.train import AlphaZero

    return AlphaZero(config, devices)


def _evolution(config: EvolutionConfig, devices: int | None) -> Trainer:
    from noughts.training.evolution.train import Evolution

    return Evolution(config, devices)


_BRIEF_SELF_PLAY = {"measure_games": 1, "measure_simulations": 0, "measure_positions": 0}

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "az",
            "AlphaZero: a network plays itself, searching, and learns what the search found",
            AlphaZeroConfig,
            _self_play,
            "az",
            metrics.ALPHAZERO,
            _BRIEF_SELF_PLAY,
        ),
        Method(
            "mz",
            "MuZero: a network learns a model of the game from self-play, and searches in that model instead of the rules",
            MuZeroConfig,
            _self_play,
            "mz",
            metrics.ALPHAZERO,
            _BRIEF_SELF_PLAY,
        ),
        Method(
            "es",
            "evolution: a network's weights are sampled, ranked by games, and sampled again around the best",
            EvolutionConfig,
            _evolution,
            "es",
            metrics.EVOLUTION,
            {"measure_rounds": 1},
        ),
    )
}


METHOD_PLUGINS = PluginKind("method", "noughts.methods", NoughtsError)
"""How third-party methods are found."""


def find_method(name: str) -> Method:
    """Return the method of a name; NoughtsError if there is none, or its code cannot be loaded."""
    if name in METHODS:
        return METHODS[name]
    if not METHOD_PLUGINS.is_outside(name):
        raise METHOD_PLUGINS.unknown(name, METHODS)
    found = METHOD_PLUGINS.load(name)
    config, about = getattr(found, "Config", None), next(iter((found.__doc__ or "").splitlines()), "")
    if not (isinstance(config, type) and issubclass(config, MethodConfig)):
        raise NoughtsError(f"method {name!r} has no class Config: add one, a MethodConfig of noughts.training")

    def make(given: Any, devices: int | None) -> Trainer:
        with METHOD_PLUGINS.guarded(f"method {name!r} cannot be made"):
            made: Trainer = found(given, devices)
        return made

    return Method(name, about, config, make, str(getattr(found, "player", "az")))


def agent_text(method: str, run: str, until: UntilProved | None = None) -> str:
    """The text of the agent that plays with a run's weights.

    With `until`, this is the agent that such a proof is about. It has the simulations of the proof and the canonical view, if
    agents of this kind have these options.
    """
    player = find_method(method).player
    if player not in AGENTS:
        return f"{player}{',' if ':' in player else ':'}run={run}"
    text = f"{player}:{run}"
    if until is not None:
        options = {option.name for option in AGENTS[player].options}
        text += f",sims={until.sims}" if "sims" in options else ""
        text += ",view=canonical" if "view" in options else ""
    return text


def depends_on(method: str, config: Mapping[str, Any]) -> Dependencies:
    """The third-party code that a training uses.

    Args:
        method: A key of `METHODS`, or the name of a third-party method.
        config: The fields of its config.
    """
    network = config.get("network")
    own = network_spec.depends_on(network) if isinstance(network, str) else NOTHING
    return own if method in METHODS else together(own, METHOD_PLUGINS.depends_on(method))
