"""``noughts train`` and ``noughts runs``: their output and files, and one line for each error."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

import noughts
from noughts.agents import build_agent, parse_agent
from noughts.cli.training_view import TrainingView
from noughts.reports.presenting.text import seconds_text, sparkline
from noughts.store.run_folder import RunFolder, run_names
from noughts.training.events import Event, Finished, Iterated, Resumed, StrengthMeasured
from noughts.training.registry import METHODS
from noughts.training.schedule import Schedule
from tests.agents.runs import evolved_run
from tests.cli.running import Run, Shown, Told
from tests.training.toy import METHOD, Toy

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "toy", METHOD)


TOY = ("train", "tic-tac-toe", "--method", "toy")


def test_a_run_has_a_name_and_prints_the_next_commands(own_store: Path, run: Run) -> None:
    words = ("train", "bttt(D3|D4)", "--method", "toy", "--iterations", "3")
    code, out, err = run(*words)
    assert code == 0
    folder = own_store / "training" / "bttt-d3-bttt-d4-line-1"
    assert f"run       bttt-d3-bttt-d4-line-1 in {folder}\n" in out
    assert "trained   3 iterations, 30 positions, 0 s\n" in out
    assert "strength  wins 0.75\n" in out
    assert "next      noughts play --against az:bttt-d3-bttt-d4-line-1 --rules 'bttt(D3)'\n" in out
    assert "strength after 30 positions: wins 0.75" in err
    assert "noughts runs resume bttt-d3-bttt-d4-line-1 --minutes 10\n" in out
    _, out, _ = run(*words, "--devices", "1")
    # A run resumes only with the same number of devices.
    assert "noughts runs resume bttt-d3-bttt-d4-line-2 --devices 1 --minutes 10\n" in out
    assert run_names() == ("bttt-d3-bttt-d4-line-1", "bttt-d3-bttt-d4-line-2")


@pytest.mark.parametrize(("proved", "options"), [(1.0, ",sims=8,view=canonical"), (0.0, "")])
def test_the_next_commands_of_a_proved_run_name_the_proved_agent(
    run: Run, monkeypatch: pytest.MonkeyPatch, proved: float, options: str
) -> None:
    attempt = Mock(metrics={"proved": proved}, lost=())
    monkeypatch.setattr("noughts.training.proving.RunProver.check", Mock(return_value=attempt))
    code, out, _ = run(*TOY, "--iterations", "1", "--until", "proved:sims=8", "--run", "mine")
    assert code == 0
    assert f"next      noughts play --against az:mine{options} --rules tic-tac-toe\n" in out
    assert f"noughts match az:mine{options} minimax:depth=2 --rules tic-tac-toe\n" in out


def test_options_files_and_presets_are_combined(tmp_path: Path, shown: Shown) -> None:
    toml = tmp_path / "config.toml"
    toml.write_text(
        'task = "notakto(3)"\nseed = 5\n[size]\nkept = 50\n[schedule]\nminutes = 9\nmeasure_iterations = 2\n'
    )
    shown("train", "--method", "toy", "--config", str(toml), "--iterations", "2", "--preset", "paper", "--run", "mine")
    config = RunFolder.find("mine").description.config
    assert (config["task"], config["seed"], config["network"]) == ("notakto(3)", 5, "resnet")
    assert config["size"] == {"kept": 50, "seconds": 0.0}
    assert (config["schedule"]["minutes"], config["schedule"]["iterations"]) == (None, 2)
    assert config["schedule"]["measure_iterations"] == 2
    plain = tmp_path / "config.json"
    plain.write_text(json.dumps({"task": "notakto(3)", "schedule": {"positions": 20}}))
    words = ("--config", str(plain), "--seed", "6", "--network", "mlp:width=3", "--set", "size.kept=7")
    result = shown(*TOY, *words, "--set", "schedule.checkpoint_seconds=0.5")
    assert (result["run"], result["limit"], result["iterations"]) == ("tic-tac-toe-mlp-width-3-1", "positions", 2)
    config = RunFolder.find(result["run"]).description.config
    assert (config["task"], config["seed"], config["size"]["kept"]) == ("tic-tac-toe", 6, 7)
    assert config["schedule"]["checkpoint_seconds"] == 0.5


def test_a_run_may_have_any_folder(tmp_path: Path, shown: Shown, run: Run) -> None:
    code, out, err = run(*TOY, "--iterations", "1", "--run", f"{tmp_path}/mine", "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["run"] == result["folder"] == str(tmp_path / "mine")
    assert result["strength"] == {"wins": 0.5}
    assert shown("runs", "show", f"{tmp_path}/mine")["state"] == "finished"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.json", "{", "is not JSON (name it .toml if it is TOML): "),
        ("c.json", "[1]", "is a list: write an object of fields"),
        ("c.json", '{"sede": 1}', "unknown field 'sede' (did you mean 'seed'?); choose from: network, preset, "),
        ("c.toml", "task = ", "is not TOML: "),
    ],
)
def test_a_bad_file_is_one_line(tmp_path: Path, told: Told, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    assert said in told("train", "--config", tmp_path / name, "--method", "toy", "--minutes", "1", code=2)


def test_a_training_that_fails_at_once_frees_its_name(tmp_path: Path, own_store: Path, run: Run, shown: Shown) -> None:
    words = (*TOY, "--iterations", "3", "--run")
    own = tmp_path / "own"
    own.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Toy, "step", Mock(side_effect=ValueError("no such thing")))
        for name in ("mine", str(own)):
            code, _, err = run(*words, name)
            assert (code, "no such thing" in err) == (1, True)
        with pytest.raises(ValueError, match="no such thing"):
            list(noughts.train("tic-tac-toe", method="toy", iterations=3, run="mine"))
    assert list((own_store / "training").iterdir()) == []
    assert not own.exists()
    assert shown(*TOY, "--iterations", "1", "--run", "mine")["iterations"] == 1


def test_lists_and_pictures(own_store: Path, run: Run, shown: Shown, told: Told) -> None:
    assert "make one with `noughts train`" in told("runs", "list")
    shown(*TOY, "--iterations", "60", "--run", "mine", "--set", "schedule.measure_iterations=2")
    found = shown("runs", "show", "mine")
    assert [line["iteration"] for line in found["strength"]] == list(range(2, 61, 2))
    _, out, _ = run("runs", "show", "mine")
    assert f"state     finished: 60 iterations, 600 positions, {found['seconds']:.0f} s\n" in out
    assert "weights   30, of iterations 2 to 60\n" in out
    assert "  size.kept = 100\n" in out
    assert "  schedule.minutes = none\n" in out
    assert "  schedule.tensorboard = false\n" in out
    assert "▆▇▇" in out
    measured = f"{found['strength'][-1]['seconds']:.0f}"
    assert out.splitlines()[-1].split() == ["60", "600", measured, "s", "0.9836"]
    (own_store / "training" / "mine" / "run.json").write_text("{")
    code, out, err = run("runs", "list")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "run.json is damaged" in err


def test_weights_are_exported_and_overwrite_only_on_request(tmp_path: Path, run: Run, shown: Shown, told: Told) -> None:
    shown(*TOY, "--iterations", "4", "--run", "mine", "--set", "schedule.measure_iterations=2")
    to = tmp_path / "weights.safetensors"
    to.write_bytes(b"mine")
    export = ("runs", "export", "mine", "--to")
    assert run(*export, to) == (2, "", f"error: {to} is there already: --force writes over it\n")
    assert to.read_bytes() == b"mine"
    assert "after iteration 2" in told("runs", "export", "mine@2", "--to", to, "--force")
    assert to.read_bytes() == RunFolder.find("mine").weights_at(2)[1]["weights.safetensors"]
    told_of = {"run": "mine", "iteration": 4, "file": str(to), "bytes": 32, "agent": f"az:{to}"}
    assert shown(*export, to, "--force") == told_of
    none = told("runs", "export", "mine@3", "--to", to, "--force", code=2)
    assert "has no weights of iteration 3; it has those of 2, 4" in none
    for words, message in (
        ((tmp_path / "w.onnx",), "the weights of method toy are not written as ONNX"),
        ((tmp_path / "w.safetensors", "--rules", "tic-tac-toe"), "--rules is of ONNX"),
    ):
        assert message in told(*export, *words, code=2)


def test_evolved_weights_are_exported_unchanged(tmp_path: Path, run: Run, told: Told) -> None:
    evolved, to = evolved_run("few"), tmp_path / "weights.safetensors"
    code, out, err = run("runs", "export", "few", "--to", to)
    assert (code, err, out.splitlines()[-1]) == (0, "", f"its agent: es:{to}")
    assert str(parse_agent(f"es:{to}")).startswith(f"es:{to}@")
    build_agent(f"es:{to}")
    assert to.read_bytes() == evolved.weights_at()[1]["value.safetensors"]
    said = told("runs", "export", "few", "--to", tmp_path / "weights.onnx", code=2)
    assert "are in value.safetensors, and not one network for ONNX" in said


PROGRAM = """
import sys
import noughts
from noughts.__main__ import main
from noughts.training.registry import METHODS
from tests.training.toy import METHOD, Toy
METHODS["toy"] = METHOD
sys.exit(main())
"""


@pytest.mark.heavy
@pytest.mark.parametrize(("signals", "code"), [([signal.SIGINT], 130), ([signal.SIGTERM, signal.SIGTERM], 143)])
def test_signals_stop_it_and_lose_nothing(signals: list[signal.Signals], code: int, shown: Shown, told: Told) -> None:
    settings = ("--set", "size.seconds=0.01", "--set", "schedule.measure_iterations=5")
    words = [*TOY, "--iterations", "100000", "--run", "mine", *settings]
    command = [sys.executable, "-c", PROGRAM, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert "is in use by another process" in told("runs", "resume", "mine", code=2)
        assert RunFolder.find("mine").status().state == "running"
        for number in signals:
            os.kill(process.pid, number)
        _, err = process.communicate(timeout=20)
    assert first.startswith("mine: strength after 50 positions")
    assert process.returncode == code
    assert "Traceback" not in err
    assert "Finished work is saved. Continue it with: noughts runs resume mine\n" in err
    stopped = RunFolder.find("mine")
    status = stopped.status()
    assert status.state == "stopped"
    last, _ = stopped.checkpoints.latest()
    assert last is not None
    assert last.iteration == status.iterations == stopped.metrics.lines()[-1].iteration >= 5
    assert shown("runs", "resume", "mine", "--iterations", "2")["iterations"] == status.iterations + 2


def test_a_sparkline_is_a_curve() -> None:
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"
    assert sparkline([0.0, 0.1]) == "▁▂"  # a small share is drawn small
    assert sparkline([-2.0, 8.0]) == "▁█"
    assert sparkline([0.5, None, float("nan"), 0.5]) == "▅  ▅"
    assert sparkline([]) == ""
    long = sparkline([number / 999 for number in range(1000)])
    assert (len(long), long[0], long[-1]) == (32, "▁", "█")
    assert list(long) == sorted(long)


def test_durations_are_written_in_words() -> None:
    assert [seconds_text(seconds) for seconds in (3.2, 600, 36_000)] == ["3 s", "10 min", "10.0 h"]


def test_the_view_shows_rate_and_progress() -> None:
    view = TrainingView("mine", Schedule(iterations=100, minutes=60))
    events: list[Event] = [
        Resumed(10, 100, 50.0, ("checkpoint x is damaged",)),
        Iterated(11, 110, 52.0, {"loss": 0.5}, 5.0),
        Iterated(20, 200, 70.0, {"loss": 0.5}, 5.0),
        StrengthMeasured(20, 200, 70.0, {"wins": 0.25}, {"wins": 1200}),
        Finished(100, 1000, 230.0, "iterations"),
    ]
    first, resumed, compiled, second, measured = view.steps(iter(events))
    assert "first iteration" in first.counted
    assert resumed.line == "mine: resuming from iteration 10; not used: checkpoint x is damaged"
    assert (first.part, compiled.part) == (0, 1), "the first iteration is mostly compiling"
    assert (second.counted, second.note) == ("iteration 20, 200 positions, 5/s", "loss 0.5")
    assert second.done == 0.2
    assert measured.line == "mine: strength after 200 positions: wins 0.25 (n = 1,200)"
    assert view.strength == {"wins": 0.25}
    assert view.end is not None
    assert view.end.iteration == 100


def test_the_schedule_comes_from_options_then_preset_then_default(tmp_path: Path, run: Run) -> None:
    file, default = tmp_path / "c.toml", "Set --minutes, --iterations, --positions or --until"
    file.write_text('preset = "short"\ntask = "tic-tac-toe"\n')
    for name, words, iterations, said in (
        ("default", ("tic-tac-toe",), 5, f"Training for 5 iterations (default). {default}"),
        ("preset", ("tic-tac-toe", "--preset", "short"), 3, "Training for 3 iterations (preset). "),
        ("file", ("--config", file), 3, "Training for 3 iterations (preset). "),
        ("option", ("--config", file, "--iterations", "2"), 2, ""),
        ("other", ("--config", file, "--preset", "paper"), 5, "Training for 5 iterations "),
    ):
        code, _, err = run("train", "--method", "toy", "--run", name, *words)
        assert (code, err.startswith(said), "Training for" in err) == (0, True, said != "")
        assert RunFolder.find(name).status().iterations == iterations


def test_runs_are_compared(tmp_path: Path, run: Run, shown: Shown, told: Told) -> None:
    for name, words in {"a": (), "b": ("--set", "size.kept=7")}.items():
        settings = ("--set", "schedule.measure_iterations=2", *words)
        shown(*TOY, "--iterations", "6", "--run", name, *settings)
    plot = tmp_path / "c.svg"
    code, out, err = run("runs", "compare", "a", "b", "--plot", str(plot))
    assert (code, err) == (0, "")
    assert "size.kept" in out
    assert "seed" not in out.splitlines()[1:5]
    drawn = plot.read_text()
    assert "positions seen in training" in drawn
    assert ">a<" in drawn.replace(" ", "")
    again = told("runs", "compare", "a", "b", "--plot", plot, code=2)
    assert again == f"error: {plot} is there already: --force writes over it\n"
    for words, said in {
        ("a", "a"): "give two or more different runs",
        ("a", "b", "--plot", "c.pdf"): "a file that ends in .svg or .png",
        ("a", "b", "--plot", str(tmp_path / "d.png"), "--metric", "elo"): "metric that all runs measured 'elo'",
    }.items():
        assert said in told("runs", "compare", *words, code=2)


def test_compared_settings_are_written_as_a_run_shows_them(own_store: Path, told: Told) -> None:
    made = datetime(2024, 1, 1, tzinfo=UTC)
    configs: dict[str, dict[str, object]] = {"a": {"most": None, "own": True}, "b": {"most": 3}}
    for name, config in configs.items():
        folder = own_store / "training" / name
        RunFolder.create(folder, method="toy", task="tic-tac-toe", config=config, seed=0, created=made)
    rows = list(map(str.split, told("runs", "compare", "a", "b").splitlines()))
    assert rows[2:4] == [["most", "none", "3"], ["own", "true", "-"]]
