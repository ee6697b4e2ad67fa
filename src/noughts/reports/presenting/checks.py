"""Checked certificates, checked archives of studies, and archives packed for others to check."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from noughts.document.document import Document
from noughts.questions.checked import CheckReport

if TYPE_CHECKING:
    from noughts.store.results import RunInfo  # loads a database library, which checking does not need


def present_checks(reports: Sequence[CheckReport]) -> Document:
    """A line for each certificate; rejected ones are problems."""
    data = {
        "proved": not any(report.error for report in reports),
        "files": [report.model_dump(mode="json") | {"proved": not report.error} for report in reports],
    }
    refused = tuple(f"{report.file}: refused: {report.error}" for report in reports if report.error)
    return Document(tuple(_proved_text(report) for report in reports if not report.error), data, refused)


def _proved_text(report: CheckReport) -> str:
    unused = f", entries not needed: {report.unused:,}" if report.unused else ""
    who = f"{report.agent} as {report.side} player" if report.agent else report.side
    return (
        f"{report.file}: proved: {who} {report.claim} {report.rules} against every reply; "
        f"{report.positions:,} positions, {report.replies:,} replies, longest game {report.longest} moves"
        f"{unused}, {report.seconds:.1f} s"
    )


def present_packed(packed: dict[str, Any], run: "RunInfo") -> Document:
    """The archive of a run, from `pack_study`."""
    checked = (
        f"`noughts study check {packed['path']}` checks it"
        if packed["checkable"]
        else "`noughts study check` rejects it: it needs third-party code, which is not loaded from an archive"
    )
    text = (
        f"{packed['path']}: {run.name}, scale {run.identity['scale']}, seed {run.seed}: {packed['answers']:,} answers, "
        f"{packed['certificates']:,} certificates, {packed['configurations']:,} configurations of trainings, {packed['bytes']:,} bytes; {checked}"
    )
    return Document((text,), packed)


def present_archive(report: dict[str, Any]) -> Document:
    """The counts of a valid archive, from `check_archive`."""
    text = (
        "{file}: sound: {study}, scale {scale}, seed {seed}: {members:,} members with their hashes, {games:,} games and "
        "{walks:,} walks replayed, {certificates:,} certificates checked, the conclusion recomputed; {taken:,} answers "
        "that cannot be replayed are accepted; not checked: {not_checked}"
    )
    return Document((text.format(**report),), report)
