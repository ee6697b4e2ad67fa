"""``noughts serve``: run the web app on this machine."""

from types import ModuleType
from typing import Annotated

import typer

from noughts.cli.options import OnOption, StoreOption
from noughts.cli.output import note
from noughts.rules.errors import NoughtsError

DEFAULT_PORT = 8400


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            help="Address to listen on. By default 127.0.0.1, or 0.0.0.0 with --class. "
            "Other machines need the token in the printed address.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            "-p",
            min=0,
            max=65535,
            help=f"Port to listen on, 0 for any. By default {DEFAULT_PORT}, or a free port if that is in use.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    in_class: Annotated[
        bool, typer.Option("--class", help="Teach a class. Pupils join with a code, and you see their games.")
    ] = False,
    on: OnOption = None,
    store: StoreOption = None,
) -> int:
    """Play, watch and analyse in your browser. Ctrl-C stops the server. Games and matches are saved.

    Examples:
        noughts serve
        noughts serve --port 0 --no-browser
    """
    import os

    from noughts.library.asking import How
    from noughts.machine.executor import ON
    from noughts.store.results import Store
    from noughts.web.app import create_app
    from noughts.web.server import listen, run
    from noughts.web.visitors import Visitors

    if on is not None:
        os.environ[ON] = on  # commands that the web app starts compute there
    _ = How(on=on).executor  # rejects an invalid place before the server starts
    with Store.open():  # reports errors in the store before the server starts
        opening = _classes() if in_class else None
    listening = listen(host or ("0.0.0.0" if in_class else "127.0.0.1"), port, DEFAULT_PORT)
    if opening is not None:
        app, listening, lines = opening.open_classroom(listening)
    else:
        app = create_app(listening.host, Visitors(listening.token, listening.owner_token))
        owner = f"yours alone, to start trainings and studies: {listening.owner_address}"
        lines = [owner] if listening.owner_token is not None else []
    typer.echo(f"noughts is at {listening.address}")
    for line in lines:
        typer.echo(line)
    note("Ctrl-C ends it")
    run(listening, app, browser)
    return 0


def _classes() -> ModuleType:
    """Return the module that opens classes; NoughtsError if its folder was deleted."""
    try:
        from noughts.classroom import opening  # the only import of that folder
    except ModuleNotFoundError:
        raise NoughtsError("--class: the folder noughts/classroom was deleted here: leave --class out") from None
    return opening
