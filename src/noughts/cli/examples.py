"""Examples for the end of every `--help`: commands that work as they stand, where the runs and files that they name are there."""

from collections.abc import Iterator

import typer

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "noughts play --rules tic-tac-toe",
        "noughts match minimax:depth=2 mcts:sims=200 --games 20",
        'noughts train "bttt(D4)" --minutes 10',
    ),
    "play": (
        "noughts play --rules tic-tac-toe --against minimax:depth=9",
        'noughts play --rules "bttt(D4)" --against me=python:mine.py:Mine,depth=2 --second',
    ),
    "serve": ("noughts serve", "noughts serve --port 0 --no-browser"),
    "match": (
        "noughts match minimax:depth=2 mcts:sims=200 --games 20",
        'noughts match me=python:mine.py:Mine,depth=2 rival=mcts:sims=100 --rules "bttt(*)" --games 98',
        "noughts match az:RUN,sims=0 random --games 100 --json",
    ),
    "tournament": (
        "noughts tournament random minimax:depth=1 mcts:sims=100 --games 10",
        'noughts tournament me=python:mine.py:Mine minimax mcts --rules "bttt(D4)" --opening 2',
    ),
    "prove": (
        "noughts prove minimax:depth=9,ties=first --rules tic-tac-toe --as second",
        'noughts prove best=az:RUN,sims=32,view=one-side --rules "bttt(*)" --certificate proofs',
    ),
    "score": (
        'noughts score minimax:depth=1 --rules "mnk(2,3,2)"',
        'noughts score me=python:mine.py:Mine --rules "bttt(D4)" --per-ply 20 --plies 8-20',
    ),
    "imagine": (
        'noughts imagine mz:RUN --line "B2 A1 C3"',
        'noughts imagine mz:RUN --rules "bttt(D4)" --after "C4 D3" --line "E5 E5" --json',
    ),
    "train": (
        "noughts train tic-tac-toe --preset tic-tac-toe-fast --run first",
        'noughts train "bttt(D3|D4)" --network line:features=32 --minutes 30 --set search.simulations=24',
        "noughts train --method es --help-config",
    ),
    "select": ("noughts select first second third --rounds 50", "noughts select first@10 first@20 --rules tic-tac-toe"),
    "sweep": ("noughts sweep networks.toml --plan", "noughts sweep networks.toml --workers 2 --report pages"),
    "agents": ("noughts agents", "noughts agents --json"),
    "networks": ("noughts networks", "noughts networks --json"),
    "export": (
        "noughts export match --to games.csv",
        "noughts export all --to games.pgn --agent minimax --rules tic-tac-toe",
    ),
    "gomocup": ("noughts gomocup --agent minimax:depth=12", "noughts gomocup --agent az:RUN --k 5 --seconds 2"),
    "solve": (
        "noughts solve tic-tac-toe --moves",
        'noughts solve "bttt(D4)" --certificate proofs --distance',
        'noughts solve "bttt(*)" --seconds 10',
    ),
    "bench": (
        "noughts bench minimax:depth=2",
        "noughts bench az:RUN,sims=32 --suite full --to card.json",
        "noughts bench --check card.json",
    ),
    "conform": ("noughts conform mine.py:Mine", "noughts conform mine.py:Mine --rules misere-tic-tac-toe"),
    "verify": ("noughts verify proofs", "noughts verify proofs --workers 2 --json"),
    "puzzles": ("noughts puzzles tic-tac-toe -n 5", 'noughts puzzles "bttt(D4)" -n 20 --grade hard --json'),
    "doctor": ("noughts doctor", "noughts doctor --json"),
    "runs": ("noughts runs list", "noughts runs compare first second --plot curves.svg"),
    "runs compare": (
        "noughts runs compare first second --plot curves.svg",
        "noughts runs compare first second --against rival=minimax:depth=2 --games 200",
    ),
    "runs list": ("noughts runs list", "noughts runs list --json"),
    "runs show": ("noughts runs show first", "noughts runs show first --json"),
    "runs resume": ("noughts runs resume first", "noughts runs resume first --minutes 30"),
    "runs export": ("noughts runs export first --to first.safetensors", "noughts runs export first --to first.onnx"),
    "runs remove": ("noughts runs remove first", "noughts runs remove first second --yes"),
    "study": ("noughts study list", "noughts study run is-minimax-perfect"),
    "study list": ("noughts study list", "noughts study list --json"),
    "study run": (
        "noughts study run mcts-perfect --scale quick",
        "noughts study run bttt-tournament --agent me=python:mine.py:Mine,depth=2 --move-seconds 5",
    ),
    "study show": (
        "noughts study show mcts-perfect",
        "noughts study show bttt-tournament --seed 1 --recompute --csv tables --latex tables",
    ),
    "study archive": (
        "noughts study archive mcts-perfect",
        "noughts study archive is-minimax-perfect --scale laptop -o minimax.study.tar.xz",
    ),
    "study check": ("noughts study check mcts-perfect-quick.study.tar.xz",),
    "results": ("noughts results list --kind match", "noughts results show match"),
    "results list": ("noughts results list --kind match", 'noughts results list --agent mcts --rules "bttt(*)"'),
    "results show": ("noughts results show match", "noughts results show tournament --json"),
    "results games": ("noughts results games match --ending draw", "noughts results games all --agent minimax"),
    "results export": (
        "noughts results export match --to games.csv",
        "noughts results export all --to games.parquet --study bttt-tournament",
    ),
    "results replay": ("noughts results replay match 1", "noughts results replay match --rerun"),
    "results usage": ("noughts results usage", "noughts results usage --json"),
    "results remove": ("noughts results remove 20260131-120000-0a1b2c3d --yes",),
    "rules": ("noughts rules list", 'noughts rules show "bttt(E5)"'),
    "rules show": ('noughts rules show "bttt(E5)"', 'noughts rules show "mnk(7,7,4,wrap=both)" --json'),
    "rules list": ("noughts rules list", "noughts rules list --json"),
}
"""By the words of a command, without ``noughts``. AGENT, RUN and files are to be replaced."""


def add_examples(app: typer.Typer) -> None:
    """Let the help of every command end with its examples."""
    app.info.epilog = _written("")
    for words, info in _commands(app):
        info.epilog = _written(words)


def _commands(
    app: typer.Typer, before: str = ""
) -> Iterator[tuple[str, "typer.models.CommandInfo | typer.models.TyperInfo"]]:
    """All commands and groups of commands, by their words."""
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "").replace("_", "-")
        yield f"{before}{name}", command
    for group in app.registered_groups:
        yield f"{before}{group.name}", group
        if group.typer_instance is not None:
            yield from _commands(group.typer_instance, f"{before}{group.name} ")


def _written(words: str) -> str | None:
    """The examples as a paragraph that keeps its lines; None if there are none."""
    lines = EXAMPLES.get(words, ())
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines) if lines else None
