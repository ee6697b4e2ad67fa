"""Whole games as text that others read: lines of JSON, text in the manner of PGN, and OpenSpiel's lists of actions.

Each form says all that a `GameRecord` says, so that what is read back are the same games; of OpenSpiel's, only the rules, the
moves and the returns. `docs/reference` has a schema of the lines of JSON.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import noughts
from noughts.play.playthrough import replay
from noughts.positions import Outcome, Side
from noughts.positions.openspiel_text import game_text, own_game_text
from noughts.positions.reference import outcome_after
from noughts.rules import IllegalMoveError, NoughtsError, Rules, RulesError, StoreError, parse_rules
from noughts.store.file_format import FileFormat
from noughts.store.records import Ending, GameRecord, StoredGame, record_of

GAMES = FileFormat("games as lines of JSON, .jsonl", 1, where="`version` of each line")
PGN = FileFormat("games as PGN, .pgn", 1, where="the tag `Version`")
ACTIONS = FileFormat("games as OpenSpiel's actions, .jsonl", 1, where="`version` of each line")

_RESULTS: dict[Ending, str] = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2", "error": "*"}
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_NUMBER = re.compile(r"\d+\.")
_WIDTH = 80


def write_json_lines(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game. Squares go by name; the seed is a text, as it may be too large for others' numbers."""
    return "".join(json.dumps(_to_json(record)) + "\n" for record in records)


