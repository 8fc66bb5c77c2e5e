"""The client for ordinary code. `aio.py` is the same with `await`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from . import _http
from ._http import Call, Events
from .errors import ApiError, AtelierError, GenerationFailed
from .models import Input
from .results import Generation, ModelSummary, Upload


class Client:
    """Calls one service with one key.

    `url` is the service's origin and `key` an API key; without them, `ATELIER_URL` and `ATELIER_API_KEY` are used.
    Requests are repeated after errors of the network or a busy service, at most `retries` times.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        retries: int = 3,
        http: httpx.Client | None = None,
    ) -> None:
        self._base, self._headers = _http.settings(url, key)
        self._retries = retries
        self._http = http or httpx.Client(timeout=_http.TIMEOUT)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def submit(
        self,
        model: Input | str,
        input: Mapping[str, Any] | None = None,
        *,
        webhook_url: str | None = None,
        idempotency_key: str | None = None,
    ) -> Generation:
        """Creates a job and returns at once.

        `model` is a call of one of the functions in `atelier.models`, or a slug with the fields in `input`.
        """
        return self._generation(_http.create(model, input, webhook_url, idempotency_key))

    def run(
        self,
        model: Input | str,
        input: Mapping[str, Any] | None = None,
        *,
        on_progress: Callable[[Generation], object] | None = None,
    ) -> Generation:
        """Creates a job and waits for its end. Raises `GenerationFailed` if it fails."""
        job = self.submit(model, input)
        if on_progress is None:
            return self.wait(job.id)
        for job in self.follow(job.id):
            on_progress(job)
        return _completed(job)

    def subscribe(self, model: Input | str, input: Mapping[str, Any] | None = None) -> Iterator[Generation]:
        """Creates a job and yields it whenever it changes, the last time when it has ended."""
        return self.follow(self.submit(model, input).id)

    def follow(self, id: str) -> Iterator[Generation]:
        """Yields a job whenever it changes, the last time when it has ended."""
        events = Events()
        failures = 0
        while True:
            try:
                yielded = False
                for job in self._events(id, events):
                    failures, yielded = 0, True
                    yield job
                    if job.is_ended:
                        return
                if not yielded:
                    # The stream was over at once: the end is known, or a proxy closed it.
                    job = self.get(id)
                    if job.is_ended:
                        yield job
                        return
                    time.sleep(1)
            except AtelierError as error:
                pause = _http.pause(error, failures, self._retries)
                if pause is None:
                    raise
                failures += 1
                time.sleep(pause)

    def _events(self, id: str, events: Events) -> Iterator[Generation]:
        url = self._base + _http.generation(id, "/events")
        headers = {**self._headers, **events.headers(), "Accept": "text/event-stream"}
        try:
            with self._http.stream("GET", url, headers=headers) as response:
                if response.status_code != 200:
                    response.read()
                    if response.status_code == 204:
                        return
                    _http.answer(response)
                for line in response.iter_lines():
                    for event in events.feed(line):
                        yield Generation.of(event)
        except httpx.TransportError as error:
            raise _http.unreachable(error) from error

    def get(self, id: str) -> Generation:
        """Returns a job as it is now."""
        return self._generation(Call("GET", _http.generation(id)))

    def wait(self, id: str, timeout: float | None = None) -> Generation:
        """Waits for a job's end. Raises `GenerationFailed` if it fails, and `TimeoutError` if the time is up."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = _http.WAIT_SECONDS if until is None else until - time.monotonic()
            longest = max(0, min(_http.WAIT_SECONDS, int(left)))
            job = self._generation(Call("GET", _http.generation(id), params={"wait": longest}))
            if job.is_ended:
                return _completed(job)
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"the job {id} has not ended; it continues")
            if longest == 0:
                time.sleep(0.2)

    def cancel(self, id: str) -> Generation:
        """Cancels a job that has not ended. Its credits are released."""
        return self._generation(Call("POST", _http.generation(id, "/cancel"), repeatable=False))

    def generations(
        self, *, status: str | None = None, model: str | None = None, type: str | None = None, limit: int | None = None
    ) -> Iterator[Generation]:
        """Yields the account's jobs, newest first: all of them, or `limit`."""
        given = {"status": status, "model": model, "type": type}
        params: dict[str, str | int] = {name: value for name, value in given.items() if value is not None}
        left = limit
        while left is None or left > 0:
            params["limit"] = 100 if left is None else min(100, left)
            page = self._send(Call("GET", "/generations", params=params))
            yield from (Generation.of(data) for data in page["data"])
            left = None if left is None else left - len(page["data"])
            if page["meta"]["next_cursor"] is None:
                return
            params["cursor"] = page["meta"]["next_cursor"]

    def models(self) -> list[ModelSummary]:
        """Every model that is served now."""
        return [ModelSummary.of(data) for data in self._send(Call("GET", "/models"))["data"]]

    def model(self, slug: str) -> dict[str, Any]:
        """A model with its fields, rules and price."""
        data: dict[str, Any] = self._send(Call("GET", f"/models/{slug}"))["data"]
        return data

    def balance(self) -> int:
        """The credits that the account can still spend."""
        return int(self._send(Call("GET", "/balance"))["data"]["credits"])

    def upload(self, file: str | os.PathLike[str] | bytes) -> Upload:
        """Stores a file, given by its path or its bytes, for use in inputs."""
        files = {"file": _http.read_file(file)}
        data = self._send(Call("POST", "/uploads"), files=files)["data"]
        return Upload(data["url"], data["mime_type"], data["size"])

    def save(self, generation: Generation, folder: str | os.PathLike[str] = ".") -> list[Path]:
        """Saves a job's files and returns their paths."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        stem = f"{generation.model}-{generation.id[-8:]}"
        paths = []
        for index, url in enumerate(generation.urls, 1):
            path = _http.target(folder, stem, index, url)
            self._repeat(lambda url=url, path=path: self._download(url, path))  # type: ignore[misc]
            paths.append(path)
        return paths

    def _download(self, url: str, path: Path) -> None:
        part = path.with_name(path.name + ".part")
        # Outputs are public, or their links are signed: the key stays here.
        with self._http.stream("GET", url) as response:
            if not response.is_success:
                response.read()
                _http.answer(response)
            with part.open("wb") as file:
                for chunk in response.iter_bytes():
                    file.write(chunk)
        part.replace(path)

    def _generation(self, call: Call) -> Generation:
        data = self._send(call)["data"]
        return Generation.of(data)

    def _send(self, call: Call, files: Any = None) -> Any:
        def once() -> Any:
            response = self._http.request(
                call.method,
                self._base + call.path,
                params=dict(call.params),
                json=call.body,
                files=files,
                headers={**self._headers, **call.headers},
            )
            return _http.answer(response)

        return self._repeat(once, self._retries if call.repeatable else 0)

    def _repeat(self, once: Callable[[], Any], retries: int | None = None) -> Any:
        retries = self._retries if retries is None else retries
        attempt = 0
        while True:
            try:
                try:
                    return once()
                except httpx.TransportError as error:
                    raise _http.unreachable(error) from error
            except AtelierError as error:
                pause = _http.pause(error, attempt, retries)
                if pause is None:
                    raise
            attempt += 1
            time.sleep(pause)


def _completed(job: Generation) -> Generation:
    if job.status == "failed":
        raise GenerationFailed(job)
    return job


__all__ = ["ApiError", "Client"]
