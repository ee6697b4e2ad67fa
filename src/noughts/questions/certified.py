"""Write the certificates of a proof to files, one for each game in which an agent is proved.

A walk has saved and checked the certificate. For a symmetric game, its moves are mapped. The checker checks each new file.
"""

from functools import lru_cache
from pathlib import Path

from noughts.examine.certify import read_agent_certificate
from noughts.machine.executor import Workers
from noughts.questions.checked import CheckReport, check_files
from noughts.questions.walked import Walked, WalkedTask
from noughts.rules import CertificateError
from noughts.rules.symmetry import image_onto
from noughts.solvers.certificate import file_name
from noughts.store.certificates import read_certificate_file
from noughts.store.files import require_new, write_atomically


def write_certificates(
    walked: Walked, answer: WalkedTask, folder: Path, force: bool, workers: Workers
) -> dict[str, CheckReport]:
    """Write the certificates of all proved games into a folder, and return their check reports by the text of the game.

    Args:
        walked, answer: The question and its answer.
        folder: An existing folder.
        force: Whether to overwrite existing files with other content.
        workers: The workers that check the files.

    Raises:
        CertificateError: the checker rejects a certificate.
        StoreError: a file cannot be written or exists with other content, or a saved certificate is damaged.
    """
    # Only the last is cached: symmetric games often follow one another, and a certificate may be large.
    kept = lru_cache(maxsize=1)(lambda digest: read_agent_certificate(read_certificate_file(digest)))
    paths = dict[str, Path]()
    for rules, result in answer.games:
        if result.proved:
            path = folder / f"{walked.side}-{file_name(rules)}"
            certificate, image = kept(result.certificate), image_onto(walked.walk_of(rules).rules, rules)
            assert image is not None
            content = certificate.moved(rules, image).content(result.verb)
            if not (path.is_file() and path.read_bytes() == content):
                require_new(path, force)
                write_atomically(path, content)
            paths[str(rules)] = path
    reports = check_files(paths.values(), workers)
    for report in reports:
        if report.error:
            raise CertificateError(f"{report.file}: {report.error}")
    return dict(zip(paths, reports, strict=True))
