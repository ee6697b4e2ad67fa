"""The speed of MuZero's self-play compared with LightZero's: ``uv run python -m benchmarks.muzero --lightzero PYTHON``.

See README.md. `PYTHON` is the interpreter of an environment with LightZero; without it only noughts is timed.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, table
from benchmarks.__main__ import HERE, timed, write_whole
from benchmarks.case import Group
from benchmarks.selfplay import run, write
from benchmarks.selfplay_cases import CoresCase, on

BEGIN = "<!-- muzero: begin (written by python -m benchmarks.muzero) -->"
END = "<!-- muzero: end -->"

_ZOO = "zoo.board_games"
# From LightZero's own configurations for self-play: name, rules, module, games at once, simulations, channels.
GAMES = (
    ("tic-tac-toe", "tic-tac-toe", f"{_ZOO}.tictactoe.config.tictactoe_muzero_sp_mode_config", 8, 25, 16),
    ("6x6-k5", "mnk(6,6,5)", f"{_ZOO}.gomoku.config.gomoku_muzero_sp_mode_config", 32, 50, 32),
)
MANY = 256
_MANAGERS = {"subprocess": "a process for each game, as its configuration has it", "base": "all games in one process"}


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print and write; return 1 if a case of noughts itself failed; exit with code 2 for invalid options."""
    options = _options(words)
    load_before = machine.load()
    cases = all_cases(options.cores, options.lightzero)
    results = timed(run, cases, options, load_before, True)
    if results is None:
        return 130
    text = write(results, cases)
    sys.stdout.write(text)
    if options.write:
        page = HERE / "README.md"
        write_whole(HERE / "muzero.json", results.model_dump_json(indent=1, exclude_none=True) + "\n")
        write_whole(page, table.replace_between_markers(page.read_text(), text, BEGIN, END))
    return int(any(row.status == "failed" and not row.is_peer for row in results.rows))


def all_cases(cores: int, lightzero: str) -> list[CoresCase]:
    """Each game at LightZero's own number of games at once, and with MANY; each group begins with noughts' case."""
    found = []
    for name, rules, configuration, own, simulations, channels in GAMES:
        for games in (own, MANY):
            group = Group(
                f"muzero-{name}-{games}-games-{on(cores).replace(' ', '-')}",
                f"MuZero's self-play, {rules}, {simulations} simulations a move, {games} games at once, on {on(cores)}",
                "positions",
            )
            # Two blocks: a stem and four convolutions for each imagined move. LightZero has one block for the dynamics,
            # and one more for the prediction.
            network = f"resnet:channels={channels},blocks=2"
            found.append(
                CoresCase(
                    group,
                    f"noughts, {network}",
                    "`noughts.training.muzero`'s self-play, method `muzero`, a device for each core",
                    "benchmarks.selfplay_work:muzero_self_play",
                    {"rules": rules, "network": network, "games": games, "simulations": simulations},
                    cores,
                )
            )
            for manager in _MANAGERS if games == own else ["base"]:
                found.append(
                    CoresCase(
                        group,
                        f"LightZero, {_MANAGERS[manager]}",
                        f"`MuZeroCollector.collect` with `{configuration}`, on the processor",
                        "benchmarks.peers_lightzero:self_play",
                        {
                            "configuration": configuration,
                            "games": games,
                            "simulations": simulations,
                            "manager": manager,
                        },
                        cores,
                        ("lzero",),
                        lightzero,
                    )
                )
    return found


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.muzero", description="Time MuZero's self-play beside LightZero's."
    )
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument(
        "--lightzero", default="", metavar="PYTHON", help="the interpreter of an environment that has LightZero"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds, in each of which every case runs once")
    parser.add_argument("--seconds", type=float, default=3.0, help="least time for a case in a round")
    parser.add_argument("--cores", type=int, default=min(2, usable), help="how many; each program gets as many")
    parser.add_argument("--no-write", dest="write", action="store_false", help="print only")
    options = parser.parse_args(words)
    if options.rounds < 1 or not options.seconds > 0:
        parser.error("--rounds must be at least 1, and --seconds more than 0")
    if not 1 <= options.cores <= usable:
        parser.error(f"--cores: this process may use {usable}")
    if options.lightzero and not Path(options.lightzero).is_file():
        parser.error(f"--lightzero: there is no file {options.lightzero}")
    return options


if __name__ == "__main__":
    sys.exit(main())
