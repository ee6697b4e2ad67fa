"""The cases of `benchmarks.selfplay`: self-play and learning on 1, 2 and 4 cores, by noughts and by Pgx with mctx."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.case import Group

RULES = "mnk(7,7,4)"
TARGET_CORES = 4
TARGET = 3.0
METHODS = {"gumbel": "Gumbel", "puct": "PUCT"}

_PEER_MODULES = ("pgx", "mctx")


@dataclass(frozen=True)
class Sizes:
    """The amounts of work; the defaults are those of the quoted results.

    Attributes:
        games: The number of games at once; the peer also runs with `peer_games`, in case it is faster then.
        peer_games: See `games`.
        simulations: For each move.
        plies: In a chunk of self-play.
        batch: The batch size of learning.
        channels, blocks: Of the residual networks.
    """

    games: int = 256
    peer_games: int = 1024
    simulations: int = 32
    plies: int = 4
    batch: int = 256
    channels: int = 32
    blocks: int = 4


@dataclass(frozen=True)
class CoresCase:
    """A piece of work for a process with cores of its own.

    Attributes:
        group: Cases that may be compared.
        program: The program's name, for people.
        call: What is called and counted.
        maker: ``module:function``, which returns a `Work`.
        arguments: Of the maker; they can be written as JSON.
        cores: The number of cores.
        modules: As in `Case`.
        python: The interpreter with the peer's modules, if they cannot be installed with noughts.
        device_a_core: Whether a peer, too, has each core as a device of JAX.
    """

    group: Group
    program: str
    call: str
    maker: str
    arguments: dict[str, Any]
    cores: int
    modules: tuple[str, ...] = ()
    python: str = ""
    device_a_core: bool = False

    @property
    def is_peer(self) -> bool:
        """Whether this is not noughts."""
        return bool(self.modules)

    @property
    def devices(self) -> bool:
        """Whether each core is a device of JAX: always for noughts; for a peer only if the case requires it."""
        return not self.is_peer or self.device_a_core


def all_cases(sizes: Sizes, cores: Sequence[int]) -> list[CoresCase]:
    """All cases, in the order of the tables; the peers of a group are compared with its first case."""
    found = []
    for method in METHODS:
        for count in cores:
            found += _self_play(sizes, method, count)
    for count in cores:
        found += _learning(sizes, count)
    return found


def select(cases: Sequence[CoresCase], wanted: str) -> list[CoresCase]:
    """The cases with `wanted` in their group's name or program, and those that they are compared with."""
    named = [case for case in cases if wanted.casefold() in f"{case.group.name} / {case.program}".casefold()]
    bases = {base(cases, case).program + case.group.name for case in named if case.is_peer}
    return [case for case in cases if case in named or case.program + case.group.name in bases]


def base(cases: Sequence[CoresCase], case: CoresCase) -> CoresCase:
    """The case of noughts that a group's peers are compared with."""
    return next(other for other in cases if other.group == case.group and not other.is_peer)


def on(cores: int) -> str:
    """A number of cores, in words."""
    return f"{cores} core{'s' * (cores > 1)}"


def _self_play(sizes: Sizes, method: str, cores: int) -> list[CoresCase]:
    group = Group(
        f"self-play-{method}-{on(cores).replace(' ', '-')}",
        f"Self-play with {METHODS[method]}, {sizes.simulations} simulations a move, 7x7, four in a row, on {on(cores)}",
        "positions",
        target=TARGET if cores == TARGET_CORES else None,
    )
    size = f"{sizes.channels} channels, {sizes.blocks} block{'s' * (sizes.blocks > 1)}"
    resnet = f"resnet:channels={sizes.channels},blocks={sizes.blocks}"
    # The first is the peer's network, layer for layer.
    networks = {
        f"noughts, resnet of {size}": f"{resnet},norm=none,heads=dense,value_width=64",
        "noughts, the same with batch norm": f"{resnet},norm=batch,heads=dense,value_width=64",
        "noughts, line network": "line",
    }
    common = {"rules": RULES, "method": method, "simulations": sizes.simulations, "plies": sizes.plies}
    found = [
        CoresCase(
            group,
            program,
            f"`noughts.training.alphazero`'s self-play on `{RULES}` with `{network}`, a device for each core",
            "benchmarks.selfplay_work:self_play",
            {**common, "network": network, "games": sizes.games},
            cores,
        )
        for program, network in networks.items()
    ]
    policy = {"gumbel": "gumbel_muzero_policy", "puct": "muzero_policy"}[method]
    for games in dict.fromkeys((sizes.games, sizes.peer_games)):
        found.append(
            CoresCase(
                group,
                f"Pgx and mctx, resnet of {size}, {games:,} games",
                f"`mctx.{policy}` over a Pgx environment of the same game, in one compiled loop with `auto_reset`, and "
                "the same network in plain JAX, as XLA spreads it over the cores (`peers_mctx.py`)",
                "benchmarks.peers_mctx:self_play",
                {**common, "games": games, "channels": sizes.channels, "blocks": sizes.blocks},
                cores,
                _PEER_MODULES,
            )
        )
    if cores > 1:
        found += _peer_spread(group, method, sizes, cores)
    return found


def _peer_spread(group: Group, method: str, sizes: Sizes, cores: int) -> list[CoresCase]:
    """The peer on all cores, in the two ways that a user may choose: its games are divided over devices, or over processes."""
    program = f"Pgx and mctx, {sizes.games:,} games"
    arguments = {
        "rules": RULES,
        "method": method,
        "simulations": sizes.simulations,
        "plies": sizes.plies,
        "games": sizes.games,
        "channels": sizes.channels,
        "blocks": sizes.blocks,
    }
    return [
        CoresCase(
            group,
            f"{program}, a device a core",
            "the same loop under `jax.pmap`, each core a device with its part of the games",
            "benchmarks.peers_mctx:self_play",
            {**arguments, "devices": cores},
            cores,
            _PEER_MODULES,
            device_a_core=True,
        ),
        CoresCase(
            group,
            f"{program}, a process a core",
            "the same program in a process for each core, kept to it, each with its part of the games",
            "benchmarks.peers_mctx:self_play_in_processes",
            {**arguments, "processes": cores},
            cores,
            _PEER_MODULES,
        ),
    ]


def _learning(sizes: Sizes, cores: int) -> list[CoresCase]:
    group = Group(f"learning-{on(cores).replace(' ', '-')}", f"Learning, 7x7, four in a row, on {on(cores)}", "samples")
    networks = ("mlp", f"resnet:channels={sizes.channels},blocks={sizes.blocks}", "line")
    return [
        CoresCase(
            group,
            f"noughts, {network.partition(':')[0]}",
            f"`noughts.training.alphazero`'s learner with `{network}`: each sample drawn from the replay, turned and "
            "learned from once",
            "benchmarks.selfplay_work:learning",
            {"rules": RULES, "network": network, "batch": sizes.batch},
            cores,
        )
        for network in networks
    ]
