"""Games as documents: a tree of moves with analyses of its positions. Every move is validated.

Documents nest as deep as games are long, so this module walks them without recursion. Call it in a thread of its own,
because the JSON parser recurses and needs a free stack.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from noughts.positions import Position
from noughts.rules import NoughtsError, StoreError, format_rules
from noughts.store.file_format import FileFormat
from noughts.web.asked import with_example
from noughts.web.errors import Refused, refused
from noughts.web.reading import RulesText, play

SAVED_GAME = FileFormat("a saved game", 1, where="`version`, beside `format`, which is `noughts-game`")

_NODES = 20_000
_DEEPEST = 420  # of nested moves: the cells of the largest board, and some spare


class Players(BaseModel):
    """The players: `human`, or an agent's text."""

    first: str
    second: str


class SavedDocument(BaseModel):
    """A game: its rules, its players, and the tree of all moves that were tried."""

    model_config = ConfigDict(extra="allow")

    format: Literal["noughts-game"]
    version: Annotated[Literal[1], BeforeValidator(SAVED_GAME.read)] = 1
    rules: RulesText = Field(description="The text form of the rules.")
    players: Players
    seed: int = 0
    tree: dict[str, Any] = Field(
        description="A node: its `move` (None for the root), `analysis` (results by agent), `note` (what a person wrote about it, "
        "if anything) and `children`, each a node; the first child is the main line."
    )


class GameRequest(BaseModel):
    """A request to save a game."""

    model_config = with_example(
        name="A first game",
        game={
            "format": "noughts-game",
            "version": 1,
            "rules": "tic-tac-toe",
            "players": {"first": "human", "second": "minimax:depth=2"},
            "seed": 7,
            "tree": {"move": None, "analysis": {}, "children": [{"move": "B2", "analysis": {}, "children": []}]},
        },
    )

    name: str = Field(min_length=1, max_length=200)
    game: SavedDocument


class KeptNode(BaseModel):
    """A node of the tree alone. Its children are validated separately."""

    move: str | None = None
    analysis: dict[str, Any] = {}
    note: str = Field("", max_length=2_000)
    children: list[Any] = []


def read_document(body: bytes) -> tuple[str, str, int, str]:
    """Read a request to save a game. Returns its name, its rules, the plies of its main line, and its document.

    Raises:
        Refused: it is not JSON, or not a game.
        RulesError, IllegalMoveError: its rules are invalid, or a move is illegal.
    """
    try:
        given = json.loads(body)
        asked = GameRequest.model_validate(given)
        plies = _check_tree(asked.game.tree, play(asked.game.rules, ()))
        text = json.dumps(given["game"], separators=(",", ":"), allow_nan=False)
    except ValidationError as error:
        raise refused(error) from None
    except StoreError as error:
        raise Refused(422, f"game: {error}") from None
    except NoughtsError:
        raise
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON, or nested too deeply") from None
    return asked.name, format_rules(asked.game.rules), plies, text


def _check_tree(tree: object, start: Position) -> int:
    """Return the length of the main line. Raises ValidationError, Refused or IllegalMoveError if a node is invalid."""
    waiting: list[tuple[object, Position, bool, int]] = [(tree, start, True, 0)]
    plies = count = 0
    while waiting:
        given, position, main, depth = waiting.pop()
        node = KeptNode.model_validate(given)
        count += 1
        if count > _NODES or depth > _DEEPEST:
            raise Refused(422, f"game.tree: at most {_NODES} nodes, {_DEEPEST} deep, are kept")
        if (node.move is None) != (depth == 0):
            raise Refused(422, "game.tree: the root has no move, and each other node has one")
        if node.move is not None:
            position = position.play(position.rules.cell_of(node.move))
        if main:
            plies = depth
        for number, child in enumerate(node.children):
            waiting.append((child, position, main and number == 0, depth + 1))
    return plies
