"""A bridge loads what its peer needs and little more, and says what to install where the peer is not."""

import subprocess
import sys

import pytest

MOST_SECONDS = 0.3
"""Of CPU, beyond the peer's own import."""

HEAVY = ("jax", "matplotlib", "fastapi", "numba", "scipy")

_MEASURE = """
import sys, time
import {peer}
begun = time.process_time()
import noughts.bridges.{bridge}
print(time.process_time() - begun)
print(*sys.modules)
"""

_WITHOUT = """
import sys
sys.modules["{peer}"] = None
try:
    import noughts.bridges.{bridge}
except ImportError as error:
    print(error)
"""


def run(program: str) -> list[str]:
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    return found.stdout.splitlines()


@pytest.mark.parametrize(
    ("bridge", "peer", "its_own"), [("openspiel", "pyspiel", ()), ("pgx", "pgx", ("jax", "scipy"))]
)
def test_importing_a_bridge_costs_little_beyond_its_peer(bridge: str, peer: str, its_own: tuple[str, ...]) -> None:
    for _ in range(3):  # a busy moment costs CPU, too
        seconds, modules = run(_MEASURE.format(bridge=bridge, peer=peer))
        assert not set(modules.split()) & (set(HEAVY) - set(its_own))
        if float(seconds) < MOST_SECONDS:
            return
    pytest.fail(f"{seconds} s of CPU")


@pytest.mark.parametrize(("bridge", "peer", "name"), [("openspiel", "pyspiel", "OpenSpiel"), ("pgx", "pgx", "Pgx")])
def test_without_its_peer_a_line_says_what_to_install(bridge: str, peer: str, name: str) -> None:
    lines = run(_WITHOUT.format(bridge=bridge, peer=peer))
    assert lines == [
        f'{name} is not installed: in your clone of noughts, run pip install ".[{bridge}]" or uv sync --extra {bridge}'
    ]
