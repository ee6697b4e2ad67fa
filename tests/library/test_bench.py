"""A scorecard describes an agent correctly, and a check finds every change in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.agents.registry import parse_agent
from noughts.document.document import Listing
from noughts.examine.certify import read_agent_certificate
from noughts.examine.walk_result import WalkResult
from noughts.library import bench
from noughts.library.bench import BenchTask, Scorecard, TaskResult, check_scorecard, write_scorecard
from noughts.machine.environment import current_environment
from noughts.questions.answers import Answers
from noughts.questions.carry_out import Progress
from noughts.questions.walked import Walked
from noughts.reports.presenting import present
from noughts.rules import NoughtsError
from noughts.store.certificates import keep_certificate, read_certificate_file

SUITE = (
    BenchTask("perfect play", "mnk(2,2,2)", "first"),
    BenchTask("perfect play", "mnk(2,2,2)", "second"),
    BenchTask("generalisation", "tic-tac-toe", per_ply=2),
    BenchTask("exploitability", "mnk(2,2,2)", "second"),
    BenchTask("exploitability", "mnk(2,2,2)", "second", 8),
    BenchTask("speed", "mnk(2,2,2)"),
)


@pytest.fixture(scope="module", autouse=True)
def card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The scorecard of an agent in a small suite, with its certificates."""
    path = tmp_path_factory.mktemp("bench") / "card.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_STORE", str(path.with_name("store")))
        patch.setitem(bench.SUITES, "tiny", SUITE)
        patch.setattr(bench, "REPEATED", 9)
        write_scorecard(bench.bench("minimax:depth=9", "tiny", workers=0), path)
        yield path


def test_what_a_scorecard_says_is_true(card: Path) -> None:
    said = Scorecard.from_json(card.read_bytes())
    found = {f"{row.group}: {row.task}": (row.answer, row.value) for row in said.rows}
    assert found["perfect play: mnk(2,2,2), first"] == ("wins against every reply", 1.0)
    assert found["perfect play: mnk(2,2,2), second"] == ("loses in 3 plies", 0.0)
    assert found["generalisation: tic-tac-toe"][1] == 1.0
    assert found["exploitability: mnk(2,2,2), second"] == ("100.00 %", 1.0)
    assert "exploitability: mnk(2,2,2), second, 8 simulations" not in found  # it does not have this option
    assert str(said).startswith("noughts tiny v1: proved 1 of 2, optimal moves 100.0 %, loses 100.0 %")


@pytest.mark.parametrize(
    ("changed", "value"),
    [
        ({"lost_game": (0, 1), "whole": False}, 0.0),  # a narrow walk found it
        ({"whole": False, "limit": 5}, None),
        ({"unchecked": "it is too large"}, None),
        ({"certificate": "0" * 64}, 1.0),
    ],
)
def test_only_a_lost_game_refutes(changed: dict[str, Any], value: float | None) -> None:
    walked, found = bench._question(parse_agent("minimax:depth=9"), SUITE[1], 0), Answers(trusted=True)
    assert isinstance(walked, Walked)
    blank = WalkResult(
        lost_game=None, drawn_game=None, whole=True, won=0, drawn=0, lost=0, decisions=2, ties=0, longest=0, plies=2
    )
    found.keep([(walked.needs()[0], blank.model_copy(update=changed))])
    assert bench._row(SUITE[1], walked, found).value == value


def test_a_task_an_agent_cannot_do_has_no_number() -> None:
    found = bench.bench("random", "tiny", workers=0)
    rows = {(row.group, row.task): row for row in found.rows}
    row = rows["perfect play", "mnk(2,2,2), first"]
    assert (row.answer, row.value) == ("cannot", None)
    assert "not deterministic" in row.why
    share = rows["generalisation", "tic-tac-toe"].value
    assert share is not None
    assert 0 < share < 1


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        ("random cannot be proved: it is not deterministic: in tic-tac-toe", "it is not deterministic"),
        ("mnk(4,4,3): after no moves: ValueError: Error: shape (4, 4): 3 wanted", "shape (4, 4): 3 wanted"),
    ],
)
def test_a_card_gives_the_reason_of_a_task_without_a_value(why: str, reason: str) -> None:
    rows = (TaskResult(group="speed", task="tic-tac-toe", answer="cannot", why=why),)
    listing = present(Scorecard(suite="tiny", agent="random", environment=current_environment(), rows=rows)).blocks[0]
    assert isinstance(listing, Listing)
    assert listing.notes == (f"1 task without a value: {reason}",)


def test_an_unchanged_card_is_accepted(card: Path) -> None:
    wrong, done = check_scorecard(Scorecard.from_json(card.read_bytes()), card, 0)
    assert wrong == []
    counts, _, rows = done.partition(": ")
    assert counts == "1 certificate, 3 of 3 other rows recomputed"
    assert sorted(rows.split("; ")) == [
        "exploitability, mnk(2,2,2), second",
        "generalisation, tic-tac-toe",
        "perfect play, mnk(2,2,2), second",
    ]