def read_json_lines(text: str) -> list[GameRecord]:
    """What `write_json_lines` wrote; StoreError naming the line that is none."""
    return [_numbered(number, line, _of_json) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def write_pgn(records: Iterable[GameRecord]) -> str:
    """Games in the manner of PGN: tags in brackets, then numbered pairs of moves, squares by name, and the result."""
    return "\n".join(_to_pgn(record) for record in records)


def read_pgn(text: str) -> list[GameRecord]:
    """What `write_pgn` wrote; StoreError naming the game that is none."""
    found, tags, words = list[GameRecord](), dict[str, str](), list[str]()

    def close() -> None:
        if tags or words:
            found.append(_numbered(len(found) + 1, "", lambda _: _of_pgn(tags, words), "game"))
            tags.clear()
            words.clear()

    for line in text.split("\n"):
        if (tag := _TAG.fullmatch(line.strip())) is not None:
            if words:
                close()
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        else:
            words += line.split()
    close()
    return found


class ActionList(NamedTuple):
    """A game as OpenSpiel tells it.

    Attributes:
        rules: Text of the rules.
        game: A game of OpenSpiel that has these rules, as `pyspiel.load_game` reads it: its own, or else the one that
            importing `noughts.bridges.openspiel` registers.
        actions: Its actions in order, which are our cells.
        returns: What each side got; empty for a game that was broken off.
    """

    rules: str
    game: str
    actions: tuple[int, ...]
    returns: tuple[float, ...]


def action_list(record: GameRecord) -> ActionList:
    """A game as OpenSpiel tells it; StoreError if its moves are not those of its rules."""
    rules, position = replay(record)
    name = own_game_text(rules) or game_text(rules)
    return ActionList(record.rules, name, record.moves, _returns(position.outcome))


def _returns(outcome: Outcome) -> tuple[float, ...]:
    return () if outcome is Outcome.ONGOING else tuple(float(outcome.value(side)) for side in Side)


def write_action_lists(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game, with the fields of `ActionList` and the version."""
    return "".join(
        json.dumps({"version": ACTIONS.version} | action_list(record)._asdict()) + "\n" for record in records
    )


def read_action_lists(text: str) -> list[ActionList]:
    """What `write_action_lists` wrote; StoreError naming the line that is none."""

    def read(line: str) -> ActionList:
        said = json.loads(line)
        ACTIONS.read(said.get("version"))
        actions, returns = tuple(map(int, said["actions"])), tuple(map(float, said["returns"]))
        outcome = outcome_after(parse_rules(str(said["rules"])), actions)
        if returns != _returns(outcome):
            raise StoreError(f"returns are {list(returns)}, and by its actions they are {list(_returns(outcome))}")
        return ActionList(str(said["rules"]), str(said["game"]), actions, returns)

    return [_numbered(number, line, read) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _to_json(record: GameRecord) -> dict[str, Any]:
    rules = record.game
    fields = record.model_dump(mode="json")
    moves = {"seed": str(record.seed), "moves": [rules.name_of(cell) for cell in record.moves]}
    return {"version": GAMES.version} | fields | moves | {"game": rules.model_dump(mode="json")}


def _of_json(line: str) -> GameRecord:
    said = json.loads(line)
    GAMES.read(said["version"])
    rules = parse_rules(said["rules"])
    moves = tuple(map(rules.cell_of, said["moves"]))
    if "game" in said and Rules(**said["game"]) != rules:
        raise StoreError(f"`game` is another one than {rules}, which `rules` says")
    return _checked(record_of(said | {"seed": int(said["seed"]), "moves": moves}))


def _to_pgn(record: GameRecord) -> str:
    rules = record.game
    tags = {
        "Event": f"{record.first} - {record.second}",
        "Site": f"noughts {noughts.__version__}",
        "First": record.first,
        "Second": record.second,
        "Result": _RESULTS[record.ending],
        "Version": str(PGN.version),
        "Rules": record.rules,
        "Seed": str(record.seed),
        "Opening": str(record.opening),
        "Seconds": f"{record.seconds_first!r} {record.seconds_second!r}",
    }
    if record.ending == "error":
        tags |= {"Termination": record.error, "Culprit": record.culprit}
    if isinstance(record, StoredGame):
        tags |= {"Run": record.run_id, "Basis": record.basis}
    words = []
    for ply, cell in enumerate(record.moves):
        words += [f"{ply // 2 + 1}."] * (ply % 2 == 0) + [rules.name_of(cell)]
    moves = " ".join([*words, _RESULTS[record.ending]])
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *textwrap.wrap(moves, _WIDTH, break_on_hyphens=False), ""])


def _quoted(value: str) -> str:
    return re.sub(r'([\\"])', r"\\\1", value.replace("\n", " "))


def _of_pgn(tags: dict[str, str], words: list[str]) -> GameRecord:
    PGN.read_text(tags.get("Version"))
    rules = parse_rules(tags["Rules"])
    endings = {result: ending for ending, result in _RESULTS.items()}
    if not words or words[-1] != tags["Result"]:
        raise StoreError(f"its moves do not end with the result {tags['Result']}")
    names = [word for word in words[:-1] if not _NUMBER.fullmatch(word)]
    first, second = map(float, tags["Seconds"].split())
    fields = {
        "rules": tags["Rules"],
        "first": tags["First"],
        "second": tags["Second"],
        "seed": int(tags["Seed"]),
        "opening": int(tags["Opening"]),
        "moves": tuple(map(rules.cell_of, names)),
        "ending": endings[tags["Result"]],
        "error": tags.get("Termination", ""),
        "culprit": tags.get("Culprit", ""),
        "seconds_first": first,
        "seconds_second": second,
        "run_id": tags.get("Run", ""),
        "basis": tags.get("Basis", ""),
    }
    return _checked(record_of(fields))


def _checked(record: GameRecord) -> GameRecord:
    """The record, if its moves are those of its rules."""
    replay(record)
    return record


def _numbered(number: int, text: str, read: Any, called: str = "line") -> Any:
    """What is read, or a StoreError that says where it cannot be."""
    try:
        return read(text)
    except (NoughtsError, RulesError, IllegalMoveError) as error:
        raise StoreError(f"{called} {number}: {error}") from None
    except KeyError as error:
        raise StoreError(f"{called} {number}: {error.args[0]} is missing") from None
    except (ValueError, TypeError, RecursionError, AttributeError) as error:
        raise StoreError(f"{called} {number} cannot be read: {error}") from None


def each_replayed(records: Iterable[GameRecord]) -> Iterator[GameRecord]:
    """The records whose moves are those of their rules: what was damaged is left out."""
    for record in records:
        try:
            yield _checked(record)
        except NoughtsError:
            continue
