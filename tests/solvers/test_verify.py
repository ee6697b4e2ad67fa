"""The independent checker: accepted claims are true, any other input is rejected in one line, and it needs nothing else."""

import ast
import hashlib
import json
import lzma
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.positions import Side
from noughts.rules import Rules, line_table, parse_rules, symmetries
from noughts.solvers import verify as module
from noughts.solvers.certificate import file_name, write_certificate
from noughts.solvers.verify import BadCertificate, Game, _describe, verify
from tests.rules.one_field import PAIRS
from tests.rules.strategies import all_rules
from tests.solvers.slow_checker import RECORD, Strategy
from tests.solvers.test_certificate import WON, certificate_of

Table = dict[tuple[int, int], int]


def line(header: dict[str, Any]) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode() + b"\n"


def signed(header: dict[str, Any], body: bytes) -> bytes:
    """The file with this header and body and a correct SHA-256, as a forger would make it."""
    return line(header | {"sha256": hashlib.sha256(line(header) + body).hexdigest()}) + body


def packed(table: Table) -> bytes:
    return b"".join(RECORD.pack(*key, move) for key, move in sorted(table.items()))


def read(path: Path) -> tuple[dict[str, Any], Table]:
    """Header without SHA-256, and the table."""
    first, _, body = path.read_bytes().partition(b"\n")
    header = json.loads(first)
    del header["sha256"]
    return header, {(one, two): move for one, two, move in RECORD.iter_unpack(body)}


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """The certificate of 3x4 with lines of three, 29 records."""
    certificate = certificate_of("mnk(3,4,3)")
    write_certificate(tmp_path / file_name(certificate.rules), certificate)
    return tmp_path / file_name(certificate.rules)


def refusal(path: Path, content: bytes) -> str:
    """The checker's reason to reject this content: always one printable line."""
    path.write_bytes(content)
    with pytest.raises(BadCertificate) as raised:
        verify(path)
    message = str(raised.value)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 500
    return message


# --- It agrees with something too plain to be wrong ---------------------------------------------------------------


@given(all_rules())
@settings(max_examples=100)
def test_lines_symmetries_and_squares_equal_those_of_the_rules(rules: Rules) -> None:
    fields = json.loads(rules.to_json())
    if rules.size > 64:
        with pytest.raises(BadCertificate, match=f"{rules.size} cells"):
            Game(fields, 1, True)
    game = Game(fields, 2, True)
    masks = {sum(1 << cell for cell in cells) for cells in line_table(rules).cells}
    assert {
        sum(1 << first + place for place in places)
        for places, firsts in game.lines.items()
        for first in range(rules.size)
        if firsts >> first & 1
    } == masks
    group = {symmetry.image for symmetry in symmetries(rules)}
    assert {tuple(sorted(back, key=back.__getitem__)) for back in game.back} == group
    assert [back[cell] for back in Game(fields, 2, False).back for cell in range(rules.size)] == list(range(rules.size))
    assert [game.name(cell) for cell in range(game.size)] == [rules.name_of(cell) for cell in range(rules.size)]


# --- Tampering --------------------------------------------------------------------------------------------------


def test_swapped_or_repeated_records_are_rejected(proof: Path) -> None:
    header, table = read(proof)
    records = [RECORD.pack(*key, move) for key, move in table.items()]
    swapped = b"".join([records[1], records[0], *records[2:]])
    doubled = b"".join([records[0], *records])
    assert "out of order: record 2" in refusal(proof, signed(header, swapped))
    assert "out of order: record 2" in refusal(proof, signed(header | {"entries": 30}, doubled))


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("k", 4, "after .*: first has no move"),
        ("line", "loses", "after .*: "),
        ("full", "second", "SHA|after "),
        ("bricks", ["A1"], "after .*: |at the start"),
        ("marks", "shared", "after .*: |at the start"),
    ],
)
def test_edited_rules_do_not_fit_the_table(field: str, value: object, what: str, proof: Path) -> None:
    header, table = read(proof)
    header["rules"] = header["rules"] | {field: value}
    before = json.loads(proof.read_bytes().partition(b"\n")[0])["sha256"]
    message = refusal(proof, line(header | {"sha256": before}) + packed(table))
    assert re.search(what, message)
    assert "SHA-256 does not match" in message


def test_a_wrong_sum_alone_is_refused_too(proof: Path) -> None:
    content = proof.read_bytes()
    changed = content.replace(b'"noughts":"0', b'"noughts":"9')
    assert changed != content
    assert refusal(proof, changed) == (
        "the SHA-256 does not match: this is not the file that was written, though every position that is reached is won"
    )
    spaced = content.replace(b'"version":1', b'"version": 1')
    assert "not written as certificates write it, though every position" in refusal(proof, spaced)


