"""The code of networks from outside: what tells one version from another, and whether weights are read by the one that learned them.

A network of ours is known by the version of noughts, and nothing is said of it here. Nothing is loaded.
"""

import json
from collections.abc import Mapping
from typing import Any

from noughts.machine.dependencies import NOTHING, Dependencies
from noughts.networks.errors import NetworkError
from noughts.networks.options import NETWORK_PLUGINS
from noughts.networks.spec import NETWORKS, split_kind

_CODE = "code"  # under which a file of weights says, as JSON, by which code they were learned


def depends_on(text: str) -> Dependencies:
    """What a network from outside depends on, nothing for one of ours."""
    name, _ = split_kind(text)
    return NOTHING if name in NETWORKS else NETWORK_PLUGINS.depends_on(name)


def written_code(code: Mapping[str, str]) -> dict[str, str]:
    """What a file of weights says of the code by which they were learned, which are the versions of `depends_on` then."""
    return {_CODE: json.dumps(code)} if code else {}


def read_code(said: Mapping[str, Any]) -> dict[str, str]:
    """What `written_code` wrote, among what a file says; nothing if there is none. ValueError or TypeError if it is damaged."""
    return dict(json.loads(said.get(_CODE, "{}")))


def changes_of_network(text: str, learned: Mapping[str, str]) -> dict[str, str]:
    """What has happened to the code by which weights were learned, by name; nothing if it is the same.

    Args:
        text: The network.
        learned: The versions of `depends_on` then; of one that is not named here nothing is asked.
    """
    name, _ = split_kind(text)
    key = f"network {name}"
    change = NETWORK_PLUGINS.change(name, learned[key]) if key in learned else ""
    return {key: change} if change else {}


def require_learned_by(text: str, learned: Mapping[str, str]) -> None:
    """NetworkError if weights would be read by other code than that by which they were learned; see `changes_of_network`."""
    for name, change in changes_of_network(text, learned).items():
        raise NetworkError(
            f"{name}, by which these weights were learned, {change}: put it back as it was, or train again"
        )
