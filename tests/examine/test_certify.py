"""Certificates of agents: an agent's moves are written in the checker's format, completely, and each position once."""

import json
import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from noughts.agents import build_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine import certify as module
from noughts.examine.certify import AgentCertificate, Claim, read_agent_certificate
from noughts.examine.walk import Walk
from noughts.positions import Side
from noughts.rules import CertificateError, Rules, parse_rules, symmetries
from noughts.rules.errors import NotSymmetricError
from noughts.solvers.verify import BadCertificate, verify


def gathered(text: str, walk: Walk, symmetric: bool) -> AgentCertificate:
    """An agent's moves in a walk."""
    agent, certificate = build_agent(text), AgentCertificate(walk.rules, walk.side, text, symmetric)
    while len(walk):
        choices = possible_moves(agent, walk.positions(0, len(walk)))
        certificate.add(walk.words(), choices)
        walk.advance(choices)
    certificate.settle()
    return certificate


def certified(text: str, rules: Rules, side: Side) -> tuple[AgentCertificate, Walk]:
    """An agent's certificate, and the walk that it was collected from."""
    symmetric = is_symmetric(build_agent(text))
    walk = Walk(rules, side, symmetric)
    return gathered(text, walk, symmetric), walk


LAST = "python:tests.agents.deciders:Last"
FEW = [
    ("minimax:depth=2,ties=random", "mnk(3,3,3,full=second)"),
    ("minimax:depth=1,ties=first", "mnk(3,4,3,bricks=A1,full=second)"),
    ("minimax:depth=1,ties=first", "mnk(1,5,2,line=loses)"),
    ("minimax:depth=1,ties=first", "mnk(2,4,3,wrap=columns)"),
    ("perfect:ties=first", "tic-tac-toe"),
    ("perfect", "misere-tic-tac-toe"),
    *((agent, game) for agent in ("perfect", LAST) for game in ("tic-tac-toe", "notakto(3)", "notakto(2,boards=3)")),
    ("minimax:depth=1,ties=random", "mnk(1,1,1)"),
    ("minimax:depth=1,ties=random", "mnk(2,2,3,lineless=true,full=first)"),
    ("python:tests.agents.deciders:Ends", "tic-tac-toe"),
]
MANY = [
    ("minimax:depth=2,ties=first", "mnk(9,9,3)", Side.FIRST),
    ("minimax:depth=1,ties=random", "mnk(9,8,2)", Side.FIRST),
    pytest.param("perfect", "notakto(3,boards=2)", Side.SECOND, marks=pytest.mark.heavy),
    (LAST, "mnk(5,7,1,marks=shared,boards=3)", Side.FIRST),
]


@pytest.mark.parametrize(("text", "game", "side"), [*((*few, side) for few in FEW for side in Side), *MANY])
def test_a_claim_is_accepted_exactly_if_the_walk_confirms_it(text: str, game: str, side: Side, tmp_path: Path) -> None:
    certificate, walk = certified(text, parse_rules(game), side)
    path = tmp_path / "it"
    claims: list[tuple[Claim, bool]] = [
        ("never loses", walk.result().lost == 0),
        ("wins", walk.result().lost + walk.result().drawn == 0),
    ]
    for claim, holds in claims:
        path.write_bytes(certificate.content(claim))
        if holds:
            report = verify(path)
            assert (report.side, report.claim, report.agent) == (walk.side.name.lower(), claim, certificate.agent)
            assert (report.positions, report.unused, report.longest) == (walk.decisions, 0, walk.longest)
        else:
            with pytest.raises(BadCertificate, match=r": (the reply|the table's move) \S+ ends the game, and "):
                verify(path)


def test_the_docstrings_example_equals_the_written_file() -> None:
    certificate, _ = certified("minimax:depth=2", parse_rules("mnk(3,3,2)"), Side.FIRST)
    header, _, body = certificate.content("wins").partition(b"\n")
    text = module.__doc__ or ""
    shown = re.search(r"header +(\{.*?)SHA256\.\.\.", text, re.DOTALL)
    assert shown is not None
    assert re.sub(r"\s+", "", header.decode()).startswith(re.sub(r"\s+", "", shown[1]))
    assert list(json.loads(header))[-1] == "sha256"
    records = re.findall(r"((?:[0-9a-f]{2} +){6})", text)
    assert bytes.fromhex("".join(records)) == body


@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "notakto(3)", "notakto(2,boards=2)", "mnk(3,4,3,bricks=A1+C4)", "mnk(3,3,3,wrap=rows)"]
)
@pytest.mark.parametrize("side", Side)
def test_images_are_stored_once_in_whatever_order_they_were_walked(game: str, side: Side) -> None:
    walks = [Walk(parse_rules(game), side, symmetric) for symmetric in (False, True)]
    apart, together = (gathered("perfect", walk, True).content("never loses") for walk in walks)
    assert apart == together


