"""Games in the notation of others: PGN, SGF, Piskvork's files, and handwritten tables."""

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from noughts.bridges.formats import read_csv, read_games
from noughts.bridges.notation import read_pgn, read_psq, read_sgf
from noughts.bridges.rows import game_of
from noughts.rules import StoreError

TAGS = '[White "ann"]\n[Black "bob"]\n[Rules "tic-tac-toe"]\n'
PLAYED = (0, 1, 3, 4, 6)  # A1 A2 B1 B2 C1
WHOLE: dict[str, object] = {"rules": "tic-tac-toe", "first": "ann", "second": "bob", "moves": "A1 A2 B1 B2 C1"}

FIVE = "B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]"
"""The first has five in the upper row."""
OTHER_WINNER = "game 1: its moves end as a win of first, and its ending is 'second'"
FIVE_CELLS = (0, 15, 1, 16, 2, 17, 3, 18, 4)


@pytest.mark.parametrize(
    "text",
    [
        "1.A1 A2 2. B1 B2 3.C1 1-0",
        "1. A1 1... A2 2. B1 2...B2 3. C1",
        "A1! A2? B1!? B2?? C1 1-0",
        "1. A1 $1 A2 $16 $2 B1 B2 C1 1-0",
        "1. A1 {good; and (odd)} A2 ; 1. C3 (never\nB1 B2 C1 1-0",
        "1. A1 A2 (1... C3 2. B2 (2. C1 {deep} A3) A3) B1 B2 (B3) 3. C1 1-0",
        '{one\n[Rules "chess"]\n\nmore} a1 a2 b1 b2 c1',
        "% escaped\n1. A1\nA2\r\nB1 B2 C1\n",
    ],
)
def test_pgn_from_other_programs_is_read(text: str) -> None:
    (game,) = read_pgn(f"{TAGS}\n{text}\n")
    assert (game.first, game.second, game.moves, game.ending) == ("ann", "bob", PLAYED, "first")


def test_several_games_of_pgn_and_squares_of_several_boards() -> None:
    tags = TAGS.replace("tic-tac-toe", "notakto(2,boards=2)")
    one, two = read_pgn(f"{tags}\n1. 1.A1 1.A2 2. 2.B1 *\n\n{tags}\n1.2.A1 *\n")
    assert (one.moves, two.moves) == ((0, 1, 6), (4,))
    assert (one.ending, one.error) == ("error", "not played to its end")


def test_sgf_is_read() -> None:
    text = (
        "played on a phone\n(;GM[4]FF[4]SZ[15]PB[ann \\] a]PW[bob]RE[B+]C[(;a \\\\ comment)];B[aa];W[ab](;B[ba];W[bb];"
        "B[ca]\n;W[cb];B[da];W[db];B[ea])(;B[cc]))(;GM[4]SZ[15:15]RU[free];Black[hh];White [gg]C[x][y])"
    )
    first, second = read_sgf(text)
    assert (first.rules, first.first, first.second) == ("gomoku", "ann ] a", "bob")
    assert (second.first, second.moves) == ("?", (7 * 15 + 7, 6 * 15 + 6))
    assert (second.ending, second.error, second.culprit) == ("error", "not played to its end", "")


def test_the_main_line_of_sgf_follows_first_children() -> None:
    (game,) = read_sgf(f"(;GM[4]SZ[15](;{FIVE})(;B[cc]))")
    assert (game.moves, game.ending) == (FIVE_CELLS, "first")
    (game,) = read_sgf("(;GM[4]SZ[9]RU[mnk(9,9,4)]RE[W+Resign];B[aa];W[ia](;B[bb](;W[cc])(;W[dd]))(;B[ee];W[ff]))")
    assert (game.rules, game.moves) == ("mnk(9,9,4)", (0, 8, 10, 20))
    assert (game.ending, game.error, game.culprit) == ("error", "not played to its end; RE[W+Resign]", "first")


PSQ = "Piskvorky 15x15, 11:11, 0\n1,1,500\n1,2,20\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,1500\n"


