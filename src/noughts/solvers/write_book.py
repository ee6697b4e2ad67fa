"""Adds to the book of solved openings: ``python -m noughts.solvers.write_book RULES ...``."""

import json
import sys
from pathlib import Path

from noughts.positions import Position
from noughts.rules import Rules, parse_rules
from noughts.solvers.book import FILE, book_of, read_book
from noughts.solvers.solution import Budget
from noughts.solvers.solve import Truth
from noughts.store.files import write_atomically


def write_openings(rules: Rules, nodes: int, memory: int) -> None:
    """Prove every first move of a game that is not in the book, and add the results.

    Args:
        rules: The game.
        nodes: Budget for each move; moves that it does not settle are left out.
        memory: Bytes of the solver's tables.
    """
    for move in range(rules.size):
        start = Position.start(rules)
        if not start.is_legal(move) or book_of(rules).look_up(position := start.play(move)):
            continue
        proof = Truth(rules, memory).prove(position, Budget(nodes))
        if proof.value is None:
            continue
        written = read_book()
        entry = (proof.value, None if proof.move is None else rules.name_of(proof.move))
        written.setdefault(str(rules), {})[rules.name_of(move)] = entry
        lines = ",\n".join(
            f"{json.dumps(game)}: {{\n"
            + ",\n".join(f"  {json.dumps(moves)}: {json.dumps(found)}" for moves, found in sorted(entries.items()))
            + "\n}"
            for game, entries in sorted(written.items())
        )
        write_atomically(Path(str(FILE)), f"{{\n{lines}\n}}\n")
        book_of.cache_clear()
        print(f"{rules} {rules.name_of(move)}: {entry}", flush=True)


if __name__ == "__main__":
    for text in sys.argv[1:]:
        write_openings(parse_rules(text), nodes=400_000_000, memory=2 << 30)
