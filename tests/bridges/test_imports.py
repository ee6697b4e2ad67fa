"""What it costs to import a bridge, what it does not import, and what it says without the library it leads to."""

import json
import subprocess
import sys
from functools import cache

import pytest

ALLOWED_SECONDS = 0.3
"""Of the processor, beyond what importing the peer alone takes."""

HEAVY = ("jax", "matplotlib", "fastapi", "numba")
PEERS = {"gymnasium": "gymnasium", "pettingzoo": "pettingzoo"}


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@cache
def imported(names: str) -> tuple[float, list[str]]:
    """Seconds of the processor that imports take in a process of their own, at best of three, and heavy modules among them."""
    program = f"import {names}, json, sys, time\nprint(json.dumps([time.process_time(), [name for name in {HEAVY} if name in sys.modules]]))"
    found = [json.loads(run(program).stdout) for _ in range(3)]
    return min(seconds for seconds, _ in found), found[0][1]


@pytest.mark.heavy
@pytest.mark.parametrize("bridge", PEERS)
def test_importing_a_bridge_is_cheap(bridge: str) -> None:
    alone, _ = imported(PEERS[bridge])
    with_ours, heavy = imported(f"{PEERS[bridge]}, noughts.bridges.{bridge}")
    assert with_ours - alone < ALLOWED_SECONDS
    assert heavy == []


@pytest.mark.parametrize(
    ("module", "peer", "extra"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("gymnasium_vector", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
    ],
)
def test_without_the_library_one_line_says_what_to_install(module: str, peer: str, extra: str) -> None:
    done = run(f"import sys; sys.modules[{peer!r}] = None\nimport noughts.bridges.{module}")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("noughts.rules.errors.MissingLibraryError: ")
    assert last.endswith(
        f'is not installed: in your clone of noughts, run pip install ".[{extra}]" or uv sync --extra {extra}'
    )


def test_gymnasium_finds_the_name_by_the_package() -> None:
    done = run("import gymnasium\nprint(gymnasium.make('noughts:noughts/mnk-v0', rules='notakto(4)').unwrapped.rules)")
    assert done.stdout.strip() == "notakto(4)", done.stderr


def test_noughts_alone_imports_no_gymnasium() -> None:
    done = run("import noughts.agents, noughts.reports.boards, sys; print('gymnasium' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr
