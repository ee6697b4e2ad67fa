"""Mutants are drawn, and tests chosen for them and run; scores count what these noticed."""

from pathlib import Path

from tests.mutation.overlay import Overlay
from tests.mutation.score import score_of, survivors
from tests.mutation.trial import KILLED, SURVIVED, TIMEOUT, Verdict, chosen, draw

ROOT = Path(__file__).parents[2]


def test_a_draw_depends_on_its_seed_alone_and_takes_each_line_once() -> None:
    drawn = draw(ROOT, "rules", 40, 1)
    assert drawn == draw(ROOT, "rules", 40, 1) != draw(ROOT, "rules", 40, 2)
    assert drawn[:3] == draw(ROOT, "rules", 3, 1)
    assert len({(mutant.path, mutant.line) for mutant in drawn}) == 40


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
