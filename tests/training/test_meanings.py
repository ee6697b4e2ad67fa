"""Everything that people configure, for all methods and networks: each key has a meaning and allowed values, and presets are valid."""

import pytest

from noughts.networks.options import NETWORKS
from noughts.rules import NoughtsError, Value
from noughts.rules.fields import fields_of
from noughts.training.registry import METHODS


@pytest.mark.parametrize("kind", [*METHODS.values(), *NETWORKS.values()], ids=[*METHODS, *NETWORKS])
def test_every_setting_has_a_meaning(kind: object) -> None:
    values: type[Value] = getattr(kind, "config", None) or kind.options  # type: ignore[attr-defined]
    fields = fields_of(values)
    assert fields
    assert [field.key for field in fields if not field.meaning or field.allowed.startswith("see")] == []


@pytest.mark.parametrize("method", METHODS)
def test_presets_are_valid_and_can_be_overridden(method: str) -> None:
    kind = METHODS[method].config
    for name in kind.presets:
        config = kind.preset(name, task="tic-tac-toe", schedule={"iterations": 3})
        assert (config.task, config.schedule.iterations) == ("tic-tac-toe", 3)
    with pytest.raises(NoughtsError, match="unknown preset 'paper'"):
        kind.preset("paper", task="tic-tac-toe")
