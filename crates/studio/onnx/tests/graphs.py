"""Makes small graphs and what Python's own ONNX Runtime makes of a picture with them; prints where the library is."""

import json
import pathlib
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, save

OUT = pathlib.Path(sys.argv[1])
WIDTH, HEIGHT = 24, 20
FLOAT = TensorProto.FLOAT


def model(name, nodes, inputs, output, constants, manifest, kind=FLOAT):
    folder = OUT / name
    folder.mkdir()
    given = [helper.make_tensor_value_info(key, kind, shape) for key, shape in inputs.items()]
    made = [helper.make_tensor_value_info(key, kind, shape) for key, shape in output.items()]
    constants = [numpy_helper.from_array(np.asarray(value), key) for key, value in constants.items()]
    graph = helper.make_graph(nodes, name, given, made, constants)
    opset = [helper.make_opsetid("", 17)]
    save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / "model.onnx")
    (folder / "model.json").write_text(json.dumps(manifest))
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    return lambda **inputs: session.run(None, inputs)[0]


def byte(values):
    """One picture, channels first, as rows of pixels."""
    return np.clip(np.floor(values[0].transpose(1, 2, 0) * 255 + 0.5), 0, 255).astype(np.uint8)


chance = np.random.default_rng(7)
picture = chance.integers(0, 60, (HEIGHT, WIDTH, 3), dtype=np.uint8)
picture[6:14, 8:16] += 180
(OUT / "picture.rgb").write_bytes(picture.tobytes())
numbers = (picture.astype(np.float32) / np.float32(255)).transpose(2, 0, 1)[None]
size = ["h", "w"]

upscale = model(
    "upscale",
    [
        helper.make_node("Conv", ["x", "weights"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        helper.make_node("LeakyRelu", ["c"], ["r"], alpha=0.1),
        helper.make_node("DepthToSpace", ["r"], ["y"], blocksize=2, mode="CRD"),
    ],
    {"x": [1, 3, *size]},
    {"y": [1, 3, "H", "W"]},
    {"weights": chance.normal(0.08, 0.1, (12, 3, 3, 3)).astype(np.float32)},
    {"kind": "image"},
)
(OUT / "upscaled.rgb").write_bytes(byte(upscale(x=numbers)).tobytes())
tiled = OUT / "upscale-tiled"
tiled.mkdir()
(tiled / "model.onnx").write_bytes((OUT / "upscale" / "model.onnx").read_bytes())
(tiled / "model.json").write_text(json.dumps({"kind": "image", "tile": {"size": 12, "overlap": 4}}))

mean = [0.485, 0.456, 0.406]
std = [0.229, 0.224, 0.225]
grey = [helper.make_node("ReduceMean", ["x"], ["y"], axes=[1], keepdims=1)]
mask = model(
    "mask",
    grey,
    {"x": [1, 3, HEIGHT, WIDTH]},
    {"y": [1, 1, HEIGHT, WIDTH]},
    {},
    {
        "kind": "mask",
        "size": {"fixed": [WIDTH, HEIGHT]},
        "mean": mean,
        "std": std,
        "activation": "normalize",
    },
)
broad = lambda values: np.array(values, np.float32)[None, :, None, None]
seen = mask(x=(numbers - broad(mean)) / broad(std))[0, 0]
seen = (seen - seen.min()) / (seen.max() - seen.min())
(OUT / "mask.f32").write_bytes(seen.astype("<f4").tobytes())

model(
    "depth",
    [helper.make_node("ReduceMean", ["x"], ["y"], axes=[3], keepdims=0)],
    {"x": [1, *size, 3]},
    {"y": [1, *size]},
    {},
    {"kind": "depth", "layout": "nhwc", "color": "bgr", "low_is_near": True},
)
(OUT / "depth.f32").write_bytes((1 - numbers[0].mean(axis=0)).astype("<f4").tobytes())

model(
    "inpaint",
    [
        helper.make_node("Mul", ["mask", "half"], ["filled"]),
        helper.make_node("Sub", ["one", "mask"], ["kept"]),
        helper.make_node("Mul", ["x", "kept"], ["rest"]),
        helper.make_node("Add", ["rest", "filled"], ["y"]),
    ],
    {"x": [1, 3, *size], "mask": [1, 1, *size]},
    {"y": [1, 3, *size]},
    {"half": np.float32([0.5]), "one": np.float32([1])},
    {"kind": "image", "size": {"multiple_of": 8}},
)

model(
    "inpaint-bytes",
    [
        helper.make_node("Cast", ["mask"], ["kept"], to=TensorProto.BOOL),
        helper.make_node("Sub", ["white", "x"], ["inverse"]),
        helper.make_node("Where", ["kept", "x", "inverse"], ["y"]),
    ],
    {"x": [1, 3, *size], "mask": [1, 1, *size]},
    {"y": [1, 3, *size]},
    {"white": np.uint8([255])},
    {"kind": "image", "numbers": "uint8", "mask_marks": "kept", "output_range": 255},
    TensorProto.UINT8,
)

library = next(pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.*"))
print(library)
