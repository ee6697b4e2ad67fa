"""The compiled search behind `alphabeta`: a static evaluation of the lines, and a transposition table.

A position is two words (`bits`). One pass over the lines that can still be completed often settles a position, and
then the search needs neither the table nor a move:

    a line that lacks one cell of mine       I win now; where lines lose, that cell is the last resort
    two such cells of the opponent           lost in two plies; with one, I must take it
    the fewest cells that a live line lacks  no line can be completed sooner; with too few empty cells, none ever can

The table stores all other results under the least of the position's symmetric images. Keys are whole positions, not
hashes, so entries cannot collide. An entry is three words, four entries to a bucket:

    word 0   first player's marks
    word 1   second player's marks
    word 2   low + 128, 8 bits | high + 128, 8 bits | move, 8 bits | positions expanded for this result, 40 bits
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.machine.memory import require_memory
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, SolverError
from noughts.solvers.bits import canonical, count_bits, game_words, image, lowest, mix
from noughts.solvers.solution import Budget

LONGEST = 100
"""More than the plies of any game, so that every win scores above every draw."""

SLICE_NODES = 20_000
"""Positions expanded between two checks for Ctrl-C, a few hundredths of a second."""

_FIRST_BUCKETS = 1 << 10
_WAYS = 4
_BUCKET_BYTES = _WAYS * 3 * 8
_FAR = 1000  # more plies than any game has


class _AlphaBetaStack(NamedTuple):
    """The path from the root position, one entry per ply, so that a search can pause and resume."""

    words: NDArray[np.uint64]  # [plies, 2] the position
    key: NDArray[np.uint64]  # [plies, 2] its least image
    by: NDArray[np.int64]  # [plies] the symmetry that maps the position to it
    alpha: NDArray[np.int64]  # [plies] the search window
    beta: NDArray[np.int64]  # [plies]
    low: NDArray[np.int64]  # [plies] bounds known before the first move was tried
    high: NDArray[np.int64]  # [plies]
    best: NDArray[np.int64]  # [plies] highest score still possible, by the moves tried or the bounds
    move: NDArray[np.int64]  # [plies] a move that attains the highest lower bound
    moves: NDArray[np.int64]  # [plies, cells] the moves to try, in order
    choices: NDArray[np.int64]  # [plies] how many moves there are to try
    tried: NDArray[np.int64]  # [plies] how many of them were entered
    begun: NDArray[np.int64]  # [plies] the node count when the position was entered
    order: NDArray[np.int64]  # [cells] scratch: the priority of each cell
    state: NDArray[np.int64]  # [6] see below


_PLY, NODES, _ENTERING, LOW, HIGH, _FILLED = range(6)
"""Indices of `_AlphaBetaStack.state`: current ply, positions expanded, whether the position was just entered, the bounds
of the root position, used entries of the table."""


def _new_stack(cells: int) -> _AlphaBetaStack:
    plies = cells + 1

    def numbers() -> NDArray[np.int64]:
        return np.zeros(plies, np.int64)

    return _AlphaBetaStack(
        words=np.zeros((plies, 2), np.uint64),
        key=np.zeros((plies, 2), np.uint64),
        by=numbers(),
        alpha=numbers(),
        beta=numbers(),
        low=numbers(),
        high=numbers(),
        best=numbers(),
        move=numbers(),
        moves=np.zeros((plies, cells), np.int64),
        choices=numbers(),
        tried=numbers(),
        begun=numbers(),
        order=np.zeros(cells, np.int64),
        state=np.zeros(6, np.int64),
    )


def _new_table(buckets: int) -> NDArray[np.uint64]:
    """An empty table, uint64 [buckets, ways, 3]; the number of buckets must be a power of 2."""
    return np.zeros((buckets, _WAYS, 3), np.uint64)


class Search:
    """The compiled search, its stack and its table."""

    def __init__(self, rules: Rules, memory: int) -> None:
        require_memory(_FIRST_BUCKETS * _BUCKET_BYTES, memory, "the alpha-beta table")
        self.game = game_words(rules)
        self.stack = _new_stack(rules.size)
        self.table = _new_table(_FIRST_BUCKETS)
        self.memory = memory
        self.may_grow = True

    def __call__(
        self, first: np.uint64, second: np.uint64, alpha: int, beta: int, budget: Budget
    ) -> tuple[int, int, int]:
        """Return the bounds that the search proves, or those known so far if the budget runs out, and a move."""
        state = self.stack.state
        done = begin(self.game, self.table, self.stack, first, second, alpha, beta)
        while not done and not budget.exhausted:  # returns to Python between slices, so that Ctrl-C works
            before = int(state[NODES])
            slots = self.table.shape[0] * _WAYS
            done = go_on(self.game, self.table, self.stack, budget.portion(min(SLICE_NODES, slots // 4)))
            budget.spend(int(state[NODES]) - before)
            if self.may_grow and state[_FILLED] > slots // 2:
                self._grow()
        return int(state[LOW]), int(state[HIGH]), int(self.stack.move[0])

    def _grow(self) -> None:
        """Double the buckets if memory allows. A full table replaces the entries that cost the least work."""
        buckets = 2 * self.table.shape[0]
        try:
            require_memory(
                buckets * _BUCKET_BYTES * 3 // 2, self.memory, "the alpha-beta table"
            )  # both tables exist during the copy
        except SolverError:
            self.may_grow = False
            return
        larger = _new_table(buckets)
        self.stack.state[_FILLED] = _copy_table(self.table, larger)
        self.table = larger


@kernel
def _look(game, first, second):  # type: ignore[no-untyped-def]
    """Evaluate the lines: return bounds on the score, the cells worth playing, and one that attains the low bound."""
    marked = first | second
    ply = count_bits(marked)
    empty = np.uint64(0)
    now = np.uint64(0)  # cells that complete the line that ends the game
    threats = np.uint64(0)  # cells where the opponent would complete one
    if game.shared:
        lacking, still_open = np.int64(0), np.int64(0)
        for board in range(game.boards.size):
            nearest, last = np.int64(_FAR), np.uint64(0)
            for line in range(board * game.lines_each, (board + 1) * game.lines_each):
                missing = game.lines[line] & ~marked
                count = count_bits(missing)
                nearest = min(nearest, count)
                if count == 1:
                    last |= missing
            if nearest > 0:
                lacking += nearest  # every open board must be closed
                still_open += 1
                empty |= game.boards[board] & ~marked
                now = last if still_open == 1 else np.uint64(0)
        mine = lacking if lacking & 1 == 1 else lacking + 1  # fewest plies until I can complete it
        yours = lacking if lacking & 1 == 0 else lacking + 1
    else:
        empty = game.boards[0] & ~marked
        me, you = (first, second) if ply & 1 == 0 else (second, first)
        my_need, your_need = np.int64(_FAR), np.int64(_FAR)
        for line in range(game.lines.size):
            cells = game.lines[line]
            missing = cells & ~marked
            if cells & you == np.uint64(0):
                count = count_bits(missing)
                my_need = min(my_need, count)
                if count == 1:
                    now |= missing
            if cells & me == np.uint64(0):
                count = count_bits(missing)
                your_need = min(your_need, count)
                if count == 1:
                    threats |= missing
        mine, yours = 2 * my_need - 1, 2 * your_need
    free = count_bits(empty)
    low, high = np.int64(LONGEST), np.int64(-LONGEST)
    if not game.shared or game.lines_each == 0:  # otherwise a full board of equal marks contains every line
        last_ply = np.int64(LONGEST) - ply - free
        score = np.int64(0) if game.full == 0 else last_ply if game.full == (ply & 1) + 1 else -last_ply
        low, high = score, score
    if mine <= free:
        score = np.int64(LONGEST) - ply - mine if game.wins else ply + mine - np.int64(LONGEST)
        low, high = min(low, score), max(high, score)
    if yours <= free:
        score = ply + yours - np.int64(LONGEST) if game.wins else np.int64(LONGEST) - ply - yours
        low, high = min(low, score), max(high, score)
    if game.wins:
        if now != np.uint64(0):
            low, empty = high, now
        elif threats != np.uint64(0):
            empty = threats
            if count_bits(threats) > 1:
                high = low
    elif empty & ~now == np.uint64(0):
        high = low
    else:
        empty &= ~now
    return low, high, empty, lowest(empty)


@kernel
def _arrange(game, stack, ply, cells, front):  # type: ignore[no-untyped-def]
    """List the cells to try: `front` first if it is among them, then by their weight in the lines still possible."""
    first, second = stack.words[ply, 0], stack.words[ply, 1]
    order = stack.order
    for cell in range(order.size):
        order[cell] = 0
    for line in range(game.lines.size):
        in_line = game.lines[line]
        if game.shared or in_line & first == np.uint64(0) or in_line & second == np.uint64(0):
            missing = in_line & ~(first | second)
            weight = np.int64(1) << min(np.int64(40), 2 * count_bits(in_line & (first | second)))
            while missing != np.uint64(0):
                order[lowest(missing)] += weight
                missing &= missing - np.uint64(1)
    sign = np.int64(1) if game.wins and not game.shared else np.int64(-1)
    count = np.int64(0)
    while cells != np.uint64(0):
        cell = lowest(cells)
        cells &= cells - np.uint64(1)
        order[cell] = np.int64(1) << 60 if cell == front else sign * order[cell]
        place = count
        while place > 0 and order[stack.moves[ply, place - 1]] < order[cell]:
            stack.moves[ply, place] = stack.moves[ply, place - 1]
            place -= 1
        stack.moves[ply, place] = cell
        count += 1
    stack.choices[ply] = count


@kernel
def _find(table, first, second):  # type: ignore[no-untyped-def]
    """Return the third word of a position's entry, or 0 if it has none."""
    bucket = np.int64(mix(first, second) & np.uint64(table.shape[0] - 1))
    for way in range(_WAYS):
        if table[bucket, way, 0] == first and table[bucket, way, 1] == second:
            return table[bucket, way, 2]
    return np.uint64(0)


