"""Running cases: fabricated ones that fail in every way, and a short run of noughts' own."""

import dataclasses
from unittest.mock import Mock

import pytest

from benchmarks import jax_playouts, ours, timing
from benchmarks.case import Case, Group, Work
from benchmarks.cases import GROUPS, all_cases, select
from benchmarks.timing import run

RACE = Group("race", "A race", "laps", target=5)


def ready() -> Work:
    return Work(lambda: 10, "a note")


def peer(program: str, **fields: object) -> Case:
    case = Case(RACE, program, "peer()", ready, modules=("json",))
    return dataclasses.replace(case, **fields)  # type: ignore[arg-type]


OURS = Case(RACE, "noughts", "noughts()", ready)


@pytest.fixture(autouse=True)
def _nothing_is_unfrozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave objects frozen that `tests/conftest.py` froze, and collect no garbage: both take long beside all tests."""
    monkeypatch.setattr(timing, "gc", Mock())


def test_cases_take_turns() -> None:
    order: list[str] = []

    def noting(name: str) -> Case:
        def chunk() -> int:
            order.append(name)
            return 1

        return Case(RACE, name, "", lambda: Work(chunk))

    told: list[str] = []
    run([noting("a"), noting("b")], 3, 1e-9, told.append)
    assert order == ["a", "b"] * 4  # the warm-up, then three rounds
    assert len(told) == 2 * (3 + 1)
    assert told[-1] == "round 3 of 3: race / b"


def test_peers_are_compared_with_the_first_case_and_cases_of_their_kind() -> None:
    slow = dataclasses.replace(OURS, program="noughts, slowly")
    peers = [peer("Hare", modules=("pyspiel",)), peer("Tiger", alike="noughts, slowly")]
    rows = run([OURS, slow, *peers], 3, 1e-4, print)
    assert [row.ratio and row.ratio.noughts for row in rows] == [None, None, "noughts", "noughts"]
    assert [row.alike and row.alike.noughts for row in rows] == [None, None, None, "noughts, slowly"]
    assert [row.met for row in rows] == [None, None, False, None]  # targets are compared with OpenSpiel
    assert [len(row.rounds) for row in rows] == [3, 3, 3, 3]
    assert rows[2].note == "a note"


def test_a_missing_or_failing_peer_is_one_line_and_the_run_continues() -> None:
    def broken() -> Work:
        raise ImportError("cannot import name 'x' from 'y' (/home/somebody/y.py)\nand more")

    calls = 0

    def break_later() -> int:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise RuntimeError("worn out")
        return 1

    absent = peer("Dog", modules=("no_such_module_here",))
    failing = [peer("Hare", prepare=broken), peer("Tiger", prepare=lambda: Work(break_later))]
    rows = run([OURS, absent, *failing, peer("Cat")], 3, 1e-9, print)
    assert [(row.status, row.problem) for row in rows] == [
        ("ran", ""),
        ("not installed", "no module no_such_module_here"),
        ("failed", "ImportError: cannot import name 'x' from 'y' ..."),
        ("failed", "RuntimeError: worn out"),
        ("ran", ""),
    ]
    assert rows[1].rate is None
    assert rows[3].rounds == ()
    assert rows[4].ratio


@pytest.mark.slow
def test_the_cases_of_noughts_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax_playouts, "BATCHES", (64,))
    monkeypatch.setattr(jax_playouts, "TRIAL_SECONDS", 0.01)
    cases = ours.cases()
    rows = run(cases, 2, 0.02, print)
    assert [row.problem for row in rows] == [""] * len(cases)
    assert all(row.rate and row.rate.median > 100 for row in rows if row.paper_seconds is None)
    assert all(not row.is_peer and row.ratio is None for row in rows)


def test_every_peer_has_a_case_of_noughts_for_comparison() -> None:
    cases = all_cases()
    assert len({(case.group.name, case.program) for case in cases}) == len(cases)
    assert {case.group for case in cases} == set(GROUPS)
    for case in cases:
        beside = [other.program for other in cases if other.group == case.group and not other.is_peer]
        assert beside
        assert not case.alike or case.alike in beside


def test_a_selection_includes_the_cases_it_is_compared_with() -> None:
    cases = all_cases()
    found = {(case.group.name, case.program) for case in select(cases, "PETTINGZOO, with")}
    assert found == {
        ("playouts-tic-tac-toe", "PettingZoo, without wrappers"),
        ("playouts-tic-tac-toe", ours.COMPILED),
        ("playouts-tic-tac-toe", ours.PYTHON),
    }
    assert select(cases, "") == cases
    assert select(cases, "chess") == []
