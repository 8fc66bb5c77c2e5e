"""Writes redness.onnx beside this file: a graph with scores of two classes, `other` and `red`, for pictures of any size
as N × H × W × 3 in the order blue, green, red."""

import pathlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

weights = np.array([[0, -20], [0, -20], [0, 20]], np.float32)
nodes = [
    helper.make_node("ReduceMean", ["x"], ["mean"], axes=[1, 2], keepdims=0),
    helper.make_node("MatMul", ["mean", "weights"], ["y"]),
]
inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "h", "w", 3])]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])]
graph = helper.make_graph(nodes, "redness", inputs, outputs, [numpy_helper.from_array(weights, "weights")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
save(model, pathlib.Path(__file__).with_name("redness.onnx"))
