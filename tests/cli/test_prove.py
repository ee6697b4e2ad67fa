"""``noughts prove``: its output, its saved results, its certificates, and its exit codes."""

import hashlib
import lzma
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.examine import certify
from noughts.machine import Recorder
from noughts.positions import Outcome, Position
from noughts.questions.traits import AgentTraits, Traits
from noughts.rules import parse_rules
from noughts.solvers.verify import verify
from noughts.store.results import Store
from tests.cli.running import Run, Shown, Told


def test_a_refutation_is_drawn_and_saved(own_store: Path, run: Run, shown: Shown) -> None:
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
    assert "<svg" in picture.read_text()
    found = shown(*words, "--report", own_store / "elsewhere", code=1)
    assert (found["agent"], found["side"], found["instance"], found["proved"]) == ("random", "second", 4, False)
    (game,) = found["games"]
    assert (game["rules"], game["answer"], game["game"]) == ("tic-tac-toe", "refuted", named)
    assert Path(game["picture"]).parent == own_store / "elsewhere"


def test_a_failing_agent_gets_one_line_and_exit_code_1(run: Run) -> None:
    code, out, err = run("prove", "python:tests.agents.players:RaisesLater", "--workers", "0", "--json")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "after A1 A2: KeyError: 'gone'" in err


def test_a_game_with_too_many_positions_does_not_hide_the_others(run: Run, shown: Shown) -> None:
    task = "tic-tac-toe|mnk(3,3,2)"
    words = ("prove", "minimax:depth=9,ties=first", "--rules", task, "--max-positions", "40", "-w", "0")
    code, out, err = run(*words)
    assert (code, "not decided" in out) == (1, True)
    assert "tic-tac-toe: the walk meets more than 40 positions, at ply " in err
    found = shown(*words, code=1)
    assert not found["proved"]
    assert [game["answer"] for game in found["games"]] == ["not decided", "wins"]
    assert "wins against every reply on 1 of 2 games as first player; 1 not decided within 40 positions" in out


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("tic-tac-toe", "not decided within 5 positions: minimax:depth=9 as second player of tic-tac-toe"),
        ("tic-tac-toe|mnk(3,3,3,line=loses)", "not decided within 5 positions: minimax:depth=9 on 2 of 2 games"),
    ],
)
def test_a_proof_that_gives_up_refutes_nothing(own_store: Path, run: Run, rules: str, said: str) -> None:
    code, _, err = run("prove", "minimax:depth=9", "-r", rules, "--as", "second", "--max-positions", "5", "-w", "0")
    assert (code, "every walk meets more than 5 positions" in err) == (2, True)
    shown = run("results", "show", "proof")[1]
    assert said in shown
    assert "state     finished" in shown
    assert not re.search("refuted|beaten|proved:", shown)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("words", "files"),
    [
        (("perfect", "--rules", "mnk(3,3,3,bricks=A1|A3|B2,full=first)", "--as", "first"), 3),
        (("random", "--rules", "mnk(2,2,2)", "--as", "first", "--instance", "3"), 1),
        (("minimax", "--rules", "mnk(1,2,1,line=loses)", "--as", "second"), 1),  # it never moves
    ],
)
def test_certificates_of_images_are_verified(words: tuple[str, ...], files: int, tmp_path: Path, shown: Shown) -> None:
    folder = tmp_path / "certificates"
    games = shown("prove", *words, "--certificate", folder, "--workers", "0")["games"]
    assert len(games) == files
    assert sorted(game["certificate"] for game in games) == sorted(map(str, folder.iterdir()))
    reports = {report["rules"]: report for report in shown("verify", folder, "-w", "0")["files"]}
    checked = {rules: report["positions"] for rules, report in reports.items()}
    assert {game["rules"]: game["entries"] for game in games} == checked
    assert all(report["proved"] and report["side"] == words[4] for report in reports.values())
    assert [reports[game["rules"]]["claim"] for game in games] == [game["answer"] for game in games]


