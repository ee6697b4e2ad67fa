"""Third-party agents, evaluators, networks, methods and studies in every command: from files, and from a package that is
installed in a folder."""

import json
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.agents import AGENTS
from noughts.agents.registry import depends_on
from noughts.library.networks import load_network
from noughts.networks import NetworkError
from noughts.networks import spec as network_spec
from tests.cli.plugins import write_plugins
from tests.cli.running import Run, Told
from tests.training.small_runs import ALPHAZERO

POINTS = """\
[noughts.agents]
corner = own_pack.corner:Corner
winner = own_pack.counting:Winner

[noughts.evaluators]
centre = own_pack.centre:Centre

[noughts.networks]
attention = own_pack.attention:Attention

[noughts.methods]
counting = own_pack.counting:Counting

[noughts.studies]
exploring = own_pack.explore:Exploring
broken = own_pack.explore:FirstMove
"""

CAREFUL = '''
from pathlib import Path
from typing import Literal


class Careful:
    """Looks ahead.

    Attributes:
        depth: How many plies.
    """

    def __init__(self, depth: int = 2, ties: Literal["first", "random"] = "first", book=None, *, share: float):
        """Not made here."""
'''

FAILING = """\
from noughts.networks.network import Network
from noughts.studies import Study

class Raises:
    def choose(self, position, rng):
        return self.look_up("D4")

    def look_up(self, square):
        raise KeyError(square)

class Typo(Network):
    width: int = 8

    def apply(self, seen, board, training):
        return hiden, self

    def refusal(self, rules):
        return None

class Asks(Study):
    title, question = "Nothing", "What?"

    def questions(self, settings):
        return ()

    def conclude(self, settings, answers):
        return 1 / 0

class Undeclared(Typo):
    def __init__(self, width: int = 8):
        self.places = width

class Wrong(Typo):
    def apply(self, seen, board, training):
        return seen.planes, self
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the files of the package, and with failing code."""
    here = write_plugins(tmp_path / "here")
    (here / "failing.py").write_text(FAILING)
    monkeypatch.chdir(here)
    monkeypatch.setenv("COLUMNS", "200")
    return here


