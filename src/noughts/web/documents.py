"""Games as documents: a tree of moves with what agents said of its positions, checked move by move.

Documents nest as deep as games are long, so they are walked here without recursion, and read in a thread of their own,
whose stack is free.
"""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.positions import Position
from noughts.rules import NoughtsError, StoreError, format_rules
from noughts.store.file_format import FileFormat
from noughts.web.errors import Refused
from noughts.web.reading import play, read_rules

SAVED_GAME = FileFormat("a saved game", 1, where="`version`, beside `format`, which is `noughts-game`")

_NODES = 20_000
_NOTE = 2_000  # characters
_DEEPEST = 420  # moves one below the other: as many as the largest board has cells, and some


class SavedDocument(BaseModel):
    """A game: where it began, who played, and the tree of all that was tried."""

    model_config = ConfigDict(extra="allow")

    format: Literal["noughts-game"]
    version: Literal[1]
    rules: str = Field(description="The text form of the rules.")
    players: dict[str, str] = Field(description="`first` and `second`: `human`, or an agent's text.")
    seed: int = 0
    tree: dict[str, Any] = Field(
        description="A node: its `move` (None for the root), `analysis` (results by agent), `note` (what a person wrote about it, "
        "if anything) and `children`, each a node; the first child is the main line."
    )


def read_document(body: bytes) -> tuple[str, str, int, str]:
    """A request to keep a game: its name, its rules, the plies of its main line, and its document.

    Raises:
        Refused: it is no JSON, no game, or its moves are not legal.
    """
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON, or nested too deeply") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("game"), dict):
        raise Refused(422, 'send a game as {"name": "...", "game": {...}}')
    name, game = asked.get("name"), asked["game"]
    if not isinstance(name, str) or not 1 <= len(name) <= 200:
        raise Refused(422, "name: a text of 1 to 200 characters")
    if game.get("format") != "noughts-game":
        raise Refused(422, 'game: "format" must be "noughts-game"')
    try:
        SAVED_GAME.read(game.get("version"))
    except StoreError as error:
        raise Refused(422, f"game: {error}") from None
    players = game.get("players")
    if not isinstance(players, dict) or not all(isinstance(players.get(side), str) for side in ("first", "second")):
        raise Refused(422, 'game.players: {"first": "...", "second": "..."}, each "human" or an agent')
    if not isinstance(game.get("rules"), str):
        raise Refused(422, "game.rules: the text form of the rules")
    rules = read_rules(game["rules"])
    try:
        plies = _check_tree(game.get("tree"), play(rules, ()))
        text = json.dumps(game, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise Refused(422, "game: it is nested too deeply") from None
    except ValueError as error:
        if isinstance(error, NoughtsError):
            raise
        raise Refused(422, f"game: {error}") from None
    return name.encode("utf-8", "replace").decode(), format_rules(rules), plies, text


def _check_tree(tree: object, start: Position) -> int:
    """How long the main line is; Refused if some move is not legal, or something else is no node."""
    waiting: list[tuple[object, Position, bool, int]] = [(tree, start, True, 0)]
    plies = count = 0
    while waiting:
        node, position, main, depth = waiting.pop()
        count += 1
        if count > _NODES or depth > _DEEPEST:
            raise Refused(422, f"game.tree: at most {_NODES} nodes, {_DEEPEST} deep, are kept")
        if not isinstance(node, dict) or not isinstance(node.get("children", []), list):
            raise Refused(422, 'game.tree: each node is {"move": ..., "analysis": {...}, "children": [...]}')
        if not isinstance(node.get("analysis", {}), dict):
            raise Refused(422, "game.tree: an analysis holds results by agent")
        note = node.get("note", "")
        if not isinstance(note, str) or len(note) > _NOTE:
            raise Refused(422, f"game.tree: a note is a text of at most {_NOTE} characters")
        move = node.get("move")
        if depth == 0:
            if move is not None:
                raise Refused(422, "game.tree: the root has no move")
        elif not isinstance(move, str):
            raise Refused(422, "game.tree: a move is a square's name")
        else:
            position = position.play(position.rules.cell_of(move))
        if main:
            plies = depth
        for number, child in enumerate(node.get("children", [])):
            waiting.append((child, position, main and number == 0, depth + 1))
    return plies
