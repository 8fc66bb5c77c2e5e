"""The official MCP package for Python signs people in at the OpenID provider of the service, without a key."""

import contextlib
import json
import logging
import os
import unittest
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

logging.getLogger("asyncio").setLevel(logging.ERROR)

ORIGIN = os.environ["CLIENT_ORIGIN"]
PROVIDER = os.environ["CLIENT_PROVIDER"]
BACK = "http://127.0.0.1:9/callback"


class Memory:
    """The storage of the package, for its tokens and its client."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def becomes(person):
    """Whom the provider lets in from now on."""
    async with httpx2.AsyncClient() as http:
        await http.post(f"{PROVIDER}/person", json=person)


async def sign_in_on_the_page():
    async with httpx2.AsyncClient(follow_redirects=True) as http:
        answer = await http.get(f"{ORIGIN}/account/sign-in/oidc")
    assert answer.status_code == 200 and answer.url.path.startswith("/account"), answer.text


@contextlib.asynccontextmanager
async def connected(memory):
    """A client that knows nothing but the address of the service."""
    asked = {}

    async def open_browser(url):
        asked.update(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        async with httpx2.AsyncClient() as http:
            back = (await http.get(url)).headers["location"]
        asked["back"] = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))

    async def come_back():
        return AuthorizationCodeResult(code=asked["back"]["code"], state=asked["back"]["state"])

    metadata = OAuthClientMetadata(redirect_uris=[BACK], client_name="check")
    auth = OAuthClientProvider(f"{ORIGIN}/mcp", metadata, memory, open_browser, come_back)
    async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
        async with Client(streamable_http_client(f"{ORIGIN}/mcp", http_client=http)) as client:
            yield client, asked


class SignIn(unittest.IsolatedAsyncioTestCase):
    async def test_a_developer_makes_a_picture(self):
        await becomes({"sub": "d", "email": "developer@example.com", "groups": ["makers"]})
        await sign_in_on_the_page()
        memory = Memory()
        async with connected(memory) as (client, asked):
            made = await client.call_tool("generate", {"model": "image-gen-4", "prompt": "a fox"})
            self.assertFalse(made.is_error, made)
            self.assertEqual(made.structured_content["status"], "completed")
        # The package has found both by the metadata of the service.
        self.assertEqual((asked["resource"], asked["scope"]), (f"{ORIGIN}/mcp", "openid email profile"))
        # The token that it has kept works in the next session, without the provider.
        async with connected(memory) as (client, asked):
            self.assertGreater((await client.call_tool("balance")).structured_content["credits"], 0)
        self.assertEqual(asked, {})

    async def test_a_viewer_looks_and_makes_nothing(self):
        await becomes({"sub": "v", "email": "viewer@example.com", "groups": ["guests"]})
        await sign_in_on_the_page()
        async with connected(Memory()) as (client, _):
            self.assertFalse((await client.call_tool("balance")).is_error)
            refused = await client.call_tool("generate", {"model": "image-gen-4", "prompt": "a fox"})
            self.assertTrue(refused.is_error)
            error = refused.structured_content["error"]
            self.assertEqual(error["code"], "api_disabled")
            self.assertIn("your role in this account is viewer", error["message"])

    async def test_a_stranger_is_told_to_sign_in_first(self):
        await becomes({"sub": "x", "email": "stranger@example.com", "groups": ["makers"]})
        memory = Memory()
        with self.assertRaises(BaseException):
            async with connected(memory) as (client, _):
                await client.list_tools()
        headers = {"Authorization": f"Bearer {memory.tokens.access_token}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            answer = await http.post(f"{ORIGIN}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        self.assertEqual(answer.status_code, 403)
        self.assertIn("sign in once", json.loads(answer.text)["error"]["message"])


if __name__ == "__main__":
    unittest.main()
