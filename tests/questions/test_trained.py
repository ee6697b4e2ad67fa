"""Trainings: named beforehand, trained once, resumed after interruptions, and rejected in a folder of another run."""

import re
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest

from noughts.agents import build_agent, choose, parse_agent
from noughts.machine import Recorder
from noughts.machine.dependencies import COMPUTED_WITH, Dependencies
from noughts.positions import Position, Rng
from noughts.questions import trained
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question, read_questions, write_questions
from noughts.questions.trained import Training
from noughts.questions.walked import EveryReply
from noughts.rules import NoughtsError, StoreError, parse_rules
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder, training_folder
from noughts.training import registry
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.loop import train
from noughts.training.registry import find_method
from noughts.training.schedule import Schedule
from tests.questions.asking import Elsewhere, evolved
from tests.training.small_runs import make_run

RULES = parse_rules("tic-tac-toe")


pytestmark = pytest.mark.usefixtures("own_store")


def learned(iterations: int = 2, seed: int = 0, label: str = "Mlp on 3x3", minutes: float | None = None) -> Training:
    """A training that no test starts."""
    schedule = Schedule(iterations=iterations, measure_iterations=1, minutes=minutes)
    config = AlphaZeroConfig(task="tic-tac-toe", network="mlp:widths=8", seed=seed, schedule=schedule)
    return Training(label=label, config=config)


def test_a_training_has_the_settings_of_the_command() -> None:
    made = Training.of("narrow", {"task": "tic-tac-toe", "seed": 3, "search.simulations": 4}, iterations=2)
    assert (made.method, made.cores, made.iterations, made.settings.seed) == ("az", 1, 2, 3)
    assert cast(AlphaZeroConfig, made.config).search.simulations == 4
    preset = Training.of("fast", {"task": "tic-tac-toe"}, preset="tic-tac-toe-fast", positions=100)
    assert cast(AlphaZeroConfig, preset.config).games == 64
    assert preset.settings.schedule.iterations is None
    with pytest.raises(NoughtsError, match="training 'both' has no end: give iterations or positions"):
        Training.of("both", {"task": "tic-tac-toe"}, iterations=2, positions=100)
    with pytest.raises(NoughtsError, match="unknown field 'tsak'"):
        Training.of("wrong", {"tsak": "tic-tac-toe"}, iterations=2)


def new_run(asked: Training, of: Training) -> RunFolder:
    """A folder under the name of one training that holds the settings of another."""
    return make_run(training_folder() / asked.name, of.method, of.config)


def test_a_name_identifies_configuration_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    name = learned().name
    assert name.startswith("az-tic-tac-toe-")
    assert name == learned().name == learned(label="another label").name
    assert len({name, learned(3).name, learned(seed=1).name, evolved().name}) == 4
    monkeypatch.setattr(registry, "depends_on", lambda *_: Dependencies((("method", "another"),)))
    assert learned().name != name


def test_a_configuration_survives_json() -> None:
    for asked in (learned(), evolved()):
        assert Training.from_json(asked.to_json()) == asked
        assert read_questions(write_questions([asked]))[0] == [asked]


def test_it_trains_once_in_the_store_and_its_agent_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, notes = evolved(), list[str]()
    monkeypatch.setattr(Recorder, "note", lambda self, text, limit=None: notes.append(text))
    found = asked.answer((), Recorder())
    assert (found.iterations, [point.iteration for point in found.curve]) == (2, [1, 2])
    assert found.positions > 0
    assert "lost_rounds" in found.curve[-1].values
    assert f"2 iterations, {found.positions:,} positions" in found.budget
    assert (found.cores, found.budget.endswith(" on 1 core")) == (1, True)  # the devices it was given
    assert any(text.startswith("evolved: iteration 2 of 2,") for text in notes)
    position = Position.start(RULES)
    assert choose(build_agent(asked.agent()), position, Rng(0)) in position.legal_moves
    notes.clear()
    assert asked.answer((), Recorder()) == found
    assert notes == []


