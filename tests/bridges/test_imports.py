"""A bridge loads little besides its peer, and names what to install if the peer is missing."""

import subprocess
import sys

import pytest

MOST_MODULES = {"of noughts": 40, "in all": 260}
"""Beyond the peer's own import. Modules are counted and not timed, because a busy machine takes twice as long."""

HEAVY = {"jax", "matplotlib", "fastapi", "numba", "scipy", "pygame"}
PEERS = {"gymnasium": "gymnasium", "pettingzoo": "pettingzoo", "openspiel": "pyspiel", "pgx": "pgx"}
NAMES = {"gymnasium": "Gymnasium", "pettingzoo": "PettingZoo", "openspiel": "OpenSpiel", "pgx": "Pgx"}

_MEASURE = """
import sys
import {peer}
theirs = set(sys.modules)
import noughts.bridges.{bridge}
print(*(set(sys.modules) - theirs))
"""

_WITHOUT = """
import importlib, sys
for bridge, peer in [word.split("=") for word in {pairs!r}]:
    sys.modules[peer] = None
    try:
        importlib.import_module(f"noughts.bridges.{{bridge}}")
    except ImportError as error:
        print(error)
"""


def run(program: str) -> list[str]:
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    return found.stdout.splitlines()


@pytest.mark.heavy
@pytest.mark.parametrize("bridge", PEERS)
def test_importing_a_bridge_loads_little_besides_its_peer(bridge: str) -> None:
    modules = run(_MEASURE.format(bridge=bridge, peer=PEERS[bridge]))[0].split()
    its_own = {"jax", "scipy"} if bridge == "pgx" else set[str]()
    assert not set(modules) & (HEAVY - its_own)
    assert len([module for module in modules if module.startswith("noughts")]) <= MOST_MODULES["of noughts"]
    assert len(modules) <= MOST_MODULES["in all"]


def test_a_missing_peer_names_what_to_install() -> None:
    assert run(_WITHOUT.format(pairs=[f"{bridge}={peer}" for bridge, peer in PEERS.items()])) == [
        f'{name} is not installed: in your clone of noughts, run pip install ".[{bridge}]" or uv sync --extra {bridge}'
        for bridge, name in NAMES.items()
    ]


def test_gymnasium_finds_the_environment_by_package_name() -> None:
    program = "import gymnasium\nprint(gymnasium.make('noughts:noughts/mnk-v0', rules='notakto(4)').unwrapped.rules)"
    assert run(program) == ["notakto(4)"]


def test_importing_noughts_does_not_import_gymnasium() -> None:
    assert run("import noughts.agents, noughts.reports.boards, sys; print('gymnasium' in sys.modules)") == ["False"]
