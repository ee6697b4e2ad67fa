"""Certificates of agents, version 2: an agent's moves against every reply, as a file that others can check.

A certificate contains all moves that the agent may choose, for every position that it can meet. The checker,
`noughts.solvers.verify`, shares no code with this module; it plays every reply to each of these moves. The file is
a line of JSON, then a table:

    header    {"format":"noughts certificate","version":2,"noughts":"0.1.0","game":"mnk(3,3,2)",
               "rules":{"rows":3,"cols":3,"k":2,"bricks":[],"marks":"own","line":"wins","full":"draw",
               "boards":1,"lineless":false},"side":"first","claim":"wins","agent":"minimax:depth=2",
               "symmetric":true,"entries":3,"sha256":"SHA256..."}
    records   3 w bytes each, with w = ceil(cells / 8): the first player's marks, the second player's marks and the
              moves that the agent may choose; with shared marks the second are all 0

`side` is the agent's side, `claim` is ``wins`` or ``never loses``, and `agent` is its text, of up to 500 characters.
Marks and moves are bit strings, the low byte first: cell c is bit c % 8 of byte c // 8. The boards of a game with
several follow one another.

`symmetric` is true for agents that choose symmetric moves in symmetric positions. Then the file contains only the least
of the positions that are equivalent under symmetry, with the moves in that position. Otherwise it contains all positions.
Positions are compared as integers, the first player's marks first.
Records ascend by position. The SHA-256 is as in version 1 (`solvers.certificate`), and so is the order of `rules`.

With lines of two on 3x3 cells, this agent takes the centre. After any reply, every other cell then wins at once.
Up to symmetry there are two replies, and the least of the positions after them have O on A1 and on A2:

    cells   0 1 2     first  second moves
            3 4 5     00 00  00 00  10 00     no marks: B2, cell 4, is bit 4 of byte 0
            6 7 8     10 00  01 00  ee 01     X on B2, O on A1: cells 1 2 3 5 6 7 8
                      10 00  02 00  ed 01     X on B2, O on A2: cells 0 2 3 5 6 7 8
"""

import json
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from noughts.positions import Side
from noughts.rules import CertificateError, NoughtsError, Rules, symmetries
from noughts.rules.errors import NotSymmetricError
from noughts.solvers.bits import images_of
from noughts.solvers.certificate import require_version, signed_file
from noughts.solvers.verify import MAX_AGENT, MAX_CELLS, MAX_RECORDS

VERSION = 2

Claim = Literal["wins", "never loses"]
Words = NDArray[np.uint64]

_TOGETHER = 1 << 16  # positions whose images are computed together


