"""Random games, for hypothesis."""

from hypothesis import strategies as st

from noughts.positions.laws import random_game
from noughts.rules import Rules
from tests.rules.strategies import all_rules


@st.composite
def games(draw: st.DrawFn) -> tuple[Rules, tuple[int, ...]]:
    """Any rules, and the moves of a whole game of theirs."""
    rules = draw(all_rules())
    return rules, random_game(rules, draw(st.randoms(use_true_random=False)))
