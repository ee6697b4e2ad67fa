"""The methods of learning, by name. One entry each; what they need is imported when it is asked for."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from noughts.rules import NoughtsError
from noughts.training.trainer import Trainer, TrainingConfig


@dataclass(frozen=True)
class Method:
    """A method of learning.

    Attributes:
        name: What it is called in commands; its agents are ``name:RUN``.
        about: One line for people.
        config: ``module:class`` of its config, a `noughts.rules.Value` with the fields of `TrainingConfig`, a class
            method `preset(name)`, and `PRESETS`, whose keys are the presets' names.
        trainer: ``module:name`` of what is called with a config and gives a `Trainer`.
        devices: ``module:function`` that is called before the trainer is loaded, with the number of devices it is to
            use, None for all; empty if the method has no use for them.
    """

    name: str
    about: str
    config: str
    trainer: str
    devices: str = ""

    def config_type(self) -> Any:
        """The class of its configs."""
        return _load(self.config)

    def read_config(self, fields: Mapping[str, Any]) -> TrainingConfig:
        """The config with these fields, JSON values; NoughtsError if it is impossible."""
        return cast(TrainingConfig, self.config_type()(**fields))

    def make_trainer(self, config: TrainingConfig, devices: int | None = None) -> Trainer:
        """A trainer that has learned nothing yet; NoughtsError if there cannot be one of such a config."""
        if self.devices:
            _load(self.devices)(devices)
        return cast(Trainer, _load(self.trainer)(config))


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "az",
            "AlphaZero: a network plays itself, searching, and learns what the search found",
            "noughts.training.alphazero.config:AlphaZeroConfig",
            "noughts.training.alphazero.train:AlphaZero",
            "noughts.training.devices:prepare",
        ),
        Method(
            "es",
            "evolution: a network's weights are sampled, ranked by games, and sampled anew around the best",
            "noughts.training.evolution.config:EvolutionConfig",
            "noughts.training.evolution.train:Evolution",
            "noughts.training.evolution.fitness:prepare",
        ),
    )
}


def find_method(name: str) -> Method:
    """The method of a name; NoughtsError if there is none."""
    if name not in METHODS:
        raise NoughtsError(f"there is no method {name!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
