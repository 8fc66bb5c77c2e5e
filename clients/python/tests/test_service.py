"""The clients against a running service: `scripts/check-clients` starts it and sets the variables."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import http.server
import json
import logging
import os
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

import httpx
from atelier import (
    ApiError,
    AsyncClient,
    AtelierError,
    Client,
    Generation,
    GenerationFailed,
    ServiceUnreachable,
    WebhookRefused,
    models,
    verify_webhook,
)

# Slow machines are no news.
logging.getLogger("asyncio").setLevel(logging.ERROR)

URL = os.environ["CLIENT_ORIGIN"]
KEY = os.environ["CLIENT_KEY"]
PICTURE = os.environ["CLIENT_PICTURE"]
SECRET = os.environ["CLIENT_SECRET"]


class Flaky(httpx.BaseTransport):
    """Loses the answers to the first requests, which the service has carried out."""

    def __init__(self, lost: int) -> None:
        self.lost = lost
        self.inner = httpx.HTTPTransport()
        self.seen: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        response = self.inner.handle_request(request)
        if len(self.seen) <= self.lost:
            response.read()
            raise httpx.ReadError("the connection broke", request=request)
        return response


class Ordinary(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL, KEY)
        self.addCleanup(self.client.close)

    def test_a_job_is_run_and_its_files_are_saved(self) -> None:
        before = self.client.balance()
        job = self.client.run(models.image_gen_4(prompt="a fox", n=2, resolution="1K"))
        self.assertEqual((job.status, job.model, len(job.assets)), ("completed", "image-gen-4", 2))
        self.assertEqual(self.client.balance(), before - (job.credits_charged or 0))
        with tempfile.TemporaryDirectory() as folder:
            paths = self.client.save(job, Path(folder) / "out")
            self.assertEqual([path.suffix for path in paths], [".png", ".png"])
            self.assertTrue(all(path.read_bytes().startswith(b"\x89PNG") for path in paths))
        self.assertEqual(next(self.client.generations(model="image-gen-4", limit=1)).id, job.id)

    def test_progress_is_told_until_the_end(self) -> None:
        told = list(self.client.subscribe("image-gen-4", {"prompt": "a fox"}))
        self.assertEqual(told[-1].status, "completed")
        self.assertEqual({job.id for job in told}, {told[0].id})
        seen: list[Generation] = []
        job = self.client.run(models.image_gen_4(prompt="a fox"), on_progress=seen.append)
        self.assertEqual(seen[-1], job)

    def test_files_are_uploaded_from_a_path_or_bytes(self) -> None:
        by_path = self.client.upload(PICTURE)
        by_bytes = self.client.upload(Path(PICTURE).read_bytes())
        self.assertEqual(by_path, by_bytes)
        self.assertEqual((by_path.mime_type, by_path.size), ("image/png", Path(PICTURE).stat().st_size))
        job = self.client.run(models.upscale(image_urls=[by_path.url]))
        self.assertEqual(job.status, "completed")

    def test_a_lost_answer_does_not_make_a_second_job(self) -> None:
        transport = Flaky(lost=2)
        before = sum(1 for _ in self.client.generations())
        with Client(URL, KEY, http=httpx.Client(transport=transport)) as client:
            job = client.submit(models.image_gen_4(prompt="once"))
        self.assertEqual(len(transport.seen), 3)
        self.assertEqual(len({request.headers["idempotency-key"] for request in transport.seen}), 1)
        self.assertEqual(sum(1 for _ in self.client.generations()), before + 1)
        self.assertEqual(self.client.wait(job.id).id, job.id)

    def test_refusals_name_what_is_wrong(self) -> None:
        with self.assertRaises(ApiError) as raised:
            self.client.submit("image-gen-4", {"prompt": "a fox", "n": 99, "colour": "red"})
        error = raised.exception
        self.assertEqual((error.status, error.code), (400, "invalid_request"))
        self.assertEqual([detail["parameter"] for detail in error.details], ["colour", "n"])
        with self.assertRaises(ApiError) as raised, Client(URL, "atl_wrong") as stranger:
            stranger.balance()
        self.assertEqual(raised.exception.code, "invalid_api_key")
        with self.assertRaises(GenerationFailed) as failed:
            self.client.run(models.image_gen_4(prompt="csam"))
        self.assertEqual(failed.exception.code, "content_policy_violation")
        with self.assertRaises(ServiceUnreachable):
            Client("http://127.0.0.1:1", KEY, retries=0).balance()
        with unittest.mock.patch.dict(os.environ, clear=True), self.assertRaises(AtelierError):
            Client(URL)

    def test_a_job_that_has_ended_is_not_cancelled(self) -> None:
        job = self.client.run(models.image_gen_4(prompt="a fox"))
        with self.assertRaises(ApiError) as raised:
            self.client.cancel(job.id)
        self.assertEqual(raised.exception.code, "invalid_request")
        self.assertIn("image-gen-4", {model.slug for model in self.client.models()})
        self.assertEqual(self.client.model("image-gen-4")["slug"], "image-gen-4")

    def test_a_delivery_of_the_service_is_verified(self) -> None:
        received: list[tuple[bytes, dict[str, str]]] = []
        arrived = threading.Event()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.rfile.read(int(self.headers["content-length"])), dict(self.headers)))
                self.send_response(204)
                self.end_headers()
                arrived.set()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/hook"
        job = self.client.submit(models.image_gen_4(prompt="a fox"), webhook_url=url)
        self.assertTrue(arrived.wait(20))
        body, headers = received[0]
        event = verify_webhook(body, headers, SECRET)
        self.assertEqual((event.event, event.generation.id), ("generation.completed", job.id))
        for wrong in (
            lambda: verify_webhook(body + b" ", headers, SECRET),
            lambda: verify_webhook(body, headers, "whsec_" + base64.b64encode(b"x" * 32).decode()),
            lambda: verify_webhook(body, {}, SECRET),
            lambda: verify_webhook(body, headers, "whsec_&"),
        ):
            self.assertRaises(WebhookRefused, wrong)


class Offline(unittest.TestCase):
    def test_an_old_delivery_is_refused(self) -> None:
        key = b"k" * 32
        secret = "whsec_" + base64.b64encode(key).decode()
        data = {"id": "1", "model": "m", "status": "completed"}
        body = json.dumps({"event": "generation.completed", "created_at": "now", "data": data}).encode()

        def headers(age: int) -> dict[str, str]:
            sent = str(int(time.time()) - age)
            signed = hmac.new(key, b"d." + sent.encode() + b"." + body, hashlib.sha256).digest()
            signature = f"v1,AAAA v1,{base64.b64encode(signed).decode()}"
            return {"Webhook-Id": "d", "Webhook-Timestamp": sent, "Webhook-Signature": signature}

        self.assertEqual(verify_webhook(body, headers(200), secret).delivery_id, "d")
        for age in (400, -400):
            with self.assertRaises(WebhookRefused):
                verify_webhook(body, headers(age), secret)

    def test_a_busy_service_is_asked_again_when_it_says(self) -> None:
        answers = [
            httpx.Response(503, json={"error": {"code": "unavailable", "message": ""}}, headers={"retry-after": "0"}),
            httpx.Response(200, json={"data": {"credits": 5}}),
        ]
        transport = httpx.MockTransport(lambda request: answers.pop(0))
        self.assertEqual(Client("http://x", "k", http=httpx.Client(transport=transport)).balance(), 5)

    def test_a_job_is_sent_again_after_a_full_queue(self) -> None:
        full = {"success": False, "error": {"code": "queue_full", "message": "the queue of the account is full"}}
        accepted = {"data": {"id": "1", "object": "generation", "status": "processing", "model": "image-gen-4"}}
        answers = [httpx.Response(429, json=full, headers={"retry-after": "0"}), httpx.Response(201, json=accepted)]
        keys: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            keys.append(request.headers["idempotency-key"])
            return answers.pop(0)

        http = httpx.Client(transport=httpx.MockTransport(answer))
        self.assertEqual(Client("http://x", "k", http=http).submit("image-gen-4", {"prompt": "a fox"}).id, "1")
        self.assertEqual((len(keys), len(set(keys))), (2, 1))
        answers = [httpx.Response(429, json=full)]
        with self.assertRaises(ApiError) as refused:
            Client("http://x", "k", http=http, retries=0).submit("image-gen-4", {"prompt": "a fox"})
        self.assertEqual(refused.exception.code, "queue_full")


class Awaited(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_with_await(self) -> None:
        async with AsyncClient(URL, KEY) as client:
            uploaded = await client.upload(PICTURE)
            edits = client.run(models.image_gen_4(prompt="at night", image_urls=[uploaded.url]))
            job, balance = await asyncio.gather(edits, client.balance())
            self.assertEqual(job.status, "completed")
            self.assertGreater(balance, 0)
            told = [update async for update in client.subscribe("image-gen-4", {"prompt": "a fox"})]
            self.assertEqual(told[-1].status, "completed")
            with tempfile.TemporaryDirectory() as folder:
                [path] = await client.save(job, folder)
                self.assertTrue(path.read_bytes().startswith(b"\x89PNG"))
            with self.assertRaises(GenerationFailed):
                await client.run(models.image_gen_4(prompt="csam"))
            self.assertEqual([job.id async for job in client.generations(limit=1)][0][:2], "01")


if __name__ == "__main__":
    unittest.main()
