"""What a study trains: named beforehand, trained once, taken up where it stopped, and refused if it is another's."""

import json
from pathlib import Path

import pytest
from noughts.questions.session import Measurement, carry_out
from noughts.studies.trained import Trained, Training, train_job

from noughts.agents import build_agent, choose
from noughts.positions import Position, Rng
from noughts.rules import StoreError, parse_rules
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder
from noughts.studies import trained
from noughts.studies.study import Results
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.evolution.config import EvolutionConfig
from noughts.training.loop import train
from noughts.training.schedule import Schedule


class Notes:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def note(self, text: str, limit: float | None = None) -> None:
        self.texts.append(text)


def training(iterations: int = 2, seed: int = 0) -> Training[AlphaZeroConfig]:
    config = AlphaZeroConfig(
        task="tic-tac-toe",
        network="mlp:widths=8",
        seed=seed,
        schedule=Schedule(iterations=iterations, measure_iterations=1),
        search={"simulations": 2},
        games=4,
        plies=4,
        window=64,
        batch=4,
        steps=1,
        measure_games=1,
        measure_simulations=0,
        measure_positions=0,
    )
    return Training("demo", "Mlp on 3x3", config)


def test_a_name_stands_for_the_configuration_and_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    name = training().name
    assert name.startswith("demo-mlp-on-3x3-")
    assert name == training().name
    assert len({name, training(3).name, training(seed=1).name}) == 3
    monkeypatch.setattr(trained, "current_code", lambda: {"source": "another"})
    assert training().name != name


def test_a_training_may_be_of_any_method_beside_others() -> None:
    config = EvolutionConfig(task="tic-tac-toe", schedule=Schedule(iterations=2))
    evolved = Training("demo", "evolved", config, "es", 1)
    assert evolved.agent(iteration=1, which="best") == f"es:{evolved.name}@1,which=best"
    assert not evolved.work().alone
    assert training().work().alone


def test_evolution_is_trained_in_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    config = EvolutionConfig(task="tic-tac-toe", rounds=4, schedule=Schedule(iterations=2, measure_iterations=1))
    evolved = Training("demo", "evolved", config, "es", 1)
    told = Trained.from_json(train_job(evolved.work().argument, Notes()))
    assert [point.iteration for point in told.curve] == [1, 2]
    agent = build_agent(evolved.agent())
    position = Position.start(parse_rules("tic-tac-toe"))
    assert choose(agent, position, Rng(0)) in position.legal_moves


def test_agents_are_named_before_they_exist() -> None:
    asked = training()
    assert asked.agent(100) == f"az:{asked.name}@2,sims=100"
    assert asked.agent(0, iteration=1, search="puct") == f"az:{asked.name}@1,sims=0,search=puct"


def test_a_training_that_may_end_at_any_moment_has_no_name_for_its_result() -> None:
    asked = training()
    limited = asked.config.model_copy(update={"schedule": Schedule(iterations=2, minutes=1)})
    with pytest.raises(ValueError, match="by iterations, and by nothing else"):
        asked._replace(config=limited).work()


def test_it_trains_once_and_its_agent_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    asked, notes = training(), Notes()
    work = asked.work()
    assert (work.stage, work.alone, work.key) == (0, True, "train / Mlp on 3x3")
    found = Trained.from_json(train_job(work.argument, notes))
    assert (found.iterations, [point.iteration for point in found.curve]) == (2, [1, 2])
    assert found.positions > 0
    assert set(found.curve[-1].values) == {"first_score", "second_score"}
    assert f"2 iterations, {found.positions:,} positions" in found.budget
    assert any(text.startswith("Mlp on 3x3: iteration 2 of 2,") for text in notes.texts)
    position = Position.start(parse_rules("tic-tac-toe"))
    assert choose(build_agent(asked.agent(2)), position, Rng()) in position.legal_moves
    assert asked.trained(Results(measurements={work.key: found.to_json()})) == found
    assert asked.trained(Results()) is None
    again = Notes()
    assert Trained.from_json(train_job(work.argument, again)) == found
    assert again.texts == []


def test_an_interrupted_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.training.registry import find_method

    work = training().work()
    asked = json.loads(work.argument)
    weights = {}
    for way in ("whole", "cut"):
        monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / way))
        if way == "cut":
            config = training().config
            run = trained._run_folder(asked["name"], "az", config)
            events = train(find_method("az").make_trainer(config), run, config.schedule, lambda: 0.0)
            for event in events:
                if getattr(event, "iteration", 0) == 1:
                    break
            events.close()
        train_job(work.argument, Notes())
        weights[way] = RunFolder.find(asked["name"]).weights_at(2)
    assert weights["cut"] == weights["whole"]


def test_a_folder_that_holds_another_run_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    trained._run_folder(training(3).name, "az", training().config)
    with pytest.raises(StoreError, match="a run with other settings: remove it"):
        train_job(training(3).work().argument, Notes())


def test_a_session_carries_it_out_before_what_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    config = EvolutionConfig(task="tic-tac-toe", rounds=4, schedule=Schedule(iterations=2, measure_iterations=1))
    asked = Training("demo", "evolved", config, "es", 1)
    measured = Measurement("weights", "tests.studies.test_trained:weights_of", asked.agent(), stage=1)
    with Store.open() as store, store.begin("study", "demo", {}, 0) as run:
        for _ in carry_out([measured, asked.work()], run, 1):
            pass
        found = run.measurements()
    assert json.loads(found["weights"])["value"] == '"(2,)"'
    assert asked.key in found


def weights_of(agent: str, notes: Notes) -> str:
    """The iterations of the run that an agent's text names."""
    return json.dumps(str(RunFolder.find(agent.removeprefix("es:").partition("@")[0]).iterations()[-1:]))
