import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.rules import RulesError
from noughts.rules.squares import MAX_SIDE, lines_on_board, square_index, square_name

SIDE = st.integers(1, MAX_SIDE)


@given(SIDE, SIDE, st.integers(1, 100))
def test_names_and_indices_are_inverse(rows: int, cols: int, boards: int) -> None:
    size = rows * cols * boards
    names = {cell: square_name(cell, rows, cols, boards) for cell in {*range(size)[:100], *range(size)[-100:]}}
    assert len(set(names.values())) == len(names)
    for cell, name in names.items():
        assert square_index(name, rows, cols, boards) == cell
        assert square_index(f" {name.lower()} ", rows, cols, boards) == cell


def test_rows_are_letters_from_the_top_and_columns_numbers_from_the_left() -> None:
    assert square_name(24, 7, 7) == "D4"
    assert square_name(1, 7, 7) == "A2"
    assert square_name(7, 7, 7) == "B1"
    assert square_name(360, 19, 19) == "S19"
    assert square_name(13, 3, 3, boards=2) == "2.B2"
    assert square_index("2.B2", 3, 3, boards=2) == 13


@pytest.mark.parametrize(
    ("name", "boards", "message"),
    [
        ("", 1, "square '' is not a name such as C4: a row letter from A, then a column number from 1"),
        ("B", 1, "square 'B' is not a name such as C4: a row letter from A, then a column number from 1"),
        ("T1", 1, "square 'T1' is not a name such as C4: a row letter from A, then a column number from 1"),
        ("22", 2, "square '22' is not a name such as 2.C4: a row letter from A, then a column number from 1"),
        ("A0", 1, "square 'A0' is off the board: 3x4 has A1 to C4"),
        ("A5", 1, "square 'A5' is off the board: 3x4 has A1 to C4"),
        ("D1", 1, "square 'D1' is off the board: 3x4 has A1 to C4"),
        ("1.A1", 1, "square '1.A1' is off the board: 3x4 has A1 to C4"),
        ("A1", 2, "square 'A1' is off the board: 3x4 has 1.A1 to 2.C4"),
        ("0.A1", 2, "square '0.A1' is off the board: 3x4 has 1.A1 to 2.C4"),
        ("3.A1", 2, "square '3.A1' is off the board: 3x4 has 1.A1 to 2.C4"),
    ],
)
def test_an_error_quotes_the_square_and_lists_the_possible_ones(name: str, boards: int, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        square_index(name, 3, 4, boards)
    assert str(caught.value) == message


@given(SIDE, SIDE, st.integers(2, MAX_SIDE))
def test_the_number_of_lines_is_the_number_of_starting_places(rows: int, cols: int, k: int) -> None:
    across, down = max(0, cols - k + 1), max(0, rows - k + 1)
    lines = list(lines_on_board(rows, cols, k))
    assert len(lines) == across * rows + down * cols + 2 * across * down
    assert len({frozenset(line) for line in lines}) == len(lines)


@given(SIDE, SIDE, st.integers(1, MAX_SIDE), st.data())
def test_bricks_remove_exactly_the_lines_through_them(rows: int, cols: int, k: int, data: st.DataObject) -> None:
    bricks = data.draw(st.frozensets(st.integers(0, rows * cols - 1), max_size=6))
    whole = set(lines_on_board(rows, cols, k))
    assert set(lines_on_board(rows, cols, k, bricks)) == {line for line in whole if not bricks & set(line)}
