"""``noughts serve``: the page, on this machine."""

from typing import Annotated

import typer

from noughts.cli.options import StoreOption

DEFAULT_PORT = 8400


def serve(
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; other machines need the token in the address it prints.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", "-p", min=0, max=65535, help=f"{DEFAULT_PORT} unless given, or a free one; 0 for any."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    store: StoreOption = None,
) -> int:
    """Play, watch and analyse in your browser. Ctrl-C ends it; games and matches are kept."""
    from noughts.store.results import Store
    from noughts.web.server import listen, run

    Store.open(store).close()  # what is wrong with it is said before anything is started
    listening = listen(host, port, DEFAULT_PORT)
    typer.echo(f"noughts is at {listening.address}")
    typer.echo("Ctrl-C ends it", err=True)
    run(listening, browser)
    return 0
