"""A flipped bit or a cut anywhere in a user's files never changes an answer silently.

refused     the command ended with one line that names the damage
mended      the answer is the same, and the damage is named
harmless    the answer is the same
"""

import contextlib
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from noughts.rules import NoughtsError
from noughts.store.run_folder import RunFolder, training_folder
from tests.cli.belongings import USES, Refused, database, make, training


def damage(path: Path, rng: random.Random) -> None:
    """Flip a bit, mostly in an area with content, or truncate the file."""
    content = bytearray(path.read_bytes())
    written = [place for place, byte in enumerate(content) if byte]
    if rng.random() < 0.2:
        del content[rng.randrange(len(content)) :]
    else:
        place = rng.choice(written) if rng.random() < 0.7 else rng.randrange(len(content))
        content[place] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


@pytest.mark.slow
def test_a_thousand_damages_change_no_answer_silently(tmp_path: Path) -> None:
    whole, place, rng = tmp_path / "whole", tmp_path / "place", random.Random(0)
    make(whole)
    found: Counter[tuple[str, str]] = Counter()
    for pattern, use in USES.items():
        shutil.copytree(whole, place)
        expected, said = use(place)
        wanted = expected
        assert said.count("damage") == 0
        shutil.rmtree(place)
        for _ in range(400 if "sqlite" in pattern else 120):
            shutil.copytree(whole, place)
            path = rng.choice(sorted(path for path in place.glob(pattern) if path.stat().st_size))
            damage(path, rng)
            changed = path.read_bytes()
            try:
                answer, said = use(place)
            except Refused as refused:
                found[pattern, "refused"] += 1
                if use is training:
                    with contextlib.suppress(NoughtsError):  # without run.json the trained game is unknown
                        RunFolder.open(training_folder(str(place)) / "toy").mend()
                        use(place)
                if use is database:
                    if "is not a noughts database: move it away" in str(refused):  # it may belong to another program
                        path.rename(place / "moved")
                    assert use(place)[0][:2] == expected[:2]  # lost games are played again
            else:
                if use is database:  # answers of runs are a cache, whose damaged rows are left out with a warning
                    answer, wanted = answer[:2], expected[:2]
                assert answer == wanted, f"{path} was {changed!r}"
                found[pattern, "mended" if "damage" in said else "harmless"] += 1
            shutil.rmtree(place)
    for (pattern, kind), count in sorted(found.items()):
        print(f"{pattern:30} {kind:10} {count}")
    assert found.total() >= 1000
    kinds = Counter[str]()
    for (_, kind), count in found.items():
        kinds[kind] += count
    print(kinds)
