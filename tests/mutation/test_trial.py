"""A small tree with tests of its own is tried: what they notice, what they do not, and what never ends."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.overlay import Overlay
from tests.mutation.score import score_of, survivors
from tests.mutation.survey import SurveyError, surveyed
from tests.mutation.trial import KILLED, SURVIVED, TIMEOUT, Trials, Verdict, chosen, draw

ROOT = Path(__file__).parents[2]
SOURCE = """
def half(number: int) -> int:
    count = 0
    while number > 1:
        number -= 2
        count += 1
    return count

def unseen(number):
    return number * 2
"""
TESTS = """
from noughts.rules.tiny import half

def test_half_of_an_even_number():
    assert half(6) == 3
"""


@pytest.fixture
def overlay(tmp_path: Path) -> Overlay:
    tree = tmp_path / "tree"
    for name, text in (
        ("src/noughts/__init__.py", ""),
        ("src/noughts/rules/__init__.py", ""),
        ("src/noughts/rules/tiny.py", SOURCE),
        ("tests/__init__.py", ""),
        ("tests/rules/test_tiny.py", TESTS),
        ("pyproject.toml", "[tool.pytest.ini_options]\n"),
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    (tree / "tests" / "mutation").mkdir()
    for name in ("__init__.py", "recorder.py"):
        shutil.copy(Path(__file__).with_name(name), tree / "tests" / "mutation" / name)
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    made = Overlay(tree, tmp_path / "mutation")
    made.copy()
    return made


@pytest.mark.slow
def test_mutants_get_their_verdicts_and_the_tree_stays_as_it_is(
    overlay: Overlay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.mutation.trial.START_SECONDS", 4.0)
    path = "src/noughts/rules/tiny.py"
    told: list[str] = []
    survey = surveyed(overlay, tmp_path / "mutation", "rules", told.append)
    assert list(survey.seconds) == ["tests/rules/test_tiny.py::test_half_of_an_even_number"]
    texts = {
        "while number > 1:": {"while number >= 1:": SURVIVED, "while number <= 1:": KILLED},
        "number -= 2": {"pass": TIMEOUT},
        "return number * 2": {"return number // 2": SURVIVED},
    }
    wanted = [
        mutant
        for mutant in mutants_of(SOURCE, path)
        if mutant.lines(SOURCE)[1] in texts.get(mutant.lines(SOURCE)[0], ())
    ]
    file = tmp_path / "verdicts.jsonl"

    def tried(again: bool = False) -> list[Verdict]:
        trials = Trials("rules", overlay, file, survey, 10.0, again)
        return [trials.verdict(mutant) for mutant in wanted]

    verdicts = tried()
    assert {(verdict.before, verdict.after): verdict.verdict for verdict in verdicts} == {
        (before, after): verdict for before, its in texts.items() for after, verdict in its.items()
    }
    assert [verdict.tests for verdict in verdicts] == [1, 1, 1, 0]
    assert (overlay.root / path).read_text() == (overlay.tree / path).read_text() == SOURCE
    assert [verdict.by for verdict in verdicts if verdict.verdict == KILLED] == list(survey.seconds)
    kept = file.read_text()
    assert tried() == verdicts  # nothing is tried twice, though the last line of the file may have been cut
    assert file.read_text() == kept
    file.write_text(kept[:-20])
    assert [verdict.verdict for verdict in tried()] == [verdict.verdict for verdict in verdicts]

    stronger = TESTS + "\ndef test_half_of_an_odd_number():\n    assert half(3) == 1\n"
    (overlay.root / "tests" / "rules" / "test_tiny.py").write_text(stronger)
    overlay.copy()
    survey = surveyed(overlay, tmp_path / "mutation", "rules", told.append)
    assert [verdict.verdict for verdict in tried(again=True)] == [KILLED, KILLED, TIMEOUT, SURVIVED]

    assert told == []
    trials = Trials("rules", overlay, file, survey, 10.0)
    assert trials.false_alarms(verdicts) == []
    (overlay.tree / "tests" / "rules" / "test_tiny.py").write_text(TESTS.replace("3", "4"))
    assert trials.false_alarms(verdicts) == [verdict for verdict in verdicts if verdict.verdict == KILLED]

    (overlay.root / "tests" / "rules" / "test_tiny.py").write_text(stronger.replace("half(3) == 1", "half(3) == 2"))
    overlay.copy()
    survey = surveyed(overlay, tmp_path / "mutation", "rules", told.append)
    assert list(survey.seconds) == ["tests/rules/test_tiny.py::test_half_of_an_even_number"]
    assert {test for tests in survey.lines[path].values() for test in tests} == set(survey.seconds)
    assert "test_half_of_an_odd_number" in told[0]

    (overlay.root / "tests" / "rules" / "test_tiny.py").write_text(TESTS.replace("3", "4"))
    overlay.copy()
    with pytest.raises(SurveyError, match="no test passes"):
        surveyed(overlay, tmp_path / "mutation", "rules", told.append)


def test_a_draw_depends_on_its_seed_alone_and_takes_each_line_once(overlay: Overlay) -> None:
    drawn = draw(overlay.tree, "rules", 5, 1)
    assert drawn == draw(overlay.tree, "rules", 5, 1)
    assert drawn[:3] == draw(overlay.tree, "rules", 3, 1)
    assert any(drawn != draw(overlay.tree, "rules", 5, seed) for seed in (2, 3, 4))
    everything = [mutant.line for mutant in draw(overlay.tree, "rules", 100, 1)]
    assert sorted(everything) == sorted({mutant.line for mutant in mutants_of(SOURCE, "")})


def test_the_quickest_tests_come_first_and_at_least_one() -> None:
    seconds = {"slow": 9.0, "quick": 1.0, "middle": 2.0}
    assert chosen(list(seconds), seconds, 20.0) == ["quick", "middle", "slow"]
    assert chosen(list(seconds), seconds, 3.0) == ["quick", "middle"]
    assert chosen(["slow"], seconds, 3.0) == ["slow"]
    assert chosen([], seconds, 3.0) == []


def test_a_score_leaves_out_what_is_equivalent() -> None:
    def verdict(package: str, word: str) -> Verdict:
        return Verdict(package, "src/a.py", 3, "constant", "x = 1", "x = 2", word, 4, 1.0, "")

    words = [KILLED] * 7 + [TIMEOUT] + [SURVIVED] * 2 + ["equivalent"] * 5
    verdicts = [verdict("rules", word) for word in words] + [verdict("store", KILLED)]
    rules, store, both = (line.split() for line in score_of(verdicts).splitlines()[1:])
    assert rules == ["rules", "7", "1", "2", "5", "80.0%", "49.0%", "to", "94.3%"]
    assert store[:6] == ["store", "1", "0", "0", "0", "100.0%"]
    assert both[:6] == ["all", "8", "1", "2", "5", "81.8%"]
    assert survivors(verdicts) == "src/a.py:3 (constant; 4 tests)\n  - x = 1\n  + x = 2\n" * 2


def test_the_project_s_own_tests_are_found_as_trials_run_them(tmp_path: Path) -> None:
    own = Overlay(ROOT, tmp_path)
    own.tree = ROOT
    found = own.pytest(["--collect-only", "tests/statistics"], 120.0)
    assert found.code == 0, found.output
