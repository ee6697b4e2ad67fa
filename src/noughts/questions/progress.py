"""`Progress`: how far a session is, and each kind of what it asks, so that the time that is left can be told."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.questions.question import Unit


class OfKind(NamedTuple):
    """How far the units of one kind are, such as games or walks: one of another kind may take far longer.

    Attributes:
        new: So many were answered in this sitting.
        left: So many are not answered.
    """

    new: int
    left: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session is in its present stage: those of another may take a thousand times as long each.

    Attributes:
        done, total: So many units of the stage are answered, of all.
        new: Those of this sitting.
        note: What the job that has been at work longest said last; empty if none says anything.
        stage, stages: Which of how many stages, from 1.
        kinds: How far each kind of unit is that this sitting answers, in an order that stays while the stage lasts.
    """

    done: int
    total: int
    new: int
    note: str = ""
    stage: int = 1
    stages: int = 1
    kinds: tuple[OfKind, ...] = ()


def samples_first(pending: Iterable[Unit[Any]]) -> Sequence[Unit[Any]]:
    """The first unit of each kind before all others, so that it is soon known how long those of each kind take."""
    units = list(pending)
    first = {type(unit): unit for unit in reversed(units)}
    samples = {unit.exact_key for unit in first.values()}
    return sorted(units, key=lambda unit: unit.exact_key not in samples)


class KindCounts:
    """How many units of each kind are answered, and how many are not."""

    def __init__(self, pending: Sequence[Unit[Any]]) -> None:
        self._left = Counter(map(type, pending))
        self._new = dict.fromkeys(self._left, 0)

    @property
    def kinds(self) -> tuple[OfKind, ...]:
        """As `Progress` has them."""
        return tuple(OfKind(self._new[kind], left) for kind, left in self._left.items())

    def answered(self, units: Sequence[Unit[Any]]) -> None:
        """These are."""
        self.found(units)
        for unit in units:
            self._new[type(unit)] += 1

    def found(self, units: Sequence[Unit[Any]]) -> None:
        """These need not be asked."""
        self._left.subtract(map(type, units))
