"""``noughts prove``: what it prints and keeps, its certificates, and its exit codes."""

import hashlib
import json
import lzma
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import noughts
from noughts.agents import parse_agent
from noughts.agents.asking import is_symmetric
from noughts.examine import certify
from noughts.positions import Outcome, Position
from noughts.rules import parse_rules
from noughts.solvers.verify import verify
from noughts.store.results import Store
from tests.cli.running import Run


def test_a_refutation_is_drawn_and_kept(own_store: Path, run: Run) -> None:
    words = ("prove", "random", "--instance", "4", "--as", "second", "--workers", "0")
    code, out, _ = run(*words)
    assert code == 1
    assert out.startswith("refuted: instance 4 of random can be beaten as second player of tic-tac-toe (")
    with Store.open(str(own_store)) as store:
        (info,) = store.runs("proof")
    assert info.status == "finished"
    rules = parse_rules("tic-tac-toe")
    named = re.findall(r"^ +\d+  [XO] ([A-C][1-3])", out, re.MULTILINE)
    position = Position.start(rules, tuple(map(rules.cell_of, named)))
    assert position.outcome is Outcome.FIRST
    assert str(position) in out
    for number, name in enumerate(named, 1):
        assert f"{number:4}  {'XO'[1 - number % 2]} {name}{'' if number % 2 else '  the agent'}\n" in out
    picture = Path(out.splitlines()[-1].removeprefix("picture: "))
    assert picture.parent == own_store / "pages"
    assert picture.read_text().startswith("<svg") or "<svg" in picture.read_text()
    code, out, err = run(*words, "--json", "--report", str(own_store / "elsewhere"))
    shown = json.loads(out)
    assert (code, err) == (1, "")
    assert (shown["agent"], shown["rules"], shown["side"]) == ("random", "tic-tac-toe", "second")
    assert (shown["instance"], shown["proved"]) == (4, False)
    (game,) = shown["games"]
    assert (game["rules"], game["answer"], game["game"]) == ("tic-tac-toe", "refuted", named)
    assert Path(game["picture"]).parent == own_store / "elsewhere"


def test_what_is_refused_at_once_leaves_no_run_and_is_not_gone_on_with(own_store: Path, run: Run) -> None:
    for _ in range(2):
        code, out, err = run("prove", "mcts:sims=10", "--workers", "0")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "going on" not in err
    with Store.open(str(own_store)) as store:
        assert store.runs() == ()
    for number in range(2):
        code, out, err = run("prove", "minimax:depth=9", "--max-positions", "20", "--workers", "0")
        assert code == 2
        assert "going on" not in err, f"nothing was interrupted, time {number}"


def test_an_agent_that_fails_gets_one_line_and_exit_code_1(run: Run) -> None:
    code, out, err = run("prove", "python:tests.agents.players:RaisesLater", "--workers", "0", "--json")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "after A1 A2: KeyError: 'gone'" in err


