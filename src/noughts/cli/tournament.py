"""``noughts tournament``: everybody against everybody."""

from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.ask import Asking, asks, show
from noughts.cli.options import MoveSecondsOption, SeedOption, TaskOption, complete_agent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noughts.agents import AgentSpec
    from noughts.document.document import Document
    from noughts.document.names import Names
    from noughts.questions.answers import Answers
    from noughts.questions.played import Played
    from noughts.questions.tournament import Tournament
    from noughts.rules import Rules


@asks
def tournament(
    agents: Annotated[
        list[str],
        typer.Argument(help="Two or more agents, each as AGENT or NAME=AGENT.", autocompletion=complete_agent),
    ],
    rules: TaskOption = "tic-tac-toe",
    games: Annotated[int, typer.Option("--games", "-n", help="Games for each ordered pair.")] = 100,
    with_itself: Annotated[bool, typer.Option("--with-itself", help="Let each agent play itself too.")] = False,
    opening: Annotated[int, typer.Option("--opening", help="Random opening moves.")] = 0,
    seed: SeedOption = 0,
    move_seconds: MoveSecondsOption = None,
    *,
    how: Asking,
) -> int:
    """Play a round robin in which each agent moves first against every other agent.

    If you interrupt a tournament, the same command continues it. If it has finished, the command shows the saved result."""
    from noughts.agents import parse_agent
    from noughts.document.names import read_names
    from noughts.questions.tournament import round_robin
    from noughts.reports.presenting import present
    from noughts.rules import parse_task

    texts, names = read_names(agents)
    named = [parse_agent(text) for text in texts]
    matches = round_robin(parse_task(rules), named, games, seed, with_itself, opening, move_seconds)
    return show(present(hold(matches, rules, seed, how, names), names=names), how.as_json, names)


def hold(matches: "Sequence[Played]", rules: str, seed: int, how: Asking, names: "Names") -> "Tournament":
    """Play the matches of a round robin, or go on with them, or take what is kept unless it is asked again; their results."""
    from noughts.questions.tournament import Tournament
    from noughts.questions.traits import require_agent
    from noughts.reports.presenting import present

    games: dict[AgentSpec, dict[Rules, None]] = {}
    for match in matches:
        match.needs()  # what cannot be played, and who cannot be made, is said before anything is stored
        for agent in (match.a, match.b):
            games.setdefault(agent, {}).update(dict.fromkeys(match.task.rules))
    for agent, own in games.items():
        require_agent(agent, how.workers, tuple(own))

    def known(answers: "Answers") -> Tournament:
        return Tournament(rules, {match: answers[match] for match in matches})

    def shown(answers: "Answers") -> "Document":
        return present(known(answers), names=names)

    return known(how.ask(matches, "tournament", f"tournament of {rules}", shown, seed))