class AgentCertificate:
    """The possible moves of an agent in each position that it can meet, collected level by level from a walk.

    This class proves nothing: the checker rejects a false claim.

    Args:
        rules: The game.
        side: The side that the agent plays.
        agent: Its text.
        symmetric: Whether it chooses symmetric moves in symmetric positions, which are then stored only once.

    Raises:
        CertificateError: the game has too many cells, or the checker does not accept the agent's text.
    """

    def __init__(self, rules: Rules, side: Side, agent: str, symmetric: bool) -> None:
        if rules.size > MAX_CELLS[VERSION]:
            raise CertificateError(
                f"certificates of agents are for up to {MAX_CELLS[VERSION]} cells: {rules} has {rules.size}"
            )
        if not agent.isprintable() or not 0 < len(agent) <= MAX_AGENT:
            raise CertificateError(
                f"agent {ascii(agent)[:80]} cannot be in a certificate: its text must be one line of at most "
                f"{MAX_AGENT} characters"
            )
        self.rules, self.side, self.agent, self.symmetric = rules, side, agent, symmetric
        self._words = (rules.size + 63) // 64  # per player, or per set of moves
        self._rows: list[Words] = []  # [positions, 3 words] each: both players' marks and the moves

    def add(self, positions: Words, choices: Sequence[tuple[int, ...]]) -> None:
        """Add the agent's possible moves in the positions of one level.

        Args:
            positions: uint64 [positions, words], as in `Walk.words`.
            choices: For each position, every move that the agent may choose there; one or more legal moves.
        """
        width = self._words
        rows = np.zeros((len(positions), 3 * width), np.uint64)
        rows[:, : positions.shape[1]] = positions
        counts = np.fromiter(map(len, choices), np.int64, len(choices))
        moves = np.fromiter((move for some in choices for move in some), np.int64, int(counts.sum()))
        bits = np.uint64(1) << (moves & 63).astype(np.uint64)
        np.bitwise_or.at(rows, (np.repeat(np.arange(len(rows)), counts), 2 * width + (moves >> 6)), bits)
        self._rows.append(rows)

    def settle(self) -> None:
        """Replace positions by their least images if the agent claims to be symmetric; NotSymmetricError if it is not."""
        if self.symmetric:
            for rows in self._rows:
                for start in range(0, len(rows), _TOGETHER):
                    rows[start : start + _TOGETHER] = self._least(rows[start : start + _TOGETHER])

    def content(self, claim: Claim) -> bytes:
        """Return the whole file, with this claim about the agent.

        Raises:
            CertificateError: there are more positions than the checker reads.
            NotSymmetricError: the agent is not symmetric, against its claim.
        """
        self.settle()
        rows = np.concatenate([np.empty((0, 3 * self._words), np.uint64), *self._rows])
        rows = rows[np.lexsort([rows[:, column] for column in reversed(self._columns)])]
        same = np.flatnonzero((rows[1:, : 2 * self._words] == rows[:-1, : 2 * self._words]).all(axis=1)) + 1
        if (rows[same] != rows[same - 1]).any():
            raise NotSymmetricError(self._not_symmetric())
        rows = np.delete(rows, same, axis=0) if len(same) else rows
        if len(rows) > MAX_RECORDS:
            raise CertificateError(
                f"the certificate would have {len(rows):,} positions, and the checker reads up to {MAX_RECORDS:,}"
            )
        octets = rows.astype("<u8", copy=False).view(np.uint8).reshape(len(rows), 3, 8 * self._words)
        records = np.ascontiguousarray(octets[:, :, : (self.rules.size + 7) // 8])
        fields = {
            "side": str(self.side),
            "claim": claim,
            "agent": self.agent,
            "symmetric": self.symmetric,
            "entries": len(rows),
        }
        return signed_file(VERSION, self.rules, fields, records.reshape(-1).data)

    def moved(self, rules: Rules, image: tuple[int, ...]) -> "AgentCertificate":
        """Return the certificate for a symmetric game, in which ``image[cell]`` is the image of each cell."""
        self.settle()
        there = AgentCertificate(rules, self.side, self.agent, self.symmetric)
        for rows in self._rows:
            moved = _image(rows, image)
            there._rows.append(there._least(moved) if self.symmetric else moved)
        return there

    @property
    def _columns(self) -> list[int]:
        """The columns to compare, in order: higher words first, because they come last in a row; the first player first."""
        width = self._words
        return [*reversed(range(width)), *reversed(range(width, 2 * width))]

    def _least(self, rows: Words) -> Words:
        """The least image of each position, with the moves in that image."""
        best = rows.copy()
        for symmetry in symmetries(self.rules)[1:]:
            image = _image(rows, symmetry.image)
            less, equal = np.zeros(len(rows), bool), np.ones(len(rows), bool)
            for column in self._columns:
                less |= equal & (image[:, column] < best[:, column])
                equal &= image[:, column] == best[:, column]
            if (image[equal] != best[equal]).any():  # a symmetry keeps the position, but not the moves
                raise NotSymmetricError(self._not_symmetric())
            best[less] = image[less]
        return best

    def _not_symmetric(self) -> str:
        return (
            f"the agent {self.agent} does not choose alike in symmetric positions of {self.rules}: "
            "its certificate must have each position by itself"
        )


def read_agent_certificate(content: bytes) -> AgentCertificate:
    """Read the output of `AgentCertificate.content`, without its claim; raise CertificateError if it is something else."""
    line, _, body = content.partition(b"\n")
    try:
        header = json.loads(line)
        require_version(header, VERSION)
        rules, width = Rules(**header["rules"]), (Rules(**header["rules"]).size + 7) // 8
        found = AgentCertificate(rules, Side[header["side"].upper()], header["agent"], header["symmetric"])
        records = np.frombuffer(body, np.uint8).reshape(header["entries"], 3, width)
    except CertificateError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, NoughtsError):
        raise CertificateError(f"this is no certificate of version {VERSION}") from None
    octets = np.zeros((len(records), 3, 8 * found._words), np.uint8)
    octets[:, :, :width] = records
    found._rows.append(octets.reshape(len(records), 24 * found._words).view("<u8").astype(np.uint64))
    return found


def _image(rows: Words, image: tuple[int, ...]) -> Words:
    """The image of each set in each row under a map of the cells."""
    return images_of(rows.reshape(len(rows), 3, rows.shape[1] // 3), image).reshape(rows.shape)
