from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.positions import Position
from noughts.positions.reference import ReferencePosition, outcome_after
from noughts.rules import IllegalMoveError, Rules, parse_rules
from tests.rules.strategies import all_rules


@pytest.mark.parametrize(
    ("k", "cells", "holds"),
    [
        (3, (0, 1, 2), True), (3, (0, 4, 8), True), (3, (1, 5, 9), True), (3, (3, 6, 9), True), (3, (2, 5, 8), True),
        (3, (2, 3, 4), False), (3, (0, 1, 3), False), (3, (0, 5, 9), False), (2, (3, 4), False), (2, (3, 6), True),
        (4, (0, 1, 2), False), (1, (11,), True), (1, (), False),
    ],
)  # fmt: skip
def test_a_line_is_k_in_a_row_in_any_direction_without_wrap(k: int, cells: tuple[int, ...], holds: bool) -> None:
    position = ReferencePosition(parse_rules(f"mnk(3,4,{k},marks=shared)"))
    for cell in cells:
        position.play(cell)
    assert position.holds_line(0) == holds


@pytest.mark.heavy
@given(all_rules(), st.integers(0, 1 << 32))
def test_outcomes_and_illegal_moves_follow_from_the_moves(rules: Rules, seed: int) -> None:
    random, position = Random(seed), Position.start(rules)
    for _ in range(60):
        assert outcome_after(rules, position.moves) is position.outcome
        legal = position.legal_moves
        cells = range(-1, rules.size + 1) if rules.size < 10 else (-1, *position.moves[:1], *position.moves[-1:])
        for cell in set(cells) - set(legal):
            with pytest.raises(IllegalMoveError, match=f"move {len(position.moves) + 1} of the game"):
                outcome_after(rules, [*position.moves, cell])
        if not legal:
            break
        position = position.play(random.choice(legal))