def test_a_removed_certificate_is_restored_and_another_agents_is_kept(tmp_path: Path, told: Told) -> None:
    others = ("--rules", "mnk(2,3,3)", "--as", "second", "--certificate", tmp_path / "it", "--workers", "0")
    told("prove", "perfect", *others)
    (path,) = (tmp_path / "it").iterdir()
    before = path.read_bytes()
    path.unlink()
    assert f"certificate: {path}: 32 positions" in told("prove", "perfect", *others)
    assert path.read_bytes() == before
    said = told("prove", "perfect:ties=first", *others, "--json", code=2)
    assert f"{path} is there already: --force writes over it" in said
    assert path.read_bytes() == before
    told("prove", "perfect:ties=first", *others, "--force")
    assert path.read_bytes() != before


def test_a_refuted_agent_gets_no_certificate(tmp_path: Path, told: Told) -> None:
    words = ("random", "--instance", "4", "--as", "second", "--certificate", tmp_path / "none", "--workers", "0")
    assert "certificate" not in told("prove", *words, code=1)
    assert list((tmp_path / "none").iterdir()) == []


def test_only_a_checked_certificate_is_proved_and_a_walk_is_walked(own_store: Path, run: Run, shown: Shown) -> None:
    words = ("prove", "perfect", "--rules", "mnk(2,3,3)", "--as", "second", "--workers", "0")
    code, out, _ = run(*words, "--walk-only")
    assert (code, out.startswith("walked, not checked: perfect:nodes=1000000 never loses")) == (0, True)
    assert not (own_store / "certificates").exists()
    assert shown(*words, "--walk-only")["games"][0]["saved_certificate"] is None
    found = shown(*words)  # a mere walk is no proof, so it is walked again
    (game,) = found["games"]
    (kept,) = (own_store / "certificates").iterdir()
    assert (found["proved"], game["answer"]) == (True, "never loses")
    assert kept.name == f"{game['sha256']}.proof.xz"
    assert (game["certificate"], game["saved_certificate"]) == (None, str(kept))
    assert hashlib.sha256(lzma.decompress(kept.read_bytes())).hexdigest() == game["sha256"]
    assert verify(kept).positions == game["entries"]
    assert shown(*words, "--walk-only")["proved"]  # a proof is also accepted as a walk
    for damage in (kept.unlink, lambda: kept.write_bytes(b"junk")):  # without its certificate nothing is proved
        damage()
        code, out, _ = run(*words)
        assert (code, out.startswith("proved: "), verify(kept).positions) == (0, True, game["entries"])
        assert f"SHA-256 {game['sha256']}" in out


def test_a_walk_with_a_rejected_certificate_is_not_proved(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "MAX_RECORDS", 20)
    out = told("prove", "perfect", "--rules", "mnk(2,3,3)", "--as", "second", "--workers", "0", code=1)
    assert out.startswith("walked, not checked: perfect:nodes=1000000 never loses")
    assert "not checked: the certificate would have 32 positions, and the checker reads up to 20" in out


def test_the_loss_rate_is_printed_with_the_answer(run: Run, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, traits = list[AgentTraits](), AgentTraits.answer

    def answer(question: AgentTraits, needed: Sequence[Any], notes: Recorder) -> Traits:
        asked.append(question)
        return traits(question, needed, notes)

    monkeypatch.setattr(AgentTraits, "answer", answer)
    words = ("prove", "minimax:depth=2,eval=none", "--workers", "0", "--best-response")
    (game,) = shown(*words, code=1)["games"]
    assert len(asked) == 1
    low, high = game["losing_chance"]
    assert 0 < low == high < 1
    assert f"\na best response beats it in {100 * low:.2f} percent of the games\n" in run(*words)[1]


def test_loss_rates_of_several_games_are_a_column(run: Run, shown: Shown) -> None:
    task = "|".join(f"mnk(3,3,3,bricks={square},full=second)" for square in ("A1", "A3", "B2"))
    words = ("prove", "minimax:depth=2,eval=none", "-r", task, "--as", "second", "-w", "0", "--best-response")
    told = re.findall(r"([0-9]+\.[0-9]{2}) %", run(*words)[1])
    chances = [game["losing_chance"][0] for game in shown(*words, code=1)["games"]]
    assert told == [f"{100 * chance:.2f}" for chance in chances]
    assert chances[0] == chances[1] != chances[2]