@kernel
def _store(table, first, second, facts):  # type: ignore[no-untyped-def]
    """Store a third word over the position's own entry or the cheapest one; return whether a free entry was used."""
    bucket = np.int64(mix(first, second) & np.uint64(table.shape[0] - 1))
    least = 0
    for way in range(_WAYS):
        if table[bucket, way, 2] != np.uint64(0) and table[bucket, way, 0] == first and table[bucket, way, 1] == second:
            least = way
            break
        if table[bucket, way, 2] >> np.uint64(24) < table[bucket, least, 2] >> np.uint64(24):
            least = way
    was_empty = table[bucket, least, 2] == np.uint64(0)
    table[bucket, least, 0], table[bucket, least, 1], table[bucket, least, 2] = first, second, facts
    return was_empty


@kernel
def _copy_table(table, larger):  # type: ignore[no-untyped-def]
    """Store all entries of one table in another; return how many there are."""
    filled = np.int64(0)
    for bucket in range(table.shape[0]):
        for way in range(_WAYS):
            if table[bucket, way, 2] != np.uint64(0):
                filled += np.int64(_store(larger, table[bucket, way, 0], table[bucket, way, 1], table[bucket, way, 2]))
    return filled


@kernel
def _enter(game, table, stack, ply):  # type: ignore[no-untyped-def]
    """Bound the position at `ply` by its lines and the table; order its moves if these do not settle it.

    Returns whether the position is still open.
    """
    first, second = stack.words[ply, 0], stack.words[ply, 1]
    alpha, beta = stack.alpha[ply], stack.beta[ply]
    low, high, cells, move = _look(game, first, second)
    stack.low[ply], stack.high[ply], stack.move[ply] = low, high, move
    if low >= beta or high <= alpha or low == high:
        return False
    key_first, key_second, by = canonical(game.images, first, second)
    stack.key[ply, 0], stack.key[ply, 1], stack.by[ply] = key_first, key_second, by
    facts = _find(table, key_first, key_second)
    if facts != np.uint64(0):
        low = max(low, np.int64(facts & np.uint64(255)) - 128)
        high = min(high, np.int64(facts >> np.uint64(8) & np.uint64(255)) - 128)
        move = game.origin[by, np.int64(facts >> np.uint64(16) & np.uint64(255))]
        stack.low[ply], stack.high[ply], stack.move[ply] = low, high, move
        if low >= beta or high <= alpha or low == high:
            return False
    _arrange(game, stack, ply, cells, move if facts != np.uint64(0) else np.int64(-1))
    stack.move[ply] = stack.moves[ply, 0]
    stack.best[ply] = low
    stack.tried[ply] = 0
    return True


