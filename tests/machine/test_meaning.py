"""What a file does, as a hash; and what is kept of it between processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.machine.meaning import meaning_hash, meanings_file

PROGRAM = """
import ast, sys
from noughts.machine import meaning
parsed, parse = [], ast.parse
ast.parse = lambda content: (parsed.append(1), parse(content))[1]
print(meaning.meaning_hash(b"x = 1"), meaning.meaning_hash(b"y = 2"), len(parsed))
meaning.keep_meanings()
"""


def asked(cache: Path) -> list[str]:
    """The hashes of two files, and how many of them were parsed, in a process of its own."""
    environment = {"XDG_CACHE_HOME": str(cache), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.split()


def test_only_what_a_file_does_counts() -> None:
    assert meaning_hash(b"def f():\n    return 1\n") == meaning_hash(
        b'# why\ndef f():\n    """Gives one."""\n\n    return 1\n'
    )
    assert meaning_hash(b"def f():\n    return 1\n") != meaning_hash(b"def f():\n    return 2\n")
    assert meaning_hash(b"def (") != meaning_hash(b"def ((")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere caches are not found by XDG_CACHE_HOME")
def test_no_file_is_parsed_by_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(tmp_path)
    assert first[2] == "2"
    assert asked(tmp_path) == [*first[:2], "0"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = json.loads(meanings_file().read_text())
    for damaged in ("", "[]", '{"hashes": {}}', json.dumps(kept).replace(first[0], first[1])):
        meanings_file().write_text(damaged)
        assert asked(tmp_path) == first
        assert json.loads(meanings_file().read_text()) == kept
    (tmp_path / "file").write_text("")
    assert asked(tmp_path / "file") == first  # no folder can be made there
