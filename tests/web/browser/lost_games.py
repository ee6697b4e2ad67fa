"""Does the page blame the right move? ``uv run python -m tests.web.browser.lost_games [COUNT]`` loses games and checks it.

A random player loses to a strong one, in games with and without a solver. Each verdict of *See where it went wrong* is compared with
`noughts.solve`, one position at a time. It prints a line for each game, and ends with code 1 if a verdict is wrong.
"""

import itertools
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import noughts
from tests.web.browser.conftest import chromium
from tests.web.browser.steps import Page
from tests.web.serving import Server, server

GAMES = dict.fromkeys(("bttt(D4)", "mnk(4,4,3)", "misere-tic-tac-toe", "notakto(3)", "mnk(5,6,4)"), "mcts:sims=2000")
GAMES |= dict.fromkeys(("gomoku", "mnk(9,9,5)"), "threats")
GAMES |= dict.fromkeys(("mnk(5,5,4,wrap=both)", "tic-tac-toe", "mnk(6,6,4)"), "mcts:sims=2000")
"""By rules, the winning agent."""
PATIENCE = 240_000  # milliseconds for a verdict
SECONDS = 60.0  # for the exact value of a position


class Lost(NamedTuple):
    """A game, and the number of the losing side."""

    rules: str
    moves: list[str]
    loser: int


def lose(rules: str, winner: str, seed: int) -> Lost | None:
    """A game that the random player loses, as first player in even seeds; None if it does not."""
    loser = seed % 2
    game = noughts.play_game(*(("random", winner), (winner, "random"))[loser], rules, seed)
    if game.ending != ("second", "first")[loser]:
        return None
    return Lost(rules, [noughts.parse_rules(rules).name_of(move) for move in game.moves], loser)


def value(rules: str, moves: list[str]) -> int | None:
    """The value of a position for the side to move; None if it is not decided in time."""
    try:
        (game,) = noughts.solve(rules, after=moves, seconds=SECONDS).games
    except noughts.NoughtsError:
        return None
    return game.result.low if game.result.low == game.result.high else None


def verdict(page: Page, site: Server, game: Lost) -> tuple[str, float]:
    """The page's verdict, and the seconds it took."""
    players = "first=human&second=mcts" if game.loser == 0 else "first=mcts&second=human"
    page.goto("about:blank")
    begun = time.monotonic()
    page.goto(
        f"http://127.0.0.1:{site.port}/#/analyse?rules={quote(game.rules)}&moves={'+'.join(game.moves)}&{players}&find=mistake"
    )
    page.wait_for_selector(".lesson h2", timeout=PATIENCE)
    seconds = time.monotonic() - begun
    page.wait_for_selector(".progress-row", state="hidden", timeout=PATIENCE)
    return page.locator(".lesson").inner_text(), seconds


def wrong(game: Lost, said: str) -> str:
    """The fault of a verdict; empty if there is none."""
    rules, moves, loser = game
    if named := re.search(r"(?:mistake|blunder): move (\d+), (\S+)", said):
        ply, move = int(named[1]), named[2]
        before, after = value(rules, moves[: ply - 1]), value(rules, moves[:ply])
        right = re.search(r"Right was (\S+)", said)
        kept = value(rules, [*moves[: ply - 1], right[1].strip(".,")]) if right else None
        if moves[ply - 1] != move or (ply - 1) % 2 != loser:
            return "that is no move of the loser"
        if None in (before, after) or -after >= before:  # type: ignore[operator]
            return f"worth {before} before and {after} after it"
        later = [value(rules, moves[:index]) for index in range(ply + 1, len(moves), 2)]
        return "" if (kept is None or -kept == before) and set(later) <= {-1} else f"{kept}, {later}"
    if lost := re.search(r"was lost after move (\d+)", said):
        worth = value(rules, moves[: int(lost[1])])
        return "" if worth == (-1 if int(lost[1]) % 2 == loser else 1) else f"that is worth {worth}"
    if "losing from the start" in said:
        worth = value(rules, [])
        return "" if worth == (-1 if loser == 0 else 1) else f"the first position is worth {worth}"
    return f"no verdict: {said[:80]}"


def main() -> None:
    """Lose this number of games, and compare."""
    count, faults = int(sys.argv[1]) if len(sys.argv) > 1 else 20, 0
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as site, chromium() as browser:
        page = browser.new_page()
        played = (lose(*pair, seed) for seed, pair in enumerate(itertools.cycle(GAMES.items())))
        for game in itertools.islice((game for game in played if game is not None), count):
            said, seconds = verdict(page, site, game)
            fault = wrong(game, said)
            faults += bool(fault)
            shown = f"{game.rules} {' '.join(game.moves)}: {said.splitlines()[0]}"
            print(f"{shown}, {seconds:.1f} s; {fault or 'right'}", flush=True)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
