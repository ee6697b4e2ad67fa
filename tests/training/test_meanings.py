"""Every key of what people configure says what it is and what it allows."""

import pytest

from noughts.networks.options import NETWORKS
from noughts.rules import Value
from noughts.rules.fields import fields_of
from noughts.training.registry import METHODS


@pytest.mark.parametrize("kind", [*METHODS.values(), *NETWORKS.values()], ids=[*METHODS, *NETWORKS])
def test_nothing_that_can_be_set_is_without_a_meaning(kind: object) -> None:
    values: type[Value] = getattr(kind, "config", None) or kind.options  # type: ignore[attr-defined]
    fields = fields_of(values)
    assert fields
    assert [field.key for field in fields if not field.meaning or field.allowed.startswith("see")] == []
