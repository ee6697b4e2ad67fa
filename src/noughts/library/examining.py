"""What is true of an agent, for programs: every reply to it, and its moves beside exact truth."""

from collections.abc import Callable

from noughts.agents import AgentSpec
from noughts.agents.registry import from_outside
from noughts.examine.sample import Plies
from noughts.examine.walk import MOST
from noughts.library.asking import Agents, Games, ask_quietly, executor_at, read_agent, read_games
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.best_replies import BestReplies, LosingChances
from noughts.questions.judged import Judged, JudgedTask, require_solver
from noughts.questions.progress import Progress
from noughts.questions.traits import require_agent
from noughts.questions.walked import HUNT, Walked, WalkedTask, failure, require_provable
from noughts.rules import ComputeError


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
    on_progress: Callable[[Progress], None] | None = None,
) -> WalkedTask:
    """Walk every reply to an agent, as ``noughts prove`` does: it is proved, or a game that beats it is found.

    Args:
        agent: One without chance, as text; one that breaks ties by chance is proved for every way its ties can fall.
        rules: A game, or a task such as ``bttt(*)``.
        side: The side that it plays.
        instance: Prove one instance of an agent of chance, named by a seed.
        most: Positions to walk in a game at most. One that meets more is not decided.
        certify: Whether what the agent plays is kept and checked; without it nothing is proved, and ``.walked`` says what
            the walk showed.
        workers: Processes; None for one for each core, 0 for this one alone.
        on: Where: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for what NOUGHTS_ON says, or else ``local``.
        on_progress: Called as the walk goes on.

    Returns:
        A result for each game: ``answer.games[0].result.proved``, and ``.lost_game`` of one that is refuted.

    Raises:
        AgentError: there is no such agent, or it cannot be proved.
        AgentFailedError: it raised an error, or made an illegal move.
        ComputeError: every walk meets more positions than are allowed.
    """
    walked = proof_question(agent, rules, side, instance, most, workers, certify)
    require_proof(walked, workers)
    name = f"{walked.agent} as {walked.side} player"
    answers = ask_quietly(
        [walked], "proof", name, instance or 0, executor_at(workers, on), spread=True, on_progress=on_progress
    )
    task, _ = proof_answer(walked, answers)
    return task


def proof_question(
    agent: Agents,
    rules: Games,
    side: str,
    instance: int | None,
    most: int,
    workers: int | None,
    certify: bool = True,
) -> Walked:
    """A proof that can be asked for: images of a game are walked once, if the agent is one of ours and treats them alike."""
    spec, task = read_agent(agent), read_games(rules)
    several = len(task.rules) > 1
    return Walked(
        task=task,
        agent=spec,
        side=side,
        instance=instance,
        hunt=HUNT,
        most=most,
        certify=certify,
        images_once=instance is None and several and not from_outside(spec) and require_agent(spec, workers).symmetric,
    )


