"""One playthrough: two agents, a seed, and a record of everything that happened, whether or not the agents behave."""

import json
from collections.abc import Callable
from typing import ClassVar, Literal

from noughts.agents import Agent, AgentSpec, choose
from noughts.agents.asking import too_late
from noughts.agents.registry import from_outside
from noughts.machine import NOTE_BYTES, Recorder
from noughts.positions import Outcome, Position, Rng, Side, derive_seed
from noughts.positions.reference import outcome_after
from noughts.rules import AgentError, IllegalMoveError, NoughtsError, Rules, StoreError, Value
from noughts.rules.errors import one_line, shortened
from noughts.store.records import Ending, GameRecord

SIDES: tuple[Literal["first"], Literal["second"]] = ("first", "second")

ENDINGS: dict[Outcome, Ending] = {Outcome.FIRST: "first", Outcome.SECOND: "second", Outcome.DRAW: "draw"}
"""The ending in a record, by outcome."""

_HOW_MOVES_END: dict[Ending, str] = {
    "first": "end as a win of first",
    "second": "end as a win of second",
    "draw": "end as a draw",
    "error": "do not end the game",
}


class GamePlan(Value):
    """A game to play.

    Attributes:
        rules: The game.
        first, second: The agents; `first` moves first.
        seed: Seeds all random numbers of the game; each side has its own stream.
        opening: Moves made before the agents begin, as cell indices.
        move_seconds: The time limit of a move, after which the game is aborted; None for no limit.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "game"

    rules: Rules
    first: AgentSpec
    second: AgentSpec
    seed: int
    opening: tuple[int, ...] = ()
    move_seconds: float | None = None


class OpenGame:
    """A game in progress, with its state.

    Attributes:
        plan: The game's plan.
        position: The current position.
        seconds: The time that each side has used.
    """

    def __init__(self, plan: GamePlan) -> None:
        self.plan = plan
        self.position = Position.start(plan.rules, plan.opening)
        self.seconds = [0.0, 0.0]
        self._streams = tuple(Rng(derive_seed(plan.seed, side)) for side in SIDES)
        self._error = ""

    @property
    def goes_on(self) -> bool:
        """Whether it is neither over nor aborted."""
        return not self._error and not self.position.is_over

    @property
    def to_move(self) -> AgentSpec:
        """The agent that is to move."""
        return self.plan.second if self.position.to_move else self.plan.first

    @property
    def rng(self) -> Rng:
        """The generator of random numbers of the side to move."""
        return self._streams[self.position.to_move]

    def play(self, move: int, seconds: float) -> None:
        """Make a legal move, which took `seconds`."""
        self.seconds[self.position.to_move] += seconds
        self.position = self.position.play(move)

    def fail(self, error: str) -> None:
        """Abort it, because of an error of the side to move."""
        self._error = error

    def record(self) -> GameRecord:
        """The record of the game."""
        at = self.position
        return _record(self.plan, at.moves, self.seconds, at.outcome, self._error, at.to_move)


def play_game(
    plan: GamePlan,
    agents: tuple[Agent, Agent],
    clock: Callable[[], float] = lambda: 0.0,
    notes: Recorder | None = None,
) -> GameRecord:
    """Play a game to its end, or until an agent fails, which ends it as an ``error``.

    Args:
        plan: The game to play.
        agents: The first and the second player.
        clock: Returns the time in seconds.
        notes: Records, before each move, who moves and the moves so far.
    """
    game = OpenGame(plan)
    while game.goes_on:
        side = game.position.to_move
        if notes is not None:
            notes.note(_note(side, game.position, game.seconds), plan.move_seconds)
        begun = clock()
        try:
            move = choose(agents[side], game.position, game.rng)
        except Exception as raised:
            game.fail(one_line(raised))
            continue
        seconds = clock() - begun
        if plan.move_seconds is not None and seconds > plan.move_seconds:  # the pool, which ends moves, looks rarely
            game.fail(too_late(plan.move_seconds))
        else:
            game.play(move, seconds)
    return game.record()


def broken_off(plan: GamePlan, note: str, reason: str, died: bool = False) -> GameRecord:
    """The record of a game whose worker was stopped or died. The side to move is to blame.

    If the process died on the move of an agent of ours, however, a third-party opponent may have broken it before. So neither is to
    blame then.

    Args:
        plan: The game to play.
        note: The last note of `play_game`. An unreadable one is ignored, because the agent may have overwritten it.
        reason: What happened.
        died: Whether the process died or took too long as a whole.
    """
    try:
        number, moves, seconds = json.loads(note)
        side = Side(number)
        mover, other = (plan.second, plan.first) if side else (plan.first, plan.second)
        culprit = None if died and from_outside(other) and not from_outside(mover) else side
        return _record(plan, tuple(moves), seconds, Outcome.ONGOING, reason, culprit)
    except (ValueError, TypeError, LookupError, RecursionError, NoughtsError):
        return _record(plan, plan.opening, [0.0, 0.0], Outcome.ONGOING, reason, None)


def settled(plan: GamePlan, record: GameRecord) -> GameRecord:
    """Check a worker's record and rebuild it from its moves, because the moves decide the ending, not the worker.

    A record that cannot be replayed is an error of the third-party agent; if both agents are third-party, of neither.

    Args:
        plan: The game to play.
        record: The worker's record; only its moves, times, error and culprit are used.
    """
    try:
        if record.moves[: len(plan.opening)] != plan.opening:
            raise AgentError("it does not begin with its opening")
        outcome = outcome_after(plan.rules, record.moves)
        if outcome is Outcome.ONGOING and record.ending != "error":
            raise AgentError("it does not go on to its end")
    except (AgentError, IllegalMoveError) as error:
        reason = f"the record of the game cannot be replayed: {error}"
        suspects = [side for side, spec in zip(Side, (plan.first, plan.second), strict=True) if from_outside(spec)]
        culprit = suspects[0] if len(suspects) == 1 else None
        return _record(plan, plan.opening, [0.0, 0.0], Outcome.ONGOING, reason, culprit)
    culprit = Side(SIDES.index(record.culprit)) if record.culprit else None
    seconds = [record.seconds_first, record.seconds_second]
    return _record(plan, record.moves, seconds, outcome, shortened(record.error), culprit)


def replay(record: GameRecord) -> tuple[Rules, Position]:
    """Return the rules and the last position of a record.

    Raises:
        IllegalMoveError: a move is not legal.
        StoreError: a field contradicts its moves.
    """
    rules = record.game
    position = Position.start(rules, record.moves)
    ending = ENDINGS.get(position.outcome, "error")
    if record.ending != ending:
        ends = _HOW_MOVES_END[ending]
        raise StoreError(f"its moves {ends}, and its ending is {record.ending!r}: by the rules it is {ending!r}")
    if ending != "error" and (record.error or record.culprit):
        raise StoreError(f"its moves {_HOW_MOVES_END[ending]}, and it has an error or a culprit: leave both empty")
    if not 0 <= record.opening <= len(record.moves):
        raise StoreError(f"opening={record.opening} is not allowed: it has {len(record.moves)} moves")
    return rules, position


def _note(side: Side, position: Position, seconds: list[float]) -> str:
    """The side to move, the moves so far (in games of thousands of moves only as many as fit), and the time taken."""
    return f"[{int(side)}, {list(position.moves[: NOTE_BYTES // 8])}, {seconds}]"  # JSON, and far faster than by `json`


def _record(
    plan: GamePlan,
    moves: tuple[int, ...],
    seconds: list[float],
    outcome: Outcome,
    error: str,
    culprit: Side | None,
) -> GameRecord:
    return GameRecord(
        rules=str(plan.rules),
        first=str(plan.first),
        second=str(plan.second),
        seed=plan.seed,
        opening=len(plan.opening),
        moves=moves,
        ending=ENDINGS.get(outcome, "error"),
        error=error if outcome is Outcome.ONGOING else "",
        culprit="" if outcome is not Outcome.ONGOING or culprit is None else SIDES[culprit],
        seconds_first=seconds[0],
        seconds_second=seconds[1],
    )


def random_opening(rules: Rules, plies: int, rng: Rng) -> tuple[int, ...]:
    """Random legal moves that do not end the game; fewer than `plies` only if every further move would."""
    position = Position.start(rules)
    while position.ply < plies:
        legal = list(position.legal_moves)
        while legal:
            after = position.play(legal.pop(rng.below(len(legal))))
            if not after.is_over:
                break
        else:
            break  # every move would end the game
        position = after
    return position.moves
