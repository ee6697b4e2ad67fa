"""Matches and proofs of agents from other libraries: ``uv run python -m benchmarks.guests openspiel``, and
``uv run --with sb3-contrib python -m benchmarks.guests sb3``.

    openspiel   OpenSpiel's MCTS with growing numbers of simulations, and its Q-learner after two numbers of episodes
    sb3         MaskablePPO of sb3-contrib, trained three times

The programs are those in the guides. The output of each command is printed below it.
`docs/guides/can-it-be-beaten.md` reports the results, and `benchmarks.printed` saves them.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from benchmarks.__main__ import HERE

GUIDES = HERE.parent / "docs" / "guides"
SIMULATIONS = (10, 30, 100, 300, 1000)
EPISODES = (5000, 20000)
TRAININGS = (("small", "random", 20_480), ("large", "random", 204_800), ("perfect", "perfect", 204_800))
"""MaskablePPO's trainings: the name of the weights, the opponent, and the number of steps."""
_BLOCK = re.compile(r"^```\w+\n(.*?)^```$", re.M | re.S)


def program(page: str, word: str) -> str:
    """The first code block of a guide that contains a word."""
    found = _BLOCK.finditer((GUIDES / page).read_text(encoding="utf-8"))
    return next(block[1] for block in found if word in block[1])


def openspiel(folder: Path) -> None:
    """Prove OpenSpiel's search, by simulations and side, and its Q-learner as first player."""
    (folder / "learned.py").write_text(program("openspiel-and-pgx.md", "# learned.py"), encoding="utf-8")
    for simulations in SIMULATIONS:
        for side in ("first", "second"):
            _noughts(f"prove openspiel:mcts,sims={simulations} --instance 1 --rules tic-tac-toe --as {side}", folder)
    for episodes in EPISODES:
        _noughts(f"prove openspiel:learned.py:q_learner,episodes={episodes} --rules tic-tac-toe --as first", folder)


def sb3(folder: Path) -> None:
    """Train MaskablePPO three times on one core; play each against a random player, and prove it on both sides."""
    print(f"sb3-contrib {version('sb3-contrib')}")
    page = "environments.md"
    (folder / "sb3_agent.py").write_text(program(page, "# sb3_agent.py"), encoding="utf-8")
    training = program(page, "model.learn(")
    for name, opponent, steps in TRAININGS:
        changes = {'opponent="random"': f'opponent="{opponent}"', "20_480": str(steps), '"learned"': f'"{name}"'}
        text = training
        for old, new in changes.items():
            assert old in text, f"{page} does not say {old}"
            text = text.replace(old, new)
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", text], cwd=folder, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=True)
        print(f"{steps:,} steps against {opponent}: {time.perf_counter() - begun:.0f} s")
        agent = f"python:sb3_agent.py:Learned,weights={name}"
        _noughts(f'match "{agent}" random -n 200', folder)
        for side in ("first", "second"):
            _noughts(f'prove "{agent}" --rules tic-tac-toe --as {side}', folder)


def _noughts(words: str, folder: Path) -> None:
    """Run one noughts command and print its output; a refuted agent is a result, any other failure ends the program."""
    print(f"\n$ noughts {words}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "noughts", *shlex.split(words)],
        cwd=folder,
        env=os.environ | {"NOUGHTS_STORE": str(folder / "store")},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stdout.replace(str(folder), ".").rstrip(), flush=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"noughts {words} ended with exit code {done.returncode}")


def main() -> None:
    """Run one kind."""
    kinds = {"openspiel": openspiel, "sb3": sb3}
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=sorted(kinds))
    with tempfile.TemporaryDirectory() as folder:
        kinds[parser.parse_args().kind](Path(folder))


if __name__ == "__main__":
    main()
