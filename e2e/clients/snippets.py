"""Runs what the documentation of the clients says: Python, shell and configuration, against the running service.

Usage: snippets.py DOCUMENT...
"""

import asyncio
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

HERE = pathlib.Path(__file__).resolve().parent
ORIGIN = os.environ["CLIENT_ORIGIN"]
REPLACED = {
    "http://127.0.0.1:8080": ORIGIN,
    "atl_…": os.environ["CLIENT_KEY"],
    "whsec_…": os.environ["CLIENT_SECRET"],
}


async def connect(config):
    """Connects as a program with this configuration does."""
    if "url" in config:
        async with httpx2.AsyncClient(headers=config["headers"]) as http:
            async with Client(streamable_http_client(config["url"], http_client=http)) as client:
                return await client.call_tool("balance")
    # Without a server, the program starts one in the data folder, which is the test's.
    env = {**config.get("env", {}), "ATELIER_DATA": str(pathlib.Path("atelier").resolve()), "PATH": os.environ["PATH"]}
    async with Client(StdioServerParameters(command=config["command"], args=config["args"], env=env)) as client:
        return await client.call_tool("balance")


def run(language, text, name):
    """Runs one block of code; false for a language that says nothing about clients."""
    if language == "python":
        exec(compile(text, name, "exec"), {"__name__": "snippet"})
    elif language == "json":
        for config in json.loads(text)["mcpServers"].values():
            assert asyncio.run(connect(config)).structured_content["credits"] > 0, config
    elif language == "sh" and text.startswith("npx "):
        arguments = ["bash", "-euc", text]
        answer = subprocess.run(arguments, cwd=HERE, check=True, capture_output=True, text=True).stdout
        assert len(json.loads(answer)["tools"]) == 6
    elif language in ("ts", "js"):
        # Inside of the folder whose modules it imports.
        file = HERE / "node_modules" / f"snippet-{os.getpid()}.mjs"
        file.write_text(text)
        subprocess.run(["node", str(file)], check=True, stdout=subprocess.DEVNULL)
        file.unlink()
    else:
        return False
    return True


def main():
    documents = [(name, pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        programs = pathlib.Path(folder) / "bin"
        programs.mkdir()
        (programs / "atelier").symlink_to(os.environ["CLIENT_PROGRAM"])
        os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
        os.environ |= {"ATELIER_URL": ORIGIN, "ATELIER_API_KEY": os.environ["CLIENT_KEY"]}
        os.chdir(folder)
        shutil.copy(os.environ["CLIENT_PICTURE"], "harbour.png")
        for name, text in documents:
            count = 0
            for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
                for old, new in REPLACED.items():
                    block = block.replace(old, new)
                count += run(language, block, name)
            assert count, f"{name} has no code to run"
            print(f"ran {count} snippets of {os.path.relpath(name, HERE.parent.parent)}")


if __name__ == "__main__":
    main()
