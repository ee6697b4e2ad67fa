"""The same games on OpenSpiel: the same legal moves, the same end, the same returns, at every ply.

The meaning of its parameters, as found by playing on it (version 2.0):

- `mnk(m, n, k)` has m columns and n rows; an action is ``row * m + column``, like our cells. Runs longer
  than k win too.
- `gomoku(size, connect, anti)` is square. In spite of the name's tournament rules a run longer than `connect`
  wins too, as in our `gomoku`. With `anti` the side that makes the run loses.
- `gomoku(wrap=true)` joins opposite edges, all of them: our wrap=both. Its code counts marks from the last move until the
  run ends, and so counts a cell again when it returns to it: a whole row, column or diagonal of marks is a line for every
  `connect` above the size, too. Ours has no such line, and the bridge rejects it.
- `misere(game)` negates the returns of any game.

It has no bricks, shared marks, full boards that a player wins, several boards, or only some of the edges joined; `gomoku`
can also have more than two dimensions, which our rules do not have.
"""

from itertools import product
from random import Random

import pyspiel
import pytest

from noughts.positions import Outcome, Side, derive_seed
from noughts.positions.backends import POSITION
from noughts.positions.laws import random_game
from noughts.positions.openspiel import rules_of
from noughts.positions.openspiel_text import DEFAULTS, game_text, own_game_text
from noughts.rules import Rules, parse_rules
from noughts.rules.squares import MAX_SIDE
from tests.rules.one_field import PAIRS

SIZES = [(1, 1), (1, 7), (7, 1), (3, 2), (3, 3), (4, 4), (6, 7), (19, 19)]  # rows, columns


def _texts() -> list[str]:
    found = ["tic_tac_toe()", "misere(game=tic_tac_toe())", "gomoku()", "mnk()"]
    for rows, cols in SIZES:
        for k in sorted({1, 3, 4, max(rows, cols), MAX_SIDE}):
            mnk = f"mnk(m={cols},n={rows},k={k})"
            found += [mnk, f"misere(game={mnk})"]
            if rows == cols:
                found += [f"gomoku(size={rows},connect={k},anti={anti})" for anti in ("false", "true")]
    for size, anti in product((1, 2, 3, 5), ("false", "true")):
        found += [f"gomoku(size={size},connect={k},anti={anti},wrap=true)" for k in range(1, size + 1)]
    return found


@pytest.mark.parametrize("theirs", _texts())
def test_games_are_equal_at_every_ply(theirs: str) -> None:
    rules, game = rules_of(theirs), pyspiel.load_game(theirs)
    rng = Random(derive_seed(1, theirs))
    for _ in range(20 if rules.size <= 50 else 3):
        moves = random_game(rules, rng)
        state = game.new_initial_state()
        for ply, snapshot in enumerate(POSITION.traces([(rules, moves)])[0]):
            context = (theirs, moves[:ply])
            assert state.is_terminal() == (snapshot.outcome is not Outcome.ONGOING), context
            assert tuple(state.legal_actions()) == snapshot.legal, context
            if snapshot.outcome is Outcome.ONGOING:
                assert state.returns() == [0, 0], context
                assert state.current_player() == snapshot.to_move, context
                state.apply_action(moves[ply])
            else:
                assert state.returns() == [snapshot.outcome.value(side) for side in Side], context


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("gomoku(wrap=both)", "gomoku(size=15,connect=5,anti=False,wrap=True)"),
        ("tic-tac-toe(wrap=both,line=loses)", "gomoku(size=3,connect=3,anti=True,wrap=True)"),
        ("tic-tac-toe(wrap=rows)", None),
        ("mnk(3,4,3,wrap=both)", None),
        ("tic-tac-toe(wrap=both,full=first)", None),
        ("mnk(3,3,4,wrap=both,lineless=true)", None),
    ],
)
def test_which_games_with_joined_edges_openspiel_has(ours: str, theirs: str | None) -> None:
    assert own_game_text(parse_rules(ours)) == theirs


@pytest.mark.parametrize("field", PAIRS)
def test_an_openspiel_game_is_equal_in_every_field(field: str) -> None:
    for rules in PAIRS[field]:
        text = own_game_text(rules)
        assert text is None or rules_of(text) == rules
        assert rules_of(game_text(rules)) == rules
    assert set(DEFAULTS) == set(Rules.model_fields)
