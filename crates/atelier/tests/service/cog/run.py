"""A small runner: what it is asked says what becomes of it."""

import base64
import os
import struct
import time
import zlib

from cog import BaseRunner, Input, Path, current_scope


def png(seed: int) -> bytes:
    """A grey picture of 8 by 8 pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    rows = (b"\0" + bytes([seed % 256]) * 8) * 8
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    end = chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + end


class InvalidInput(ValueError):
    """What is asked cannot be done."""


class Runner(BaseRunner):
    def run(
        self,
        prompt: str,
        image: Path = Input(default=None),
        seed: int = 0,
        steps: int = Input(default=1, ge=1, le=100),
    ) -> Path:
        if "fail" in prompt:
            raise ValueError("the toy is broken")
        if "refuse" in prompt:
            raise InvalidInput("`prompt`: it asks for nothing")
        if "crash" in prompt:
            os._exit(3)
        if "slow" in prompt:
            steps = 30
        if "endless" in prompt:
            steps = 250
        for step in range(steps):
            if "shown" in prompt:
                picture = base64.b64encode(png(step)).decode()
                current_scope().record_metric("preview", f"data:image/png;base64,{picture}")
            print(f"step {step + 1}/{steps}", flush=True)
            time.sleep(0.1)
        made = Path("made.png")
        made.write_bytes(image.read_bytes() if image else png(seed))
        return made
