#!/usr/bin/env python3
"""Check another project's game and search: the side to move, legal moves, results, symmetries, and the sign of backed-up values.

This file is self-contained: it needs Python and NumPy, but not noughts, so that it can run in the tests of another project.

    python conform.py mine.py:Mine                       or, with noughts:  noughts conform mine.py:Mine
    python conform.py mine.py:Mine --rows 4 --cols 4 --k 4 --misere

Describe your game by a class with five functions, in which a move is a cell, counted row by row from 0:

    class Mine:
        def start(self): ...                  # a state, of any type
        def player(self, state): ...          # 0 if the first player is to move, 1 if the second is
        def legal(self, state): ...           # the legal moves, as numbers or as a mask of all cells
        def play(self, state, move): ...      # the state afterwards; it must not modify the given state
        def returns(self, state): ...         # None, or (+1, -1), (-1, +1), (0, 0) for (first, second) if the game is over

Two more are optional. The first adds checks of your search, and the second adds checks of your data augmentation:

        def search(self, state, evaluate, simulations): ...
            # visits of each cell. `evaluate(state)` gives (policy of all cells, value for the player to move, from -1 to 1)
        def symmetries(self, state, policy): ...
            # a list of symmetric (state, policy) pairs

Each check prints one line: it passed, or the error and the moves that lead to it. The exit code is 0 if all pass.
"""

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GAMES = 200  # random games in which states are compared
POSITIONS = 12  # for each kind of check of a search
SIMULATIONS = 400
BRUTE_FORCE_CELLS = 12  # most cells of a board whose values are found by exhaustive search
FUNCTIONS = ("start", "player", "legal", "play", "returns")

Moves = tuple[int, ...]
Evaluate = Callable[[Any], tuple["np.ndarray[Any, Any]", float]]
Check = tuple[str, str, str]
"""The name of a check, what it checks, and the error, which is empty if it passed."""


class MnkGame(NamedTuple):
    """The expected game: `k` in a row, column or diagonal win, or lose if `misere`; a full board is a draw."""

    rows: int = 3
    cols: int = 3
    k: int = 3
    misere: bool = False

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    def name(self, cell: int) -> str:
        """A letter for the row and a number for the column: B2."""
        return f"{chr(65 + cell // self.cols)}{cell % self.cols + 1}"


class NonconformingError(Exception):
    """A failed check, described in one line."""


@lru_cache(maxsize=8)
def lines(rules: MnkGame) -> tuple[frozenset[int], ...]:
    """Every complete line, as its cells."""
    found = set()
    for row in range(rules.rows):
        for col in range(rules.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + step * down, col + step * right) for step in range(rules.k)]
                if all(0 <= y < rules.rows and 0 <= x < rules.cols for y, x in cells):
                    found.add(frozenset(y * rules.cols + x for y, x in cells))
    return tuple(sorted(found, key=sorted))


def returns_after(rules: MnkGame, moves: Moves) -> tuple[int, int] | None:
    """The results of both players after these moves; None if the game is not over."""
    if moves:
        mover = (len(moves) - 1) % 2
        mine = set(moves[mover::2])
        if any(line <= mine for line in lines(rules)):
            first = 1 if (mover == 0) != rules.misere else -1
            return first, -first
    return (0, 0) if len(moves) == rules.size else None


def legal_after(rules: MnkGame, moves: Moves) -> list[int]:
    """The free cells; empty if the game is over."""
    return [] if returns_after(rules, moves) is not None else [cell for cell in range(rules.size) if cell not in moves]


@lru_cache(maxsize=1 << 20)
def _value(rules: MnkGame, first: frozenset[int], second: frozenset[int]) -> int:
    """The exact value, for the player to move, of a position whose game is not over."""
    mine, theirs = (first, second) if len(first) == len(second) else (second, first)
    return max(_value_of_move(rules, mine, theirs, cell) for cell in range(rules.size) if cell not in mine | theirs)


