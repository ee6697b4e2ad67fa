"""Agents of other libraries, played with and walked: ``uv run python -m benchmarks.guests openspiel``, and
``uv run --with sb3-contrib python -m benchmarks.guests sb3``.

    openspiel   OpenSpiel's MCTS with growing numbers of simulations, and its Q-learner after two numbers of episodes
    sb3         MaskablePPO of sb3-contrib, trained three times

The programs are those that stand on the pages of the docs. What each command prints is printed below it.
`docs/guides/can-it-be-beaten.md` tells of it, and `benchmarks.printed` keeps it.
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
"""Of MaskablePPO: the name of its weights, whom it plays against, and for how many steps."""
_BLOCK = re.compile(r"^```\w+\n(.*?)^```$", re.M | re.S)


def program(page: str, word: str) -> str:
    """The first block of code of a guide in which a word stands."""
    found = _BLOCK.finditer((GUIDES / page).read_text(encoding="utf-8"))
    return next(block[1] for block in found if word in block[1])


def openspiel(folder: Path) -> None:
    """Every reply to OpenSpiel's search, by simulations and by side, and to its Q-learner as first player."""
    (folder / "learned.py").write_text(program("openspiel-and-pgx.md", "# learned.py"), encoding="utf-8")
    for simulations in SIMULATIONS:
        for side in ("first", "second"):
            _noughts(f"prove openspiel:mcts,sims={simulations} --instance 1 --rules tic-tac-toe --as {side}", folder)
    for episodes in EPISODES:
        _noughts(f"prove openspiel:learned.py:q_learner,episodes={episodes} --rules tic-tac-toe --as first", folder)


def sb3(folder: Path) -> None:
    """Three trainings of MaskablePPO on one core; each then plays a random player, and is walked on both sides."""
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
    """One command of noughts and what it prints; a refuted agent is an answer, any other failure ends the program."""
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
    """Run what is named."""
    kinds = {"openspiel": openspiel, "sb3": sb3}
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=sorted(kinds))
    with tempfile.TemporaryDirectory() as folder:
        kinds[parser.parse_args().kind](Path(folder))


if __name__ == "__main__":
    main()