def losing_chances(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    side: Player = "first",
    *,
    most: int = MOST,
    workers: int | None = None,
    on: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> LosingChances:
    """How often an agent loses to the best replies of an opponent that knows how it decides, and cannot foresee how its ties fall.

    Args:
        agent: One whose ties we draw, each of its choices as often as any other: minimax, perfect, evolved ones; or one that
            leaves nothing to chance.
        rules, side, most, workers, on, on_progress: As of `prove`.

    Returns:
        A chance for each game, ``answer.games[0].result.low``, which is ``.high``, too, unless it meets more than `most` positions.

    Raises:
        AgentError: there is no such agent, or nobody knows how often it takes each of its choices.
        AgentFailedError: it raised an error, or made an illegal move.
    """
    walked = proof_question(agent, rules, side, None, most, workers)
    require_proof(walked, workers)
    asked = chance_question(walked)
    name = f"{walked.agent} as {walked.side} player, best replies"
    answers = ask_quietly([asked], "proof", name, 0, executor_at(workers, on), spread=True, on_progress=on_progress)
    return chance_answer(asked, answers)


def chance_question(walked: Walked) -> BestReplies:
    """How often the agent of a proof loses to the best replies, in the games of the proof."""
    return BestReplies(
        task=walked.task, agent=walked.agent, side=walked.side, images_once=walked.images_once, most=walked.most
    )


def chance_answer(asked: BestReplies, answers: Answers) -> LosingChances:
    """What was found of all games; the errors of `losing_chances`."""
    _require_answered(asked, answers)
    return answers[asked]


def _require_answered(asked: Walked | BestReplies, answers: Answers) -> None:
    """The error that the agent met in a game, if it met one."""
    for unit in asked.needs():
        if unit.key in answers.problems:
            raise failure(asked.agent, answers.problems[unit.key])


def require_proof(walked: Walked, workers: int | None) -> None:
    """Ask the agent once, before anything is begun; the errors of `prove`."""
    require_provable(walked.agent, walked.task.rules[0], walked.side, walked.instance, workers)


def proof_answer(walked: Walked, answers: Answers, option: str = "most=") -> tuple[WalkedTask, list[str]]:
    """What was found, and a line for each game of which the walk was given up; the errors of `prove`.

    Args:
        option: How whoever asked can allow more positions.
    """
    _require_answered(walked, answers)
    found = answers[walked]
    given_up = [
        f"{game.rules}: the walk meets more than {walked.most} positions, at ply {game.result.plies}: "
        f"allow more with {option}"
        for game in found.games
        if game.result.limit is not None
    ]
    if len(given_up) == len(found.games):
        raise ComputeError(given_up[0])
    return found, given_up


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
    on_progress: Callable[[Progress], None] | None = None,
) -> JudgedTask:
    """How often an agent keeps the value of a position, beside exact truth, as ``noughts score`` finds it.

    Args:
        agent: As text.
        rules: A game, or a task such as ``bttt(*)``.
        per_ply: Positions drawn for each ply of a large game.
        all_up_to: All positions are asked about, if the game has no more than this.
        plies: Only positions after so many moves, first and last.
        nodes: What the solver may spend on one position, in its own unit.
        memory: GiB that each solver's tables may take, in each worker.
        chunk: Positions in one piece of work; they share what the solver proves.
        seed: Of the sample and of the agent's choices.
        move_seconds: A position for which the agent takes longer counts as an error; None for no limit.
        workers: Processes; None for one for each core, 0 for this one alone.
        on: Where: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for what NOUGHTS_ON says, or else ``local``.
        on_progress: Called as pieces are done.

    Returns:
        Tallies by game and ply: ``answer.games[0].total.optimal_interval`` is the share of optimal moves.

    Raises:
        AgentError: there is no such agent.
        SolverError: no solver covers the game.
    """
    judged = score_question(agent, rules, per_ply, all_up_to, plies, nodes, memory, chunk, seed, move_seconds, workers)
    name = score_name(judged.named[0], rules)
    return ask_quietly([judged], "score", name, seed, executor_at(workers, on), on_progress=on_progress)[judged]


def score_question(
    agent: Agents,
    rules: Games,
    per_ply: int,
    all_up_to: int,
    plies: Plies | None,
    nodes: int,
    memory: int,
    chunk: int,
    seed: int,
    move_seconds: float | None,
    workers: int | None,
) -> Judged:
    """A score that can be asked for: what is impossible is said before anything is stored."""
    task, spec = read_games(rules), read_agent(agent)
    if move_seconds is not None and workers == 0:
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    require_agent(spec, workers, task.rules)
    judged = Judged(
        task=task,
        named=(spec,),
        all_up_to=all_up_to,
        per_ply=per_ply,
        plies=plies,
        nodes=nodes,
        memory=memory,
        seed=seed,
        chunk=chunk,
        move_seconds=move_seconds,
    )
    require_solver(judged)
    judged.needs()  # that there are such positions is seen now
    return judged


def score_name(agent: AgentSpec, rules: Games) -> str:
    """What a score is called in lists."""
    return f"{agent} on {rules if isinstance(rules, str) else read_games(rules).rules[0]}"
