"""A dataset's arrays equal its positions and solutions, in NumPy, pandas and Arrow."""

import sys

import numpy as np
import pytest

import noughts
from noughts.positions import FIRST_MARK
from noughts.solvers import Solution


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> noughts.Dataset:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_STORE", str(tmp_path_factory.mktemp("store")))
        return noughts.dataset("mnk(2,3,2,bricks=B3)", workers=0)


def test_arrays_equal_the_proofs(whole: noughts.Dataset) -> None:
    found = whole.to_numpy()
    assert len(whole) == len(noughts.all_positions("mnk(2,3,2,bricks=B3)"))
    assert whole.decided.all()
    assert found["planes"].shape == (len(whole), 2, 3, 4)
    for row, (position, solution) in enumerate(zip(whole.positions, whole.solutions, strict=True)):
        mine = FIRST_MARK + position.to_move
        assert found["planes"][row, :, :, 0].ravel().tolist() == [content == mine for content in position.cells]
        assert found["planes"][row, 1, 2, 2] == 1
        assert found["value"][row] == found["low"][row] == found["high"][row] == solution.value
        assert set(np.flatnonzero(found["best"][row])) == set(solution.best)
        assert set(np.flatnonzero(~np.isnan(found["move_values"][row]))) == set(position.legal_moves)
        assert np.nanmax(found["move_values"][row]) == solution.value
        assert (found["plies"][row] == -1) == (solution.value == 0)
    assert "positions of mnk(2,3,2,bricks=B3), " in repr(whole)


@pytest.mark.heavy
@pytest.mark.parametrize("game", ["bttt(D4)", "notakto(3)", "notakto(3,boards=2)"])
def test_planes_equal_the_input_of_networks(game: str) -> None:
    import jax

    from noughts.networks.network import BoardShape

    positions = noughts.sample(game, 30, seed=1)
    env = BoardShape.of([noughts.parse_rules(game)]).env
    seen = jax.vmap(env.observe)(env.states(positions))
    open_questions = tuple(Solution(-1, 1, None, (), "none", 0) for _ in positions)
    planes = noughts.Dataset(tuple(positions), open_questions).to_numpy()["planes"]
    assert np.array_equal(planes, np.asarray(seen))


def test_undecided_values_are_nan() -> None:
    found = noughts.dataset("bttt(D4)", positions=[noughts.position("bttt(D4)")], nodes=1000, workers=0)
    arrays = found.to_numpy()
    assert not arrays["decided"].any()
    assert not arrays["best"].any()
    assert np.isnan(arrays["move_values"]).any()
    assert found.to_pandas()["best_moves"].tolist() == [""]
    assert arrays["plies"].tolist() == [-1]


def test_tables_equal_the_arrays(whole: noughts.Dataset) -> None:
    frame, table, arrays = whole.to_pandas(), whole.to_arrow(), whole.to_numpy()
    assert list(frame.columns) == table.column_names[: len(frame.columns)]
    assert frame["value"].tolist() == table["value"].to_pylist() == arrays["value"].tolist()
    assert frame.loc[0, "cells"] == ".....#"
    assert frame.loc[0, "moves"] == ""
    for name in ("planes", "best", "move_values"):
        shape = tuple(map(int, table.schema.field(name).metadata[b"shape"].split(b"x")))
        there = np.array(table[name].to_pylist()).reshape(len(whole), *shape)
        assert np.array_equal(there, arrays[name], equal_nan=name == "move_values")
    lost = frame[frame["value"] == -1]
    assert (lost["plies"] % 2 == 0).all()
    assert len(lost) > 0
    numbers = ["ply", "low", "high", "value", "plies", "decided"]
    assert [str(table[name].type) for name in numbers] == [str(kind).lower() for kind in frame[numbers].dtypes]


def test_a_dataset_may_be_empty() -> None:
    nothing = noughts.dataset("tic-tac-toe", positions=[], workers=0)
    assert len(nothing) == len(nothing.to_pandas()) == nothing.to_arrow().num_rows == 0
    assert {len(array) for array in nothing.to_numpy().values()} == {0}


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_a_missing_library_is_named(whole: noughts.Dataset, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(noughts.NoughtsError, match=f"needs {library}: install it by `pip install {library}`"):
        whole.to_pandas() if library == "pandas" else whole.to_arrow()


def test_positions_must_be_of_the_game() -> None:
    over = noughts.position("tic-tac-toe", "A1 B1 A2 B2 A3")
    for positions, message in (([over], "is over"), ([noughts.position("mnk(4,4,3)")], r"of mnk\(4,4,3\)")):
        with pytest.raises(noughts.NoughtsError, match=message):
            noughts.dataset("tic-tac-toe", positions=positions, workers=0)
