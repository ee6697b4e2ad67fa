"""Games in text notation: PGN, read and written, and two formats of gomoku players, SGF and Piskvork's .psq, read only.

Our PGN uses our names of squares; its grammar is that of the PGN standard, section 8.2. SGF is FF[4] with gomoku, GM[4], and
points as in Go: the column's letter, then the row's, from the upper left corner.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator

import noughts
from noughts.bridges.rows import each, game_of, require
from noughts.play.playthrough import ENDINGS
from noughts.positions.reference import outcome_after
from noughts.rules import Rules, RulesError, StoreError, parse_rules
from noughts.rules.errors import shortened
from noughts.store.file_format import FileFormat
from noughts.store.records import Ending, GameRecord, StoredGame

PGN = FileFormat("games as PGN, .pgn", 1, where="the tag `Version`")

_RESULTS: dict[Ending, str] = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2", "error": "*"}
_PGN = re.compile(
    r"\{[^}]*(?:\}|\Z)|;[^\n]*|^%[^\n]*"  # comments; an unclosed one continues to the end
    r'|^[ \t]*\[[ \t]*(?P<tag>\w+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.)*)"[ \t]*\][ \t\r]*$'
    r"|(?P<word>[()]|[^\s(){;]+)",
    re.MULTILINE,
)
_WIDTH = 80

_SGF_TOKEN = re.compile(r"([();\[])|([A-Za-z]{1,20})((?:\s*\[(?:[^\]\\]|\\.)*\])+)", re.DOTALL)
_SGF_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_SGF_SETUP = frozenset({"AB", "AW", "AE", "PL"})
_SGF_RESULTS: dict[str, Ending] = {"B+": "first", "W+": "second", "0": "draw", "Draw": "draw"}
_FREESTYLE = frozenset({"", "freestyle", "free", "gomoku"})

_PSQ_HEADER = re.compile(r"Piskvorky (\d+)x(\d+), *-?\d+:-?\d+, *(\d+)")
_PSQ_MOVE = re.compile(r"(\d+),(\d+)(?:,(\d+))?")
_PSQ_END = re.compile(r"-?\d+(?:,\s*(\w+))?")
_UNKNOWN = "?"
"""The name of a player whose name is missing."""


def write_pgn(records: Iterable[GameRecord]) -> str:
    """Write games in the style of PGN: tags in brackets, then numbered pairs of moves, squares by name, and the result."""
    return "\n".join(_to_pgn(record) for record in records)


def read_pgn(text: str) -> list[GameRecord]:
    """Read games from PGN, ours or others', without comments, variations and annotations; StoreError has the number of a bad game."""
    return list(each(_pgn_games(text), lambda game: _of_pgn(*game), "game"))


def read_sgf(text: str) -> list[GameRecord]:
    """Read the main lines of gomoku games in SGF. The rules are gomoku's, or those in ``RU``, such as ``RU[mnk(9,9,4)]``.

    A result with a reason, such as ``B+Resign``, makes it an aborted game.
    """
    return list(each(_sgf_games(text), _of_sgf, "game"))


def read_psq(text: str) -> list[GameRecord]:
    """Read the game in a file of Piskvork or Gomocup: ``x,y,milliseconds`` a line, from 1 in the upper left corner."""
    return list(each([text], _of_psq, "game"))


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