def test_psq_is_read() -> None:
    (game,) = read_psq(f"{PSQ}ONE.zip\nTWO.zip\n-1\n1,Freestyle\n")
    assert (game.rules, game.first, game.second) == ("gomoku", "ONE.zip", "TWO.zip")
    assert (game.moves, game.ending) == (FIVE_CELLS, "first")
    assert (game.seconds_first, game.seconds_second) == (2.0, 0.02)
    (game,) = read_psq(PSQ.replace(", 0\n", ", 1\n", 1) + "ONE.zip\nTWO.zip\n0\n")
    assert (game.first, game.second) == ("TWO.zip", "ONE.zip")
    (game,) = read_psq("Piskvorky 19x17, 0:0, 0\n19,17\n")
    assert (game.rules, game.moves, game.ending, game.first) == ("mnk(17,19,5)", (17 * 19 - 1,), "error", "?")


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (read_pgn, f"{TAGS}\nA1 A2 ) B1", "game 1: the parentheses of its variations do not match"),
        (read_pgn, f"{TAGS}\nA1 (A2 B1", "game 1: the parentheses of its variations do not match"),
        (read_pgn, f'{TAGS}[Result "0-1"]\n\nA1 A2 B1 B2 C1 1-0', "game 1: its moves do not end with the result 0-1"),
        (read_pgn, f"{TAGS}\nA1 A2 B1 B2 C1 0-1", OTHER_WINNER),
        (read_pgn, f"{TAGS}\nA1 A2 B1 1-0", "game 1: its moves do not end the game, and its ending is 'first'"),
        (read_pgn, f'{TAGS}[Result "won"]\n\nA1', "game 1: its result is 'won'; write one of 1-0, 0-1, 1/2-1/2, *"),
        (read_pgn, '[Result "1-0"]', "game 1: Rules, First, Second are missing"),
        (read_sgf, "", "it is no whole SGF file"),
        (read_sgf, "(;GM[4]SZ[15]", "it is no whole SGF file"),
        (read_sgf, "(;GM[4]SZ[15];B[aa", "it is no whole SGF file: a value is not closed"),
        (read_sgf, "(;FF[4])", "game 1: GM, SZ are missing"),
        (read_sgf, "(;GM[1]SZ[19];B[aa])", "game 1: GM[1] is another game: gomoku is GM[4]"),
        (read_sgf, "(;GM[4]SZ[15]RU[Renju];B[aa])", "game 1: its rules are 'Renju': only freestyle gomoku"),
        (read_sgf, "(;GM[4]SZ[9]RU[tic-tac-toe];B[aa])", "game 1: its board is of 9x9, and its rules are tic-tac-toe"),
        (read_sgf, "(;GM[4]SZ[15]AB[hh];W[aa])", "game 1: AB sets up a position"),
        (read_sgf, "(;GM[4]SZ[15];W[aa])", "game 1: move 1 is W's, and the sides move by turns, B first"),
        (read_sgf, "(;GM[4]SZ[15];B[pa])", "game 1: move 1 is [pa]: a point is two letters"),
        (read_sgf, "(;GM[4]SZ[15];B[])", "game 1: move 1 is []: a point is two letters"),
        (read_sgf, "(;GM[4]SZ[15];B[aa];W[aa])", "game 1: move 2 of the game is illegal"),
        (read_sgf, f"(;GM[4]SZ[15]RE[W+];{FIVE})", OTHER_WINNER),
        (read_sgf, "(;GM[4]SZ[99];B[aa])", "game 1: "),
        (read_psq, "", "game 1: it does not begin as Piskvork's files do"),
        (read_psq, "Piskvorky 15x15, 1:1, 0\n16,1,0\n", "game 1: move 1 is 16,1, which is not on 15x15 squares"),
        (read_psq, "Piskvorky 15x15, 1:1, 0\n0,1,0\n", "game 1: move 1 is 0,1, which is not on 15x15 squares"),
        (read_psq, "Piskvorky 15x15, 1:1, 0\n1,1,0\nhere\n", "game 1: line 3 is neither a move"),
        (read_psq, "Piskvorky 15x15, 1:1, 0\n1,1,0\n1,1,0\n", "game 1: move 2 of the game is illegal"),
        (read_psq, f"{PSQ}a\nb\n1,Renju\n", "game 1: its rules are 'Renju'"),
    ],
)
def test_a_text_that_is_no_game_is_refused(read: Callable[[str], object], text: str, words: str) -> None:
    with pytest.raises(StoreError, match="^" + re.escape(words)):
        read(text)


def test_a_handwritten_table_needs_four_columns() -> None:
    for text in (
        "rules,first,second,moves\ntic-tac-toe,ann,bob,A1 A2 B1 B2 C1\n",
        "rules; first ;second;moves;seconds_first\r\ntic-tac-toe;ann;bob;a1 a2 b1 b2 c1;0,5\r\n",
        "rules\tfirst\tsecond\tmoves\tseed\twinner\tplies\ntic-tac-toe\tann\tbob\tA1 A2 B1 B2 C1\t\tann\t5\n",
    ):
        (game,) = read_csv(text)
        assert (game.moves, game.ending, game.seed, game.opening) == (PLAYED, "first", 0, 0)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"rules": "tic-tac-toe"}, "first, second, moves are missing"),
        ({"seed": "2.8E+18"}, "is not a whole number, perhaps rounded by a spreadsheet: give every digit"),
        ({"seed": "2,8E+18"}, "seed='2,8E+18' is not a whole number, perhaps rounded"),
        ({"opening": True}, "opening='True' is not a whole number"),
        ({"seconds_first": "soon"}, "seconds_first='soon' is not a number of seconds"),
        ({"seconds_first": "nan"}, "seconds_first"),
        ({"winner": "bob"}, "winner is 'bob', and by its moves it is 'ann'"),
        ({"plies": "4"}, "plies is '4', and by its moves it is 5"),
        ({"ending": "won"}, "ending='won' is not allowed"),
    ],
)
def test_an_error_in_a_row_is_one_line(row: dict[str, object], words: str) -> None:
    with pytest.raises(StoreError, match=re.escape(words)):
        game_of(row if row.keys() == {"rules"} else WHOLE | row)


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "bom.JSONL"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text(json.dumps(WHOLE), encoding=encoding)
        (game,) = read_games(path)
        assert (game.first, game.moves, game.ending) == ("ann", PLAYED, "first")


def test_old_names_and_other_kinds_of_files(tmp_path: Path) -> None:
    old = tmp_path / "old.psq"
    old.write_bytes(f"{PSQ}Zden\u00edk\nTWO\n".encode("latin-1"))
    assert read_games(old)[0].first == "Zden\u00edk"
    for name in ("games.txt", "games.parquet", "games.npz"):
        (tmp_path / name).write_text("(;GM[4])")
        said = r"no kind that is read: games are in \.jsonl, \.csv, \.pgn, \.sgf, \.psq$"
        with pytest.raises(StoreError, match=said):
            read_games(tmp_path / name)


@pytest.mark.parametrize(
    "text", ["{" * 50_000, "(" * 50_000, "A[" * 50_000, "(;A[\\", "[" * 50_000, "a" * 100_000, "()" * 50_000]
)
def test_hostile_files_are_read_or_refused_soon(text: str) -> None:
    for read in (read_pgn, read_sgf, read_psq, read_csv):
        with contextlib.suppress(StoreError):
            assert not read(text)
