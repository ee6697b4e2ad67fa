"""On a Ray cluster the same questions have the same answers as on this machine, byte for byte, also when a machine of it dies.

One cluster on this machine: a head that lends no core, and two nodes of one core each. Its nodes share no files with us:
what they read is sent to them, and what they make is sent back. To start it takes most of the time, so all that needs it
stands in one test; what can be seen without Ray is in `tests/machine/test_cluster.py`.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ray_cluster import TestedCluster, ray_cluster
from noughts.agents import parse_agent as spec
from noughts.machine import Failed, Job
from noughts.machine.executor import Executor, LocalWorkers
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import parse_task
from noughts.store.run_folder import RunFolder, training_folder
from noughts.studies.bttt_tournament import BtttTournament
from noughts.studies.study import Settings
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.schedule import Schedule
from tests.questions.asking import Memory

GUEST = """
import beside


class Guest:
    def choose(self, position, rng):
        return beside.pick(position.legal_moves)
"""
BESIDE = """
def pick(moves):
    return moves[len(moves) // 2]
"""


@pytest.fixture
def cluster() -> Iterator[TestedCluster]:
    pytest.importorskip("ray")
    with ray_cluster() as found:
        yield found


def tiny(seed: int) -> Training:
    """A training of a second, which has all cores of a machine."""
    schedule = Schedule(iterations=2, measure_iterations=1)
    config = EvolutionConfig(task="tic-tac-toe", rounds=4, seed=seed, schedule=schedule)
    return Training(label=f"tiny {seed}", method="es", config=config)


def match(a: str, b: str, games: int, rules: str = "tic-tac-toe", seed: int = 0) -> Played:
    return Played(
        task=parse_task(rules), a=spec(a), b=spec(b), games=games, moves_first="a", opening_plies=1, seed=seed
    )


def asked(questions: Sequence[Question[Any]], executor: Executor, spread: bool = False) -> tuple[Memory, list[str]]:
    """What is kept when these are asked, and the names of the machines that were seen at it."""
    memory, seen = Memory(), []
    with closing(carry_out(questions, Answers(memory), executor, spread=spread)) as steps:
        for step in steps:
            seen += [node.name for node in step.nodes if node.done]
    assert not memory.replaced
    return memory, seen


def said(memory: Memory) -> dict[tuple[str, str], object]:
    """All that is kept, without how long it took."""
    found: dict[tuple[str, str], object] = {key: timeless(kept.answer) for key, kept in memory.kept.items()}
    return found | {key: timeless(record.to_json()) for key, record in memory.records.items()}


def timeless(text: str) -> object:
    import json

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cut(inside) for name, inside in value.items() if not name.startswith("seconds")}
        return [cut(inside) for inside in value] if isinstance(value, list) else value

    return cut(json.loads(text))


def weights(training: Training) -> list[str]:
    """Hashes of all weights that were kept of a training, and of its checkpoint."""
    run = RunFolder.open(training_folder() / training.name)
    latest = run.checkpoints.latest()
    assert latest.checkpoint is not None
    assert not latest.damaged
    return [*(run.weights_hash(iteration) for iteration in run.iterations()), latest.checkpoint.digest]


@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # Ray forks to start its own processes, beside JAX
@pytest.mark.timeout(900)  # half a minute where nothing else is at work; Ray takes minutes to start where much is
def test_answers_of_a_cluster_are_those_of_this_machine(
    cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "guests").mkdir()
    (tmp_path / "guests" / "guest.py").write_text(GUEST)
    (tmp_path / "guests" / "beside.py").write_text(BESIDE)
    guest = f"python:{tmp_path}/guests/guest.py:Guest"
    trainings = [tiny(0), tiny(1)]
    settings = Settings(scale="quick")
    games = [question for question in BtttTournament().questions(settings) if isinstance(question, Played)]
    learned = match(f"{trainings[0].agent()}", "random", 8)
    asked_of_both: list[tuple[str, list[Question[Any]], bool]] = [
        ("the tournament of the paper, at scale quick, but for its timings", list(games), False),
        ("a match with a guest from a file", [match(guest, "mcts:sims=20", 8)], False),
        ("a proof", [Walked(task=parse_task("tic-tac-toe"), agent=spec(guest), side="first")], True),
        ("trainings", list(trainings), False),
        ("a match of what was learned", [learned], False),
    ]
    found: dict[str, dict[str, object]] = {}
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "there"))
    there = cluster.executor()
    executors: dict[str, Executor] = {"here": LocalWorkers(2), "there": there}
    with there.opened():
        for place, executor in executors.items():
            monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / place))
            found[place] = {}
            for name, questions, spread in asked_of_both:
                begun = time.monotonic()
                memory, seen = asked(questions, executor, spread)
                found[place][name] = said(memory)
                print(f"{place}: {name}: {time.monotonic() - begun:.1f} s")
                if name == "trainings":
                    found[place]["weights"] = [weights(training) for training in trainings]
                    assert place == "here" or len(set(seen)) == 2, "each had a machine"
        assert found["there"] == found["here"]
        died_elsewhere_too(there)
        lost_nothing_with_a_machine(there, cluster)
    assert cluster.objects_left() == 0


def died_elsewhere_too(executor: Executor) -> None:
    """A job that ends its process is to blame there as here, and jobs beside it are done."""
    functions = "tests.machine.functions"
    jobs = [Job("dies", f"{functions}:die", "exit"), Job("hangs", f"{functions}:hang", "sleep 0.3")]
    jobs += [Job(str(number), f"{functions}:upper", "a") for number in range(20)]
    results = {result.key: result for result in executor.run(jobs, 1.0)}
    assert len(results) == 22
    local = {result.key: result for result in LocalWorkers(2).run(jobs[:2])}
    for key, reason in (("dies", "died"), ("hangs", "timeout")):
        result = results[key]
        assert isinstance(result, Failed)
        assert result.reason == reason
        assert result == local[key]


def lost_nothing_with_a_machine(executor: Executor, cluster: TestedCluster) -> None:
    """A machine is killed in the middle of a match: all is answered, and nothing is kept twice."""
    question = match("mcts:sims=300", "mcts:sims=200", 60, "bttt(D4)")
    memory = Memory()
    killed = 0.0
    with closing(carry_out([question], Answers(memory), executor)) as steps:
        for step in steps:
            if step.new >= 10 and not killed:
                cluster.kill_a_node()
                killed = time.monotonic()
    assert killed
    assert len(memory.records) == 60
    assert not memory.replaced
    assert said(memory) == said(asked([question], LocalWorkers(1))[0])
