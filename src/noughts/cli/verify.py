"""``noughts verify``: check certificates with the independent checker."""

import os
from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.options import JsonOption, WorkersOption

SUFFIX = ".proof"
"""The suffix of `solvers.certificate`, repeated because that module loads array libraries, which a check does not need."""
ENDINGS = (SUFFIX, f"{SUFFIX}.xz")
"""The suffixes of certificates in a folder; the second is compressed."""


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help=f"Certificates, folders of certificates (*{SUFFIX}, *{SUFFIX}.xz), or runs that ended proved.",
        ),
    ],
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check certificates by playing every reply, with a checker that shares nothing with the solvers.

    Examples:
        noughts verify proofs
        noughts verify proofs --workers 2 --json
    """
    from noughts.cli.output import show
    from noughts.cli.progress import steps_of, watch
    from noughts.questions.checked import check_files
    from noughts.reports.presenting.checks import present_checks

    reports = check_files(
        certificates(files), workers, lambda steps: watch(steps_of(steps, "certificates"), quiet=as_json)
    )
    return show(present_checks(reports), as_json)


def certificates(files: list[Path]) -> list[Path]:
    """List the files, and those in folders and runs, once each; CertificateError if one cannot be read or there is none."""
    from noughts.rules import CertificateError
    from noughts.store.run_folder import CERTIFICATES, folder_of_run

    found: list[Path] = []
    for given in files:
        run = folder_of_run(str(given))
        path = given if run is None else run / CERTIFICATES
        inside = [path]
        if path.is_dir():
            inside = sorted(file for file in path.glob("*") if file.is_file() and file.name.endswith(ENDINGS))
        elif run is not None:
            raise CertificateError(f"run {given} has no certificate: `noughts train TASK --until proved` makes them")
        if not inside:
            raise CertificateError(f"the folder {path} has no certificate in it: their names end in {SUFFIX}")
        found += inside
    for path in found:
        if not path.exists():
            raise CertificateError(f"there is no file {path}")
        if not path.is_file() or not os.access(path, os.R_OK):
            raise CertificateError(f"{path} is not a file that can be read")
    return list(dict.fromkeys(found))
