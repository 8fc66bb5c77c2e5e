"""The errors of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .results import Generation


class AtelierError(Exception):
    """The base of all errors of this package."""


class ServiceUnreachable(AtelierError):
    """No answer came: the service cannot be reached, or the connection broke."""


class ApiError(AtelierError):
    """The service refused a request. Branch on `code`, never on the message."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: list[dict[str, str]],
        request_id: str | None,
        retry_after: float | None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        #: Every invalid parameter: `parameter` and `message`.
        self.details = details
        self.request_id = request_id
        #: Seconds to wait before another try.
        self.retry_after = retry_after

    @classmethod
    def of(cls, status: int, body: Any, headers: dict[str, str]) -> ApiError:
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict):
            error = {"code": "internal_error", "message": f"unexpected answer with status {status}"}
        after = headers.get("retry-after", "")
        return cls(
            status,
            str(error.get("code", "")),
            str(error.get("message", "")),
            list(error.get("details", [])),
            headers.get("x-request-id"),
            float(after) if after.isdecimal() else None,
        )


class GenerationFailed(AtelierError):
    """A job ended as failed. It was not charged."""

    def __init__(self, generation: Generation) -> None:
        failure = generation.error
        self.code = failure.code if failure else "generation_failed"
        self.generation = generation
        super().__init__(failure.message if failure else "the service gave no reason")


class WebhookRefused(AtelierError):
    """A delivery is not signed with the secret, or is too old."""
