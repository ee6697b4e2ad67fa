"""Functions that compare an agent's learned model with the rules: along a line of moves, and during a search."""

from noughts.examine.sample import Plies
from noughts.library.asking import Agents, Games, How, OnProgress, ask, games_name, read_agent
from noughts.library.positions import Moves, position, read_moves
from noughts.questions.imagined import BelievedLine, ImaginedJudged, ImaginedLine, ImaginedTallies, require_model
from noughts.questions.question import answer_here
from noughts.rules import Rules, read_rules, read_task


def imagine(agent: Agents, rules: Rules | str = "tic-tac-toe", moves: Moves = (), line: Moves = ()) -> BelievedLine:
    """Show the positions that an agent's model represents along a line of moves, with the real ones.

    Args:
        agent: An agent with a model, such as ``mz:RUN``; its search options make no difference.
        rules: A game or its text.
        moves: The moves to the position that the model sees: names of squares such as ``"B2 A1"``, or a list of names or
            cell indices.
        line: The moves that it imagines from there, in the same form; they need not be legal.

    Returns:
        The position that the model sees, and one for each move of the line. Boards need a model with a decoder.

    Raises:
        AgentError: the agent has no model or cannot play the game, or the game is over after `moves`.
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
        agent: An agent with a model and a search, such as ``mz:RUN,sims=32``.
        rules: A game or a task, whose games are counted together.
        per_ply: Positions drawn for each ply of a large game. The agent searches from each.
        all_up_to: If the game has no more positions than this, the agent searches from all of them.
        plies: The first and the last ply to search from; None for all.
        nodes: Limit for the solver in one imagined position, in the solver's unit.
        memory: Limit for the solver's tables in each worker, in GiB.
        seed: Seed of the sample.
        workers, on, on_progress, again: See `match`.

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
    judged.needs()  # raises an error if there are no such positions
    name = f"what {judged.agent} imagines on {games_name(rules)}"
    return ask([judged], "score", name, How(workers, on, on_progress, again), seed=seed)[judged]
