"""``noughts networks [NETWORK]``: list the networks and their options."""

from typing import Annotated

import typer

from noughts.cli.options import JsonOption


def networks(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="NETWORK", help="List only this network, or your own as python:file.py:Class."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """List the networks, with the meaning, allowed values and default of every option.

    Examples:
        noughts networks
    """
    from noughts.cli.output import show
    from noughts.networks.options import NETWORKS
    from noughts.networks.spec import find_kind
    from noughts.reports.presenting.listed import present_networks

    return show(present_networks(NETWORKS if kind is None else {kind: find_kind(kind)}), as_json)