# --- Any bytes ---------------------------------------------------------------------------------------------------


def test_a_truncated_or_extended_file_is_rejected(proof: Path) -> None:
    content = proof.read_bytes()
    body = content.index(b"\n") + 1
    for length in range(0, len(content), 7):  # a record has 17 bytes, so each number of them is left over once
        message = refusal(proof, content[:length])
        if length >= body:
            found = (length - body) // 17
            assert f"truncated: 29 records expected, {found}" in message
            if found < 29:
                assert re.match("(after .*|at the start): first has no move in the table", message)
        else:
            assert "not a certificate" in message
    assert "too long: 29 records expected, and more found" in refusal(proof, content + b"\n")


def test_any_flipped_bit_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "it"
    write_certificate(path, certificate_of("mnk(2,3,2)"))
    content = path.read_bytes()
    body = content.index(b"\n")
    for place in range(len(content)):
        for bit in range(8) if place >= body else (place % 8,):
            refusal(path, content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])


@given(content=st.binary(max_size=400))
@settings(max_examples=100)
def test_random_bytes_are_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    refusal(path, content)
    refusal(path, content + b"\n" + content)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("A1") | st.just(10**30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.heavy
@given(data=st.data())
@settings(max_examples=300)
def test_any_changed_field_is_rejected_unless_the_claim_holds(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = parse_rules(data.draw(st.sampled_from(sorted(WON))))
    strategy = Strategy(rules, Side.FIRST, "wins", True, {(1 << 63, 0): frozenset({0})}, version=1)
    header = strategy.header()
    inside = data.draw(st.booleans())
    fields = header["rules"] if inside else header
    name = data.draw(st.sampled_from([*sorted(fields), "more"]))
    if data.draw(st.integers(0, 9)) == 0:
        fields.pop(name, None)
    else:
        fields[name] = data.draw(_JSON | st.integers(-1, 20))
    path = tmp_path_factory.getbasetemp() / "fields"
    content = signed(header, strategy.body())
    path.write_bytes(content)
    try:
        report = verify(path)
    except BadCertificate:
        refusal(path, content)
    else:
        assert report.positions == 0  # the one record is useless, because the game is won without it


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        ({"entries": 10**18}, "1,000,000,000,000,000,000 records, more than the 20,000,000 that this checker reads"),
        ({"entries": 20_000_000}, "truncated: 20,000,000 records expected, 29 found"),
        ({"entries": 10**4000}, "is not a whole number from 0 to"),
        ({"entries": -1}, "entries=-1 is not a whole number"),
        ({"entries": True}, "entries=True is not a whole number"),
        ({"entries": 29.0}, "entries=29.0 is not a whole number"),
        ({"version": True}, "of version True"),
        ({"version": 2}, "the header's fields must be format, version, noughts, game, rules, side,"),
        ({"version": 3}, "of version 3, and this checker reads versions 1 and 2"),
        ({"format": "another"}, "it is not a certificate"),
        ({"winner": "draw"}, "winner='draw' is not one of first, second"),
        ({"winner": "\x1b[2J\u202e"}, "is not one of first, second"),
        ({"rules": 1}, "the fields must be rows"),
        ({"noughts": 1}, "noughts=1 is not text"),
        ({"more": 1}, "the header's fields must be"),
    ],
)
def test_faults_of_a_header_are_named(edit: dict[str, Any], what: str, proof: Path) -> None:
    header, table = read(proof)
    assert what in refusal(proof, line(header | edit | {"sha256": "0" * 64}) + packed(table))


