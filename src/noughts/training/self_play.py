"""What AlphaZero and MuZero have in common: how a configuration is checked, and how a run is written down and read again."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import numpy as np
import safetensors.numpy
from numpy.typing import NDArray
from pydantic import field_validator, model_validator

from noughts.networks.code import written_code
from noughts.networks.spec import NetworkError, NetworkSpec, parse_network
from noughts.networks.weights import from_arrays, to_arrays
from noughts.rules import NoughtsError, Task, Value, format_task, parse_task
from noughts.search.settings import SearchSettings

_STATE, _REPLAY, _COUNTERS = "state.safetensors", "replay.safetensors", "counters.json"


class SelfPlayConfig(Value):
    """The part of a configuration that says who plays what, which each method states in full."""

    task: str
    network: str = "line"
    search: SearchSettings = SearchSettings()
    opening_plies: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_sharing(cls, given: Any) -> Any:
        """Older configurations name two fields more, both 0 unless their games were shared out over machines."""
        if isinstance(given, dict) and not (given.get("actors") or given.get("lag")):
            return {name: value for name, value in given.items() if name not in ("actors", "lag")}
        return given

    @field_validator("task", "held_out", check_fields=False)
    @classmethod
    def _canonical_task(cls, text: str) -> str:
        return format_task(parse_task(text)) if text.strip() else ""

    @field_validator("network")
    @classmethod
    def _canonical_network(cls, text: str) -> str:
        try:
            return str(parse_network(text))
        except NetworkError as error:
            raise ValueError(str(error)) from None

    @property
    def most_opening_plies(self) -> int:
        """`opening_plies` as a number."""
        return parse_task(self.task).rules[0].size // 6 if self.opening_plies is None else self.opening_plies


class SavedState(NamedTuple):
    """What a checkpoint holds.

    Attributes:
        arrays: All that is on devices.
        rows: The replay's arrays by name.
        counters: Numbers and the state of the generator; `devices` says with how many devices it was saved.
    """

    arrays: Any
    rows: Mapping[str, NDArray[Any]]
    counters: Mapping[str, Any]

    def to_files(self) -> dict[str, bytes]:
        """The files of a checkpoint, content by name."""
        rows = {name: np.ascontiguousarray(rows) for name, rows in self.rows.items()}
        return {
            _STATE: safetensors.numpy.save(to_arrays(jax.device_get(self.arrays))),
            _REPLAY: safetensors.numpy.save(rows),
            _COUNTERS: json.dumps(self.counters).encode(),
        }

    @classmethod
    def of_files(cls, files: Mapping[str, bytes], like: Any, devices: int) -> "SavedState":
        """What `to_files` wrote.

        Args:
            files: Content by name.
            like: A tree with the shape of `arrays`.
            devices: How many there are here.

        Raises:
            NoughtsError: it was saved with another number of devices, with which it would go on in another way.
        """
        counters = json.loads(files[_COUNTERS])
        if counters["devices"] != devices:
            raise NoughtsError(
                f"this run goes on bit for bit only on {counters['devices']} devices, and here are {devices}: "
                f"give --devices {counters['devices']}"
            )
        arrays = from_arrays(like, safetensors.numpy.load(files[_STATE]))
        return cls(arrays, safetensors.numpy.load(files[_REPLAY]), counters)


def require_sight(spec: NetworkSpec, sees_rules: bool, task: Task) -> None:
    """NetworkError if the games of a task differ in more than their bricks, and the network sees no more than these."""
    games = {rules.model_copy(update={"bricks": ()}) for rules in task.rules}
    if len(games) > 1 and not sees_rules:
        raise NetworkError(
            f"a network {spec.kind!r} sees size and bricks only, and the games of {format_task(task)} differ in more: "
            "give network=line, or games that differ in bricks alone"
        )


def about_weights(
    method: str, config: SelfPlayConfig, iteration: int, positions: int, code: Mapping[str, str]
) -> dict[str, str]:
    """What a file of weights says about itself, so that agents can be made of it.

    Args:
        method, config: By what they were learned.
        iteration, positions: After how many.
        code: What `code_of_network` gave when the network was made.
    """
    return {
        "method": method,
        "config": config.to_json(),
        "task": config.task,
        "search": config.search.to_json(),
        "iteration": str(iteration),
        "positions": str(positions),
        **written_code(code),
    }
