"""The routes for the page's own files."""

import mimetypes
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

STATIC = Path(str(files("noughts.web") / "static"))
"""The folder of the page's files."""

METHODS = ["GET", "HEAD"]

mimetypes.add_type("text/javascript", ".js")  # some systems use another type, and browsers then reject modules


def add_files(app: FastAPI, path: str, folder: Path) -> None:
    """Serve the files of a folder, if it exists, under a path, compressed for browsers that accept it."""
    app.mount(path, GZipMiddleware(StaticFiles(directory=folder, check_dir=False), compresslevel=4))


def add_page(app: FastAPI) -> None:
    """Serve the page and its files."""

    @app.api_route("/", methods=METHODS, include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")

    add_files(app, "/static", STATIC)
