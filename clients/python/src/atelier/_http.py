"""The common part of both clients: requests, answers, retries and events, without any I/O."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from .errors import ApiError, AtelierError, ServiceUnreachable
from .models import Input

BASE_PATH = "/dev/v1"
#: The longest wait of one request, as the service allows.
WAIT_SECONDS = 60
#: Longer than a request that waits for a job.
TIMEOUT = httpx.Timeout(WAIT_SECONDS + 30, connect=10)
LONGEST_PAUSE = 60.0
USER_AGENT = "atelier-python/0.1.0"


@dataclass(frozen=True)
class Call:
    """A request that may be sent more than once."""

    method: str
    path: str
    params: Mapping[str, str | int] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


def settings(url: str | None, key: str | None) -> tuple[str, dict[str, str]]:
    """The base URL and the headers of every request."""
    url = url or os.environ.get("ATELIER_URL") or "http://127.0.0.1:8080"
    key = key or os.environ.get("ATELIER_API_KEY")
    if not key:
        raise AtelierError("an API key is required: pass `key` or set ATELIER_API_KEY")
    base = url.rstrip("/")
    if not urlsplit(base).path:
        base += BASE_PATH
    return base, {"Authorization": f"Bearer {key}", "User-Agent": USER_AGENT}


def create(model: Input | str, input: Mapping[str, Any] | None, webhook_url: str | None, key: str | None) -> Call:
    """A new job. Its idempotency key makes it safe to repeat the request."""
    if isinstance(model, str):
        model = Input(model, {})
    # Beside `model`, fields may have their common names too.
    body: dict[str, Any] = {**model.fields, **(input or {}), "model": model.model}
    if webhook_url is not None:
        body["webhook_url"] = webhook_url
    return Call("POST", "/generations", body=body, headers={"Idempotency-Key": key or uuid.uuid4().hex})


def generation(id: str, suffix: str = "") -> str:
    return f"/generations/{quote(id, safe='')}{suffix}"


def read_file(file: str | os.PathLike[str] | bytes) -> tuple[str, bytes]:
    """The name and the bytes of a file to upload."""
    if isinstance(file, bytes):
        return "file", file
    path = Path(file)
    return path.name, path.read_bytes()


def answer(response: httpx.Response) -> Any:
    """The body of a success; raises the error of anything else."""
    try:
        body = response.json() if response.content else None
    except ValueError:
        body = None
    if not response.is_success or body is None:
        raise ApiError.of(response.status_code, body, dict(response.headers))
    return body


def unreachable(error: httpx.TransportError) -> ServiceUnreachable:
    return ServiceUnreachable(str(error) or type(error).__name__)


def pause(error: AtelierError, attempt: int, retries: int) -> float | None:
    """The seconds to wait before the next attempt; `None` if there is none."""
    if attempt >= retries:
        return None
    if isinstance(error, ApiError):
        if error.status not in (429, 502, 503, 504):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= LONGEST_PAUSE else None
    elif not isinstance(error, ServiceUnreachable):
        return None
    return float(0.25 * 2**attempt * random.uniform(0.8, 1.2))


class Events:
    """Reads the lines of a stream of server-sent events."""

    def __init__(self) -> None:
        self.last_id: str | None = None
        self._data: list[str] = []

    def feed(self, line: str) -> Iterator[dict[str, Any]]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self.last_id = value
        elif name == "data":
            self._data.append(value)
        elif not line and self._data:
            data, self._data = "\n".join(self._data), []
            yield json.loads(data)

    def headers(self) -> dict[str, str]:
        return {"Last-Event-ID": self.last_id} if self.last_id else {}


def target(folder: str | os.PathLike[str], stem: str, index: int, url: str) -> Path:
    """The path that a file is saved at."""
    suffix = Path(urlsplit(url).path).suffix or ".bin"
    return Path(folder) / f"{stem}-{index}{suffix}"