def test_a_game_that_meets_too_many_positions_does_not_hide_the_others(run: Run) -> None:
    task = "tic-tac-toe|mnk(3,3,2)"
    words = ("prove", "minimax:depth=9,ties=first", "--rules", task, "--max-positions", "40", "-w", "0")
    code, out, err = run(*words)
    assert code == 1
    assert "not decided" in out
    assert "tic-tac-toe: the walk meets more than 40 positions, at ply " in err
    code, out, err = run(*words, "--json")
    shown = json.loads(out)
    assert (code, shown["proved"]) == (1, False)
    assert [game["answer"] for game in shown["games"]] == ["not decided", "wins"]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("perfect", "--rules", "mnk(3,3,3,bricks=A1|A3|B2,full=first)", "--as", "first"), 3),
        (("random", "--rules", "mnk(2,2,2)", "--as", "first", "--instance", "3"), 1),
    ],
)
def test_certificates_of_all_images_are_verified_without_array_libraries(
    words: tuple[str, ...], files: int, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "certificates"
    code, out, _ = run("prove", *words, "--certificate", str(folder), "--workers", "0", "--json")
    games = json.loads(out)["games"]
    assert code == 0
    assert len(games) == files
    assert sorted(game["certificate"] for game in games) == sorted(map(str, folder.iterdir()))
    program = f"""
import sys
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("equinox", "jax", "jaxlib", "numba", "numpy", "scipy", "sqlalchemy"):
            raise ImportError(name)
sys.meta_path.insert(0, Nowhere())
from noughts.cli.main import main
sys.exit(main(["verify", {str(folder)!r}, "-w", "0", "--json"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reports = {report["rules"]: report for report in json.loads(done.stdout)["files"]}
    assert {game["rules"]: game["entries"] for game in games} == {
        rules: report["positions"] for rules, report in reports.items()
    }
    assert all(report["proved"] and report["side"] == "first" for report in reports.values())
    assert [reports[game["rules"]]["claim"] for game in games] == [game["answer"] for game in games]


def test_a_certificate_that_was_removed_is_written_again(tmp_path: Path, run: Run) -> None:
    words = ("prove", "perfect", "--as", "second", "--certificate", str(tmp_path / "it"), "--workers", "0")
    assert run(*words)[0] == 0
    (path,) = (tmp_path / "it").iterdir()
    before = path.read_bytes()
    path.unlink()
    code, out, _ = run(*words)
    assert (code, path.read_bytes()) == (0, before)
    assert f"certificate: {path}: 146 positions" in out


def test_a_certificate_of_another_agent_is_not_written_over_unless_told(tmp_path: Path, run: Run) -> None:
    others = ("--as", "second", "--certificate", str(tmp_path / "it"), "--workers", "0")
    assert run("prove", "perfect", *others)[0] == 0
    (path,) = (tmp_path / "it").iterdir()
    before = path.read_bytes()
    code, _, err = run("prove", "perfect:ties=first", *others)
    assert code == 2
    assert f"{path} is there already: --force writes over it" in err
    assert path.read_bytes() == before
    assert run("prove", "perfect:ties=first", *others, "--force")[0] == 0
    assert path.read_bytes() != before


def test_who_is_refuted_gets_no_certificate(tmp_path: Path, run: Run) -> None:
    words = ("random", "--instance", "4", "--as", "second", "--certificate", str(tmp_path / "none"), "--workers", "0")
    code, out, _ = run("prove", *words)
    assert code == 1
    assert "certificate" not in out
    assert list((tmp_path / "none").iterdir()) == []
    assert run("prove", "perfect", "--certificate", "/dev/null/x")[0] == 2


def test_proved_is_said_of_what_the_checker_accepted_and_walked_of_a_walk_alone(own_store: Path, run: Run) -> None:
    words = ("prove", "perfect", "--as", "second", "--workers", "0")
    code, out, _ = run(*words, "--walk-only")
    assert (code, out.startswith("walked, not checked: perfect:nodes=1000000 never loses")) == (0, True)
    assert not (own_store / "certificates").exists()
    code, out, _ = run(*words, "--json")  # what was walked alone is no proof: it is walked again
    (game,) = json.loads(out)["games"]
    (kept,) = (own_store / "certificates").iterdir()
    assert (code, json.loads(out)["proved"], game["answer"]) == (0, True, "never loses")
    assert kept.name == f"{game['sha256']}.proof.xz"
    assert hashlib.sha256(lzma.decompress(kept.read_bytes())).hexdigest() == game["sha256"]
    assert verify(kept).positions == game["entries"]
    code, out, _ = run(*words, "--walk-only", "--json")  # and a proof will do for who wants a walk
    assert json.loads(out)["proved"]
    kept.unlink()  # without its certificate nothing is proved
    code, out, _ = run(*words)
    assert (code, out.startswith("proved: "), kept.is_file()) == (0, True, True)
    assert f"SHA-256 {game['sha256']}" in out
    assert run(*words, "--walk-only", "--certificate", "x")[0] == 2


def test_an_agent_is_read_and_asked_what_it_is_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read, asked = Mock(wraps=parse_agent), Mock(wraps=is_symmetric)
    for place in ("document.names", "library.asking"):
        monkeypatch.setattr(f"noughts.{place}.parse_agent", read)
    monkeypatch.setattr("noughts.questions.traits.is_symmetric", asked)
    assert run("prove", "me=minimax:depth=9", "-r", "mnk(2,2,2)", "-w", "0", "--best-response")[0] == 0
    assert (read.call_count, asked.call_count) == (1, 1)


def test_a_walk_whose_certificate_is_refused_is_not_proved(
    own_store: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certify, "MAX_RECORDS", 100)
    code, out, _ = run("prove", "perfect", "--as", "second", "--workers", "0")
    assert code == 1
    assert out.startswith("walked, not checked: perfect:nodes=1000000 never loses")
    assert "not checked: the certificate would have 146 positions, and the checker reads up to 100" in out


def test_the_chance_of_losing_is_told_with_the_answer(run: Run) -> None:
    words = ("prove", "minimax:depth=2,eval=none", "--workers", "0", "--best-response")
    code, out, _ = run(*words)
    assert code == 1
    (told,) = re.findall(r"^a best response beats it in ([0-9.]+) percent of the games$", out, re.MULTILINE)
    _, out, _ = run(*words, "--json")
    (game,) = json.loads(out)["games"]
    (low, high) = game["losing_chance"]
    assert low == high
    assert told == f"{100 * low:.2f}"
    found = noughts.losing_chances("minimax:depth=2,eval=none", workers=0)
    assert [one.result.low for one in found.games] == [low]
    assert 0 < low < 1


def test_the_chances_of_several_games_are_a_column(run: Run) -> None:
    task = "|".join(f"mnk(3,3,3,bricks={square},full=second)" for square in ("A1", "A3", "B2"))
    words = ("prove", "minimax:depth=2,eval=none", "-r", task, "--as", "second", "-w", "0", "--best-response")
    _, out, _ = run(*words)
    told = re.findall(r"([0-9]+\.[0-9]{2}) %", out)
    _, out, _ = run(*words, "--json")
    chances = [game["losing_chance"][0] for game in json.loads(out)["games"]]
    assert told == [f"{100 * chance:.2f}" for chance in chances]
    assert chances[0] == chances[1] != chances[2]
