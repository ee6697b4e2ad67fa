"""``noughts bench``: test an agent on a fixed suite of tasks with exact answers, or check a scorecard."""

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.ask import Asking
from noughts.cli.options import ForceOption, agent_argument, grouped


@grouped
def bench(
    agent: Annotated[
        str | None, agent_argument(metavar="AGENT", help="Agent to test. `noughts agents` lists the kinds.")
    ] = None,
    suite: Annotated[
        str, typer.Option("--suite", help="small, or full, which takes some minutes on two cores.")
    ] = "small",
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE.json", help="Write the scorecard there, and its certificates beside it."),
    ] = None,
    force: ForceOption = False,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE.json", help="Check a scorecard, in place of making one.")
    ] = None,
    *,
    how: Asking,
) -> int:
    """Test an agent on tasks with exact answers: perfect play, generalisation, exploitability and speed.

    `--check` verifies the certificates of a scorecard, proves these rows again with the agent, and computes three other rows again,
    drawn at random.

    Examples:
        noughts bench minimax:depth=2
        noughts bench az:RUN,sims=32 --suite full --to card.json
        noughts bench --check card.json
    """
    from noughts.cli.progress import steps_of, watch
    from noughts.library import bench as benches
    from noughts.rules import NoughtsError
    from noughts.store.files import read_small, require_new

    if (agent is None) == (check is None):
        raise NoughtsError("give an AGENT to test, or --check FILE.json")
    if check is not None:
        card = benches.Scorecard.from_json(read_small(check, "the scorecard"))
        wrong, done = benches.check_scorecard(
            card, check, how.workers, lambda steps: watch(steps_of(steps, "scorecard"))
        )
        for line in wrong:
            typer.echo(f"wrong: {line}", err=True)
        typer.echo("refused" if wrong else card)
        typer.echo(f"checked: {done}")
        return 1 if wrong else 0
    assert agent is not None
    if to is not None:
        require_new(to, force)
    card = benches.bench(agent, suite, **how.options)
    if to is not None:
        benches.write_scorecard(card, to)
    return how.show(card)
