"""Depth-first proof-number search: can one side force a line? For boards of up to 64 cells, as in Brick Tic-Tac-Toe.

Each search answers one question: can the *attacker* complete a line, whatever the *defender* does? The answer gives the
value. With `full=second`, for example, the first player wins if it can force a line, and otherwise the second does.

A node's proof number is the least number of leaves to prove in order to prove the node, its disproof number the least
number to disprove (Allis, Searching for Solutions in Games and Artificial Intelligence, 1994). Where the
attacker moves, one child suffices for a proof; where the defender moves, all are needed:

    attacker to move   proof = least of the children's      disproof = sum of the children's
    defender to move   proof = sum of the children's        disproof = least of the children's

The search goes depth first into the most proving child until its numbers pass thresholds (Nagai, Df-pn algorithm
for searching AND/OR trees and its applications, 2002). The thresholds allow a quarter more than the second best
child (the 1 + epsilon of Pawlewicz and Lew, 2006), so that the search does not jump to and fro. A table stores the
numbers. Marks are only added, so no position repeats on a path, and the table may drop entries without harm.

`threats` has the static evaluation, and `proof_table` the table.
"""

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.machine.memory import require_memory
from noughts.positions import Position, Side
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, SolverError, line_table
from noughts.solvers.bits import WORD, canonical, count_bits, game_words, lowest, words
from noughts.solvers.proof_table import ENTRY_BYTES, copy_entries, find, keep
from noughts.solvers.solution import NOTHING, Budget, Proof, Solver
from noughts.solvers.threats import DISPROVED, PROVED, UNPROVED, judge

UNLIMITED = 255
"""A limit later than any ply, for lines that may be completed at any time."""

_CERTAIN = 1 << 30  # the infinite proof number of a disproved node, or disproof number of a proved one
_MOST = _CERTAIN - 1
_SLICE = 4_000  # expansions between two looks at the budget and the keyboard
_SMALLEST = 1 << 12
_SYMMETRIC_MARKS = 12  # with more marks, symmetric positions are too rare to search for


class _ProofStack(NamedTuple):
    """The path from the root position, one entry per ply."""

    attacker: NDArray[np.uint64]  # [depth] the attacker's marks
    defender: NDArray[np.uint64]  # [depth]
    proof: NDArray[np.int64]  # [depth] the threshold of the proof number
    disproof: NDArray[np.int64]  # [depth]
    work: NDArray[np.int64]  # [depth] expansions at or below
    children: NDArray[np.int64]  # [depth]
    chosen: NDArray[np.int64]  # [depth] the child searched now
    move: NDArray[np.int64]  # [depth, 64] each child's cell
    child_proof: NDArray[np.int64]  # [depth, 64]
    child_disproof: NDArray[np.int64]  # [depth, 64]
    state: NDArray[np.int64]  # [8] see below


_PLY, _BASE, _ENTERING, _LIMIT, _SIDE, _STORED, _RESULT, _MOVE = range(8)
# state: the current entry of the stack; plies played at entry 0; whether it was just entered; the ply before which
# the line must be complete; the attacker (a `Side`); entries of the table in use; the answer; the move that gave it


