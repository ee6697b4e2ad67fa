"""What the machines of a cluster are at, told by a command to whoever started it: a file that is written anew now and then."""

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from noughts.machine.executor import NodeAtWork

NODES = "NOUGHTS_NODES"
"""The environment variable that names the file, for commands that are to write one."""


def tell_nodes(nodes: Sequence[NodeAtWork]) -> None:
    """Write the file, if this process is to; without machines there is none. What cannot be written is not told."""
    file = os.environ.get(NODES)
    if not file:
        return
    with contextlib.suppress(OSError):
        if not nodes:
            Path(file).unlink(missing_ok=True)
            return
        beside = Path(f"{file}.new")
        beside.write_text(json.dumps([asdict(node) for node in nodes]), "utf-8")
        os.replace(beside, file)


def nodes_told(file: Path) -> list[NodeAtWork]:
    """What a command has written; none if it has written nothing that can be read."""
    try:
        return [NodeAtWork(**node) for node in json.loads(file.read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return []
