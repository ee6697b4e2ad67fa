"""Proving an agent: every reply to it is walked, by many workers, so that it is proved or refuted.

The walk's levels are cut into chunks of positions, and each chunk is a piece of work of a session: the agent's
choices in them are stored as they come, and a walk that was interrupted goes on where it stopped. The answer is the
same for any number of workers.

Agents that can be beaten are mostly beaten soon by play that looks good. So the first walk is narrow: of each level
it keeps the positions that look worst for the agent. If it finds no lost game, the whole walk follows.
"""

import base64
import json
import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import ClassVar, Literal, Protocol

import numpy as np

from noughts.agents import build_agent, parse_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.agents.registry import from_outside
from noughts.examine.walk import MOST, Walk, positions_after, require_played
from noughts.machine import Done, Recorder, run_jobs
from noughts.play.playthrough import ENDINGS, SIDES
from noughts.positions import Position, Side
from noughts.questions.session import Keeper, Measured, Measurement, Progress, carry_out
from noughts.rules import AgentError, Rules, Value, format_rules, parse_rules
from noughts.rules.errors import AgentFailedError
from noughts.store.records import GameRecord

CHUNK = 200
"""Positions in which an agent is asked at once."""

WIDTH = 1000
"""Positions of each level that the narrow walk keeps."""

_HERE_SECONDS = 2.0  # for so long each level is worked at here: to start workers takes about as long

REPLIES = "every reply"
"""Who plays against the agent, in the record of a game."""

Answer = Literal["wins", "never loses", "refuted"]