class ProofNumber(Solver):
    """Solves games that are won by a line; see the module docstring."""

    name: ClassVar[str] = "proof-number search"

    def __init__(self, rules: Rules, memory: int) -> None:
        self.rules, self.memory = rules, memory
        self._table: NDArray[np.uint64] | None = None
        self._may_grow = True
        self._stack = _new_stack(rules.size + 2)

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position: it needs own marks, lines that win, and one board of at most 64 cells."""
        rules = self.rules
        if rules.marks != "own" or rules.line != "wins" or rules.lineless:
            return "only for own marks and lines that win"
        if rules.size > WORD:
            return f"only for boards of up to {WORD} cells, not {rules.size}"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return bounds on the value, by one or two attacks."""
        mover = position.to_move
        low, high, keeps = -1, 1, None
        for attacker in (mover, mover.other):
            if self.rules.full == str(attacker):
                continue  # this side need not attack: its opponent's attack decides
            sign = 1 if attacker is mover else -1
            answer, move = self._attack(position, attacker, UNLIMITED, budget)
            if answer == PROVED:
                return Proof(sign, sign, move if sign == 1 else position.legal_moves[0])
            if answer == DISPROVED:
                low, high = (low, 0) if sign == 1 else (0, high)
                keeps = move if sign == -1 else keeps
        if self.rules.full == "draw":
            return Proof(low, high, keeps if keeps is not None or low < 0 else self._holding_move(position, budget))
        # A full board has a winner, so a side that cannot force a line has lost.
        if (low, high) == (-1, 1):
            return NOTHING
        if low < 0:
            return Proof(-1, -1, position.legal_moves[0])
        return Proof(1, 1, keeps if keeps is not None else self._holding_move(position, budget))

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can force a win within `plies`."""
        answer, _ = self._attack(position, side, min(position.ply + plies, UNLIMITED), budget)
        if answer != DISPROVED:
            return True if answer == PROVED else None
        if self.rules.full != str(side) or plies < len(position.legal_moves):
            return False  # a win on a full board comes with the last ply
        answer, _ = self._attack(position, side.other, UNLIMITED, budget)
        return None if answer == UNPROVED else answer == DISPROVED

    def winning_move(self, position: Position, plies: int | None, budget: Budget) -> int | None:
        """Return the first move of a forced line, or, without a limit, one that outlasts the opponent's attack."""
        limit = UNLIMITED if plies is None else min(position.ply + plies, UNLIMITED)
        answer, move = self._attack(position, position.to_move, limit, budget)
        return move if answer == PROVED else super().winning_move(position, plies, budget)

    def _attack(self, position: Position, attacker: Side, limit: int, budget: Budget) -> tuple[int, int | None]:
        """Whether the attacker can force a line before ply `limit`, and a move that decides it for the side to move."""
        if position.ply == 0 and attacker is Side.SECOND:
            # Strategy stealing: if the second player could force a line, the first could make any move, ignore it, and
            # follow that plan, because an extra mark of its own never hurts. So the second player cannot.
            return DISPROVED, None
        return self._search(attacker, *words(position), limit, budget)

    def _holding_move(self, position: Position, budget: Budget) -> int | None:
        """Return a move after which the opponent still cannot force a line, if its attack was refuted without a move.

        On an empty board, strategy stealing shows only that such a move exists. If it only draws, there is no search
        for it, which could cost more than the value did.
        """
        if position.ply == 0 and self.rules.full == "draw":
            return None
        opponent = position.to_move.other
        through = line_table(self.rules).through
        for move in sorted(position.legal_moves, key=lambda cell: (-len(through[cell]), cell)):
            child = position.play(move)
            if child.is_over:
                if child.outcome.value(opponent) < 1:
                    return move
            elif self._attack(child, opponent, UNLIMITED, budget)[0] == DISPROVED:
                return move
        return None

    def _search(self, attacker: Side, first: int, second: int, limit: int, budget: Budget) -> tuple[int, int | None]:
        """Search a position given as two words; return the answer and the move."""
        game, stack = game_words(self.rules), self._stack
        if self._table is None:
            self._table = self._room_for(_SMALLEST)
        ours, theirs = (first, second) if attacker is Side.FIRST else (second, first)
        stack.attacker[0], stack.defender[0] = ours, theirs
        stack.proof[0] = stack.disproof[0] = _CERTAIN
        stack.work[0] = 0
        stack.state[_PLY], stack.state[_ENTERING] = 0, 1
        stack.state[_BASE] = first.bit_count() + second.bit_count()
        stack.state[_LIMIT], stack.state[_SIDE] = limit, int(attacker)
        while not budget.exhausted:
            spent = _go_on(game, self._table, stack, budget.portion(_SLICE))
            budget.spend(spent)
            if stack.state[_RESULT] != UNPROVED:
                move = int(stack.state[_MOVE])
                return int(stack.state[_RESULT]), move if move >= 0 else None
            self._grow_if_full()
        _retreat(game, self._table, stack)
        return UNPROVED, None

    def _room_for(self, entries: int, kept: int = 0) -> NDArray[np.uint64]:
        """Create a table; `kept` entries of an old one take memory at the same time."""
        require_memory((entries + kept) * ENTRY_BYTES, self.memory, self.name)
        return np.zeros((entries, 4), np.uint64)

    def _grow_if_full(self) -> None:
        """Replace a full table by one four times as large if memory allows; otherwise cheap entries are overwritten."""
        assert self._table is not None
        entries = len(self._table)
        if self.stored * 4 < entries * 3 or not self._may_grow:
            return
        try:
            larger = self._room_for(entries * 4, kept=entries)
        except SolverError:
            self._may_grow = False
            return
        self._stack.state[_STORED] = copy_entries(self._table, larger)
        self._table = larger

    @property
    def stored(self) -> int:
        """The number of positions in the table."""
        return int(self._stack.state[_STORED])