@pytest.mark.parametrize("game", ["mnk(9,9,3)", "mnk(8,8,3,bricks=A1+H8)", "mnk(5,13,3)", "notakto(5,boards=6)"])
def test_the_least_image_equals_brute_force(game: str) -> None:
    rules, rng = parse_rules(game), Random(1)
    words = (rules.size + 63) // 64
    shared = rules.marks == "shared"
    free = [cell for cell in range(rules.size) if cell not in rules.brick_cells]
    drawn = [rng.sample(free, 13) for _ in range(50)]
    sets = [(cells[0:5], [] if shared else cells[5:9], cells[9:13]) for cells in drawn]

    def number(cells: list[int]) -> int:
        return sum(1 << cell for cell in cells)

    held = [[number(first)] + ([] if shared else [number(second)]) for first, second, _ in sets]
    rows = [[mark >> 64 * word & (1 << 64) - 1 for mark in marks for word in range(words)] for marks in held]
    certificate = AgentCertificate(rules, Side.FIRST, "any", symmetric=True)
    certificate.add(np.array(rows, np.uint64), [tuple(moves) for _, _, moves in sets])
    expected = {}
    for each in sets:
        images = [[number([s.image[cell] for cell in cells]) for cells in each] for s in symmetries(rules)]
        first, second, moves = min(images)
        expected[first, second] = moves
    body = certificate.content("wins").partition(b"\n")[2]
    width = (rules.size + 7) // 8
    numbers = [int.from_bytes(body[at : at + width], "little") for at in range(0, len(body), width)]
    records = list(zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True))
    assert records == [(*marks, moves) for marks, moves in sorted(expected.items())]


@pytest.mark.parametrize("game", ["tic-tac-toe", "notakto(3)", "mnk(3,4,3)"])
@pytest.mark.parametrize("text", [LAST, "minimax:depth=1,ties=first"])
def test_an_asymmetric_agent_cannot_be_certified_as_symmetric(text: str, game: str) -> None:
    with pytest.raises(NotSymmetricError, match="does not choose alike in symmetric positions of"):
        gathered(text, Walk(parse_rules(game), Side.FIRST), True)


def test_images_with_different_moves_are_not_merged() -> None:
    certificate = AgentCertificate(parse_rules("tic-tac-toe"), Side.FIRST, LAST, symmetric=True)
    certificate.add(np.array([[1, 2], [4, 2]], np.uint64), [(8,), (8,)])  # X on A1 or on A3, O on A2, and C3 for both
    with pytest.raises(NotSymmetricError, match="its certificate must have each position by itself"):
        certificate.content("never loses")


def test_a_symmetric_walk_stored_as_asymmetric_is_rejected(tmp_path: Path) -> None:
    walk = Walk(parse_rules("tic-tac-toe"), Side.SECOND, symmetric=True)
    (tmp_path / "it").write_bytes(gathered("perfect", walk, False).content("never loses"))
    with pytest.raises(BadCertificate, match=r"after \w+: second has no move in the table"):
        verify(tmp_path / "it")


def test_impossible_certificates_are_rejected_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules("tic-tac-toe")
    with pytest.raises(CertificateError, match=r"are for up to 361 cells: notakto\(14,boards=2\) has 392"):
        AgentCertificate(parse_rules("notakto(14,boards=2)"), Side.FIRST, "perfect", symmetric=True)
    for agent in ("", "x" * 501, "two\nlines", "\x1b[2J"):
        with pytest.raises(CertificateError, match="must be one line of at most 500 characters"):
            AgentCertificate(rules, Side.FIRST, agent, symmetric=True)
    certificate, _ = certified("perfect", rules, Side.SECOND)
    monkeypatch.setattr(module, "MAX_RECORDS", 100)
    with pytest.raises(CertificateError, match="would have 146 positions, and the checker reads up to 100"):
        certificate.content("never loses")


def test_the_largest_header_can_be_read(tmp_path: Path) -> None:
    """An agent's text may have any characters, and a board may be almost full of bricks."""
    squares = "+".join(f"{row}{col}" for row in "ABCDEFGHIJKLMNOPQRS" for col in range(1, 20) if (row, col) != ("J", 9))
    rules = parse_rules(f"mnk(19,19,1,bricks={squares})")
    certificate = AgentCertificate(rules, Side.FIRST, "\U0001f600" * 500, symmetric=False)
    certificate.add(np.zeros((1, 12), np.uint64), [(9 * 19 + 8,)])
    (tmp_path / "it").write_bytes(certificate.content("wins"))
    assert verify(tmp_path / "it").agent == "\U0001f600" * 500


def test_written_certificates_are_read_back() -> None:
    rules = parse_rules("mnk(3,3,3,bricks=A1)")
    one, _ = certified("minimax:depth=9,ties=first", rules, Side.SECOND)
    again = read_agent_certificate(one.content("never loses"))
    assert again.content("never loses") == one.content("never loses")
    content = one.content("never loses")
    older, newer = (content.replace(b'"version":2', b'"version":%d' % version, 1) for version in (1, 99))
    for other_file in (b"", b"{}\n", content[:-1], b"no\n", older):
        with pytest.raises(CertificateError, match="no certificate of version 2"):
            read_agent_certificate(other_file)
    with pytest.raises(CertificateError, match="update noughts"):
        read_agent_certificate(newer)
