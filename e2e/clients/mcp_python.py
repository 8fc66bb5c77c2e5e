"""The official MCP package for Python against `/mcp` and `atelier mcp`, with and without `initialize`."""

import asyncio
import base64
import contextlib
import json
import logging
import os
import unittest
import urllib.request

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

# Slow machines are no news.
logging.getLogger("asyncio").setLevel(logging.ERROR)

ORIGIN = os.environ["CLIENT_ORIGIN"]
KEY = os.environ["CLIENT_KEY"]


@contextlib.asynccontextmanager
async def connected(transport, mode):
    """A client in one of the two ways to begin."""
    if transport == "stdio":
        env = {"ATELIER_API_KEY": KEY}
        server = StdioServerParameters(command=os.environ["CLIENT_PROGRAM"], args=["mcp", "--server", ORIGIN], env=env)
        async with Client(server, mode=mode) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(f"{ORIGIN}/mcp", http_client=http), mode=mode) as client:
            yield client


def api(path):
    request = urllib.request.Request(f"{ORIGIN}/dev/v1{path}", headers={"Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]


def kinds(result):
    return [part.type for part in result.content]


class Mcp(unittest.IsolatedAsyncioTestCase):
    async def everywhere(self, test):
        for transport in ("http", "stdio"):
            for mode, version in (("auto", "2026-07-28"), ("legacy", "2025-11-25")):
                with self.subTest(transport=transport, mode=mode):
                    async with connected(transport, mode) as client:
                        self.assertEqual(client.protocol_version, version)
                        await test(client, transport)

    async def test_a_picture_is_made_and_shown(self):
        async def test(client, transport):
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            self.assertIn("image-gen-4", tools["generate"].input_schema["properties"]["model"]["enum"])
            self.assertEqual("path" in tools["upload"].input_schema["properties"], transport == "stdio")
            told = []

            async def progress(done, total, message):
                told.append((done, total))

            before = (await client.call_tool("balance")).structured_content["credits"]
            asked = {"model": "image-gen-4", "prompt": "a fox", "n": 2, "params": {"resolution": "1K"}}
            made = await client.call_tool("generate", asked, progress_callback=progress)
            self.assertFalse(made.is_error, made)
            self.assertEqual(kinds(made), ["text", "resource_link", "image", "resource_link", "image"])
            self.assertTrue(base64.b64decode(made.content[2].data).startswith(b"\xff\xd8"))
            self.assertEqual(made.content[2].mime_type, "image/jpeg")
            job = made.structured_content
            self.assertEqual((job["status"], job["credits_charged"]), ("completed", 8))
            after = (await client.call_tool("balance")).structured_content["credits"]
            self.assertEqual(after, before - 8)
            again = await client.call_tool("get_generation", {"id": job["id"]})
            self.assertEqual(again.structured_content["output"], job["output"])
            newest = (await client.list_resources()).resources[0]
            self.assertEqual(str(newest.uri), f"atelier://generations/{job['id']}")
            contents = (await client.read_resource(newest.uri)).contents
            self.assertEqual(json.loads(contents[0].text)["id"], job["id"])
            self.assertEqual(contents[1].mime_type, "image/jpeg")

        await self.everywhere(test)

    async def test_models_are_found_and_described(self):
        async def test(client, _):
            found = await client.call_tool("list_models", {"type": "image", "query": "flux schnell"})
            self.assertIn("flux-1-schnell", [model["slug"] for model in found.structured_content["models"]])
            model = (await client.call_tool("describe_model", {"model": "image-gen-4"})).structured_content
            self.assertEqual(model["json_schema"]["properties"]["n"]["maximum"], 15)
            self.assertEqual(model["pricing"]["unit"], "image")

        await self.everywhere(test)

    async def test_a_file_is_uploaded_and_used(self):
        with open(os.environ["CLIENT_PICTURE"], "rb") as picture:
            data = base64.b64encode(picture.read()).decode()

        async def test(client, transport):
            stored = (await client.call_tool("upload", {"data": data})).structured_content
            self.assertEqual(stored["mime_type"], "image/png")
            if transport == "stdio":
                by_path = await client.call_tool("upload", {"path": os.environ["CLIENT_PICTURE"]})
                self.assertEqual(by_path.structured_content, stored)
            asked = {"model": "image-gen-4", "prompt": "at night", "image_urls": [stored["url"]]}
            made = await client.call_tool("generate", asked)
            self.assertEqual(made.structured_content["status"], "completed")

        await self.everywhere(test)

    async def test_what_the_service_refuses_is_a_result(self):
        async def test(client, _):
            for asked, code in (
                ({"model": "image-gen-4", "prompt": "a fox", "n": 99}, "invalid_request"),
                ({"model": "no-such-model", "prompt": "a fox"}, "not_found"),
                ({"model": "image-gen-4", "prompt": "a fox", "wait_seconds": -1}, "invalid_request"),
            ):
                refused = await client.call_tool("generate", asked)
                self.assertTrue(refused.is_error)
                self.assertEqual(refused.structured_content["error"]["code"], code)
            failed = await client.call_tool("generate", {"model": "image-gen-4", "prompt": "csam"})
            self.assertTrue(failed.is_error)
            self.assertEqual(failed.structured_content["error"]["code"], "content_policy_violation")
            with self.assertRaises(MCPError):
                await client.read_resource("atelier://generations/0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")

        await self.everywhere(test)

    async def test_a_cancelled_request_cancels_its_job(self):
        async def test(client, _):
            begun = asyncio.Event()

            async def progress(*_):
                begun.set()

            asked = {"model": "video-mini-2", "prompt": "a long walk", "duration_seconds": 15}
            call = asyncio.create_task(client.call_tool("generate", asked, progress_callback=progress))
            await asyncio.wait_for(begun.wait(), 20)
            call.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await call
            for _ in range(100):
                job = (await asyncio.to_thread(api, "/generations?model=video-mini-2&limit=1"))[0]
                if job["status"] != "processing":
                    break
                await asyncio.sleep(0.1)
            self.assertEqual(job["error"], {"code": "generation_failed", "message": "cancelled"})

        await self.everywhere(test)

    async def test_a_wrong_key_is_401(self):
        async with httpx2.AsyncClient() as http:
            answer = await http.post(f"{ORIGIN}/mcp", headers={"Authorization": "Bearer x"}, json={})
        metadata = f"{ORIGIN}/.well-known/oauth-protected-resource/mcp"
        challenge = answer.headers["www-authenticate"]
        self.assertEqual((answer.status_code, challenge), (401, f'Bearer resource_metadata="{metadata}"'))


if __name__ == "__main__":
    unittest.main()
