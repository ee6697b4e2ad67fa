"""Certificates of won games, version 1: a file that anyone can check, with `verify` or a program of their own.

Version 2 certifies how an agent plays: see `noughts.examine.certify`.

A certificate contains one winning move for every position that the winner can meet if it plays these moves, against
any replies. It leaves out positions in which the winner can win at once. The file is a line of JSON, then a table:

    header    {"format":"noughts certificate","version":1,"noughts":"0.1.0","game":"mnk(2,3,2)",
               "rules":{"rows":2,"cols":3,"k":2,"bricks":[],"marks":"own","line":"wins","full":"draw",
               "boards":1,"lineless":false},"winner":"first","entries":1,"sha256":"cd4379fe..."}
    records   17 bytes each: the first player's marks, the second player's marks (`bits`: 8 bytes each, the low byte
              first), and the cell to play

``game`` is the text form of ``rules``. The fields of ``rules`` have this order, and bricks are squares such as ``"D4"``.
If edges are joined, ``"wrap"`` follows, with the value ``"rows"``, ``"columns"`` or ``"both"``.
Of positions that are equivalent under symmetry, the file contains only the least (first words are compared first),
with the move in that position. Records ascend by position. The SHA-256 covers all other bytes of the file: the header
without the hash, as ``json.dumps(header, separators=(",", ":"))``, a line feed, and the records.

On 2x3 cells with lines of two, the first player has more lines through any cell than the second can stop. So the only
record is that of the empty board, and its move is A1:

    00 00 00 00 00 00 00 00   00 00 00 00 00 00 00 00   00
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts import __version__
from noughts.positions import Side
from noughts.rules import CertificateError, Rules, SolverError, symmetries
from noughts.rules.symmetry import image_onto
from noughts.solvers.bits import images_of
from noughts.store.file_format import FileFormat
from noughts.store.files import write_atomically

FORMAT = "noughts certificate"
CERTIFICATE = FileFormat("a certificate, .proof", 2, where="`version` of its header")
"""Both versions are in use, because they claim different things."""
VERSION = 1
SUFFIX = ".proof"
_RECORD = np.dtype([("first", "<u8"), ("second", "<u8"), ("move", "u1")])

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """A table of winning moves, sorted by position; positions are canonical.

    Attributes:
        rules: The game.
        winner: The side that plays the moves.
        first, second: uint64 [entries]: the words of each position.
        moves: uint8 [entries]: the cell to play in each position.
    """

    rules: Rules
    winner: Side
    first: Words
    second: Words
    moves: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.moves)


def file_name(rules: Rules) -> str:
    """The file name of a game's certificate: ``bttt-D4.proof`` for bttt(D4)."""
    return str(rules).replace("(", "-").replace(",", "-").replace(")", "") + SUFFIX


def write_certificate(path: Path | str, certificate: Certificate) -> None:
    """Write the file atomically; raise StoreError if it cannot be written."""
    records = np.empty(len(certificate), _RECORD)
    records["first"], records["second"], records["move"] = certificate.first, certificate.second, certificate.moves
    body = records.tobytes()
    fields = {"winner": str(certificate.winner), "entries": len(certificate)}
    write_atomically(path, signed_file(VERSION, certificate.rules, fields, body))


def signed_file(version: int, rules: Rules, fields: dict[str, Any], body: bytes | memoryview) -> bytes:
    """Build a certificate file: a header with these fields and the SHA-256 of everything else, then the records."""
    header = {
        "format": FORMAT,
        "version": version,
        "noughts": __version__,
        "game": str(rules),
        "rules": rules.model_dump(mode="json"),
        **fields,
    }
    digest = hashlib.sha256(_line(header))
    digest.update(body)
    return b"".join([_line(header | {"sha256": digest.hexdigest()}), body])


def read_certificate(path: Path | str) -> Certificate:
    """Read a file of this version that `verify` accepts; only the version is checked again.

    Raises:
        CertificateError: a newer noughts wrote it.
        ValueError: it has another version.
        OSError: it cannot be read.
    """
    line, _, body = Path(path).read_bytes().partition(b"\n")
    header = json.loads(line)
    require_version(header, VERSION)
    records, winner = np.frombuffer(body, _RECORD), Side[header["winner"].upper()]
    columns = (np.ascontiguousarray(records[name]) for name in ("first", "second", "move"))
    return Certificate(Rules(**header["rules"]), winner, *columns)


def require_version(header: dict[str, Any], version: int) -> None:
    """Check that a header has this version.

    Raises:
        CertificateError: a newer noughts wrote it.
        ValueError, KeyError, TypeError, AttributeError: it is not a header, or it has another version.
    """
    if header["format"] != FORMAT or CERTIFICATE.read(header["version"], CertificateError) != version:
        raise ValueError("another format")


def _line(header: dict[str, Any]) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode("ascii") + b"\n"


def image_of(certificate: Certificate, rules: Rules) -> Certificate:
    """Return the same proof for a symmetric game, such as bttt(C5) for bttt(C3).

    Raises:
        SolverError: the rules are not a mirror image or a rotation of the certificate's.
    """
    found = image_onto(certificate.rules, rules)
    if found is None:
        raise SolverError(f"{rules} is no image of {certificate.rules}: prove it by itself")
    sets = np.stack([certificate.first, certificate.second])[:, :, None]  # [side, entries, words]
    placed, moves = images_of(sets, found), np.array(found)[certificate.moves]
    (least_first, least_second), least_moves = placed[:, :, 0].copy(), moves.copy()
    for symmetry in symmetries(rules):
        first, second = images_of(placed, symmetry.image)[:, :, 0]
        less = (first < least_first) | ((first == least_first) & (second < least_second))
        least_first[less], least_second[less] = first[less], second[less]
        least_moves[less] = np.array(symmetry.image)[moves[less]]
    return sorted_certificate(rules, certificate.winner, least_first, least_second, least_moves.astype(np.uint8))


def sorted_certificate(
    rules: Rules, winner: Side, first: Words, second: Words, moves: NDArray[np.uint8]
) -> Certificate:
    """Create a certificate from positions in any order."""
    order = np.lexsort((second, first))
    return Certificate(rules, winner, first[order], second[order], moves[order])