@pytest.fixture
def installed(tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as a package installed in a folder; returns its folder."""
    site = tmp_path / "site"
    info = site / "own_pack-0.3.dist-info"
    info.mkdir(parents=True)
    pack = write_plugins(site / "own_pack")
    (pack / "__init__.py").touch()
    learns = pack / "counting.py"
    learns.write_text(learns.read_text().replace('player = "python:counting.py:Winner"', 'player = "winner"'))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-pack\nVersion: 0.3\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    return pack


@pytest.fixture
def both(run: Run) -> Told:
    """Run a command; return its output on both streams."""

    def both(*words: object, code: int = 0) -> str:
        found, out, err = run(*words)
        assert found == code, out + err
        return out + err

    return both


def test_the_options_of_an_agent_from_a_file_are_listed(tmp_path: Path, both: Told) -> None:
    file = tmp_path / "careful.py"
    file.write_text(CAREFUL)
    out = both("agents", f"python:{file}:Careful")
    assert out.startswith(f"python:{file}:Careful Looks ahead.\n")
    assert "  depth      How many plies: a whole number; default 2\n" in out
    assert "  ties       first or random; default first\n" in out
    assert "  book       any value; default none\n" in out
    assert "  share      a number; must be given\n" in out
    said = both("agents", f"python:{file}:Car", code=2)
    assert "(did you mean 'Careful'?); choose from: Careful\n" in said  # not its imports


def test_an_agents_exception_is_reported_with_file_and_line(here: Path, both: Told) -> None:
    said = both("match", "python:failing.py:Raises", "random", "-n", "2", "-w", "0", code=1)
    assert said.count(": KeyError: 'D4' (failing.py, line 9)\n") == 2
    assert str(here / "failing.py") not in said
    assert "2 broken off" in said


def test_a_failing_conclusion_is_reported_with_file_and_line(here: Path, both: Told) -> None:
    line = "cannot conclude without answers, which it must do before the first one: ZeroDivisionError: division by zero (failing.py, line 27)\n"
    said = both("study", "run", "python:failing.py:Asks", "-w", "0", code=2)
    assert said.endswith(line)
    assert "Traceback" not in said
    assert both("results", "list") == "no saved results yet\n"


CONCLUSIONS = {
    "(), (), ('It wins.',)": "conclude must return Conclusion(tables, figures, findings), and returned a tuple",
    "Conclusion(Table(title='Won', label_columns=(), unit='', rows=()), (), ())": (
        "impossible conclusion: tables.0=('title', 'Won') is not allowed"
    ),
    "Conclusion((), (), 'It wins.')": (
        "impossible conclusion: findings='It wins.' is not allowed: a tuple of texts, a sentence each"
    ),
    "Conclusion((Table(title='Won', label_columns=('sims', 'c'), unit='', rows=(Row(labels=('50',)),)),), (), ())": (
        "the table 'Won' has 2 columns of labels (sims, c), and a row of it 1 label (50)"
    ),
}


@pytest.mark.parametrize("said", CONCLUSIONS)
def test_an_invalid_conclusion_is_rejected_before_any_game(here: Path, both: Told, said: str) -> None:
    lines = (
        "from noughts.document.result import Row, Table",
        "from noughts.studies import Conclusion, Study",
        "class Says(Study):",
        "    title, question = 'Nothing', 'What?'",
        "    def questions(self, settings): return ()",
        f"    def conclude(self, settings, answers): return {said}",
    )
    (here / "says.py").write_text("\n".join(lines))
    assert CONCLUSIONS[said] in both("study", "run", "python:says.py:Says", "-w", "0", code=2)
    assert both("results", "list") == "no saved results yet\n"


def test_an_undeclared_network_field_is_reported_with_its_fix(here: Path, own_store: Path, both: Told) -> None:
    said = both("train", "mnk(2,2,2)", "--network", "python:failing.py:Undeclared", "--iterations", "1", code=2)
    why = "FrozenInstanceError: cannot assign to field 'places' (failing.py, line "
    assert f"network Undeclared cannot be made: {why}" in said
    assert said.endswith("): declare each field in the class, as in `places: jax.Array`\n")
    assert said.count("\n") == 1
    assert not (own_store / "training").exists()


def test_a_bug_in_a_network_from_a_file_is_reported_as_the_users(here: Path, both: Told) -> None:
    train = ("train", "mnk(2,2,2)", "--network", "python:failing.py:Typo", "--iterations", "1", "--run", "typo")
    failed = "error: your own code failed: NameError: name 'hiden' is not defined (failing.py, line 15)"
    said = both(*train, code=1)
    assert f"{failed}; `noughts --verbose ...` shows the whole traceback\n" in said
    assert "report" not in said
    assert "Traceback" not in said
    said = both("--verbose", *train[:-1], "again", code=1)
    assert said.endswith(f"{failed}\n")
    assert "in apply\n" in said


def test_a_sweep_of_a_network_that_predicts_nothing_is_refused_first(here: Path, own_store: Path, both: Told) -> None:
    """Its second condition is."""
    networks = '[settings]\nnetwork = ["line", "python:failing.py:Wrong"]'
    (here / "sw.toml").write_text(f'tasks = ["tic-tac-toe"]\npositions = [60]\n{networks}\n[[tests]]\nname = "truth"\n')
    said = both("sweep", "sw.toml", "-w", "0", code=2)
    assert said.startswith(
        "error: network=python:failing.py:Wrong on tic-tac-toe: network Wrong (failing.py): apply must return "
    )
    assert said.count("\n") == 1
    assert not (own_store / "training").exists()
    assert both("results", "list") == "no saved results yet\n"


@pytest.mark.heavy
def test_all_kinds_of_an_installed_package_work(installed: Path, both: Told) -> None:
    assert "corner       from own-pack 0.3" in both("agents")
    kinds = json.loads(both("agents", "--json"))
    assert [kind["name"] for kind in kinds] == [*AGENTS, "corner", "winner"]
    assert (kinds[-2]["about"].split(":")[0], kinds[-2]["target"]) == ("from own-pack 0.3", None)
    said = json.loads(both("match", "corner", "minimax:depth=1,eval=(centre,weight=2)", "-n", "4", "-w", "0", "--json"))
    assert said["a"] == "corner"
    listed = both("study", "list")
    assert "exploring\n  Does c = 0.5 beat c = 1.4?\n    --scale quick" in listed
    assert "broken" not in listed
    assert "study 'broken' is no study" in both("study", "run", "broken", code=2)
    found = json.loads(both("study", "run", "exploring", "-w", "0", "--json"))
    assert (found["name"], found["complete"], found["problems"]) == ("exploring", True, [])
    assert found["outside"]["study exploring"].startswith("own-pack 0.3 ")
    told = both("train", "tic-tac-toe", "--method", "counting", "--iterations", "3", "--run", "counts", "--seed", "4")
    assert "noughts match winner:run=counts minimax:depth=2" in told
    assert "in all" in both("match", "winner:run=counts", "random", "-n", "4", "-w", "0")


@pytest.mark.heavy
def test_all_kinds_from_files_work(here: Path, own_store: Path, both: Told) -> None:
    """Matches of such agents are in docs/guides/plugins.md, which is tested."""
    evaluating = "minimax:depth=1,eval=python:centre.py:Centre"
    assert "proved" in both("prove", evaluating, "--rules", "mnk(1,2,2)", "-w", "0")
    name = "python:explore.py:Exploring"
    said = both("study", "run", name, "-w", "1")
    assert "verdict" not in said
    page = (own_store / "pages" / "python-explore.py-Exploring-quick.html").read_text()
    for word in ("claim", "Verdict", "Deviations", "Paper"):
        assert word not in page.partition("</style>")[2], word
    assert "Depends on " in page
    shown_again = both("study", "show", name, "--recompute", "--markdown", "written")
    assert "It wins" in shown_again
    written = next(Path("written").glob("*.md")).read_text()
    assert "paper" not in written
    assert "claim" not in written
    assert f"noughts study run {name} --scale quick" in written
    method = "python:counting.py:Counting"
    both("train", "tic-tac-toe", "--method", method, "--iterations", "2", "--run", "counts", "--set", "games=5")
    assert f"method    {method}" in both("runs", "show", "counts")
    assert "5 iterations" in both("runs", "resume", "counts", "--iterations", "3")
    assert "in all" in both("match", "python:counting.py:Winner,run=counts@2", "random", "-n", "4", "-w", "0")
    refused = both("runs", "export", "counts", "--to", "counts.safetensors", code=2)
    assert "are in counts.json, and not one .safetensors file: copy them from " in refused
    assert (Path(refused.split()[-1]) / "counts.json").is_file()


def test_a_run_says_which_of_its_code_has_changed(here: Path, both: Told) -> None:
    method = "python:counting.py:Counting"
    both("train", "tic-tac-toe", "--method", method, "--iterations", "1", "--run", "counts")
    told, file = f"outside   method {method}, version ", here / "counting.py"
    (line,) = (line for line in both("runs", "show", "counts").splitlines() if line.startswith(told))
    as_it_was = file.read_text()
    file.write_text(f"{as_it_was}\n\nMORE = 1\n")
    assert f"{line}, has changed since\n" in both("runs", "show", "counts")
    file.unlink()
    assert f"{line}, has changed since\n" in both("runs", "show", "counts")
    file.write_text(as_it_was)
    assert f"{line}\n" in both("runs", "show", "counts")


@pytest.mark.slow
def test_a_network_from_a_file_trains_and_plays_and_its_code_is_hashed(here: Path, both: Told) -> None:
    network = "python:attention.py:Attention,width=8,blocks=1"
    Path("tiny.json").write_text(json.dumps(ALPHAZERO))
    words = ("--config", "tiny.json", "--network", network, "--iterations", "1", "--run", "words")
    said = both("train", "mnk(2,2,2)", *words)
    assert "noughts match az:words" in said
    assert f"network = {network}" in both("runs", "show", "words")
    match = ("match", "az:words,sims=0", "random", "-n", "2", "-w", "0", "--rules", "mnk(2,2,2)", "--json")
    both(*match)
    file = here / "attention.py"
    file.write_text(file.read_text().replace("Cells look at one another.", "Cells look around."))
    assert "after iteration 1," in both("runs", "export", "words@1", "--to", "words.safetensors")
    assert depends_on("az:words").versions
    assert depends_on("az:words.safetensors").versions
    load_network("words.safetensors")
    named = "outside   network python:attention.py:Attention, version "
    assert named in both("runs", "show", "words")
    as_it_was = file.read_text()
    file.write_text(as_it_was.replace("x.mean(axis=0)", "x.max(axis=0)"))
    change = f"the network's code {file} has changed or is gone: "
    changed = f"{change}put it back as it was"
    needed = f"{change}these weights need the earlier version\n"
    for agent in ("az:words", "az:words.safetensors"):
        refused = both("match", agent, "random", "-n", "2", "-w", "0", "--rules", "mnk(2,2,2)", code=2)
        assert changed in refused
        assert refused.count("\n") == 1
    for source in ("words", "words.safetensors"):
        with pytest.raises(NetworkError, match=changed):
            load_network(source)
    assert changed in both("runs", "export", "words", "--to", "words.onnx", code=2)
    assert re.search(rf"{re.escape(named)}\w+, has changed since\n", both("runs", "show", "words"))
    assert needed in both("runs", "export", "words", "--to", "later.safetensors")
    refused = both("runs", "resume", "words", "--iterations", "1", code=2)
    assert refused.startswith(
        "error: run words cannot be resumed: network python:attention.py:Attention has changed since it was begun"
    )
    file.unlink()
    assert needed in both("runs", "export", "words", "--to", "last.safetensors")
    gone = both(*match, code=2)
    assert changed in gone
    assert gone.count("\n") == 1


def test_a_changed_study_starts_over(here: Path, both: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "python:explore.py:Exploring"
    file = here / "explore.py"
    with monkeypatch.context() as change:
        change.setattr("noughts.store.run.Run.finish", Mock(side_effect=KeyboardInterrupt))
        both("study", "run", name, "-w", "0", code=130)
        file.write_text(file.read_text().replace('"""Where an agent begins."""', '"""Its first move."""'))
        assert "resuming the interrupted" in both("study", "run", name, "-w", "0", code=130)
    file.write_text(file.read_text().replace("It wins", "Less wins"))
    said = both("study", "run", name, "-w", "0")
    assert f"Starting over because study {name} changed" in said
    assert "Results that do not depend on it are reused." in said
    assert "Less wins" in said
    page = Path(said.rpartition("page: ")[2].strip().splitlines()[0])
    assert "(plus reused from other runs: " in page.read_text()


def test_the_network_s_code_that_trained_weights_is_named_if_it_changed_or_is_gone(here: Path) -> None:
    text, file, table = "python:attention.py:Attention,width=8,table=t.txt", here / "attention.py", here / "t.txt"
    table.write_text("1")
    learned = network_spec.depends_on(text).versions
    assert network_spec.change_of_code(text, learned) == ""
    table.write_text("2")
    assert network_spec.change_of_code(text, {}) == ""
    assert network_spec.depends_on(text).versions != learned
    for _ in range(2):
        assert network_spec.change_of_code(text, learned) == f"a file of network {text} has changed or is gone"
        table.unlink(missing_ok=True)
    file.write_text(file.read_text().replace("0.1 *", "0.2 *"))
    assert network_spec.change_of_code(text, learned) == f"the network's code {file} has changed or is gone"
    file.unlink()
    assert network_spec.change_of_code(text, learned) == f"the network's code {file} has changed or is gone"
    said = rf"^the network's code {file} has changed or is gone: put it back as it was$"
    with pytest.raises(NetworkError, match=said):
        network_spec.require_learned_by(text, learned)
    gone = network_spec.change_of_code("lost:width=8", {"network lost": "own-pack 0.3 1234"})
    assert gone == "the network's code lost has changed or is gone"


def test_changed_network_code_makes_another_training(here: Path) -> None:
    from noughts.questions.trained import Training
    from noughts.training.alphazero.config import AlphaZeroConfig

    def name() -> str:
        network = "python:attention.py:Attention,width=8"
        config = AlphaZeroConfig.preset("gumbel", task="tic-tac-toe", network=network, schedule={"iterations": 1})
        return Training(label="it", config=config).name

    first, file = name(), here / "attention.py"
    file.write_text(f"# said anew\n{file.read_text()}")
    assert name() == first
    file.write_text(file.read_text().replace("0.1 *", "0.2 *"))
    assert name() != first
