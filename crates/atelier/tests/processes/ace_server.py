"""acestep.cpp's server as far as requests, answers and output go. Its songs are tones, and WAV even where
the real one writes MP3.

Usage: ace_server.py PORT LOG. Every request is a line in LOG.
"""

import json
import math
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

RATE = 48_000
BOUNDARY = "ace-batch-boundary"
TEXTS = ["caption", "lyrics", "keyscale", "timesignature", "vocal_language", "output_format", "lm_negative_prompt"]
NUMBERS = ["duration", "bpm", "seed", "lm_seed", "inference_steps", "guidance_scale"]
JOBS = {}


def note(value):
    with open(sys.argv[2], "a") as log:
        log.write(json.dumps(value) + "\n")


def wav(seconds):
    samples = [int(9_000 * math.sin(at * 0.06)) for at in range(int(RATE * seconds))]
    data = b"".join(struct.pack("<hh", sample, sample) for sample in samples)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 2, RATE, RATE * 4, 4, 16)
    return struct.pack("<4sI4s", b"RIFF", 36 + len(data), b"WAVE") + form + struct.pack("<4sI", b"data", len(data)) + data


def wrong(asked):
    """Why the real server would refuse or misunderstand a request."""
    for name, value in asked.items():
        if name in TEXTS and not isinstance(value, str):
            return f"{name} is not text"
        if name in NUMBERS and not isinstance(value, (int, float)):
            return f"{name} is not a number"
    if not asked.get("caption"):
        return "Caption is required"
    if asked.get("output_format", "mp3") not in ("mp3", "wav16", "wav24", "wav32"):
        return "Invalid output_format"
    return None


def compose(job, asked):
    """The language model fills what is missing."""
    time.sleep(0.2)
    filled = {"lyrics": "[verse]\nwritten by the model", "bpm": 120, "duration": 12, "audio_codes": "1,2,3"}
    job["result"] = ("application/json", json.dumps([{**filled, **asked}]).encode())
    job["status"] = "done"


def render(job, asked):
    steps = asked.get("inference_steps", 8)
    for step in range(1, steps + 1):
        time.sleep(0.4 if "slowly" in asked["caption"] else 0.01)
        print(f"[DiT] Step {step}/{steps} t=0.500", file=sys.stderr, flush=True)
    parts = [("audio/wav", b"", wav(asked["duration"]))]
    parts.append(("application/octet-stream", b'Content-Disposition: form-data; name="latent"\r\n', bytes(256)))
    body = b""
    for kind, more, content in parts:
        head = f"--{BOUNDARY}\r\nContent-Type: {kind}\r\n".encode() + more
        body += head + b"\r\n" + content + b"\r\n"
    body += f"--{BOUNDARY}--\r\n".encode()
    job["result"] = (f"multipart/mixed; boundary={BOUNDARY}", body)
    job["status"] = "done"


class Handler(BaseHTTPRequestHandler):
    def answer(self, value, status=200):
        self.send(status, "application/json", json.dumps(value).encode())

    def send(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        asked = urlparse(self.path)
        if asked.path == "/health":
            return self.answer({"status": "ok"})
        query = parse_qs(asked.query)
        job = JOBS.get(query.get("id", [""])[0])
        if asked.path != "/job" or job is None:
            return self.answer({"error": "Job not found"}, 404)
        if query.get("result") == ["1"]:
            if job["status"] != "done":
                return self.answer({"error": "Result not ready"}, 404)
            return self.send(200, *job["result"])
        self.answer({"status": job["status"]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        note({"path": self.path, **asked})
        why = wrong(asked)
        if why:
            return self.answer({"error": why}, 400)
        if self.path == "/synth" and not asked.get("audio_codes"):
            return self.answer({"error": "it did not come from /lm"}, 400)
        name = str(len(JOBS) + 1)
        JOBS[name] = {"status": "running"}
        work = {"/lm": compose, "/synth": render}[self.path]
        threading.Thread(target=work, args=(JOBS[name], asked), daemon=True).start()
        self.answer({"id": name})

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
