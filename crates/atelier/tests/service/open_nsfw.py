"""Prints the scores that Python's ONNX Runtime gives to pictures, prepared as the makers of Open NSFW do.

Usage: open_nsfw.py GRAPH PICTURE…
"""

import sys

import numpy as np
import onnxruntime
from PIL import Image

session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
for path in sys.argv[2:]:
    picture = Image.open(path).convert("RGB").resize((256, 256), Image.BILINEAR).crop((16, 16, 240, 240))
    numbers = np.asarray(picture, np.float32)[:, :, ::-1] - np.float32([104, 117, 123])
    print(float(session.run(None, {name: numbers[None]})[0][0][1]))