def _pgn_games(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The tags and the words of each game, without comments; parentheses count as words."""
    tags, words = dict[str, str](), list[str]()
    for token in _PGN.finditer(text):
        if name := token["tag"]:
            if words:
                yield tags, words
                tags, words = {}, []
            tags[name] = re.sub(r"\\(.)", r"\1", token["value"])
        elif word := token["word"]:
            words.append(word)
    if tags or words:
        yield tags, words


def _of_pgn(tags: dict[str, str], words: list[str]) -> GameRecord:
    PGN.read_text(tags.get("Version"))
    tags = {"First": tags.get("White"), "Second": tags.get("Black"), **tags}  # type: ignore[dict-item]
    require(tags, ("Rules", "First", "Second"))
    rules = parse_rules(tags["Rules"])
    words = list(_main_line(words, rules.boards > 1))
    endings = {written: ending for ending, written in _RESULTS.items()}
    said = tags.get("Result")
    if said is not None and said not in endings:
        raise StoreError(f"its result is {shortened(said, 40)!r}; write one of {', '.join(endings)}")
    result = words.pop() if words and words[-1] in endings else said
    if result != (said or result) or not endings.keys().isdisjoint(words):
        raise StoreError(f"its moves do not end with the result {said or result}")
    first, second = (tags.get("Seconds") or "0 0").split()
    row = {
        "rules": tags["Rules"],
        "first": tags["First"],
        "second": tags["Second"],
        "seed": tags.get("Seed"),
        "opening": tags.get("Opening"),
        "moves": words,
        "ending": None if result is None else endings[result],
        "error": tags.get("Termination") if result == "*" else "",
        "culprit": tags.get("Culprit"),
        "seconds_first": first,
        "seconds_second": second,
        "run_id": tags.get("Run"),
        "basis": tags.get("Basis"),
    }
    return game_of(row)


def _main_line(words: Iterable[str], with_boards: bool) -> Iterator[str]:
    """The moves and the result, without numbers, variations and annotations; with several boards, ``1.A1`` is a square."""
    number = re.compile(r"\d+\.+(?=\d+\.|$)" if with_boards else r"\d+\.+")
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth < 0:
            break
        if depth == 0 and word != ")":
            move = word if word in _RESULTS.values() else number.sub("", word, count=1).rstrip("!?")
            if move and not re.fullmatch(r"\$\d+", move):
                yield move
    if depth:
        raise StoreError("the parentheses of its variations do not match")


def _sgf_games(text: str) -> Iterator[list[dict[str, str]]]:
    """The nodes of each game's main line, which ends at the first ``)``. A node has the first value of each property."""
    nodes = list[dict[str, str]]()
    depth, on_main, found = 0, True, False
    for token in _SGF_TOKEN.finditer(text, max(0, text.find("("))):
        sign, name, values = token.groups()
        if sign == "(":
            depth += 1
        elif sign == "[":
            raise StoreError("it is no whole SGF file: a value is not closed, or has no name")
        elif depth == 0:
            continue  # text between games
        elif sign == ")":
            depth, on_main = depth - 1, False
            if depth == 0:
                yield nodes
                nodes, on_main, found = [], True, True
        elif on_main and sign == ";":
            nodes.append({})
        elif on_main and nodes:
            value = _SGF_VALUE.search(values)
            key = "".join(filter(str.isupper, name))  # older programs write `White` instead of `W`
            nodes[-1][key] = re.sub(r"\\(.)", r"\1", value[1] if value else "", flags=re.DOTALL).strip()
    if depth or not found:
        raise StoreError("it is no whole SGF file: one game or more in parentheses, such as (;GM[4]SZ[15];B[hh];W[ii])")


def _of_sgf(nodes: list[dict[str, str]]) -> GameRecord:
    root = nodes[0] if nodes else {}
    require(root, ("GM", "SZ"))
    if root["GM"] != "4":
        raise StoreError(f"GM[{shortened(root['GM'], 20)}] is another game: gomoku is GM[4]")
    cols, _, rows = root["SZ"].partition(":")
    rules = _gomoku(rows or cols, cols, root.get("RU", ""))
    moves = list[str]()
    for node in nodes:
        if setup := _SGF_SETUP & set(node):
            raise StoreError(f"{min(setup)} sets up a position: only games from the empty board are read")
        for colour in ("B", "W"):
            if colour in node:
                if colour != "BW"[len(moves) % 2]:
                    raise StoreError(f"move {len(moves) + 1} is {colour}'s, and the sides move by turns, B first")
                moves.append(_point(rules, node[colour], len(moves) + 1))
    said = root.get("RE", "")
    row = {
        "rules": str(rules),
        "first": root.get("PB") or _UNKNOWN,
        "second": root.get("PW") or _UNKNOWN,
        "moves": moves,
    }
    ending = _SGF_RESULTS.get(said[:2] if "+" in said else said)
    if outcome_after(rules, tuple(map(rules.cell_of, moves))) in ENDINGS:
        return game_of(row | {"ending": ending})
    loser = {"first": "second", "second": "first"}.get(ending or "", "")
    return game_of(row | {"error": f"not played to its end; RE[{said}]" if said else "", "culprit": loser})


def _point(rules: Rules, written: str, number: int) -> str:
    places = [ord(letter) - ord("a") for letter in written]
    if len(places) != 2 or not (0 <= places[0] < rules.cols and 0 <= places[1] < rules.rows):
        raise StoreError(f"move {number} is [{shortened(written, 20)}]: a point is two letters, such as [hh]")
    return rules.name_of(places[1] * rules.cols + places[0])


def _of_psq(text: str) -> GameRecord:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    header = _PSQ_HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise StoreError("it does not begin as Piskvork's files do, such as `Piskvorky 15x15, 11:11, 0`")
    played = list[tuple[str, float]]()
    rest = lines[1:]
    while rest and (move := _PSQ_MOVE.fullmatch(rest[0])) is not None:
        rest = rest[1:]
        played.append((f"{move[1]},{move[2]}", int(move[3] or 0) / 1000))
    names = [line for line in rest if not _PSQ_END.fullmatch(line)] or [_UNKNOWN, _UNKNOWN]
    if len(names) != 2:
        raise StoreError(f"line {len(lines) - len(rest) + 1} is neither a move, such as 8,8,0, nor one of two names")
    kinds = [end[1] for line in rest if (end := _PSQ_END.fullmatch(line)) and end[1]]
    rules = _gomoku(header[2], header[1], "".join(kinds))
    moves = []
    for number, (written, _) in enumerate(played, 1):
        x, y = (int(part) - 1 for part in written.split(","))
        if not (0 <= x < rules.cols and 0 <= y < rules.rows):
            raise StoreError(f"move {number} is {written}, which is not on {rules.cols}x{rules.rows} squares")
        moves.append(rules.name_of(y * rules.cols + x))
    first, second = names if header[3] == "0" else reversed(names)  # the header contains which of the two began
    seconds = [sum(taken for _, taken in played[side::2]) for side in range(2)]
    row = {"rules": str(rules), "first": first, "second": second, "moves": moves}
    return game_of(row | {"seconds_first": seconds[0], "seconds_second": seconds[1]})


def _gomoku(rows: str, cols: str, named: str) -> Rules:
    """The rules of a board of this size: freestyle gomoku's, or those that the text `named` describes.

    Raises:
        StoreError: it describes rules that noughts does not have, such as renju's.
    """
    if named.lower() in _FREESTYLE:
        return parse_rules(f"mnk({rows},{cols},5)")
    try:
        rules = parse_rules(named)
    except RulesError:
        raise StoreError(
            f"its rules are {shortened(named, 40)!r}: only freestyle gomoku and texts of ours are read"
        ) from None
    if (str(rules.rows), str(rules.cols)) != (rows, cols):
        raise StoreError(f"its board is of {rows}x{cols}, and its rules are {rules}")
    return rules