def test_the_fields_of_a_header_have_one_order(proof: Path) -> None:
    header, table = read(proof)
    assert "the header's fields must be" in refusal(proof, signed(dict(reversed(header.items())), packed(table)))


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("rows", 0, "rows=0 is not a whole number from 1 to 19"),
        ("rows", 19, "76 cells, and a certificate is for up to 64"),
        ("cols", "4", "cols='4' is not a whole number"),
        ("boards", 2, "several boards need shared marks"),
        ("boards", 10**9, "is not a whole number from 1 to 100"),
        ("bricks", "A1", "are not squares of the board"),
        ("bricks", ["D1"], "are not squares of the board"),
        ("bricks", [["A1"]], "are not squares of the board"),
        ("bricks", ["A1", "A1"], "each brick is named once"),
        ("bricks", [f"{row}{col}" for row in "ABC" for col in range(1, 5)], "one cell at least has none"),
        ("marks", "both", "marks='both' is not one of own, shared"),
        ("line", None, "line=None is not one of wins, loses"),
        ("full", ["draw"], "is not one of draw, first, second"),
        ("lineless", True, "lineless must be true if no line fits"),
        ("lineless", 0, "lineless must be true if no line fits"),
        ("k", 5, "lineless must be true if no line fits"),
        ("wrap", "none", "wrap='none' is not one of rows, columns, both"),
        ("wrap", True, "wrap=True is not one of rows, columns, both"),
        ("wrap", "both", "after A1"),  # a true header of another game
    ],
)
def test_faults_of_the_rules_are_named(field: str, value: object, what: str, proof: Path) -> None:
    header, table = read(proof)
    header["rules"] = header["rules"] | {field: value}
    assert what in refusal(proof, signed(header, packed(table)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"null\n",
        b"[" * 9_000 + b"]" * 900 + b"\n",
        b'{"format":' * 900 + b"1" + b"}" * 900 + b"\n",
        b"1" * 9_000 + b"\n",
        b'{"format":"noughts certificate"}\n',
        b'{"format":"noughts certificate","format":"\xff"}\n',
        b"\xff\xfe{\x00}\x00\n",
        b"{" * 100_000,
        b'{"format":"noughts certificate","version":' + b"[" * 4_000 + b"]" * 4_000 + b"}\n",
    ],
)
def test_files_that_are_no_certificates_are_rejected(content: bytes, tmp_path: Path) -> None:
    assert re.match("it is not a certificate|it is of version None", refusal(tmp_path / "it", content))


def test_a_huge_file_is_not_read_to_its_end(proof: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = proof.read_bytes()
    with open(proof, "wb") as file:  # a sparse file of 100 GB
        file.write(content)
        file.truncate(10**11)
    with pytest.raises(BadCertificate, match="too long: 29 records expected, and more found"):
        verify(proof)
    monkeypatch.setattr(module, "MAX_RECORDS", 28)
    assert "29 records, more than the 28 that this checker reads" in refusal(proof, content)


def test_a_small_packed_file_is_not_unpacked_beyond_its_declared_size(proof: Path) -> None:
    packed = proof.with_name("it.proof.xz")
    compressor, zeros = lzma.LZMACompressor(preset=0), bytes(1 << 24)
    with open(packed, "wb") as file:  # some 50 kB
        file.write(compressor.compress(proof.read_bytes()))
        for _ in range(12):
            file.write(compressor.compress(zeros))
        file.write(compressor.flush())
    program = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (160 << 20, 160 << 20))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
    command = [sys.executable, "-c", program, module.__file__, str(packed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "too long: 29 records expected, and more found" in done.stdout


def test_a_damaged_packed_file_is_rejected(proof: Path) -> None:
    plain, packed = proof.read_bytes(), lzma.compress(proof.read_bytes())
    middle = len(packed) // 2
    whole = proof.with_name("whole.proof.xz")
    whole.write_bytes(packed)
    assert verify(whole) == verify(proof)
    for content in (
        packed[:-20],
        packed[:middle] + bytes((packed[middle] ^ 1,)) + packed[middle + 1 :],
        plain,
        b"",
        lzma.compress(plain[:-1]),
    ):
        refusal(whole, content)


def test_an_unreadable_file_is_an_operating_system_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        verify(tmp_path / "none")


# --- It stands alone --------------------------------------------------------------------------------------------


def test_it_only_imports_the_standard_library() -> None:
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add((node.module or "").partition(".")[0])
    assert imported
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("field", PAIRS)
def test_the_verdict_describes_the_game_with_every_field(field: str) -> None:
    plain, other = (_describe(json.loads(rules.to_json())) for rules in PAIRS[field])
    assert plain != other


def test_it_runs_as_a_script_with_only_python(proof: Path) -> None:
    assert module.__file__ is not None
    damaged = proof.with_name("damaged")
    damaged.write_bytes(proof.read_bytes()[:-17])
    script = shutil.copy(module.__file__, proof.parent / "checker.py")

    def run(*files: Path) -> tuple[int, str]:
        command = [sys.executable, "-I", "-S", script, *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        assert done.stderr == ""
        return done.returncode, done.stdout

    code, out = run(proof)
    assert code == 0
    assert "proved: first wins 3x4, own marks, a line of 3 wins, full board: draw, against every reply; 29 pos" in out
    code, out = run(damaged, proof)
    assert code == 1
    assert re.search(r"damaged: REFUSED: after .*: first has no move in the table \(the file is truncated", out)
    assert "proved" in out
    assert run(proof.parent / "none")[0] == 2