@kernel
def begin(game, table, stack, first, second, alpha, beta):  # type: ignore[no-untyped-def]
    """Start at a root position; return whether its bounds settle the window already."""
    stack.words[0, 0], stack.words[0, 1] = first, second
    stack.alpha[0], stack.beta[0] = alpha, beta
    is_open = _enter(game, table, stack, 0)
    stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING] = 0, 0, 1
    stack.state[LOW], stack.state[HIGH] = stack.low[0], stack.high[0]
    return not is_open


@kernel
def _learn(game, table, stack, ply, nodes):  # type: ignore[no-untyped-def]
    """Turn the best score found into bounds, and store them."""
    best = stack.best[ply]
    if best >= min(stack.beta[ply], stack.high[ply]):
        stack.low[ply] = best
    else:
        stack.high[ply] = best
        if best > stack.alpha[ply]:
            stack.low[ply] = best
    by = stack.by[ply]
    facts = np.uint64(stack.low[ply] + 128) | np.uint64(stack.high[ply] + 128) << np.uint64(8)
    moved = lowest(image(game.images, by, np.uint64(1) << np.uint64(stack.move[ply])))
    facts |= np.uint64(moved) << np.uint64(16) | np.uint64(nodes - stack.begun[ply]) << np.uint64(24)
    stack.state[_FILLED] += np.int64(_store(table, stack.key[ply, 0], stack.key[ply, 1], facts))


