"""Mutants are drawn, and tests chosen for them and run; scores count what these noticed. The list of equivalent mutants is about the
code as it is, and the last sample in README.md beside this file is what the command there wrote into `seed-7.json`.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from noughts.statistics import wilson
from tests.mutation.mutants import mutants_of
from tests.mutation.overlay import Overlay
from tests.mutation.trial import KILLED, SURVIVED, TIMEOUT, Verdict, chosen, draw, equivalents, key, score_of, survivors

ROOT = Path(__file__).parents[2]
LISTED = equivalents()
_ROW = re.compile(r"^\| `?(\w+)`? \| (\d+) \| (\d+) \| (\d+)% \| (\d+)% to (\d+)% \|$", re.M)


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


@pytest.mark.parametrize("path", sorted({path for path, _, _ in LISTED}))
def test_each_equivalent_mutant_can_be_drawn(path: str) -> None:
    source = (ROOT / path).read_text()
    drawn = {key(mutant, source) for mutant in mutants_of(source, path)}
    assert [name for name in LISTED if name[0] == path and name not in drawn] == []


def test_each_equivalent_mutant_has_a_reason_of_its_own() -> None:
    assert all(len(reason.split()) > 3 for reason in LISTED.values())
    assert max(Counter(LISTED.values()).values(), default=1) == 1


def test_the_table_is_of_the_sample_that_is_kept_without_mutants_that_were_found_to_be_equivalent() -> None:
    sample = [Verdict(**fields) for fields in json.loads(Path(__file__).with_name("seed-7.json").read_text())]
    wanted = []
    for package in [*dict.fromkeys(verdict.package for verdict in sample), "all"]:
        own = [verdict for verdict in sample if package in (verdict.package, "all")]
        noticed = sum(verdict.verdict in (KILLED, TIMEOUT) for verdict in own)
        unnoticed = [(verdict.path, verdict.before, verdict.after) for verdict in own if verdict.verdict == SURVIVED]
        trials = noticed + sum(mutant not in LISTED for mutant in unnoticed)
        percents = [round(100 * part) for part in wilson(noticed, trials)]
        wanted.append(tuple(map(str, (package, noticed, trials, *percents))))
    assert _ROW.findall(Path(__file__).with_name("README.md").read_text()) == wanted
