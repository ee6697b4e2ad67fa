"""All cases, grouped, with noughts first in each group."""

from collections.abc import Sequence

from benchmarks import ours, peers_openspiel, peers_pettingzoo, peers_pgx
from benchmarks.case import (
    MOVES,
    PLAYOUTS_3,
    PLAYOUTS_7,
    PLAYOUTS_15,
    PLAYOUTS_OTHER,
    UCT_3,
    UCT_1000,
    UCT_10000,
    Case,
)

GROUPS = (PLAYOUTS_7, PLAYOUTS_3, PLAYOUTS_15, PLAYOUTS_OTHER, UCT_1000, UCT_10000, UCT_3, MOVES)


def all_cases() -> list[Case]:
    """All cases, in the order of the tables."""
    found = [*ours.cases(), *peers_openspiel.cases(), *peers_pgx.cases(), *peers_pettingzoo.cases()]
    return sorted(found, key=lambda case: GROUPS.index(case.group))


def select(cases: Sequence[Case], wanted: str) -> list[Case]:
    """The cases with `wanted` in their group's name or program, and the cases of noughts that they are compared with."""
    named = [case for case in cases if wanted.casefold() in f"{case.group.name} / {case.program}".casefold()]
    needed = {(case.group.name, base(cases, case).program) for case in named}
    needed |= {(case.group.name, case.alike) for case in named}
    return [case for case in cases if case in named or (case.group.name, case.program) in needed]


def base(cases: Sequence[Case], case: Case) -> Case:
    """The case of noughts that a group's peers are compared with."""
    return next(other for other in cases if other.group == case.group and not other.is_peer)
