"""The methods of training, by name. A method's trainer is imported when one is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.rules import NoughtsError
from noughts.training import metrics
from noughts.training.alphazero import config as alphazero
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.evolution import config as evolution
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.metrics import Metric
from noughts.training.presets import Presets
from noughts.training.trainer import Trainer, TrainingConfig


@dataclass(frozen=True)
class Method:
    """A method of learning.

    Attributes:
        name: What it is called in commands; its agents are ``name:RUN``.
        about: One line for people.
        config: The class of its configs, each a `noughts.rules.Value`.
        trainer: Makes a `Trainer` of such a config, for as many devices; None for all there are.
        presets: Named configs, by name the fields that differ from the default.
        metrics: What its measurements mean, by name.
        brief: Fields with which measuring on the way costs least, for whoever measures in another way.
    """

    name: str
    about: str
    config: type[TrainingConfig]
    trainer: Callable[[Any, int | None], Trainer]
    presets: Presets = field(default_factory=dict)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    brief: Mapping[str, Any] = field(default_factory=dict)

    def read_config(self, fields: Mapping[str, Any]) -> TrainingConfig:
        """The config with these fields, JSON values; NoughtsError if it is impossible."""
        return self.config(**fields)

    def make_trainer(self, config: TrainingConfig, devices: int | None = None) -> Trainer:
        """A trainer that has learned nothing yet; NoughtsError if there cannot be one of such a config."""
        return self.trainer(config, devices)


def _alphazero(config: AlphaZeroConfig, devices: int | None) -> Trainer:
    from noughts.training.devices import prepare

    prepare(devices)  # first: once JAX computes, the number of devices is fixed

    from noughts.training.alphazero.train import AlphaZero

    return AlphaZero(config)


def _evolution(config: EvolutionConfig, devices: int | None) -> Trainer:
    from noughts.training.evolution.fitness import prepare
    from noughts.training.evolution.train import Evolution

    prepare(devices)
    return Evolution(config)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "az",
            "AlphaZero: a network plays itself, searching, and learns what the search found",
            AlphaZeroConfig,
            _alphazero,
            alphazero.PRESETS,
            metrics.ALPHAZERO,
            {"measure_games": 1, "measure_simulations": 0, "measure_positions": 0},
        ),
        Method(
            "es",
            "evolution: a network's weights are sampled, ranked by games, and sampled anew around the best",
            EvolutionConfig,
            _evolution,
            evolution.PRESETS,
            metrics.EVOLUTION,
            {"measure_rounds": 1},
        ),
    )
}


def find_method(name: str) -> Method:
    """The method of a name; NoughtsError if there is none."""
    if name not in METHODS:
        raise NoughtsError(f"there is no method {name!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]
