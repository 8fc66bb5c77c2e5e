"""stable-diffusion.cpp's server as far as requests, answers and output go. Its pictures are grey, its films have two
colours. It refuses what the real one would misunderstand.

Usage: sd_server.py PORT LOG [OPTION...]. Every request is a line in LOG. The options are those of the server; with
--audio-vae, films have a tone of 24 kHz.
"""

import base64
import json
import math
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JOBS = {}
# JPEG files of 64 by 48 pixels in one colour.
RED = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7"
    "gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8"
    "fHx8fHx8fHz/wAARCAAwAEADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
    "FgEBAQEAAAAAAAAAAAAAAAAAAAQF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AngJW8AAAAAAAAAAAAAAAAAAA"
    "AAA//9k="
)
BLUE = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7"
    "gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8"
    "fHx8fHx8fHz/wAARCAAwAEADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
    "FgEBAQEAAAAAAAAAAAAAAAAAAAMF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AhgN5IAAAAAAAAAAAAAAAAAAA"
    "AAB//9k="
)
PICTURES = ["init_image", "end_image", "mask_image"]
WHOLE = ["width", "height", "seed", "batch_count", "video_frames", "fps"]


def note(text):
    with open(sys.argv[2], "a") as log:
        log.write(text + "\n")


def png(width, height, seed):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + bytes([seed % 256]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    picture = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + picture).decode()


def tone(seconds):
    """Samples in pairs."""
    samples = (int(9000 * math.sin(at * 0.1)) for at in range(int(24_000 * seconds)))
    return b"".join(struct.pack("<hh", sample, sample) for sample in samples)


def avi(frames, fps):
    """Motion JPEG as the server writes it, with its sound in one piece at the end."""

    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    stream = b"vidsMJPG" + struct.pack("<IHHIIIII", 0, 0, 0, 0, 1, fps, 0, frames) + bytes(20)
    header = b"hdrl" + chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", bytes(40)))
    has_sound = "--audio-vae" in sys.argv
    if has_sound:
        sound = b"auds" + struct.pack("<IIHHIIIIIIII", 0, 0, 0, 0, 0, 4, 96_000, 0, 0, 0, 0, 4)
        form = struct.pack("<HHIIHH", 1, 2, 24_000, 96_000, 4, 16)
        header += chunk(b"LIST", b"strl" + chunk(b"strh", sound) + chunk(b"strf", form))
    pictures = [base64.b64decode(RED if at < frames / 2 else BLUE) for at in range(frames)]
    movie = b"movi" + b"".join(chunk(b"00dc", picture) for picture in pictures)
    if has_sound:
        movie += chunk(b"01wb", tone(frames / fps))
    body = b"AVI " + chunk(b"LIST", header) + chunk(b"LIST", movie)
    return base64.b64encode(chunk(b"RIFF", body)).decode()


def wrong(asked):
    """Why the real server would not do what is meant."""
    for name in WHOLE:
        if name in asked and not isinstance(asked[name], int):
            return f"{name} is not a whole number: {asked[name]}"
    for side in ("width", "height"):
        if asked.get(side, 16) % 16:
            return f"{side} is not a multiple of 16"
    if not isinstance(asked.get("sample_params", {}).get("sample_steps", 1), int):
        return "sample_steps is not a whole number"
    for name in PICTURES:
        if name in asked and not isinstance(asked[name], str):
            return f"{name} is not text"
    if not isinstance(asked.get("ref_images", []), list):
        return "ref_images is not a list"
    return None


def make(name, asked, is_film):
    steps = asked.get("sample_params", {}).get("sample_steps", 20)
    pause = 0.4 if "slowly" in asked["prompt"] else 0.01
    for picture in range(asked.get("batch_count", 1)):
        for step in range(1, steps + 1):
            time.sleep(pause)
            print(f"\r  |==>   | {step}/{steps} - 1.25s/it\033[K", end="", flush=True)
    if is_film:
        # The real one makes 4n + 1 frames.
        frames = (asked["video_frames"] - 1) // 4 * 4 + 1
        result = {"output_format": "avi", "fps": asked["fps"], "b64_json": avi(frames, asked["fps"])}
    else:
        count = range(asked.get("batch_count", 1))
        images = [{"b64_json": png(asked["width"], asked["height"], asked["seed"] + at)} for at in count]
        result = {"output_format": "png", "images": images}
    JOBS[name] = {"id": name, "status": "completed", "result": result}


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
        self.answer({})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        note(json.dumps({"path": self.path, **asked}))
        why = wrong(asked)
        if why:
            return self.answer({"error": why}, 400)
        name = f"job_{len(JOBS)}"
        JOBS[name] = {"id": name, "status": "generating"}
        is_film = self.path == "/sdcpp/v1/vid_gen"
        threading.Thread(target=make, args=(name, asked, is_film), daemon=True).start()
        self.answer({"id": name, "status": "queued", "poll_url": f"/sdcpp/v1/jobs/{name}"}, 202)

    def log_message(self, *_):
        pass


print("[INFO ] loading\n  |=====> | 500/686 - 512.00MB/s\033[K", flush=True)
time.sleep(0.3)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
