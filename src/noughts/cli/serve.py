"""``noughts serve``: the page, on this machine."""

from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.options import OnOption, StoreOption
from noughts.cli.telling import note

if TYPE_CHECKING:
    from noughts.store.results import Store

DEFAULT_PORT = 8400


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            help="Where to listen: 127.0.0.1 unless given, or 0.0.0.0 for a class. "
            "Other machines need the token in the address it prints.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", "-p", min=0, max=65535, help=f"{DEFAULT_PORT} unless given, or a free one; 0 for any."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    in_class: Annotated[
        bool, typer.Option("--class", help="Hold a class: pupils join by a code, and you see what they play.")
    ] = False,
    on: OnOption = None,
    store: StoreOption = None,
) -> int:
    """Play, watch and analyse in your browser. Ctrl-C ends it; games and matches are kept."""
    import os

    from noughts.library.asking import executor_at
    from noughts.machine.executor import ON
    from noughts.store.results import Store
    from noughts.web.server import listen, run

    if on is not None:
        os.environ[ON] = on  # what is started on the page is done there
    executor_at(None, on)
    with Store.open(store) as opened:  # what is wrong with it is said before anything is started
        code = _class_code(opened) if in_class else ""
    listening = listen(host or ("0.0.0.0" if in_class else "127.0.0.1"), port, DEFAULT_PORT, in_class)
    typer.echo(f"noughts is at {listening.address}")
    if in_class:
        _tell_class(listening.address, code, listening.owner_address)
    elif listening.owner_token is not None:
        typer.echo(f"yours alone, to start trainings and studies: {listening.owner_address}")
    note("Ctrl-C ends it")
    run(listening, browser, in_class=in_class)
    return 0


def _class_code(store: "Store") -> str:
    """The code of the class that goes on, or of a new one; StoreError if another server holds it."""
    from noughts.web.classroom import open_class

    class_id, kept = open_class(store.class_records)
    store.class_records.lock(class_id).release(done=True)
    return kept.code


def _tell_class(address: str, code: str, teacher: str) -> None:
    """How pupils join a class, and where its teacher is."""
    from noughts.web.classroom import join_address
    from noughts.web.qr_code import qr_text

    joining = join_address(address, code)
    typer.echo(f"pupils join at {joining}")
    typer.echo(f"or there with the code {code}")
    typer.echo(qr_text(joining))
    typer.echo(f"yours alone, to teach: {teacher}#/class")