def test_each_check_draws_other_rows(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "REPEATED", 1)
    same = Scorecard.from_json(card.read_bytes())
    drawn = {check_scorecard(same, card, 0)[1] for _ in range(30)}  # all alike once in 3 ** 29
    assert len(drawn) > 1
    assert all(done.startswith("1 certificate, 1 of 3 other rows recomputed: ") for done in drawn)


def altered(card: Path, row: int, **fields: Any) -> Scorecard:
    content = json.loads(card.read_text())
    content["rows"][row] |= fields
    return Scorecard.from_json(json.dumps(content))


@pytest.mark.parametrize(
    ("row", "fields", "said"),
    [
        (1, {"value": 1.0, "answer": "never loses"}, "proved without a certificate"),
        (2, {"value": 0.5}, "but recomputed it is"),
        (3, {"value": 0.0, "answer": "0.00 %"}, "but recomputed it is"),
        (0, {"certificate": "0" * 64}, "cannot be read"),
        (0, {"n": 9999}, "n 9999, but its certificate has 3"),
        (0, {"answer": "never loses"}, "but its certificate has wins against every reply"),
        (0, {"task": "chess"}, "has no such task"),
        (3, {"task": "mnk(2,2,2), second, 8 simulations"}, "has no such task"),
        (2, {"value": None, "answer": "cannot"}, "tic-tac-toe: the card has cannot, but minimax:depth=9 can do it"),
        (2, {"value": None, "answer": "undecided"}, "but recomputed it is 100.0 %"),
        (4, {"group": "generalisation", "task": "tic-tac-toe"}, "generalisation, tic-tac-toe: 2 rows"),
        (4, {"group": "generalisation", "task": "tic-tac-toe"}, "speed, mnk(2,2,2): 0 rows"),
    ],
)
def test_a_changed_card_is_refused(card: Path, row: int, fields: dict[str, Any], said: str) -> None:
    wrong, _ = check_scorecard(altered(card, row, **fields), card, 0)
    assert any(said in line for line in wrong), wrong


@pytest.mark.parametrize("fields", [{"n": 5}, {"answer": "loses in 1 plies"}])
def test_a_refusal_shows_what_differs(card: Path, fields: dict[str, Any]) -> None:
    true = Scorecard.from_json(card.read_bytes()).rows[1]
    wrong, _ = check_scorecard(altered(card, 1, **fields), card, 0)
    ((name, value),) = fields.items()
    expected = f"the card has {name} {value}, but recomputed it is {getattr(true, name)}"
    assert wrong == [f"perfect play, mnk(2,2,2), second: {expected}"]


def test_a_card_without_its_numbers_for_some_simulations_is_refused(tmp_path: Path) -> None:
    whole = bench.bench("mcts:sims=4", "tiny", workers=0)
    rows = tuple(row for row in whole.rows if "8 simulations" not in row.task)
    wrong, _ = check_scorecard(whole.model_copy(update={"rows": rows}), tmp_path / "card.json", 0)
    assert wrong == ["exploitability, mnk(2,2,2), second, 8 simulations: 0 rows"]


def test_a_certificate_does_not_replace_a_number(card: Path) -> None:
    proof = Scorecard.from_json(card.read_bytes()).rows[0].certificate
    wrong, _ = check_scorecard(altered(card, 2, value=0.5, certificate=proof), card, 0)
    assert any("tic-tac-toe: the card has" in line for line in wrong), wrong


def test_a_certificate_of_another_agent_is_refused(card: Path) -> None:
    content = json.loads(card.read_text()) | {"agent": "minimax:depth=2"}
    wrong, _ = check_scorecard(Scorecard.from_json(json.dumps(content)), card, 0)
    assert any("its certificate is of minimax:depth=9" in line for line in wrong)


def test_a_certificate_with_another_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bench.SUITES, "tiny", (BenchTask("perfect play", "tic-tac-toe", "second"),))
    card = bench.bench("minimax:depth=9", "tiny", workers=0)
    proof = read_agent_certificate(read_certificate_file(card.rows[0].certificate))
    proof.agent = "minimax:depth=1"
    row = card.rows[0].model_copy(update={"certificate": keep_certificate(proof.content("never loses"))})
    forged = card.model_copy(update={"agent": proof.agent, "rows": (row,)})
    write_scorecard(forged, tmp_path / "card.json")
    steps = list[Progress]()
    wrong, _ = check_scorecard(forged, tmp_path / "card.json", 0, steps.extend)
    assert steps[-1].done == steps[-1].total > 0
    assert "answer never loses, but recomputed it is loses in 7 plies" in wrong[0], wrong


def test_other_versions_and_suites_are_named(card: Path) -> None:
    other = Scorecard.from_json(card.read_bytes()).model_copy(update={"version": 2})
    with pytest.raises(NoughtsError, match="suite tiny v2: this noughts has v1"):
        check_scorecard(other, card, 0)
    with pytest.raises(NoughtsError, match="suite"):
        bench.bench("random", "large", workers=0)


SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "scorecard.schema.json"


def test_the_documented_schema_equals_the_cards() -> None:
    assert json.loads(SCHEMA.read_text()) == Scorecard.model_json_schema()


def test_every_task_of_the_suites_has_one_name() -> None:
    for tasks in bench.SUITES.values():
        names = [(task.group, task.name) for task in tasks]
        assert len(names) == len(set(names))