def test_agents_have_names_before_training_unless_its_end_is_open() -> None:
    asked, other = learned(), evolved()
    assert str(asked.agent(100)) == f"az:{asked.name}@2,sims=100"
    assert str(asked.agent(0, iteration=1, search="puct")) == f"az:{asked.name}@1,sims=0,search=puct"
    assert str(other.agent(iteration=1, which="best")) == f"es:{other.name}@1,which=best"
    assert (asked.alone, other.alone) == (True, False)
    with pytest.raises(ValueError, match="by iterations or by positions, and by nothing else"):
        learned(minutes=1).agent()


def test_an_interrupted_training_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, weights = evolved(), {}
    for way in ("whole", "cut"):
        monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / way))
        if way == "cut":
            trainer = find_method(asked.method).trainer(asked.settings, None)
            events = train(trainer, new_run(asked, asked), asked.settings.schedule, lambda: 0.0)
            for event in events:
                if getattr(event, "iteration", 0) == 1:
                    break
            events.close()
        asked.answer((), Recorder())
        weights[way] = RunFolder.find(asked.name).weights_at(2)
    assert weights["cut"] == weights["whole"]


def test_a_folder_with_another_run_is_reported() -> None:
    new_run(learned(3), learned())
    with pytest.raises(StoreError, match="a run with other settings: remove it"):
        learned(3).answer((), Recorder())


@pytest.mark.heavy
def test_a_training_precedes_its_agents_questions_and_is_reused() -> None:
    asked = evolved()
    walk = EveryReply(rules=RULES, agent=asked.agent(), side="first")
    with Store.open() as kept, kept.begin("study", "demo", {}, 0) as run:
        answers = Answers(run)
        steps = list(carry_out([walk, asked], answers, 1))
        assert [(step.stage, step.stages) for step in (steps[0], steps[-1])] == [(1, 2), (2, 2)]
        found, walked = answers[asked], answers[walk]
        assert found is not None
        assert walked is not None
        assert not answers.problems
        again = Answers(run)
        assert [step.new for step in carry_out([walk, asked], again, 0)] == [0, 0]
        assert (again[asked], again[walk]) == (found, walked)
        (training_folder() / asked.name).rename(training_folder() / "elsewhere")
        assert again[asked] is None


def test_a_training_in_progress_is_not_given_to_another_machine() -> None:
    asked = evolved()

    there, answers = new_run(asked, asked), Answers()
    with there.locked():
        steps = list(carry_out([asked], answers, Elsewhere(1)))
    assert steps[-1].done == 1
    said = f"the run in {there.folder} is in use by another process: wait until it ends, or stop it"
    assert answers.problems == {asked.key: f"evolved, seed 0: {said}"}


def test_questions_about_a_failed_training_are_counted_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "train", Mock(side_effect=ValueError("no good")))
    asked = evolved()
    walks = [EveryReply(rules=RULES, agent=asked.agent(which=which), side="first") for which in ("best", "mean")]
    other = EveryReply(rules=parse_rules("mnk(1,2,2)"), agent=parse_agent("minimax:depth=1"), side="first")
    answers = Answers()
    sessions: list[tuple[list[Question[Any]], str]] = [
        ([asked], ""),
        ([asked, walks[0]], ", and a question about its agents"),
        ([asked, *walks, other], ", and 2 questions about its agents"),
    ]
    for questions, told in sessions:
        steps = list(carry_out(questions, answers, 0))
        assert steps[-1].done == steps[-1].total
        (problem,) = answers.problems.values()
        assert re.sub(r" \(.*, line \d+\)", "", problem) == f"evolved, seed 0: ValueError: no good{told}"
    assert answers[walks[0]] is None
    assert answers[other] is not None


def test_dependencies_of_work_are_equal_before_and_after_training() -> None:
    """Otherwise a study that trains would become different work as soon as it has trained."""
    training = evolved()
    asked: list[Question[Any]] = [training, EveryReply(rules=RULES, agent=training.agent(), side="first")]
    before = versions_outside(asked)
    training.answer((), Recorder())
    assert training.makes().exists()
    assert versions_outside(asked) == before
    assert COMPUTED_WITH in before
