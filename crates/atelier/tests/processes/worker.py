"""A program as an operator may have one: draws grey pictures, by the interfaces of OpenAI and of sd-server.

Usage: worker.py PORT LOG SECONDS_TO_LOAD [MIB_OF_MEMORY]. What it is asked for says how long it works and how it
misbehaves. Everything that happens to it is a line in LOG.
"""

import base64
import json
import os
import re
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JOBS = {}


def note(text):
    with open(sys.argv[2], "a") as log:
        log.write(text + "\n")


def png(seed):
    """A grey picture of 8 by 8 pixels."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + bytes([seed % 256]) * 8) * 8
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    picture = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + picture).decode()


def work(prompt):
    if "die" in prompt and not os.path.exists(sys.argv[2] + ".died"):
        open(sys.argv[2] + ".died", "w").close()
        print("the worker's secret words", file=sys.stderr, flush=True)
        os._exit(9)
    seconds = re.search(r"takes ([0-9.]+) s", prompt)
    time.sleep(600 if "endless" in prompt else float(seconds[1]) if seconds else 0.02)


class Handler(BaseHTTPRequestHandler):
    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/sdcpp/v1/jobs/"):
            return self.answer(JOBS[self.path.split("/")[4]])
        self.answer({"status": "well"})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "{}")
        if self.path.endswith("/cancel"):
            name = self.path.split("/")[4]
            note("cancelled")
            JOBS[name]["status"] = "cancelled"
            return self.answer(JOBS[name])
        note(f"asked {os.getpid()}")
        note("body " + json.dumps(asked))
        if self.path == "/sdcpp/v1/img_gen":
            name = str(len(JOBS))
            JOBS[name] = {"id": name, "status": "generating"}

            def make():
                work(asked["prompt"])
                images = [{"b64_json": png(asked["seed"])}]
                JOBS[name] = {"id": name, "status": "completed", "result": {"images": images}}

            threading.Thread(target=make, daemon=True).start()
            return self.answer(JOBS[name], 202)
        work(asked["prompt"])
        self.answer({"data": [{"b64_json": png(7)}]})

    def log_message(self, *_):
        pass


note(f"started {os.getpid()}")
# Written, so that the memory is really used.
WEIGHTS = b"\1" * ((int(sys.argv[4]) if len(sys.argv) > 4 else 0) << 20)
time.sleep(float(sys.argv[3]))
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
