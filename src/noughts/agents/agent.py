"""An agent is any object with the method `decide`. Your own class needs no base class.

`decide` takes many positions at once. A class that has only `choose(self, position, rng)`, which gives one
move, works as well, because `as_agent` wraps it. `asking` has the functions that query agents.
"""

import enum
import inspect
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from noughts.machine.jobs import in_one_process
from noughts.positions import Position, Rng
from noughts.rules import AgentError, Rules
from noughts.search import SearchResult

_Answer = TypeVar("_Answer")
_Choice = TypeVar("_Choice")

NO_MOVE = -1
"""The move of a `Decision` that names no choices, where only choices were wanted."""


class Want(enum.Enum):
    """Which parts of a decision to compute."""

    MOVE = "move"
    CHOICES = "choices"
    ANALYSIS = "analysis"


class Decision(NamedTuple):
    """An agent's decision in one position.

    Attributes:
        move: The move, as a cell index. Ignored where choices are wanted.
        choices: Every move that the agent may make, ascending. Used only where choices are wanted; empty if the agent cannot
            list them.
        analysis: The search behind the move, from the point of view of the side to move. Used only where it is
            wanted; None if there is none.
    """

    move: int
    choices: tuple[int, ...] = ()
    analysis: SearchResult | None = None


@runtime_checkable
class Agent(Protocol):
    """Decides in positions.

    It draws random numbers only from the generators that it receives, so that it plays the same game for the same seed.

    It may have four more attributes. noughts tests their claims before a proof, a score or a result depends on them:

    - ``shared``, a bool, True if it is missing. A shared agent plays many games at once, so an answer must not depend on
      earlier requests, nor on other positions of the same request. Of any other agent, each game and side gets its own instance.
    - ``symmetric``, a bool, False if it is missing. True claims that the agent plays alike in symmetric positions: a symmetry of the
      rules that maps one position to another also maps the agent's possible moves. A proof that depends on this queries the agent
      in symmetric copies of the positions, too.
    - ``analyse_stepwise(position, rng, expired)``, a method that returns an iterator of `SearchResult`, each with the results so
      far. The last is the analysis that `decide` returns for an equal `rng`. Call `expired()` a few times a second; once it
      returns True, time is up, and the iterator should end soon, with its last result.
    - ``refusal(rules)``, a method that returns in a few words why the agent cannot play a game, or None if it can. noughts
      calls it before a game begins.
    """

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        """A decision for each position. It does not depend on the other positions.

        Args:
            positions: They may be of several games; none is over.
            rngs: A generator for each.
            want: MOVE is the move alone. CHOICES is every move that the agent may make, and then it draws no random numbers;
                if it leaves `choices` empty, noughts requests its move instead. ANALYSIS is the move, with equal
                draws, and the search behind it.
        """
        ...


class OneByOne:
    """Base of agents that decide in one position at a time, by `decide_one`."""

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        """Call `decide_one` for each position or, if choices are wanted, `name_choices`."""
        if want is Want.CHOICES:
            return [Decision(NO_MOVE, self.name_choices(position)) for position in positions]
        return [self.decide_one(position, rng, want) for position, rng in zip(positions, rngs, strict=True)]

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """The decision in a position; MOVE or ANALYSIS is wanted."""
        raise NotImplementedError

    def name_choices(self, position: Position) -> tuple[int, ...]:
        """Every move that the agent may make, ascending; empty if it cannot list them."""
        return ()


class Chooser(OneByOne):
    """Wraps an object that has `choose(position, rng)`. It is not shared, because its move may depend on earlier requests."""

    shared = False

    def __init__(self, given: Any) -> None:
        self.given = given

    @property
    def symmetric(self) -> bool:
        """Whether the wrapped object has a true attribute `symmetric`."""
        return getattr(self.given, "symmetric", False) is True

    def refusal(self, rules: Rules) -> str | None:
        """The `refusal` of the wrapped object; None if it has no such method."""
        return refusal_of(self.given, rules)

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """Its move. A process that it forks ends here, before the positions that follow."""
        with in_one_process():
            return Decision(self.given.choose(position, rng))


def refusal_of(given: Any, rules: Rules) -> str | None:
    """Why an object cannot play a game, by its own method `refusal`; None if it can, or has no such method."""
    ask = getattr(given, "refusal", None)
    said = ask(rules) if callable(ask) else None
    return None if said is None else str(said)


def as_agent(given: Any) -> Agent:
    """Return an object that has `decide` as it is, and wrap one that has `choose`; AgentError if it has neither."""
    if isinstance(given, Agent):
        return given
    if isinstance(given, type):
        raise AgentError(f"{given.__name__} is a class: give an agent that it makes, such as {given.__name__}()")
    if not callable(getattr(given, "choose", None)):
        raise AgentError("it has no method choose(position, rng) or decide(positions, rngs, want)")
    if not _takes_two(given.choose):
        raise AgentError(
            "its method choose must take a position and a generator of random numbers: choose(self, position, rng)"
        )
    return Chooser(given)


def _takes_two(method: Callable[..., Any]) -> bool:
    """Whether a method can be called with two arguments; True if its signature is unknown."""
    try:
        taken = inspect.signature(method)
    except (ValueError, TypeError):  # of compiled code
        return True
    try:
        taken.bind(None, None)
    except TypeError:
        return False
    return True


def one_of(choices: Sequence[_Choice], rng: Rng) -> _Choice:
    """One of the choices at random; if there is only one, nothing is drawn."""
    return choices[rng.below(len(choices))] if len(choices) > 1 else choices[0]


def grouped(
    positions: Sequence[Position],
    key: Callable[[Position], Hashable],
    ask: Callable[[list[Position]], Sequence[_Answer]],
) -> list[_Answer]:
    """Call `ask` once for each group of positions with equal `key`, and return the answers in the order of the positions."""
    groups: dict[Hashable, list[int]] = {}
    for number, position in enumerate(positions):
        groups.setdefault(key(position), []).append(number)
    found: dict[int, _Answer] = {}
    for numbers in groups.values():
        found |= zip(numbers, ask([positions[number] for number in numbers]), strict=True)
    return [found[number] for number in range(len(positions))]