def _new_stack(depth: int) -> _ProofStack:
    return _ProofStack(
        attacker=np.zeros(depth, np.uint64),
        defender=np.zeros(depth, np.uint64),
        proof=np.zeros(depth, np.int64),
        disproof=np.zeros(depth, np.int64),
        work=np.zeros(depth, np.int64),
        children=np.zeros(depth, np.int64),
        chosen=np.zeros(depth, np.int64),
        move=np.zeros((depth, WORD), np.int64),
        child_proof=np.zeros((depth, WORD), np.int64),
        child_disproof=np.zeros((depth, WORD), np.int64),
        state=np.zeros(8, np.int64),
    )


@kernel
def _key(game, attacker, defender):  # type: ignore[no-untyped-def]
    """The key of the position in the table: its least symmetric image while the board is fairly empty."""
    if game.images.shape[0] > 1 and count_bits(attacker | defender) <= _SYMMETRIC_MARKS:
        least_attacker, least_defender, _ = canonical(game.images, attacker, defender)
        return least_attacker, least_defender
    return attacker, defender


@kernel
def _expand(game, table, stack, ply):  # type: ignore[no-untyped-def]
    """Write the children of the position at `ply` with their numbers; return UNPROVED, or the answer if one settles it.

    A child that settles it becomes the only child.
    """
    attacker, defender = stack.attacker[ply], stack.defender[ply]
    state = stack.state
    marks = state[_BASE] + ply
    attacking = (marks & 1) == state[_SIDE]
    left = state[_LIMIT] - marks
    tag = np.uint64(state[_LIMIT] << 1 | state[_SIDE])
    answer, moves, cell = judge(game.lines, attacker, defender, attacking, left)
    stack.children[ply] = 0
    if answer != UNPROVED:
        stack.move[ply, 0] = cell
        return answer
    moves &= game.boards[0] & ~(attacker | defender)
    count = 0
    while moves != np.uint64(0):
        bit = moves & (~moves + np.uint64(1))
        moves ^= bit
        child_attacker = attacker | bit if attacking else attacker
        child_defender = defender if attacking else defender | bit
        key_attacker, key_defender = _key(game, child_attacker, child_defender)
        entry = find(table, key_attacker, key_defender, tag)
        if entry >= 0:
            proof = np.int64(table[entry, 2] >> np.uint64(32))
            disproof = np.int64(table[entry, 2] & np.uint64(0xFFFFFFFF))
        else:
            judged, replies, _ = judge(game.lines, child_attacker, child_defender, not attacking, left - 1)
            if judged == PROVED:
                proof, disproof = np.int64(0), np.int64(_CERTAIN)
            elif judged == DISPROVED:
                proof, disproof = np.int64(_CERTAIN), np.int64(0)
            else:
                width = count_bits(replies & game.boards[0] & ~(child_attacker | child_defender))
                proof = width if attacking else np.int64(1)
                disproof = np.int64(1) if attacking else width
        stack.move[ply, count] = lowest(bit)
        stack.child_proof[ply, count] = proof
        stack.child_disproof[ply, count] = disproof
        count += 1
        if (attacking and proof == 0) or (not attacking and disproof == 0):
            stack.move[ply, 0] = lowest(bit)
            return PROVED if attacking else DISPROVED
    stack.children[ply] = count
    return UNPROVED


