"""Random rules and tasks, for hypothesis and from a seed; both are built the same way."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from noughts.rules import Rules, Task, symmetries
from noughts.rules.squares import MAX_SIDE, WRAPS, Wrap, lines_on_board

# Mostly small boards, where games are fast and contain every situation; every size up to the largest occurs.
SIDES = (1, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, *range(1, MAX_SIDE + 1))

Choose = Callable[[int, int], int]
"""Return an integer from the first to the second, both included."""


def _build(
    choose: Choose, shape: tuple[int, int, int] | None = None, wraps: Sequence[Wrap] = ("none", "none", *WRAPS)
) -> Rules:
    """Any rules, of any shape (rows, cols, boards) or of the given one; `wraps` are the possible values of that field."""

    def one_of(*options: Any) -> Any:
        return options[choose(0, len(options) - 1)]

    if shape is None:
        rows = one_of(*SIDES)
        cols = rows if choose(0, 1) == 0 else one_of(*SIDES)
        boards = one_of(1, 1, 1, 2, 3) if rows * cols <= 25 else 1
    else:
        rows, cols, boards = shape
    bricks: set[int] = set()
    for _ in range(one_of(0, 0, 1, 1, 2, 4, rows * cols // 3)):
        bricks.add(choose(0, rows * cols - 1))
    if len(bricks) == rows * cols:
        bricks.pop()
    # Random play hardly ever completes a long line on a large board, so most of these are short.
    k = one_of(choose(1, 4), choose(2, 5), choose(1, max(rows, cols)), choose(1, MAX_SIDE))
    k = k if choose(0, 9) == 9 else min(k, max(rows, cols))
    wrap = one_of(*wraps)
    return Rules(
        rows=rows,
        cols=cols,
        k=k,
        bricks=tuple(bricks),
        marks="shared" if boards > 1 else one_of("own", "shared"),
        line=one_of("wins", "loses"),
        full=one_of("draw", "first", "second"),
        boards=boards,
        lineless=not any(lines_on_board(rows, cols, k, bricks, wrap)),
        wrap=wrap,
    )


def random_rules(rng: Random, shape: tuple[int, int, int] | None = None, wraps: Sequence[Wrap] | None = None) -> Rules:
    """Any rules, of any shape (rows, cols, boards) or of the given one; reproducible by seed."""
    return _build(rng.randint, shape) if wraps is None else _build(rng.randint, shape, wraps)


@st.composite
def all_rules(draw: st.DrawFn, shape: tuple[int, int, int] | None = None) -> Rules:
    """Any rules; shrinks to small boards without bricks."""
    return _build(lambda low, high: draw(st.integers(low, high)), shape)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Any task of one to four games."""
    first = draw(all_rules())
    shape = (first.rows, first.cols, first.boards)
    rules = draw(st.lists(all_rules(shape), min_size=0, max_size=3))
    rules = list(dict.fromkeys([first, *rules]))
    weight = st.one_of(st.integers(1, 10**9).map(float), st.floats(1e-9, 1e9))
    return Task(rules=tuple(rules), weights=tuple(draw(weight) for _ in rules))


def brick_orbit(rules: Rules) -> set[tuple[int, ...]]:
    """The images of a game's bricks under the symmetries of the board."""
    group = symmetries(rules.model_copy(update={"bricks": ()}))
    return {tuple(sorted(symmetry.image[brick] for brick in rules.bricks)) for symmetry in group}
