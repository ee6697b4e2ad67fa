"""The page's own files: few and small, so they are kept in memory, and read again when they change."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from noughts.web.errors import Refused

STATIC = Path(str(files("noughts.web") / "static"))
"""Where they are."""

router = APIRouter(include_in_schema=False)

METHODS = ["GET", "HEAD"]
_TYPES = {".js": "text/javascript"}  # some systems say otherwise, and browsers then refuse modules


@dataclass(frozen=True, slots=True)
class _Kept:
    changed: int
    content: bytes
    packed: bytes  # by gzip
    tag: str


@dataclass(slots=True)
class Files:
    """The files below a folder, those alone that were there at first."""

    folder: Path
    _names: set[str] = field(init=False)
    _kept: dict[str, _Kept] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._names = {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()}

    def answer(self, name: str, request: Request) -> Response:
        """A file, or that it is the one that the browser already has; Refused if there is none."""
        if name not in self._names:
            raise Refused(404, f"there is no file {name[:100]!r}")
        kept = self._read(name)
        headers = {"ETag": kept.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == kept.tag:
            return Response(status_code=304, headers=headers)
        kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        if _takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(kept.packed, media_type=kind, headers=headers | {"Content-Encoding": "gzip"})
        return Response(kept.content, media_type=kind, headers=headers)

    def _read(self, name: str) -> _Kept:
        path = self.folder / name
        try:
            changed = path.stat().st_mtime_ns
            kept = self._kept.get(name)
            if kept is None or kept.changed != changed:
                content = path.read_bytes()
                packed = gzip.compress(content, mtime=0)
                kept = _Kept(changed, content, packed, f'W/"{hashlib.sha256(content).hexdigest()[:16]}"')
                self._kept[name] = kept
        except OSError as error:
            raise Refused(404, f"there is no file {name!r} any more") from error
        return kept


def _takes_gzip(accepted: str) -> bool:
    """Whether a browser that sent this takes content packed by gzip."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


_files = Files(STATIC)


@router.api_route("/static/{name:path}", methods=METHODS)
async def static(name: str, request: Request) -> Response:
    """One of its files."""
    return _files.answer(name, request)


@router.api_route("/", methods=METHODS)
async def page(request: Request) -> Response:
    """The page."""
    try:
        return _files.answer("index.html", request)
    except Refused:
        raise Refused(404, "the page was not installed with the server; the API is under /api") from None