def _value_of_move(rules: MnkGame, mine: frozenset[int], theirs: frozenset[int], cell: int) -> int:
    after = mine | {cell}
    if any(line <= after for line in lines(rules) if cell in line):
        return -1 if rules.misere else 1
    if len(after) + len(theirs) == rules.size:
        return 0
    first, second = (after, theirs) if len(after) > len(theirs) else (theirs, after)
    return -_value(rules, first, second)


def value_after(rules: MnkGame, moves: Moves) -> int:
    """The exact value for the player to move; the result if the game is over."""
    ended = returns_after(rules, moves)
    return ended[len(moves) % 2] if ended is not None else _value(rules, frozenset(moves[::2]), frozenset(moves[1::2]))


class Conformance:
    """The checks of one game.

    Args:
        mine: An object with the five functions, and perhaps the two optional ones.
        rules: The game that it should implement.
        simulations: Number of simulations of each search.
    """

    def __init__(self, mine: Any, rules: MnkGame, simulations: int = SIMULATIONS) -> None:
        self._mine, self._rules, self._simulations = mine, rules, simulations
        self._random = np.random.default_rng(0)

    def run(self) -> Iterator[Check]:
        """Yield the result of each check. The basic checks come first, and if one fails, the search is not checked."""
        games = [self._random_game() for _ in range(GAMES)]
        sound = True
        for check in (self._turns, self._legal, self._ends, self._returns, self._unchanged):
            name, about, error = self._found(check, games)
            sound = sound and not error
            yield name, about, error
        if hasattr(self._mine, "symmetries"):
            yield self._found(self._symmetries, games)
        if hasattr(self._mine, "search") and sound:
            for look in (self._visits, self._win_in_one, self._win_in_three, self._signs):
                yield self._found(look, games)

    def _found(self, check: Callable[[list[Moves]], None], games: list[Moves]) -> Check:
        name, about = check.__name__.strip("_").replace("_", " "), (check.__doc__ or "").rstrip(".")
        try:
            check(games)
        except NonconformingError as failed:
            return name, about, str(failed)
        except Exception as error:  # an error in the checked code is a finding too
            return name, about, f"{type(error).__name__}: {error}".splitlines()[0]
        return name, about, ""

    def _random_game(self) -> Moves:
        moves: Moves = ()
        while legal := legal_after(self._rules, moves):
            moves += (int(self._random.choice(legal)),)
        return moves

    def _state(self, moves: Moves) -> Any:
        state = self._mine.start()
        for move in moves:
            state = self._mine.play(state, move)
        return state

    def _after(self, moves: Moves) -> str:
        return f"after {' '.join(map(self._rules.name, moves))}" if moves else "at the start"

    def _all(self, games: list[Moves]) -> Iterator[tuple[Moves, Any]]:
        """Every position of the games that is not over, with the state for it; short ones first."""
        seen = {game[:ply] for game in games for ply in range(len(game))}
        for moves in sorted(seen, key=lambda moves: (len(moves), moves)):
            yield moves, self._state(moves)

    def _turns(self, games: list[Moves]) -> None:
        """whose turn it is."""
        for moves, state in self._all(games):
            said = self._mine.player(state)
            if said != len(moves) % 2:
                raise NonconformingError(
                    f"{self._after(moves)} player {len(moves) % 2} is to move, and player() returns {said}"
                )

    def _their_legal(self, state: Any) -> list[int]:
        given = np.asarray(self._mine.legal(state)).reshape(-1)
        if given.dtype == bool or (given.size > 2 and set(given.tolist()) <= {0, 1}):  # moves would not repeat
            if given.size != self._rules.size:
                raise NonconformingError(
                    f"legal() gives a mask of {given.size} entries, and the board has {self._rules.size} cells"
                )
            return [int(cell) for cell in np.flatnonzero(given)]
        return sorted(int(cell) for cell in given)

    def _legal(self, games: list[Moves]) -> None:
        """legal moves."""
        for moves, state in self._all(games):
            ours, theirs = legal_after(self._rules, moves), self._their_legal(state)
            if ours != theirs:
                missing, more = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
                wrong = [f"without {self._names(missing)}"] if missing else []
                wrong += [f"with {self._names(more)}"] if more else []
                raise NonconformingError(f"{self._after(moves)} legal() gives the moves {' and '.join(wrong)}")

    def _names(self, cells: Sequence[int]) -> str:
        return " ".join(self._rules.name(cell) if 0 <= cell < self._rules.size else str(cell) for cell in cells)

    def _ends(self, games: list[Moves]) -> None:
        """when a game is over."""
        for moves, state in self._all(games):
            if self._mine.returns(state) is not None:
                raise NonconformingError(
                    f"{self._after(moves)} the game is not over, and returns() gives {self._mine.returns(state)}"
                )
        for game in games:
            if self._mine.returns(self._state(game)) is None:
                raise NonconformingError(f"{self._after(game)} the game is over, and returns() gives None")

    def _returns(self, games: list[Moves]) -> None:
        """who won."""
        for game in games:
            ours, given = returns_after(self._rules, game), self._mine.returns(self._state(game))
            theirs = None if given is None else tuple(float(one) for one in given)
            if theirs != ours:
                raise NonconformingError(f"{self._after(game)} the players get {ours}, and returns() gives {theirs}")

    def _unchanged(self, games: list[Moves]) -> None:
        """that play() does not modify the given state."""
        for moves, state in self._all(games[:20]):
            before = (self._mine.player(state), self._their_legal(state), self._mine.returns(state))
            for move in before[1]:
                self._mine.play(state, move)
                if (self._mine.player(state), self._their_legal(state), self._mine.returns(state)) != before:
                    raise NonconformingError(
                        f"{self._after(moves)} play({move}) changes the state that it is given: copy it"
                    )

    def _symmetries(self, games: list[Moves]) -> None:
        """that symmetric states are images of one position, with the policy moved along."""
        for moves, state in self._all(games[:20]):
            legal = legal_after(self._rules, moves)
            policy = np.zeros(self._rules.size)
            policy[legal] = np.arange(1, len(legal) + 1) / sum(range(1, len(legal) + 1))
            for image, there_policy in self._mine.symmetries(state, policy):
                there, moved = self._their_legal(image), np.asarray(there_policy).reshape(-1)[: self._rules.size]
                if sorted(np.flatnonzero(moved).tolist()) != there:
                    raise NonconformingError(
                        f"{self._after(moves)} an image has the legal moves {self._names(there)} and a policy on others"
                    )
                if self._mine.player(image) != self._mine.player(state):
                    raise NonconformingError(f"{self._after(moves)} an image is of the other player's turn")
                of = {round(float(policy[cell]), 9): cell for cell in legal}
                for cell in there:
                    was = of.get(round(float(moved[cell]), 9))
                    if was is None or self._end(state, was) != self._end(image, cell):
                        raise NonconformingError(
                            f"{self._after(moves)} a move of the policy has another result in a symmetric position"
                        )

    def _end(self, state: Any, move: int) -> Any:
        """Return the result of returns() after a move."""
        return self._mine.returns(self._mine.play(state, move))

    def _search(self, moves: Moves, evaluate: Evaluate, simulations: int) -> "np.ndarray[Any, Any]":
        visits = np.asarray(self._mine.search(self._state(moves), evaluate, simulations), np.float64).reshape(-1)
        if visits.shape != (self._rules.size,):
            raise NonconformingError(f"search() gives {visits.size} visits, and there are {self._rules.size} cells")
        return visits

    def _uniform(self, state: Any) -> tuple["np.ndarray[Any, Any]", float]:
        """An evaluator without knowledge: a uniform policy over legal moves, and the value 0."""
        policy = np.zeros(self._rules.size)
        policy[self._their_legal(state)] = 1.0
        return policy / max(1.0, policy.sum()), 0.0

    def _visits(self, games: list[Moves]) -> None:
        """that visits add up to the simulations, and none is of an illegal move."""
        for moves in self._chosen(games, lambda moves: len(legal_after(self._rules, moves)) > 1):
            visits = self._search(moves, self._uniform, self._simulations)
            illegal = [cell for cell in np.flatnonzero(visits).tolist() if cell not in legal_after(self._rules, moves)]
            if illegal:
                raise NonconformingError(
                    f"{self._after(moves)} the search visits {self._names(illegal)}, which is no legal move"
                )
            if visits.min() < 0 or round(float(visits.sum())) not in (self._simulations, self._simulations - 1):
                raise NonconformingError(
                    f"{self._after(moves)} {visits.sum():g} visits come of {self._simulations} simulations"
                )

    def _chosen(self, games: list[Moves], wanted: Callable[[Moves], bool]) -> list[Moves]:
        """Positions of the games that satisfy `wanted`: equally many with the first player and the second to move."""
        found: list[Moves] = []
        for player in (0, 1):
            of_player = [moves for moves, _ in self._all(games) if len(moves) % 2 == player and wanted(moves)]
            found += [of_player[at] for at in self._random.permutation(len(of_player))[: POSITIONS // 2]]
        return found

    def _winning(self, moves: Moves) -> list[int]:
        """Moves that win immediately."""
        mover = len(moves) % 2
        ends = {move: returns_after(self._rules, (*moves, move)) for move in legal_after(self._rules, moves)}
        return [move for move, end in ends.items() if end is not None and end[mover] == 1]

    def _forcing(self, moves: Moves) -> list[int]:
        """Moves after which the opponent has no immediate win, and every reply allows one for the mover."""
        found = []
        for move in legal_after(self._rules, moves):
            after = (*moves, move)
            replies = legal_after(self._rules, after)
            if replies and not self._winning(after) and all(self._winning((*after, reply)) for reply in replies):
                found.append(move)
        return found

    def _good(self, moves: Moves) -> list[int]:
        """Moves that win, sooner or later, because a search does not distinguish these; on large boards within three moves."""
        if self._rules.size > BRUTE_FORCE_CELLS:
            return sorted({*self._winning(moves), *self._forcing(moves)})
        legal = legal_after(self._rules, moves)
        return [
            move for move in legal if value_after(self._rules, (*moves, move)) == -1 or move in self._winning(moves)
        ]

    def _require(self, moves: Moves, good: Sequence[int], evaluate: Evaluate, simulations: int, why: str) -> None:
        best = int(np.argmax(self._search(moves, evaluate, simulations)))
        if best not in good:
            raise NonconformingError(
                f"{self._after(moves)} the search prefers {self._names([best])}; {why}: {self._names(good)}"
            )

    def _win_in_one(self, games: list[Moves]) -> None:
        """that a search with a uniform evaluator finds a win in one move."""

        def decisive(moves: Moves) -> bool:
            return bool(self._winning(moves)) and len(self._good(moves)) < len(legal_after(self._rules, moves))

        for moves in self._chosen(games, decisive):
            self._require(moves, self._good(moves), self._uniform, self._simulations, "what wins")

    def _win_in_three(self, games: list[Moves]) -> None:
        """that it finds a win in three moves."""

        def decisive(moves: Moves) -> bool:
            quick = bool(self._forcing(moves)) and not self._winning(moves)
            return quick and len(self._good(moves)) < len(legal_after(self._rules, moves))

        for moves in self._chosen(games, decisive):
            self._require(moves, self._good(moves), self._uniform, 4 * self._simulations, "what wins")

    def _signs(self, games: list[Moves]) -> None:
        """that values count for the player to move: with an exact evaluator, the search finds the best move at once."""
        if self._rules.size > BRUTE_FORCE_CELLS:
            return

        def telling(moves: Moves) -> bool:
            """Whether only the evaluator separates good moves from bad ones, because none ends the game."""
            after = [(*moves, move) for move in legal_after(self._rules, moves)]
            values = {value_after(self._rules, one) for one in after}
            return len(values) > 1 and all(returns_after(self._rules, one) is None for one in after)

        known: dict[tuple[int, ...], float] = {}

        def exact(state: Any) -> tuple["np.ndarray[Any, Any]", float]:
            policy, _ = self._uniform(state)
            return policy, known.get(self._look(state), 0.0)

        for moves in self._chosen(games, telling):
            known.clear()
            legal = legal_after(self._rules, moves)
            for more in [(), *((move,) for move in legal)]:
                known[self._look(self._state((*moves, *more)))] = float(value_after(self._rules, (*moves, *more)))
            worth = {move: -value_after(self._rules, (*moves, move)) for move in legal}
            good = [move for move in legal if worth[move] == max(worth.values())]
            self._require(moves, good, exact, 3 * len(legal), "best by the values of evaluate(), so look at their sign")

    def _look(self, state: Any) -> tuple[int, ...]:
        """A fingerprint of a state: the side to move, the legal moves, and how those that end the game end it."""
        legal = self._their_legal(state)
        ends = [self._end(state, move) for move in legal]
        return (int(self._mine.player(state)), *legal, *(9 if end is None else int(end[0]) for end in ends))


def load(text: str) -> Any:
    """Load the object that ``FILE.py:NAME`` or ``MODULE:NAME`` names; if it is a class, create an instance."""
    place, _, name = text.rpartition(":")
    if not place:
        raise ValueError("write FILE.py:NAME or MODULE:NAME")
    if place.endswith(".py"):
        sys.path.insert(0, str(Path(place).resolve().parent))
        spec = importlib.util.spec_from_file_location(Path(place).stem, place)
        if spec is None or spec.loader is None or not Path(place).is_file():
            raise FileNotFoundError(f"there is no file {place!r}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(place)
    found = getattr(module, name)
    return found() if isinstance(found, type) else found


def at_least(least: int) -> Callable[[str], int]:
    """Return the function that reads a whole number of the command line, and rejects smaller ones."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return read


def main(words: Sequence[str] | None = None) -> int:
    """Check the class named on the command line; return 0 if all checks pass, 1 if one fails, 2 if it cannot be checked."""
    reader = argparse.ArgumentParser(prog="conform", description=(__doc__ or "").splitlines()[0])
    reader.add_argument("mine", help="FILE.py:NAME or MODULE:NAME of a class with the five functions")
    for name in ("rows", "cols", "k"):
        reader.add_argument(f"--{name}", type=at_least(1), default=3, help="3 unless given")
    reader.add_argument("--misere", action="store_true", help="whether completing a line loses")
    sims_help = f"simulations of each search; {SIMULATIONS} unless given"
    reader.add_argument("--sims", type=at_least(10), default=SIMULATIONS, help=sims_help)
    reader.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    given = reader.parse_args(words)
    rules = MnkGame(given.rows, given.cols, given.k, given.misere)
    found = []
    try:
        mine = load(given.mine)
    except Exception as raised:  # an error in the checked code
        what = f"{type(raised).__name__}: {raised}"
        print(f"error: {given.mine} cannot be loaded: {what}".splitlines()[0], file=sys.stderr)
        return 2
    if missing := [f"{name}()" for name in FUNCTIONS if not callable(getattr(mine, name, None))]:
        print(f"error: {given.mine} has no {', '.join(missing)}", file=sys.stderr)
        return 2
    for name, about, error in Conformance(mine, rules, given.sims).run():
        found.append({"name": name, "about": about, "error": error})
        if not given.json:
            print(f"{'wrong' if error else 'right'}  {name:14} {error or about}", flush=True)
    wrong = sum(bool(one["error"]) for one in found)
    if given.json:
        print(json.dumps({"conforms": not wrong, "checks": found}, indent=1))
    else:
        print(f"{wrong} wrong" if wrong else "all right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
