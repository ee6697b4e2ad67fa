"""Certificates are made for all kinds of games, survive writing, and carry over to images of a game."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings

from noughts.positions import Position, Side
from noughts.rules import Rules, SolverError, StoreError, format_rules, line_table, parse_rules
from noughts.solvers import certificate as module
from noughts.solvers.bits import position_of, words
from noughts.solvers.certificate import Certificate, file_name, image_of, read_certificate, write_certificate
from noughts.solvers.extract import WinningMove, extract
from noughts.solvers.solution import Budget
from noughts.solvers.verify import verify
from tests.positions.strategies import games
from tests.solvers.brute_force import Known

WON = {
    "mnk(2,3,2)": Side.FIRST,
    "mnk(3,4,3)": Side.FIRST,
    "mnk(4,3,3,bricks=D1)": Side.FIRST,
    "mnk(1,3,1)": Side.FIRST,
    "tic-tac-toe(wrap=both)": Side.FIRST,
    "mnk(3,4,4,full=second,wrap=rows)": Side.SECOND,
    "mnk(3,3,3,full=first)": Side.FIRST,
    "mnk(3,3,3,full=second)": Side.SECOND,
    "mnk(3,3,3,bricks=A2,full=second)": Side.SECOND,
    "mnk(3,3,3,line=loses,full=second)": Side.SECOND,
    "mnk(3,3,2,line=loses)": Side.SECOND,
    "mnk(2,3,4,full=second,lineless=true)": Side.SECOND,
    "mnk(3,3,3,marks=shared)": Side.FIRST,
    "notakto(2)": Side.FIRST,
    "notakto(3)": Side.FIRST,
    "notakto(3,bricks=A1)": Side.FIRST,
    "mnk(2,2,2,marks=shared,boards=3)": Side.SECOND,
    "mnk(2,2,2,marks=shared,line=loses,boards=3)": Side.FIRST,
    "mnk(2,3,3,bricks=A1,marks=shared,line=loses,full=first,boards=2)": Side.FIRST,
    "mnk(1,4,3,bricks=A1,marks=shared,line=loses,full=first,boards=3)": Side.SECOND,
}
"""Won games of all kinds: own and shared marks, lines that win and lose, each kind of full board, several boards."""


@cache
def known_of(text: str) -> Known:
    """The value of every position; each game is solved once for all tests."""
    return Known(parse_rules(text))


def moves_of(text: str, plies: int | None = None, nodes: int | None = None) -> WinningMove:
    """Winning moves by brute force: within so many plies from the start, by at most so many tried moves in all."""
    budget = Budget(nodes)

    def winning_move(first: int, second: int) -> int | None:
        position = position_of(parse_rules(text), first, second)
        for move in () if budget.exhausted else position.legal_moves:
            budget.spend(1)
            value, distance = known_of(text)[position.play(move)]
            if value == -1 and (plies is None or distance < plies - position.ply):
                return move
        return None

    return winning_move


def certificate_of(text: str) -> Certificate:
    return extract(parse_rules(text), WON[text], moves_of(text))


@pytest.mark.parametrize("text", WON)
def test_certificates_of_all_kinds_of_games_are_written_read_and_verified(text: str, tmp_path: Path) -> None:
    certificate = certificate_of(text)
    path = tmp_path / file_name(certificate.rules)
    write_certificate(path, certificate)
    report = verify(path)
    assert (report.side, report.game, report.rules) == (
        certificate.winner.name.lower(), format_rules(certificate.rules), certificate.rules.model_dump(mode="json"),
    )  # fmt: skip
    assert (report.positions, report.unused) == (len(certificate), 0)  # no unneeded record
    again = read_certificate(path)
    assert (again.rules, again.winner) == (certificate.rules, certificate.winner)
    for name in ("first", "second", "moves"):
        assert getattr(again, name).dtype == getattr(certificate, name).dtype
        assert getattr(again, name).tolist() == getattr(certificate, name).tolist()


def test_the_last_of_64_cells_counts_like_the_others(tmp_path: Path) -> None:
    rules = parse_rules("mnk(8,8,3,bricks=A1)")
    masks = [sum(1 << cell for cell in line) for line in line_table(rules).cells]

    def double_threat(first: int, second: int) -> int | None:
        if not first:
            return 63
        for cell in position_of(rules, first, second).legal_moves:
            missing = {mask & ~(first | 1 << cell) for mask in masks}
            if sum(mask.bit_count() == 1 and not mask & second for mask in missing) >= 2:
                return cell
        return None

    with pytest.raises(SolverError, match="no winning move of the first player was found"):
        extract(rules, Side.FIRST, double_threat)  # the corner alone does not give two threats
    free = rules.model_copy(update={"bricks": ()})
    certificate = extract(free, Side.FIRST, lambda first, second: double_threat(first, second) if first else 36)
    write_certificate(tmp_path / "it", certificate)
    assert verify(tmp_path / "it").unused == 0
    assert int(certificate.second.max()) == 1 << 63


def test_the_docstrings_example_equals_the_written_file(tmp_path: Path) -> None:
    write_certificate(tmp_path / "it", certificate_of("mnk(2,3,2)"))
    header, _, body = (tmp_path / "it").read_bytes().partition(b"\n")
    shown = re.search(r"header +(\{.*?\.\.\.)\"\}", module.__doc__ or "", re.DOTALL)
    assert shown is not None
    assert re.sub(r"\s+", "", shown[1]).removesuffix("...") == re.sub(r"\s+", "", header.decode())[: -len('"}') - 56]
    assert body.hex(" ") in re.sub(r" +", " ", module.__doc__ or "")
    unsigned = json.loads(header)
    sha256 = unsigned.pop("sha256")
    line = json.dumps(unsigned, separators=(",", ":")).encode() + b"\n"
    assert sha256 == hashlib.sha256(line + body).hexdigest()


def test_file_names_are_plain() -> None:
    assert file_name(parse_rules("bttt(D4)")) == "bttt-D4.proof"
    assert file_name(parse_rules("tic-tac-toe")) == "tic-tac-toe.proof"
    assert file_name(parse_rules("mnk(4,4,3,bricks=A1+D4,line=loses)")) == "mnk-4-4-3-bricks=A1+D4-line=loses.proof"


def test_impossible_certificates_are_rejected_in_one_line() -> None:
    rules = parse_rules("mnk(3,4,3)")
    moves = moves_of("mnk(3,4,3)")
    with pytest.raises(SolverError, match=r"certificate of mnk\(3,4,3\) would have more than 5 entries"):
        extract(rules, Side.FIRST, moves, limit=5)
    with pytest.raises(SolverError, match="up to 64 cells: gomoku has 225"):
        extract(parse_rules("gomoku"), Side.FIRST, moves)
    with pytest.raises(SolverError, match=r"first player was found in mnk\(3,4,3\) with no marks"):
        extract(rules, Side.FIRST, lambda first, second: None)
    with pytest.raises(SolverError, match=r"no winning move .* in mnk\(3,4,3\) with"):
        extract(rules, Side.FIRST, moves_of("mnk(3,4,3)", nodes=3))
    with pytest.raises(SolverError, match="the move 99 does not win"):
        extract(rules, Side.FIRST, lambda first, second: 99)
    with pytest.raises(SolverError, match=r"the move 0 does not win .* with X on A1 and O on"):
        extract(rules, Side.FIRST, lambda first, second: 0)
    with pytest.raises(SolverError, match="no winning move of the second player"):
        extract(rules, Side.SECOND, moves)


@pytest.mark.parametrize(("text", "plies"), [("mnk(3,4,3)", 7), ("notakto(3)", 6), ("mnk(3,3,3,full=first)", 9)])
def test_a_win_can_be_limited_to_a_number_of_plies(text: str, plies: int, tmp_path: Path) -> None:
    rules, winner = parse_rules(text), WON[text]
    assert known_of(text)[Position.start(rules)][1] == plies
    write_certificate(tmp_path / "it", extract(rules, winner, moves_of(text, plies)))
    assert verify(tmp_path / "it").longest == plies
    with pytest.raises(SolverError, match="no winning move"):
        extract(rules, winner, moves_of(text, plies - 1))


def test_progress_is_reported_and_interrupts_are_raised() -> None:
    rules, told = parse_rules("mnk(3,4,3)"), list[int]()
    certificate = extract(rules, Side.FIRST, moves_of("mnk(3,4,3)"), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == len(certificate)
    with pytest.raises(KeyboardInterrupt):
        extract(rules, Side.FIRST, moves_of("mnk(3,4,3)"), progress=Mock(side_effect=KeyboardInterrupt))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mnk(3,4,3)", "mnk(4,3,3)"),
        ("mnk(4,3,3,bricks=D1)", "mnk(4,3,3,bricks=A3)"),
        ("mnk(4,3,3,bricks=D1)", "mnk(3,4,3,bricks=A4)"),
        ("mnk(3,3,3,bricks=A2,full=second)", "mnk(3,3,3,bricks=B3,full=second)"),
        ("notakto(3,bricks=A1)", "notakto(3,bricks=C1)"),
        ("mnk(2,3,3,bricks=A1,marks=shared,line=loses,full=first,boards=2)",
         "mnk(3,2,3,bricks=C1,marks=shared,line=loses,full=first,boards=2)"),
    ],
)  # fmt: skip
def test_a_certificate_carries_over_to_an_image_of_its_game(old: str, new: str, tmp_path: Path) -> None:
    certificate = certificate_of(old)
    image = image_of(certificate, parse_rules(new))
    write_certificate(tmp_path / "image", image)
    report = verify(tmp_path / "image")
    assert (report.positions, report.unused, report.game) == (len(certificate), 0, format_rules(image.rules))
    back = image_of(image, certificate.rules)
    assert (back.first.tolist(), back.second.tolist()) == (certificate.first.tolist(), certificate.second.tolist())


def test_games_of_other_rules_are_no_images() -> None:
    certificate = certificate_of("notakto(3,bricks=A1)")
    for text in ("notakto(3,bricks=A2)", "notakto(3)", "notakto(4,bricks=A1)", "mnk(3,3,3,bricks=C3,marks=shared)"):
        with pytest.raises(SolverError, match=re.escape(f"{text} is no image of notakto(3,bricks=A1)")):
            image_of(certificate, parse_rules(text))


@given(games())
@settings(max_examples=150)
def test_a_position_is_restored_from_its_words(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    if rules.size > 64:
        return
    for ply in range(0, len(moves), 3):
        position = Position.start(rules, moves[:ply])
        again = position_of(rules, *words(position))
        assert again == position
        assert again.to_move is position.to_move
        assert Position.start(rules, again.moves) == position  # its moves are legal


def test_a_certificate_cannot_be_written_without_its_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_certificate(tmp_path / "no" / "folder", certificate_of("notakto(3)"))
