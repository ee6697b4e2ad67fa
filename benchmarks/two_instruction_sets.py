"""Prove one trained network under two instruction sets; check both certificates and count their differences.

    uv run python -m benchmarks.two_instruction_sets "az:example,sims=0,view=canonical" --rules "bttt(D4)"

Each proof runs in a process of its own, with its own store. With ``--interrupt``, a proof is begun under one instruction set,
interrupted, and resumed under the other, in a third store: it starts again from the beginning, and a message explains why.
"""

import argparse
import json
import lzma
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from noughts.solvers.verify import verify


def prove(words: list[str], isa: str, store: Path) -> subprocess.Popen[str]:
    """Start a proof under an instruction set."""
    environment = os.environ | {"XLA_FLAGS": f"--xla_cpu_max_isa={isa}", "NOUGHTS_STORE": str(store)}
    command = [sys.executable, "-m", "noughts", "prove", *words]
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def table_of(certificate: bytes) -> dict[bytes, bytes]:
    """The moves for each position; either player's marks and the moves have the same number of bytes."""
    header, _, body = certificate.partition(b"\n")
    width = len(body) // json.loads(header)["entries"]
    records = (body[at : at + width] for at in range(0, len(body), width))
    return {record[: width // 3 * 2]: record[width // 3 * 2 :] for record in records}


def main() -> None:
    """Prove, check and compare; also interrupt and resume if requested."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("agent")
    parser.add_argument("--rules", default="bttt(D4)")
    parser.add_argument("--isa", nargs=2, default=("SSE4_2", "AVX2"), metavar="ISA")
    parser.add_argument("--interrupt", action="store_true", help="Also interrupt a proof, and go on under the other.")
    given = parser.parse_args()
    words = [given.agent, "--rules", given.rules, "--as", "first", "--workers", "1"]
    with tempfile.TemporaryDirectory() as folder:
        contents = []
        for isa in given.isa:
            begun, store = time.monotonic(), Path(folder) / isa
            out, _ = prove(words, isa, store).communicate()
            print(f"{isa}: {time.monotonic() - begun:.1f} s: {out.splitlines()[0] if out else 'no answer'}")
            for path in (store / "certificates").glob("*.proof.xz"):
                report = verify(path)
                print(f"    {report.claimed}: {report.positions:,} positions, SHA-256 {report.sha256}")
                contents.append(lzma.decompress(path.read_bytes()))
        if len(contents) == 2:
            one, other = map(table_of, contents)
            common = one.keys() & other.keys()
            print(
                f"positions in both {len(common):,}, of which {sum(one[at] != other[at] for at in common):,} have other moves; "
                f"in one alone {len(one) - len(common):,} and {len(other) - len(common):,}"
            )
        if given.interrupt:
            running = prove(words, given.isa[0], Path(folder) / "both")
            assert running.stderr is not None
            for line in running.stderr:
                if "positions after" in line:  # it has begun
                    break
            running.send_signal(signal.SIGINT)
            running.communicate()
            _, err = prove(words, given.isa[1], Path(folder) / "both").communicate()
            print("interrupted, and gone on under the other:")
            print(
                "\n".join(
                    line for line in err.splitlines() if "changed" in line or "anew" in line or "going on" in line
                )
            )


if __name__ == "__main__":
    main()
