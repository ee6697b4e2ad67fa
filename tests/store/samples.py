"""Records to store, and a script that stores them until it is killed."""

import sys

from noughts.store import GameRecord
from noughts.store.results import Run, Store

IDENTITY = {"scale": "quick", "agents": ["random", "minimax:depth=2"], "games": 500}


def game(key: str, **fields: object) -> GameRecord:
    given: dict[str, object] = {
        "key": key,
        "rules": "tic-tac-toe",
        "first": "random",
        "second": "minimax:depth=2",
        "seed": 2**64 - 1,
        "moves": (4, 0, 8),
        "ending": "draw",
        "seconds_first": 0.1,
        "seconds_second": 1 / 3,
    }
    return GameRecord(**given | fields)


def begin(store: Store, seed: int = 1) -> Run:
    return store.begin("study", "first-move", IDENTITY, seed)


def write(place: str, name: str, count: int) -> None:
    """Add `count` games one by one, and say so after each one that is kept."""
    with Store.open(place) as store, store.begin("match", name, {}, 0) as run:
        print("ready", run.id, flush=True)
        done = run.done_keys()
        for number in range(count):
            key = f"{name} {number:06}"
            if key not in done:
                run.add([game(key)], {key: str(number)})
                print("kept", key, flush=True)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]))
