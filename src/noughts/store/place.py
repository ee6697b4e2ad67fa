"""The folder of the store, which contains the results database and the folders of training runs.

This module does not load SQLAlchemy, so that finding the folder is fast.
"""

import os
import re
from pathlib import Path

import platformdirs

from noughts.rules.errors import StoreError

OTHER_PLACE = "choose another place with --store or NOUGHTS_STORE"


def store_folder(place: str | None = None) -> Path:
    """The store's folder, which need not exist.

    Args:
        place: A folder, or the URL of a database (it contains ``://``; the folder is then that of the environment
            variable NOUGHTS_FILES, or else the platform's folder for user data). None for the environment variable
            NOUGHTS_STORE, or else the platform's folder.

    Raises:
        StoreError: the place is an empty text, or names the home folder of an unknown user.
    """
    text = store_place(place)
    folder = Path((os.environ.get("NOUGHTS_FILES") or _user_data()) if is_url(text) else text)
    try:
        return folder.expanduser()
    except RuntimeError as error:  # there is no such home folder
        raise StoreError(f"the store {folder} cannot be made ({error}): {OTHER_PLACE}") from error


def store_place(place: str | None = None) -> str:
    """The store's place, a folder or a URL, with the defaults of `store_folder`; StoreError if it is empty."""
    if place is None:
        place = os.environ.get("NOUGHTS_STORE") or _user_data()
    if not place.strip():
        raise StoreError(f"the store has no name: {OTHER_PLACE}")
    return place


def is_url(place: str) -> bool:
    """Whether a place is the URL of a database, and not a folder."""
    return "://" in place


def without_secrets(url: str) -> str:
    """A URL, even a malformed one, without its password and options, so that it can be shown."""
    kind, colon, rest = url.partition("?")[0].partition("://")
    who, at, where = rest.rpartition("@")
    host, slash, name = where.partition("/")
    port = re.search(r":\d+$", host)  # anything else there may be the end of a password
    return (
        f"{kind}{colon}{who.partition(':')[0]}{at}{host.partition(':')[0]}{port.group() if port else ''}{slash}{name}"
    )


def _user_data() -> str:
    return platformdirs.user_data_dir("noughts", appauthor=False)
