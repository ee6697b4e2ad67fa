"""The table of proof numbers, for positions that the search has left.

An entry is four words, and a position has four slots for its entry:

    0  the attacker's marks
    1  the defender's marks
    2  proof number << 32 | disproof number
    3  bit 63 set in every entry in use | work << 32 | tag

Keys are whole positions, not hashes, so entries cannot collide. The 16-bit tag distinguishes different searches of one
position. When all slots are taken, the new entry replaces the one that took the least work.
"""

import numpy as np

from noughts.positions.numba_kernel import kernel
from noughts.solvers.bits import mix

ENTRY_BYTES = 32
PLACES = 4

_USED = np.uint64(1 << 63)
_TAG = np.uint64(0xFFFF)
_WORK = 32
_MOST_WORK = 0x7FFFFFFF


@kernel
def find(table, attacker, defender, tag):  # type: ignore[no-untyped-def]
    """The index of a position's entry in `table`, uint64 [entries, 4]; -1 if it has none."""
    place = _place(table, attacker, defender, tag)
    for entry in range(place, place + PLACES):
        key_is_equal = table[entry, 0] == attacker and table[entry, 1] == defender
        if key_is_equal and table[entry, 3] & (_USED | _TAG) == _USED | tag:
            return entry
    return np.int64(-1)


@kernel
def keep(table, attacker, defender, tag, numbers, work):  # type: ignore[no-untyped-def]
    """Store a position's numbers, packed as in word 2; return the growth of the number of used entries, 0 or 1."""
    place = _place(table, attacker, defender, tag)
    target, least, grown = place, np.uint64(0xFFFFFFFFFFFFFFFF), 0
    for entry in range(place, place + PLACES):
        last = table[entry, 3]
        if last == np.uint64(0):
            target, grown = entry, 1
            break
        if table[entry, 0] == attacker and table[entry, 1] == defender and last & _TAG == tag:
            target = entry
            break
        if last < least:
            target, least = entry, last
    table[target, 0] = attacker
    table[target, 1] = defender
    table[target, 2] = numbers
    table[target, 3] = _USED | (np.uint64(min(work, _MOST_WORK)) << np.uint64(_WORK)) | tag
    return grown


@kernel
def copy_entries(source, target):  # type: ignore[no-untyped-def]
    """Fill an empty table with the entries of another; return how many fitted."""
    count = 0
    for number in range(source.shape[0]):
        last = source[number, 3]
        if last == np.uint64(0):
            continue
        place = _place(target, source[number, 0], source[number, 1], last & _TAG)
        for entry in range(place, place + PLACES):
            if target[entry, 3] == np.uint64(0):
                for word in range(4):
                    target[entry, word] = source[number, word]
                count += 1
                break
    return count


@kernel
def _place(table, attacker, defender, tag):  # type: ignore[no-untyped-def]
    """The first of a position's slots; the number of entries is a power of two."""
    mask = np.uint64(table.shape[0] - 1) & ~np.uint64(PLACES - 1)
    return np.int64(mix(attacker, defender + tag * np.uint64(0x9E3779B97F4A7C15)) & mask)
