"""Everything a user may own, in small: a database with a match and saved games, a training run, and a certificate."""

import gc
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from noughts.positions import Side
from noughts.rules import NoughtsError, parse_rules
from noughts.solvers.certificate import Certificate, write_certificate
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder, training_folder
from noughts.training.loop import train
from noughts.training.schedule import Schedule
from tests.cli.running import captured
from tests.training.toy import Toy, ToyConfig, new_run

SCHEDULE: dict[str, Any] = {"iterations": 6, "measure_iterations": 2, "measure_minutes": None, "checkpoint_seconds": 0}
DOCUMENT = json.dumps({"tree": {"children": [{"move": "A1", "children": []}]}})
MATCH = ("match", "random", "random", "-w", "0", "--json", "-r", "mnk(3,4,3)")


class Refused(Exception):  # noqa: N818 - it reports what happened
    """A command ended with one line that gives the reason."""


def command(place: Path, *words: str) -> tuple[Any, str]:
    """Run a command on a store in this process. Return its JSON and its warnings; raise Refused if it failed."""
    with mock.patch.dict(os.environ, NOUGHTS_STORE=str(place)):
        code, out, err = captured(*words)
    if code:
        gc.collect()  # as at the end of a process, the database is closed
        raise Refused(err)
    return json.loads(out), err


def make(place: Path) -> None:
    """Fill a folder with everything."""
    command(place, *MATCH, "-n", "40")
    with Store.open(str(place)) as store:
        for number in range(3):
            store.saved_games.add(f"game {number}", "tic-tac-toe", 1, DOCUMENT)
    config = ToyConfig(schedule=Schedule(**SCHEDULE))
    list(train(Toy(config), new_run(training_folder(str(place)) / "toy", config), config.schedule, float))
    write_certificate(place / "won.proof", won())


def won() -> Certificate:
    """On 2x3 cells with lines of two, the first player wins."""
    nobody, rules = np.zeros(1, np.uint64), parse_rules("mnk(2,3,2)")
    return Certificate(rules, Side.FIRST, nobody, nobody, np.array([rules.cell_of("A1")], np.uint8))


def database(place: Path) -> tuple[Any, str]:
    """The output of a match that resumes, and everything that lists and pages show."""
    found, said = command(place, *MATCH, "-n", "60")
    for name in ("seconds_a", "seconds_b"):
        del found[name]
    try:
        with Store.open(str(place)) as store:
            games = [store.saved_games.get(game.id) for game in store.saved_games.list()]
            shown = [(run.kind, run.name, dict(run.identity), run.seed, run.status) for run in store.runs()]
            results = [json.loads(run.result or "null") for run in store.runs()]
    except NoughtsError as error:
        raise Refused(str(error)) from error
    for result in results:
        for name in ("seconds_a", "seconds_b"):
            del result[name]
    kept = [(game.name, game.rules, game.plies, game.document) for game in games if game is not None]
    return (found, kept, shown, results), said


def training(place: Path) -> tuple[Any, str]:
    """Everything shown of a training run, the weights for agents, and how it resumes."""
    shown, said = command(place, "runs", "show", "toy", "--json")
    listed, _ = command(place, "runs", "list", "--json")
    for found in (shown, *listed):
        del found["folder"]
    try:
        run = RunFolder.open(training_folder(str(place)) / "toy")
        weights = {iteration: run.weights_at(iteration) for iteration in run.iterations()}
        config = ToyConfig(schedule=Schedule(**SCHEDULE | {"iterations": 8}))
        first, *_ = list(train(Toy(config), run, config.schedule, float))
        lines = [(line.kind, line.iteration, line.positions, line.metrics) for line in run.lines()]
        after = [run.weights_at(iteration) for iteration in run.iterations()], run.checkpoints.latest()[0]
    except NoughtsError as error:
        raise Refused(str(error)) from error
    said += "".join(getattr(first, "damaged", ()))
    return (shown, listed, weights, lines, after[0], after[1] and after[1].digest), said


def certificate(place: Path) -> tuple[Any, str]:
    """The output of the independent checker."""
    found, said = command(place, "verify", str(place / "won.proof"), "--json", "-w", "0")
    for file in found["files"]:
        del file["seconds"], file["file"]
    return found, said


USES: dict[str, Callable[[Path], tuple[Any, str]]] = {
    "results.sqlite": database,
    "saved.sqlite": database,
    "training/toy/*.json": training,
    "training/toy/metrics.jsonl": training,
    "training/toy/weights/*/*": training,
    "training/toy/checkpoints/*/*": training,
    "won.proof": certificate,
}
"""The files, and the function that reads them."""