@kernel
def go_on(game, table, stack, budget):  # type: ignore[no-untyped-def]
    """Run alpha-beta, with its recursion unrolled onto `stack`, for `budget` nodes; return whether it is done."""
    ply, nodes, entering = stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING]
    end = nodes + budget
    while nodes < end:
        if entering == 1:
            entering = 0
            if _enter(game, table, stack, ply):
                stack.begun[ply] = nodes
                nodes += 1
                continue
        else:
            alpha = max(stack.alpha[ply], stack.best[ply])
            beta = min(stack.beta[ply], stack.high[ply])
            if alpha < beta and stack.tried[ply] < stack.choices[ply]:
                cell = stack.moves[ply, stack.tried[ply]]
                stack.tried[ply] += 1
                mark = 0 if game.shared else count_bits(stack.words[ply, 0] | stack.words[ply, 1]) & 1
                stack.words[ply + 1, 0], stack.words[ply + 1, 1] = stack.words[ply, 0], stack.words[ply, 1]
                stack.words[ply + 1, mark] |= np.uint64(1) << np.uint64(cell)
                stack.alpha[ply + 1], stack.beta[ply + 1] = -beta, -alpha
                ply += 1
                entering = 1
                continue
            _learn(game, table, stack, ply, nodes)
        # The position at `ply` has its bounds: pass them to its parent.
        if ply == 0:
            stack.state[NODES], stack.state[LOW], stack.state[HIGH] = nodes, stack.low[0], stack.high[0]
            return True
        score = -stack.low[ply] if stack.low[ply] >= stack.beta[ply] else -stack.high[ply]
        ply -= 1
        if score > stack.best[ply]:
            if score > stack.alpha[ply]:  # otherwise only an upper bound, so the move guarantees nothing
                stack.move[ply] = stack.moves[ply, stack.tried[ply] - 1]
            stack.best[ply] = score
    stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING] = ply, nodes, entering
    return False
