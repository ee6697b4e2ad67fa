"""``noughts select``: select the best of several training runs, by games between them alone.

BetaZero by CMA-ES, "Results": half of its runs fail, and no solver may be used to find out which. So each run plays all others,
and the run with the best average score is selected.
"""

import math
from typing import Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import SeedOption, grouped


@grouped
def select(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Two or more runs, by name or folder.")],
    rules: Annotated[
        str | None,
        typer.Option("--rules", "-r", metavar="RULES", help="Game to play. By default the game of the runs."),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", "-n", min=1, help="Rounds for each pair. In a round each agent moves first once.")
    ] = 100,
    seed: SeedOption = 0,
    *,
    how: Asking,
) -> int:
    """Let the agents of several runs play each other, and select the one with the best average score.

    Only games between the runs count, because no solver is used. So ties are possible. RUN@ITERATION selects
    an earlier iteration of a run.

    Examples:
        noughts select first second third --rounds 50
        noughts select first@10 first@20 --rules tic-tac-toe
    """
    import noughts
    from noughts.agents.trained import split_target
    from noughts.questions.tournament import ranking
    from noughts.reports.presenting.matches import ranked_json
    from noughts.store.run_folder import RunFolder

    described = {run: RunFolder.find(split_target(run).run).description for run in runs}
    agents = [f"{described[run].method}:{run}" for run in runs]
    game = rules if rules is not None else _game({found.task for found in described.values()})
    held = noughts.tournament(agents, game, rounds, seed=seed, **how.options)
    best, *others = ranking(held.results)
    equal = [other.agent for other in others if math.isclose(other.score, best.score, abs_tol=1e-9)]
    lines = [f"selected  {best.agent}, mean score {best.score:.3f}"]
    lines += [f"equal     {', '.join(equal)}"] if equal else []
    return how.show(held, lines=lines, selected=ranked_json(best), equal=equal)


def _game(tasks: set[str]) -> str:
    """Return the one game in all these tasks; NoughtsError if there are several."""
    from noughts.rules import NoughtsError, format_rules, parse_task

    games = {format_rules(rules) for task in tasks for rules in parse_task(task).rules}
    if len(games) > 1:
        raise NoughtsError(f"the runs learned several games ({', '.join(sorted(games))}): choose one with --rules")
    return games.pop()
