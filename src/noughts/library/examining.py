"""Proofs and scores of agents for programs: every reply is tried, and moves are compared with exact values."""

from typing import NamedTuple, Self

from noughts.agents.registry import from_outside
from noughts.examine.sample import Plies
from noughts.examine.walk import MOST
from noughts.library.asking import Agents, Games, How, OnProgress, ask, games_name, read_agent
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.best_replies import BestReplies, LosingChances
from noughts.questions.judged import Judged, JudgedTask, require_solver
from noughts.questions.traits import require_agent
from noughts.questions.walked import HUNT, Walked, WalkedTask, failure, require_provable
from noughts.rules import ComputeError, read_task


def prove(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    side: Player = "first",
    *,
    instance: int | None = None,
    most: int = MOST,
    certify: bool = True,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> WalkedTask:
    """Try every reply to an agent, as ``noughts prove`` does: prove the agent, or find a game that it loses.

    Args:
        agent: Its text. It must not sample its moves; random tie-breaking is fine, because every tied move is followed.
        rules: A game, or a task such as ``bttt(*)``.
        side: The side that it plays.
        instance: Prove one seeded copy of a stochastic agent; this is its seed.
        most: Positions to visit in a game at most. A game that needs more stays undecided.
        certify: Whether to save and check a certificate of what the agent plays; without one nothing is proved, and ``.walked`` has
            the result of the walk.
        workers, on, on_progress, again: As of `match`.

    Returns:
        A result for each game: ``answer.games[0].result.proved``, and ``.lost_game`` if the agent is refuted.

    Raises:
        AgentError: there is no such agent, or it cannot be proved.
        AgentFailedError: it raised an error, or made an illegal move.
        ComputeError: every walk meets more positions than are allowed.
    """
    proof = PlannedProof.of(agent, rules, side, instance, most, workers, certify)
    return proof.walk(How(workers, on, on_progress, again))


class PlannedProof(NamedTuple):
    """A proof that can begin, because its agent was queried and can be proved.

    Attributes:
        walked: Every reply.
        name: What is proved, for lists of runs.
        heard: The answers of that query.
    """

    walked: Walked
    name: str
    heard: Answers

    @classmethod
    def of(
        cls,
        agent: Agents,
        rules: Games,
        side: Player,
        instance: int | None,
        most: int,
        workers: int | None,
        certify: bool = True,
    ) -> Self:
        """Query the agent once; raises the errors of `prove`.

        Games that are equivalent under symmetry are walked once, if the agent is one of ours and treats them alike.
        """
        spec, task = read_agent(agent), read_task(rules)
        walked = Walked(task=task, agent=spec, side=side, instance=instance, hunt=HUNT, most=most, certify=certify)
        traits, heard = require_provable(spec, task.rules, side, instance, workers)
        once = instance is None and len(task.rules) > 1 and not from_outside(spec) and traits.symmetric
        name = f"{spec} as {side} player of {games_name(rules)}"
        return cls(walked.model_copy(update={"images_once": once}), name, heard)

    @property
    def best_replies(self) -> BestReplies:
        """The question how often the agent loses to a best response, in the same games."""
        walked = self.walked
        return BestReplies(
            task=walked.task, agent=walked.agent, side=walked.side, images_once=walked.images_once, most=walked.most
        )

    def walk(self, how: How) -> WalkedTask:
        """Try every reply; the answer and the errors of `prove`."""
        answer = self._ask(self.walked, self.name, how)[self.walked]
        if all(game.result.limit is not None for game in answer.games):
            raise ComputeError(
                f"every walk meets more than {self.walked.most} positions: allow more with most= or --max-positions"
            )
        return answer

    def chances(self, how: How) -> LosingChances:
        """Find the loss rate; the answer and the errors of `losing_chances`."""
        asked = self.best_replies
        return self._ask(asked, f"{self.name}, best response", how)[asked]

    def _ask(self, asked: Walked | BestReplies, name: str, how: How) -> Answers:
        """Return all answers; if the agent failed in a game, raise that error."""
        seed = self.walked.instance or 0
        answers = ask([asked], "proof", name, how, seed=seed, spread=True, heard=self.heard)
        for problem in answers.problems_of(asked.needs()):
            raise failure(asked.agent, problem)
        return answers


def losing_chances(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    side: Player = "first",
    *,
    most: int = MOST,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> LosingChances:
    """Compute an agent's loss rate against a best response, an opponent that knows its policy but not its random numbers.

    Args:
        agent: One of noughts' agents that break ties uniformly, such as minimax, perfect and evolved ones; or a deterministic
            one.
        rules, side, most: As of `prove`.
        workers, on, on_progress, again: As of `match`.

    Returns:
        A rate for each game, from ``answer.games[0].result.low`` to ``.high``, which are equal unless it needs more than `most` positions.

    Raises:
        AgentError: there is no such agent, or the probabilities of its moves are unknown.
        AgentFailedError: it raised an error, or made an illegal move.
    """
    return PlannedProof.of(agent, rules, side, None, most, workers).chances(How(workers, on, on_progress, again))


def score(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    *,
    per_ply: int = 50,
    all_up_to: int = 20_000,
    plies: Plies | None = None,
    nodes: int = 1_000_000,
    memory: int = 1,
    chunk: int = 25,
    seed: int = 0,
    move_seconds: float | None = None,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> JudgedTask:
    """Count how often an agent plays an optimal move, by exact values, as ``noughts score`` does.

    Args:
        agent: As text.
        rules: A game, or a task such as ``bttt(*)``.
        per_ply: Positions drawn for each ply of a large game.
        all_up_to: Score all positions, if the game has no more than this.
        plies: Only positions after so many moves, first and last.
        nodes: Limit for the solver in one position, in its own unit.
        memory: GiB that each solver's tables may take, in each worker.
        chunk: Positions in one piece of work; they share what the solver proves.
        seed: Of the sample and of the agent's choices.
        move_seconds: Limit for a position; if the agent takes longer, that counts as an error. None for no limit.
        workers, on, on_progress, again: As of `match`.

    Returns:
        Tallies by game and ply: ``answer.games[0].total.optimal_interval`` is the share of optimal moves.

    Raises:
        AgentError: there is no such agent.
        SolverError: no solver covers the game.
    """
    if move_seconds is not None and workers == 0:
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    asked = Judged(
        task=read_task(rules),
        named=(read_agent(agent),),
        all_up_to=all_up_to,
        per_ply=per_ply,
        plies=plies,
        nodes=nodes,
        memory=memory,
        seed=seed,
        chunk=chunk,
        move_seconds=move_seconds,
    )
    require_score(asked, workers)
    how = How(workers, on, on_progress, again)
    return ask([asked], "score", f"{asked.named[0]} on {games_name(rules)}", how, seed=seed)[asked]


def require_score(asked: Judged, workers: int | None) -> None:
    """Raise the errors of `score`, before anything is asked or kept."""
    require_agent(asked.named[0], workers, asked.task.rules)
    require_solver(asked)
    asked.needs()  # that there are such positions is seen now
