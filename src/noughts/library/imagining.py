"""What an agent with a learned model of the game imagines, for programs: along a line of moves, and when it searches."""

from noughts.examine.sample import Plies
from noughts.library.asking import Agents, Games, How, OnProgress, ask, games_name, read_agent
from noughts.library.positions import Moves, position, read_moves
from noughts.questions.imagined import BelievedLine, ImaginedJudged, ImaginedLine, ImaginedTallies, require_model
from noughts.questions.question import answer_here
from noughts.rules import Rules, read_rules, read_task


def imagine(agent: Agents, rules: Rules | str = "tic-tac-toe", moves: Moves = (), line: Moves = ()) -> BelievedLine:
    """Show the positions that an agent's model represents along a line of moves, with the real ones.

    Args:
        agent: One that has a model, such as ``mz:RUN``; its search options make no difference.
        rules: A game or its text.
        moves: Those that lead to the position that it sees: names of squares such as ``"B2 A1"``, or a list of names or
            cell indices.
        line: The moves that it imagines from there, likewise; they need not be legal.

    Returns:
        The position that it sees, and one for each move of the line; boards need a model with a decoder.

    Raises:
        AgentError: it has no model, cannot play the game, or the game is over after `moves`.
        RulesError: there is no such game or square.
        IllegalMoveError: one of `moves` is not legal.
    """
    game, spec = read_rules(rules), require_model(read_agent(agent))
    seen = position(game, moves)
    return answer_here(ImaginedLine(agent=spec, rules=game, moves=seen.moves, line=read_moves(game, line)))


def score_model(
    agent: Agents,
    rules: Games = "tic-tac-toe",
    *,
    per_ply: int = 50,
    all_up_to: int = 1000,
    plies: Plies | None = None,
    nodes: int = 100_000,
    memory: int = 1,
    seed: int = 0,
    workers: int | None = None,
    on: str | None = None,
    on_progress: OnProgress = None,
    again: bool = False,
) -> ImaginedTallies:
    """Measure the errors of an agent's model during its search, by depth, as ``noughts score`` does.

    Args:
        agent: One that has a model and searches, such as ``mz:RUN,sims=32``.
        rules: A game or a task; all games together.
        per_ply: Positions drawn for each ply of a large game, from which it searches.
        all_up_to: It searches from all positions, if the game has no more than this.
        plies: Only from positions after so many moves, first and last.
        nodes: Limit for the solver in one imagined position, in its own unit.
        memory: GiB that each solver's tables may take, in each worker.
        seed: Of the sample.
        workers, on, on_progress, again: As of `match`.

    Raises:
        AgentError: there is no such agent, or it has no model.
    """
    task = read_task(rules)
    judged = ImaginedJudged(
        task=task,
        agent=require_model(read_agent(agent)),
        per_ply=per_ply,
        all_up_to=all_up_to,
        plies=plies,
        nodes=nodes,
        memory=memory,
        seed=seed,
    )
    judged.needs()  # that there are such positions is seen now
    name = f"what {judged.agent} imagines on {games_name(rules)}"
    return ask([judged], "score", name, How(workers, on, on_progress, again), seed=seed)[judged]