@kernel
def _numbers(stack, ply, attacking):  # type: ignore[no-untyped-def]
    """Proof and disproof number of the position at `ply`, its best child, and the number of the second best."""
    best, least, second, best_other, total = -1, _CERTAIN, _CERTAIN, _CERTAIN, 0
    any_open = False
    for child in range(stack.children[ply]):
        if attacking:
            number, other = stack.child_proof[ply, child], stack.child_disproof[ply, child]
        else:
            number, other = stack.child_disproof[ply, child], stack.child_proof[ply, child]
        total += other
        if number < least or (number == least and other < best_other):
            second = least
            best, least, best_other = child, number, other
        elif number < second:
            second = number
        any_open = any_open or other != 0
    total = min(total, _MOST) if any_open else 0
    if not any_open:
        least = _CERTAIN
    elif least == 0:
        total = _CERTAIN
    if attacking:
        return least, total, best, second
    return total, least, best, second


@kernel
def _remember(game, table, stack, ply, proof, disproof):  # type: ignore[no-untyped-def]
    """Store the numbers of the position at `ply` in the table."""
    tag = np.uint64(stack.state[_LIMIT] << 1 | stack.state[_SIDE])
    key_attacker, key_defender = _key(game, stack.attacker[ply], stack.defender[ply])
    numbers = np.uint64(proof) << np.uint64(32) | np.uint64(disproof)
    stack.state[_STORED] += keep(table, key_attacker, key_defender, tag, numbers, stack.work[ply])


@kernel
def _go_on(game, table, stack, budget):  # type: ignore[no-untyped-def]
    """Search until the root is settled or `budget` positions were expanded; return how many were."""
    state = stack.state
    spent = 0
    state[_RESULT] = UNPROVED
    while True:
        ply = state[_PLY]
        attacking = ((state[_BASE] + ply) & 1) == state[_SIDE]
        settled = UNPROVED
        if state[_ENTERING] == 1:
            if spent >= budget:
                return spent
            spent += 1
            stack.work[ply] = 1
            settled = _expand(game, table, stack, ply)
            state[_ENTERING] = 0
        if settled == UNPROVED:
            proof, disproof, best, second = _numbers(stack, ply, attacking)
        else:
            proof = 0 if settled == PROVED else _CERTAIN
            disproof = _CERTAIN if settled == PROVED else 0
            best = 0
        if proof == 0 or disproof == 0 or proof >= stack.proof[ply] or disproof >= stack.disproof[ply]:
            _remember(game, table, stack, ply, proof, disproof)
            if ply == 0:
                state[_RESULT] = PROVED if proof == 0 else DISPROVED if disproof == 0 else UNPROVED
                decided_here = (proof == 0) == attacking
                state[_MOVE] = stack.move[0, best] if decided_here and best >= 0 else -1
                return spent
            parent = ply - 1
            child = stack.chosen[parent]
            stack.child_proof[parent, child] = proof
            stack.child_disproof[parent, child] = disproof
            stack.work[parent] += stack.work[ply]
            state[_PLY] = parent
            continue
        room = second + (second >> 2) + 1
        if attacking:
            child_proof = min(stack.proof[ply], room)
            child_disproof = stack.disproof[ply] - disproof + stack.child_disproof[ply, best]
        else:
            child_disproof = min(stack.disproof[ply], room)
            child_proof = stack.proof[ply] - proof + stack.child_proof[ply, best]
        stack.chosen[ply] = best
        bit = np.uint64(1) << np.uint64(stack.move[ply, best])
        stack.attacker[ply + 1] = stack.attacker[ply] | bit if attacking else stack.attacker[ply]
        stack.defender[ply + 1] = stack.defender[ply] if attacking else stack.defender[ply] | bit
        stack.proof[ply + 1] = min(child_proof, _CERTAIN)
        stack.disproof[ply + 1] = min(child_disproof, _CERTAIN)
        state[_PLY] = ply + 1
        state[_ENTERING] = 1


@kernel
def _retreat(game, table, stack):  # type: ignore[no-untyped-def]
    """Store the numbers along an abandoned path, so that a later search continues from there."""
    state = stack.state
    ply = state[_PLY] - (1 if state[_ENTERING] == 1 else 0)
    while ply >= 0:
        attacking = ((state[_BASE] + ply) & 1) == state[_SIDE]
        proof, disproof, _, _ = _numbers(stack, ply, attacking)
        _remember(game, table, stack, ply, proof, disproof)
        ply -= 1
        if ply >= 0:
            stack.child_proof[ply, stack.chosen[ply]] = proof
            stack.child_disproof[ply, stack.chosen[ply]] = disproof
            stack.work[ply] += stack.work[ply + 1]
