"""Refusals: every error of a request becomes an HTTP status and one line of JSON, never a traceback."""

import json
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from noughts.rules.errors import ComputeError, NoughtsError, StoreError, one_line


class Refused(NoughtsError):  # noqa: N818 - it reports what happened
    """A request that is rejected with a specific status.

    Attributes:
        status: The HTTP status.
        retry: After how many seconds to try again; None if that does not help.
    """

    def __init__(self, status: int, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry = status, retry


class ErrorAnswer(BaseModel):
    """The body of every refusal."""

    error: str = Field(description="What was given, and what would be accepted: one line.")


_MEANINGS = {
    400: "The request is malformed.",
    403: "From another page, without the token, or for the owner alone.",
    404: "There is no such thing.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    422: "What was given is not allowed.",
    429: "Too much at once from one client.",
    503: "The server is busy: try again.",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": meaning} for status, meaning in _MEANINGS.items()
}
"""The refusals that every route may return, for OpenAPI."""


def refusal(error: NoughtsError) -> Response:
    """Return the response for a rejected request."""
    retry = error.retry if isinstance(error, Refused) else None
    headers = {} if retry is None else {"Retry-After": str(retry)}
    content = json.dumps({"error": " ".join(str(error).split())})
    return Response(content, _status(error), headers, media_type="application/json")


def refused(error: ValidationError | RequestValidationError) -> NoughtsError:
    """Convert pydantic's errors to one error of one line. If our code raised one of them, return that alone."""
    found = error.errors()
    for each in found:
        ours = each.get("ctx", {}).get("error")
        if isinstance(ours, NoughtsError):
            return ours
    return Refused(422, "impossible request: " + "; ".join(map(_explain, found[:5])))


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer every error in the format of `ErrorAnswer`."""
    match error:
        case ClientDisconnect():
            return Response(status_code=499)  # the client left before the request was complete
        case NoughtsError():
            return refusal(error)
        case RequestValidationError():
            return refusal(refused(error))
        case HTTPException():
            answer = refusal(Refused(error.status_code, str(error.detail)))
            answer.headers.update(error.headers or {})
            return answer
    return refusal(Refused(500, f"the server failed: {one_line(error)}"))


ERRORS = (NoughtsError, RequestValidationError, HTTPException, ClientDisconnect, Exception)
"""The exceptions for which `answer_error` is registered."""


def _status(error: NoughtsError) -> int:
    if isinstance(error, Refused):
        return error.status
    return 503 if isinstance(error, ComputeError | StoreError) else 422


def _explain(found: Any) -> str:
    where = ".".join(str(part) for part in found["loc"] if part not in ("body", "query", "path"))
    message = str(found["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