class ProofPlan(Value):
    """What is to be proved.

    Attributes:
        agent, rules: Text forms.
        side: The side that the agent plays.
        instance: None to prove the agent itself, however its ties fall; a seed to prove one instance of it.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "proof"
    allowed: ClassVar = {"side": "first or second", "instance": "a whole number"}

    agent: str
    rules: str
    side: Literal["first", "second"]
    instance: int | None = None

    @property
    def name(self) -> str:
        """What it is called in the store."""
        instance = "" if self.instance is None else f" / instance {self.instance}"
        return f"{self.rules} / {self.agent} / {self.side}{instance}"


class ProofOfAgent(Value):
    """What walking every reply showed.

    Attributes:
        plan: What was to be proved.
        answer: ``wins`` or ``never loses`` is proved; ``refuted`` if a game is lost.
        positions: Positions in which the agent was asked; those that count as one are counted once.
        ties: Those of them in which chance decides between moves.
        won, drawn, lost: Different games that end so, symmetric ones too, rounded to 16 digits where there are more
            than 2^53; if refuted, only those that were met before.
        longest: Plies of the longest of these games.
        game: Moves of a lost game if refuted; else of a shortest drawn one, if there is one.
    """

    error_type: ClassVar = AgentError
    called: ClassVar = "proof"

    plan: ProofPlan
    answer: Answer
    positions: int
    ties: int
    won: int
    drawn: int
    lost: int
    longest: int
    game: tuple[int, ...] | None

    @property
    def games(self) -> int:
        """All games that were counted."""
        return self.won + self.drawn + self.lost

    def record(self) -> GameRecord | None:
        """The game as the store keeps games."""
        if self.game is None:
            return None
        plan, rules = self.plan, parse_rules(self.plan.rules)
        players = (plan.agent, REPLIES) if plan.side == "first" else (REPLIES, plan.agent)
        return GameRecord(
            key=f"{plan.name} / {'lost' if self.answer == 'refuted' else 'drawn'}",
            rules=plan.rules,
            first=players[0],
            second=players[1],
            seed=plan.instance or 0,
            moves=self.game,
            ending=ENDINGS[Position.start(rules, self.game).outcome],
        )


def make_plan(plan: ProofPlan) -> ProofPlan:
    """The same plan in canonical form; RulesError or AgentError if it names what does not exist."""
    rules, agent = format_rules(parse_rules(plan.rules)), str(parse_agent(plan.agent))
    return plan.model_copy(update={"rules": rules, "agent": agent})


def require_provable(plan: ProofPlan, workers: int | None = None) -> None:
    """Ask the agent once, before anything is begun, where it first has to move.

    Args:
        plan: What is to be proved, in canonical form.
        workers: 0 to ask an agent from outside the project in this process, too.

    Raises:
        AgentError: there is no such agent, it cannot be made, or it is not deterministic.
        AgentFailedError: it raised an error, chose an illegal move, or ended its process.
    """
    is_symmetric(build_agent(plan.agent))
    position = Position.start(parse_rules(plan.rules))
    if plan.side == "second":
        position = position.play(position.legal_moves[0])
    if position.is_over:
        return
    job = _ask(plan, "start", [position.moves]).job()
    with closing(run_jobs([job], 1 if workers != 0 and from_outside(plan.agent) else 0)) as results:
        for result in results:
            if not isinstance(result, Done):
                raise _failure(plan.agent, result.message)


class RunKeeper(Keeper, Protocol):
    """A keeper that gives back what it keeps: a run of the results database."""

    def measurements(self) -> Mapping[str, str]:
        """All measurements by key."""
        ...


class Proving:
    """A proof on its way: go through `next_level` until it is `finished`; then see its `result`.

    Args:
        plan: What is to be proved, in canonical form.
        keeper: Gets the agent's choices; what it has already is not asked again.
        workers: Processes; None for one for each core, 0 for none but this one. Unless it is 0, an agent from outside
            the project is asked in workers alone: its code may end the process it runs in.
        most: Positions to be asked in all.
        clock: Seconds; says when it is worth while to start workers.

    Attributes:
        walk: The walk that is on its way.
        whole: Whether it is the second one, which leaves out nothing.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
        AgentFailedError: it cannot say whether it is symmetric.
    """

    def __init__(
        self,
        plan: ProofPlan,
        keeper: RunKeeper,
        workers: int | None = None,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.plan, self.workers = plan, workers
        self.rules: Rules = parse_rules(plan.rules)
        # An instance of an agent of chance draws other numbers at every position, also at symmetric ones.
        symmetric = plan.instance is None and is_symmetric(build_agent(plan.agent))
        self._walk = (self.rules, Side(SIDES.index(plan.side)), symmetric, most)
        self.walk = Walk(*self._walk)
        self.whole = False
        self._choices = _Choices(keeper)
        self._clock = clock

    @property
    def finished(self) -> bool:
        """Whether all is known: a game is lost, or no position is left."""
        return self.walk.lost_game is not None or len(self.walk) == 0

    def next_level(self) -> Generator[Progress, None, None]:
        """Ask the agent in all positions of this level, and go on to the next; yields as positions are decided.

        Raises:
            AgentError: the agent is not deterministic.
            AgentFailedError: it raised an error, chose an illegal move, or ended its process.
            ComputeError: the walk meets more positions than allowed.
        """
        walk, total = self.walk, len(self.walk)
        name = f"{'narrow / ' if walk.narrowed else ''}ply {walk.ply:03d}"
        chunks = [
            _ask(self.plan, f"{name} / {start:08d}", walk.moves(start, min(start + CHUNK, total)).tolist())
            for start in range(0, total, CHUNK)
        ]
        found = None
        for done in self._carry_out(chunks):
            found = done if found is None else found
            yield Progress(min(total, done * CHUNK), total, min(total, (done - found) * CHUNK))
        walk.advance([moves for chunk in chunks for moves in self._choices.take(chunk.key)])
        if walk.lost_game is not None:
            self._check(walk.lost_game)
        elif len(walk) == 0 and walk.narrowed:  # what was left out may still refute the agent
            self.walk, self.whole = Walk(*self._walk), True
        elif not self.whole:
            walk.narrow(WIDTH)

    def result(self) -> ProofOfAgent:
        """What the walk showed, once it is finished."""
        walk = self.walk
        found = walk.result()
        answer: Answer = "refuted" if walk.lost_game is not None else "never loses" if found.drawn else "wins"
        return ProofOfAgent(
            plan=self.plan,
            answer=answer,
            positions=walk.decisions,
            ties=walk.undecided,
            won=found.won,
            drawn=found.drawn,
            lost=found.lost,
            longest=walk.longest,
            game=walk.lost_game if answer == "refuted" else walk.drawn_game,
        )

    def _carry_out(self, chunks: Sequence[Measurement]) -> Generator[int, None, None]:
        """Do what is not done; yields how many chunks are."""
        begun, clock = self._clock(), self._clock
        stages = [(self.workers, math.inf)]
        if self.workers != 0 and not from_outside(self.plan.agent):
            stages.insert(0, (0, _HERE_SECONDS))
        for workers, seconds in stages:
            with closing(carry_out(chunks, self._choices, workers, clock)) as steps:
                for step in steps:
                    if self._choices.failure:
                        raise _failure(self.plan.agent, self._choices.failure)
                    yield step.done
                    if step.new and step.done < step.total and clock() - begun > seconds:
                        break
                else:  # gone through to the end: workers that leave while it is closed would swallow Ctrl-C
                    return

    def _check(self, game: Sequence[int]) -> None:
        """Ask the agent again along a game that it is said to lose: AgentError if it would not play it."""
        side = self.walk.side
        chunks = [_ask(self.plan, f"check / {ply:03d}", [game[:ply]]) for ply in range(int(side), len(game), 2)]
        for _ in self._carry_out(chunks):
            pass
        again = [choices for chunk in chunks for choices in self._choices.take(chunk.key)]
        try:
            require_played(self.rules, side, game, again)
        except AgentError as error:
            raise AgentError(f"{self.plan.agent} cannot be proved: {error}") from None


class _Choices:
    """A keeper that also hands out what it was given; what failed is not kept, so that it may be tried again."""

    def __init__(self, keeper: RunKeeper) -> None:
        self.keeper = keeper
        self.failure = ""
        self._found = {key: Measured.from_json(text).value for key, text in keeper.measurements().items()}

    def done_keys(self) -> set[str]:
        return set(self._found)

    def add(self, games: Sequence[GameRecord] = (), measurements: dict[str, str] | None = None) -> None:
        kept = {}
        for key, text in (measurements or {}).items():
            measured = Measured.from_json(text)
            if measured.error:
                self.failure = self.failure or measured.error
            else:
                kept[key] = text
                self._found[key] = measured.value
        self.keeper.add((), kept)

    def take(self, key: str) -> list[tuple[int, ...]]:
        """The choices for each position of a chunk."""
        return [tuple(moves) for moves in json.loads(self._found[key])]


def _ask(plan: ProofPlan, key: str, moves: Sequence[Sequence[int]]) -> Measurement:
    """The agent's choices after each of these sequences of moves, all of one length."""
    packed = np.array(moves, "<u2").reshape(len(moves), -1)
    argument = {
        "agent": plan.agent,
        "rules": plan.rules,
        "instance": plan.instance,
        "shape": packed.shape,
        "moves": base64.b64encode(packed.tobytes()).decode(),
    }
    return Measurement(key, "noughts.questions.prove:decide_chunk", json.dumps(argument))


def decide_chunk(argument: str, recorder: Recorder) -> str:
    """Ask an agent in many positions; a job for a pool of workers. Its choices as JSON, a list for each position.

    An agent from outside the project is asked twice, because nobody here knows what it decides by.
    """
    asked = json.loads(argument)
    moves = np.frombuffer(base64.b64decode(asked["moves"]), "<u2").reshape(asked["shape"])
    positions = positions_after(parse_rules(asked["rules"]), moves)
    agent = build_agent(asked["agent"])
    return json.dumps(possible_moves(agent, positions, asked["instance"], twice=from_outside(asked["agent"])))


def _failure(agent: str, message: str) -> AgentError:
    """The error for a chunk that failed: the agent is of no kind that can be proved, or it failed."""
    kind, _, reason = message.partition(": ")
    if kind == AgentError.__name__:
        return AgentError(f"{agent} cannot be proved: {reason}")
    return AgentFailedError(f"{agent}: {reason if kind == AgentFailedError.__name__ else message}")
