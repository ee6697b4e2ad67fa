"""Routes for learning: shipped puzzles, the day's, new ones, opponents, findings."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.positions import Position
from noughts.puzzles.shipped import daily_puzzles
from noughts.rules import parse_rules
from noughts.solvers import Budget
from noughts.solvers.solve import Truth
from noughts.web.opponents import opponents
from noughts.web.reading import read_agent
from tests.web.serving import refused

pytestmark = pytest.mark.anyio
PAGES = Path(__file__).parents[2] / "docs" / "findings" / "studies"
LOST = "A1 B2 C3 B3"
WINNING: dict[str, set[str]] = {
    "": set(),
    "A1 B2": {"A2", "B1"},
    "A1 B2 C3": {"B3", "C2"},
    "A1 B2 C3 B4": {"B3"},
    LOST: set(),
}
"""The claims in the notes of the shipped game: the winning moves, or that all win, or that all lose."""


async def test_puzzles_ship_and_are_found_by_game_and_grade(client: httpx.AsyncClient) -> None:
    games = (await client.get("/api/puzzles")).json()
    tic = next(game for game in games if game["rules"] == "tic-tac-toe")
    some = (await client.get("/api/puzzles/set", params={"rules": "tic-tac-toe", "grade": "hard"})).json()
    assert len(some) == tic["grades"]["hard"] > 0
    assert {puzzle["grade"] for puzzle in some} == {"hard"}
    every = (await client.get("/api/puzzles/set", params={"rules": "tic-tac-toe"})).json()
    assert len(every) == sum(tic["grades"].values())
    assert (await client.get("/api/puzzles/set", params={"rules": "mnk(9,9,5)"})).json() == []


async def test_the_days_puzzles_are_served(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/puzzles/daily?day=2026-11-22")).json()
    assert [puzzle["id"] for puzzle in found] == [puzzle.id for puzzle in daily_puzzles(date(2026, 11, 22))]
    assert (await client.get("/api/puzzles/daily?day=tomorrow")).status_code == 422


async def test_a_shipped_puzzle_is_found_by_its_position(client: httpx.AsyncClient) -> None:
    shipped = (await client.get("/api/puzzles/set", params={"rules": "notakto(4)"})).json()[0]
    asked = {"rules": "notakto(4)", "moves": shipped["moves"]}
    assert (await client.post("/api/puzzles/at", json=asked)).json() == shipped


async def test_the_pages_of_all_studies_ship_with_their_pictures(client: httpx.AsyncClient) -> None:
    studies = (await client.get("/api/studies")).json()
    pages = [page for study in studies for page in study["pages"]]
    assert {page["name"] for page in pages} == {path.stem for path in PAGES.glob("*.md")}
    for page in pages:
        found = (await client.get(f"/api/findings/{page['name']}")).json()
        assert "What we found" in found
        assert "<h1>" not in found
        assert " style=" not in found  # which the page's policy forbids
        pictures = re.findall(r'src="(/findings/[^"]+)"', found)
        assert len(pictures) >= bool(page["picture"])
        for address in [*pictures[:2], *filter(None, [page["picture"]])]:
            answer = await client.get(address)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        for address in re.findall(r'href="([^"]+\.csv)"', found):
            answer = await client.get(address)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    for name in ("studies.py", "nothing.svg"):
        assert (await client.get(f"/findings/{name}")).status_code == 404


async def test_a_game_with_only_proved_values_ships(client: httpx.AsyncClient) -> None:
    def walk(node: dict[str, Any], position: Position) -> Iterator[tuple[dict[str, Any], Position]]:
        yield node, position
        for child in node["children"]:
            yield from walk(child, position.play(position.rules.cell_of(child["move"])))

    game = (await client.get("/static/example-game.json")).json()
    rules = parse_rules(game["rules"])
    truth, notes, seen = Truth(rules, 1 << 28), dict[str, str](), 0
    for node, position in walk(game["tree"], Position.start(rules)):
        line = " ".join(map(rules.name_of, position.moves))
        notes[line] = node.get("note", "")
        if position.is_over:
            assert node["analysis"] == {}
            continue
        solution, shown = truth.solve(position, Budget(20_000_000)), node["analysis"]["perfect"]
        values = {rules.name_of(move.move): move.value for move in solution.moves}
        assert {move["move"]: move["value"] for move in shown["moves"]} == values
        assert shown["value"] == solution.value
        if line in WINNING:
            right = {move for move, value in values.items() if value == solution.value}
            assert (right, solution.value) == (WINNING[line] or set(values), 1 if line != LOST else -1)
            seen += 1
    assert seen == len(WINNING)
    assert all(notes[line] for line in WINNING)
    kept = await client.post("/api/games", json={"name": "example", "game": game})
    again = (await client.get(f"/api/games/{kept.json()['id']}")).json()
    assert again["game"] == game  # notes are saved
    for note in (7, "x" * 2001):
        game["tree"]["note"] = note
        assert "note: " in refused(await client.post("/api/games", json={"name": "no", "game": game}), 422)


def test_opponents_have_their_measured_strength() -> None:
    assert all(str(read_agent(opponent.agent)) == opponent.agent for opponent in opponents())
    measured = opponents(parse_rules("bttt(D4)"))
    accuracies = [opponent.accuracy or 0.0 for opponent in measured]
    assert accuracies == sorted(accuracies)
    assert measured[0].agent == "random"
    assert measured[-1].strength == "perfect"
    for others in (opponents(), opponents(parse_rules("gomoku"))):
        assert {(opponent.accuracy, opponent.strength) for opponent in others} == {(None, "")}
    large = [opponent.agent for opponent in opponents(parse_rules("gomoku"))]
    assert "perfect" not in large
    assert large[-1] == "threats:nodes=100000"  # the page shows the last as the strongest
    assert not any("threats" in opponent.agent for opponent in measured)
    assert not any("threats" in each.agent for each in opponents(parse_rules("mnk(10,10,5,line=loses)")))
