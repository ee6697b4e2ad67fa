"""The independent checker compared with the slow one: it accepts the same files, and names the fault in all others; and its output
for files of version 2."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts.positions import Position, Side
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, parse_rules
from noughts.solvers.verify import verify
from tests.rules.strategies import random_rules
from tests.solvers.brute_force import Known
from tests.solvers.slow_checker import Sets, Strategy, chosen, ends_well, first_failure, images_of, leaves_out
from tests.solvers.test_verify import refusal, signed

SHAPES = [(2, 2, 1), (2, 3, 1), (3, 2, 1), (1, 5, 1), (1, 6, 1), (2, 2, 2), (1, 3, 2), (1, 2, 3)]


def content(strategy: Strategy) -> bytes:
    return signed(strategy.header(), strategy.body())


def random_strategy(
    rules: Rules, side: Side, claim: str, rng: Random, skill: float = 1, complete: float = 1, version: int = 2
) -> Strategy:
    """Random sets of moves, symmetric in symmetric positions if the strategy claims it.

    Args:
        skill: The probability that a set contains only best moves.
        complete: The probability that a position has a record.
    """
    strategy, known = Strategy(rules, side, claim, version == 1 or rng.random() < 0.5, {}, version), Known(rules)
    table, seen = strategy.table, set[tuple[int, ...]]()
    position = ReferencePosition(rules)

    def good_moves() -> list[int]:
        here = Position.start(rules, tuple(position.moves))
        worth = {move: -known[here.play(move)][0] for move in here.legal_moves}
        best = max(worth.values()) if rng.random() < skill else -1
        return [move for move in worth if worth[move] >= best]

    def walk() -> None:
        if not position.legal_moves or position.cells in seen:
            return
        seen.add(position.cells)
        moves: Any = position.legal_moves
        if position.to_move is side:
            if leaves_out(strategy, position):
                return
            images = images_of(position, strategy.symmetric)
            least = min(marks for marks, _ in images)
            if least not in table and rng.random() < complete:
                moves = good_moves()
                some = rng.sample(moves, 1 if version == 1 else rng.randint(1, len(moves)))
                orbit = {image[move] for marks, image in images if marks == least for move in some}
                table[least] = frozenset({min(orbit)} if version == 1 else orbit)
            moves = sorted(chosen(strategy, position) or ())
        for move in moves:
            position.play(move)
            walk()
            position.undo()

    walk()
    return strategy


def spoiled(strategy: Strategy, rng: Random) -> Strategy:
    """The same with a change of one record or of the flag of symmetry, which may be harmless."""
    table: Sets = dict(strategy.table)
    marks = rng.choice(list(table))
    cell = rng.randrange(-(-strategy.rules.size // 8) * 8)
    way = rng.randrange(5) if strategy.version == 2 else rng.choice((0, 3))
    if way == 4:
        return replace(strategy, symmetric=not strategy.symmetric)
    if way == 0:
        del table[marks]
    else:
        table[marks] = [frozenset[int](), table[marks] ^ {cell}, frozenset({cell})][way - 1]
    return replace(strategy, table=table)


def check_refusal(strategy: Strategy, message: str) -> None:
    """The named game is one against this strategy, and fails at the first place where any does."""
    named = re.match(r"(?:after ([\w. ]+)|at the start): (.*)", message)
    assert named is not None
    rules, position = strategy.rules, ReferencePosition(strategy.rules)
    for move in map(rules.cell_of, (named[1] or "").split()):
        assert move in position.legal_moves
        if position.to_move is strategy.side:
            assert move in (chosen(strategy, position) or ())
        position.play(move)
    assert position.legal_moves
    assert len(position.moves) == first_failure(strategy)
    own = position.to_move is strategy.side
    moves = chosen(strategy, position)
    if ends := re.match(r"(the table's move|the reply) (\S+) ends the game, and (.*)", named[2]):
        assert own == (ends[1] == "the table's move")
        move = rules.cell_of(ends[2])
        assert not own or move in (moves or ())
        position.play(move)
        assert not ends_well(strategy, position.outcome)
        assert ends[3] == {1: "first has won", 2: "second has won", 3: "it is drawn"}[position.outcome]
    elif illegal := re.match(r"the table's move (\S+) is illegal", named[2]):
        assert rules.cell_of(illegal[1]) not in position.legal_moves
        assert rules.cell_of(illegal[1]) in (moves or ())
    else:
        assert own
        assert moves is None
        assert re.match(
            "(first|second) has no move in|the table's moves are not alike|the table's move is cell", named[2]
        )


@pytest.mark.parametrize("version", [1, 2])
def test_both_checkers_agree(version: int, tmp_path: Path) -> None:
    rng, path, verdicts = Random(version), tmp_path / "it", set[bool]()
    for shape in SHAPES * 10:
        rules = random_rules(rng, shape)
        value, _ = Known(rules)[Position.start(rules)]
        side = Side.FIRST if value > 0 else Side.SECOND if value < 0 else Side(rng.randrange(2))
        claim = "wins" if version == 1 else "never loses" if value == 0 else rng.choice(["wins", "never loses"])
        strategy = random_strategy(
            rules, side, claim, rng, rng.choice([0.9, 1, 1, 1]), rng.choice([0.99, 1, 1]), version
        )
        if strategy.table and rng.random() < 0.3:
            strategy = spoiled(strategy, rng)
        path.write_bytes(content(strategy))
        verdicts.add(holds := first_failure(strategy) is None)
        if holds:
            report = verify(path)
            assert (report.side, report.claim) == (side.name.lower(), claim)
            assert report.agent == ("any" if version == 2 else "")
            assert report.positions + report.unused == len(strategy.table)
        else:
            check_refusal(strategy, refusal(path, content(strategy)))
    assert verdicts == {True, False}


@pytest.fixture(scope="module")
def draw() -> Strategy:
    """Every best move of the second player in tic-tac-toe."""
    return random_strategy(parse_rules("tic-tac-toe"), Side.SECOND, "never loses", Random(1))


def test_a_false_claim_is_rejected_with_a_game(draw: Strategy, tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(content(draw))
    assert verify(tmp_path / "it").claimed == "any as second player never loses"
    message = refusal(tmp_path / "it", content(replace(draw, claim="wins")))
    assert re.fullmatch(
        r"after ([A-C][1-3] ){7}[A-C][1-3]: the reply [A-C][1-3] ends the game, and it is drawn", message
    )
    message = refusal(tmp_path / "it", content(replace(draw, side=Side.FIRST)))
    assert message == "at the start: first has no move in the table"


def test_moves_on_marks_and_off_the_board_are_refused(draw: Strategy, tmp_path: Path) -> None:
    middle, path = (1 << 4, 0), tmp_path / "it"
    for cell, why in ((4, "the table's move B2 is illegal"), (9, "cell 9, which is off the board"), (15, "cell 15, ")):
        wrong = replace(draw, table=draw.table | {middle: draw.table[middle] | {cell}})
        assert why in refusal(path, content(wrong))


def test_a_record_only_covers_its_own_position(draw: Strategy, tmp_path: Path) -> None:
    """Marks off the board make another position, which is unreachable."""
    for first, second in ((1 << 4, 1 << 9), (1 << 4 | 1 << 15, 0)):
        table = {marks: moves for marks, moves in draw.table.items() if marks != (1 << 4, 0)}
        moved = replace(draw, table=table | {(first, second): draw.table[1 << 4, 0]})
        assert refusal(tmp_path / "it", content(moved)) == "after B2: second has no move in the table"


def test_unused_records_are_counted_and_harmless(draw: Strategy, tmp_path: Path) -> None:
    more = replace(draw, table=draw.table | {(511, 511): frozenset(), (0, 511): frozenset({15})})
    (tmp_path / "it").write_bytes(content(more))
    assert verify(tmp_path / "it").unused == 2


def test_any_damage_is_refused(draw: Strategy, tmp_path: Path) -> None:
    """Flipped bits and cuts anywhere, and every bit of the first record."""
    whole, rng = content(draw), Random(5)
    body = whole.index(b"\n") + 1
    places = [*(rng.randrange(8 * len(whole)) for _ in range(40)), *range(8 * body, 8 * body + 48)]
    for place in places:
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        refusal(tmp_path / "it", bytes(flipped))
    for length in (rng.randrange(len(whole)) for _ in range(20)):
        refusal(tmp_path / "it", whole[:length])
    assert "too long" in refusal(tmp_path / "it", whole + whole[-6:])


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        ({"side": "winner"}, "side='winner' is not one of first, second"),
        ({"claim": "draws"}, "claim='draws' is not one of wins, never loses"),
        ({"claim": None}, "claim=None is not one of"),
        ({"agent": ""}, "agent='' is not a line of text of up to 500 characters"),
        ({"agent": "x" * 501}, "is not a line of text"),
        ({"agent": "perfect\n"}, r"agent='perfect\n' is not a line of text"),
        ({"agent": "\u202eperfect"}, "is not a line of text"),
        ({"agent": 1}, "agent=1 is not a line of text"),
        ({"symmetric": 1}, "symmetric=1 is not true or false"),
        ({"version": 1}, "the header's fields must be format, version, noughts, game, rules, winner,"),
        ({"version": 2.0}, "of version 2.0"),
        ({"winner": "first"}, "the header's fields must be"),
        ({"entries": 1}, "too long: 1 records expected"),
        ({"rules": parse_rules("mnk(19,19,5)").model_dump(mode="json") | {"k": 20}}, "k=20 is not a whole number"),
        (
            {"rules": parse_rules("notakto(14,boards=2)").model_dump(mode="json")},
            "392 cells, and a certificate is for up to 361",
        ),
    ],
)
def test_faults_of_a_header_are_named(edit: dict[str, Any], what: str, draw: Strategy, tmp_path: Path) -> None:
    assert what in refusal(tmp_path / "it", signed(draw.header() | edit, draw.body()))


def test_the_sum_is_of_the_header_and_the_records(draw: Strategy, tmp_path: Path) -> None:
    header = draw.header(agent="möhre ☃")
    line = json.dumps(header, separators=(",", ":")).encode("ascii") + b"\n"
    sha256 = hashlib.sha256(line + draw.body()).hexdigest()
    (tmp_path / "it").write_bytes(line[:-2] + b',"sha256":"' + sha256.encode() + b'"}\n' + draw.body())
    assert verify(tmp_path / "it").agent == "möhre ☃"
