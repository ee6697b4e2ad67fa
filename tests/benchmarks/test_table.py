"""The Markdown: fabricated rows as tables, the markers in a page, and the ratios of rounds."""

from collections.abc import Sequence

import pytest

from benchmarks.case import Group
from benchmarks.results import Machine, Measured, Ratio, Results, Row, Spread, ratio_of_rounds
from benchmarks.table import BEGIN, END, replace_between_markers, write

RACE = Group("race", "A race", "laps", target=5)
PAPER = Group("paper", "Beside a paper", "moves", beside_paper=True)


MACHINE = Machine(
    processor="Abacus 3000",
    system="Linux x86_64",
    cores=4,
    pinned=True,
    versions={"noughts": "0.1.0", "pgx": "not installed"},
    commit="",
    load_before=0.5,
    load_after=1.25,
)


def written(groups: Sequence[Group], *rows: Row) -> str:
    return write(Results(date="2030-01-31", rounds=7, seconds=1.0, machine=MACHINE, rows=rows), groups)


def row(program: str, rate: float, group: Group = RACE, **fields: object) -> Row:
    rounds = (Measured(units=10, wall_s=1.0, cpu_s=0.93),)
    return plain_row(program, group, rounds=rounds, rate=spread(rate), **fields)


def plain_row(program: str, group: Group = RACE, **fields: object) -> Row:
    made = {"group": group.name, "program": program, "call": f"{program}()", "is_peer": False}
    return Row.model_validate({**made, **fields})


def spread(median: float) -> Spread:
    return Spread(median=median, min=median / 2, max=median * 2)


def ratio(median: float) -> Ratio:
    return Ratio(noughts="noughts", times=spread(median))


def test_every_row_has_its_ratio_and_target() -> None:
    text = written(
        [RACE, PAPER],
        row("noughts", 6e6),
        row("Hare", 85_000, is_peer=True, ratio=ratio(71), met=True, note="batch of 64"),
        row("Tiger", 2e6, is_peer=True, ratio=ratio(3), alike=ratio(0.5), met=False),
    )
    assert "| noughts | 6.00 M | 3.00 M to 12.0 M |  |  |  |" in text
    assert "| Hare | 85.0 k | 42.5 k to 170 k | 71x (36x to 142x) |  | 5x: met |" in text
    tiger = "| Tiger | 2.00 M | 1.00 M to 4.00 M | 3.0x (1.5x to 6.0x) | 0.50x (0.25x to 1.0x) | 5x: **not met** |"
    assert tiger in text
    assert "- Hare: Hare() (batch of 64)." in text
    assert "**Targets: 1 of 2 met.**" in text
    assert "Not met: A race, Tiger: 3.0x (1.5x to 6.0x), wanted 5x." in text
    assert "Beside a paper" not in text


def test_cases_that_did_not_run_are_listed() -> None:
    text = written(
        [RACE],
        row("noughts", 10),
        plain_row("Hare", is_peer=True, status="not installed", problem="no module hare"),
        plain_row("Tiger", is_peer=True, status="failed", problem="ValueError: bitten"),
    )
    assert "| Hare | not installed |  |  |  |  |" in text
    assert "| Tiger | failed |  |  |  |  |" in text
    assert "**failed**: ValueError: bitten." in text
    assert "Not measured: A race, Hare: not installed." in text
    assert "No target measured" in text


def test_seconds_are_compared_with_the_papers() -> None:
    text = written([PAPER], row("Minimax", 2_000, PAPER, paper_seconds=0.97))
    assert "| Minimax | 500 µs | 250 µs to 1.00 ms | 970 ms | 1,940x |" in text


def test_only_text_between_the_markers_changes() -> None:
    page = f"# Title\n\nProse.\n\n{BEGIN}\nold\n{END}\n\nMore prose.\n"
    once = replace_between_markers(page, "new | table\n")
    assert once == f"# Title\n\nProse.\n\n{BEGIN}\n\nnew | table\n\n{END}\n\nMore prose.\n"
    assert replace_between_markers(once, "new | table\n") == once


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}\n{END}\n{BEGIN}\n{END}"])
def test_a_page_without_its_two_markers_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="the page needs the line"):
        replace_between_markers(page, "table")


def test_the_ratio_is_taken_within_rounds() -> None:
    # The last round was slow for both. The ratio of the medians would be 80 / 10 = 8 times.
    ours, theirs = (
        [Measured(units=rate * 2, wall_s=2.0, cpu_s=1.5) for rate in rates] for rates in ((100, 80, 10), (10, 20, 2))
    )
    ratio = ratio_of_rounds("noughts", ours, theirs)
    assert ratio.noughts == "noughts"
    assert ratio.times == Spread(median=5.0, min=4.0, max=10.0)
