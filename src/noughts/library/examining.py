"""Functions that examine an agent: they try every reply to it, and compare its moves with exact values."""

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
        agent: Its text. It must not sample its moves; random tie-breaking is fine, because every tied move is tried.
        rules: A game, or a task such as ``bttt(*)``.
        side: The side that it plays.
        instance: The seed of the one seeded copy of a stochastic agent to prove; None to prove the agent itself.
        most: Largest number of positions to visit in one game. A game that needs more stays undecided.
        certify: Whether to save and check a certificate of the agent's moves. Without one nothing is proved, and ``.walked``
            has the result of the walk.
        workers, on, on_progress, again: See `match`.

    Returns:
        A result for each game: ``answer.games[0].result.proved``, and ``.lost_game`` if the agent is refuted.

    Raises:
        AgentError: there is no such agent, or it cannot be proved.
        AgentFailedError: it raised an error, or made an illegal move.
        ComputeError: every walk exceeds the limit `most`.
    """
    walked, heard = planned_walk(agent, rules, side, most, workers, instance, certify)
    return proof_of(walked, heard, rules, How(workers, on, on_progress, again))


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
        rules, side, most: See `prove`.
        workers, on, on_progress, again: See `match`.

    Returns:
        A rate for each game, from ``answer.games[0].result.low`` to ``.high``; they are equal if `most` positions suffice.

    Raises:
        AgentError: there is no such agent, or the probabilities of its moves are unknown.
        AgentFailedError: it raised an error, or made an illegal move.
    """
    walked, heard = planned_walk(agent, rules, side, most, workers)
    return chances_of(walked, heard, rules, How(workers, on, on_progress, again))


def planned_walk(
    agent: Agents,
    rules: Games,
    side: Player,
    most: int,
    workers: int | None,
    instance: int | None = None,
    certify: bool = True,
) -> tuple[Walked, Answers]:
    """Query an agent, and return the question that tries every reply to it, and the answers about the agent.

    Of games that are equivalent under symmetry one is walked, if the agent treats them alike and is not third-party code.

    Raises:
        AgentError, AgentFailedError: as for `prove`.
    """
    spec, task = read_agent(agent), read_task(rules)
    walked = Walked(task=task, agent=spec, side=side, instance=instance, hunt=HUNT, most=most, certify=certify)
    traits, heard = require_provable(spec, task.rules, side, instance, workers)
    once = instance is None and len(task.rules) > 1 and not from_outside(spec) and traits.symmetric
    return walked.model_copy(update={"images_once": once}), heard


def proof_of(walked: Walked, heard: Answers, rules: Games, how: How) -> WalkedTask:
    """Return the answer to a planned walk; errors as for `prove`. `rules` names the games in lists of runs."""
    name = f"{walked.agent} as {walked.side} player of {games_name(rules)}"
    answer = _answered(walked, name, how, heard, seed=walked.instance or 0)[walked]
    if all(game.result.limit is not None for game in answer.games):
        raise ComputeError(
            f"every walk meets more than {walked.most} positions: allow more with most= or --max-positions"
        )
    return answer


def chances_of(walked: Walked, heard: Answers, rules: Games, how: How) -> LosingChances:
    """Return the loss rate against a best response in the games of a planned walk; as `proof_of`."""
    asked = best_replies_of(walked)
    name = f"{walked.agent} as {walked.side} player of {games_name(rules)}, best response"
    return _answered(asked, name, how, heard)[asked]


def best_replies_of(walked: Walked) -> BestReplies:
    """Return the question for the loss rate against a best response, in the same games."""
    return BestReplies(**{name: getattr(walked, name) for name in BestReplies.model_fields})


def _answered(asked: Walked | BestReplies, name: str, how: How, heard: Answers, seed: int = 0) -> Answers:
    """Return all answers; if the agent failed in a game, raise its error."""
    answers = ask([asked], "proof", name, how, seed=seed, spread=True, heard=heard)
    for problem in answers.problems_of(asked.needs()):
        raise failure(asked.agent, problem)
    return answers


def score(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    *,
    per_ply: int = 50,
    all_up_to: int = 20_000,
    plies: Plies | None = None,
    nodes: int = 1_000_000,
    memory: int = 1,
    seed: int = 0,
    move_seconds: float | None = None,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> JudgedTask:
    """Count an agent's optimal moves by exact values, as ``noughts score`` does.

    Args:
        agent: Its text.
        rules: A game, or a task such as ``bttt(*)``.
        per_ply: Positions drawn for each ply of a large game.
        all_up_to: If the game has no more positions than this, score all of them.
        plies: The first and the last ply to score; None for all.
        nodes: Limit for the solver in one position, in the solver's unit.
        memory: Limit for the solver's tables in each worker, in GiB.
        seed: Seed of the sample and of the agent's choices.
        move_seconds: Limit for the agent in one position; taking longer counts as an error. None for no limit.
        workers, on, on_progress, again: See `match`.

    Returns:
        Counts by game and ply. ``answer.games[0].total.optimal_interval`` is the share of optimal moves, with its interval.

    Raises:
        AgentError: there is no such agent.
        SolverError: no solver covers the game.
    """
    asked = Judged(
        task=read_task(rules),
        named=(read_agent(agent),),
        all_up_to=all_up_to,
        per_ply=per_ply,
        plies=plies,
        nodes=nodes,
        memory=memory,
        seed=seed,
        chunk=25,  # positions in one job, which share what the solver proves
        move_seconds=move_seconds,
    )
    require_score(asked, workers)
    how = How(workers, on, on_progress, again)
    return ask([asked], "score", f"{asked.named[0]} on {games_name(rules)}", how, seed=seed)[asked]


def require_score(asked: Judged, workers: int | None) -> None:
    """Raise the errors of `score` before the work begins."""
    require_agent(asked.named[0], workers, asked.task.rules)
    require_solver(asked)
    asked.needs()  # raises an error if there are no such positions
