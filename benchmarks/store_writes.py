"""How many games a second a store can save: ``uv run python -m benchmarks.store_writes PLACE...``.

Each place is a folder or the URL of a database. Games are saved one by one, by 100, and by four processes at once,
alternately, so that other load on the machine affects all alike. They are removed in the end.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from noughts.store.records import GameRecord
from noughts.store.results import Store

SECONDS = 3.0
ROUNDS = 3


def kept(place: str, name: str, at_once: int, seconds: float = SECONDS) -> tuple[float, str]:
    """Games saved a second, `at_once` in each transaction; and the id of their run."""
    game = GameRecord(
        rules="bttt(D4)", first="minimax:depth=2", second="mcts:sims=100", seed=1, moves=tuple(range(30)), ending="draw"
    )
    with Store.open(place) as store, store.begin("match", name, {}, 0) as run:
        count, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            run.keep([], {(f"{run.id} {count + number:07}", "basis"): game for number in range(at_once)})
            count += at_once
        rate = count / (time.perf_counter() - begun)
        run.finish("{}")
        return rate, run.id


def main(places: list[str]) -> None:
    """Measure, and print a line for each place and way, with the median of all rounds."""
    found: dict[tuple[str, str], list[float]] = {}
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        list(processes.map(kept, [places[0]] * 4, "abcd", [1] * 4, [0.1] * 4))  # starts the processes
        for _ in range(ROUNDS):
            for place in places:
                for name, at_once in (("one by one", 1), ("by 100", 100)):
                    found.setdefault((place, name), []).append(kept(place, name, at_once)[0])
                together = processes.map(kept, [place] * 4, "abcd", [1] * 4)
                found.setdefault((place, "four processes, one by one"), []).append(sum(rate for rate, _ in together))
    for (place, name), rates in sorted(found.items()):
        median = sorted(rates)[len(rates) // 2]
        print(
            f"{place.rpartition('@')[2]}: {name}: {median:,.0f} games a second ({min(rates):,.0f} to {max(rates):,.0f})"
        )
    for place in places:
        with Store.open(place) as store:
            for run in store.runs("match"):
                if run.name in ("one by one", "by 100", *"abcd"):
                    store.remove(run.id)


if __name__ == "__main__":
    main(sys.argv[1:])
