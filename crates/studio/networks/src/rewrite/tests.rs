use super::onnx::{Attribute, floats, node, port};
use super::*;
use crate::{Network, Tensor, Values};

/// A file with a graph of these nodes and constants.
fn file(
    nodes: &[Message<'_>],
    constants: &[Message<'_>],
    inputs: &[Message<'_>],
    output: &Message<'_>,
) -> Vec<u8> {
    let mut graph = Message::default();
    for node in nodes {
        graph.push_message(graph::NODE, node);
    }
    graph.push_text(graph::NAME, "test");
    for constant in constants {
        graph.push_message(graph::INITIALIZER, constant);
    }
    for input in inputs {
        graph.push_message(graph::INPUT, input);
    }
    graph.push_message(graph::OUTPUT, output);
    let mut opset = Message::default();
    opset.push_number(2, 17);
    let mut microsoft = Message::default();
    microsoft.push_text(1, "com.microsoft");
    microsoft.push_number(2, 1);
    let mut file = Message::default();
    file.push_number(model::IR_VERSION, 8);
    file.push_message(model::GRAPH, &graph);
    file.push_message(model::OPSET, &opset);
    file.push_message(model::OPSET, &microsoft);
    // A field of a later version.
    file.push_number(900, 7);
    file.write()
}

/// A port of bytes without a shape.
fn bytes_port(name: &str) -> Message<'static> {
    let mut tensor = Message::default();
    tensor.push_number(1, 2);
    let mut kind = Message::default();
    kind.push_message(1, &tensor);
    let mut value = Message::default();
    value.push_text(1, name);
    value.push_message(2, &kind);
    value
}

const SIDE: usize = 12;
const CHANNELS: usize = 16;
const MADE: usize = 8;
const ZERO: u8 = 7;

/// A convolution of bytes with a border of one pixel, all three values as inputs.
fn padding_convolution() -> Vec<u8> {
    let mut conv = node(
        "ConvInteger",
        "conv",
        &["x", "w", "zero"],
        "y",
        &[
            ("pads", Attribute::Ints(&[1, 1, 1, 1])),
            ("kernel_shape", Attribute::Ints(&[3, 3])),
        ],
    );
    // An attribute that nothing here knows is kept.
    conv.push_text(6, "documentation");
    file(
        &[conv],
        &[],
        &["x", "w", "zero"].map(bytes_port),
        &bytes_port("y"),
    )
}

/// Returns the convolution by its definition: outside the picture is the zero point.
fn by_definition(x: &[u8], w: &[u8]) -> Vec<i32> {
    let mut out = vec![0; MADE * SIDE * SIDE];
    for (at, sum) in out.iter_mut().enumerate() {
        let (m, v, u) = (at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE);
        for c in 0..CHANNELS {
            for (k, (dy, dx)) in (0..9).map(|k| (k, (k / 3, k % 3))) {
                let (row, column) = (v + dy, u + dx);
                if (1..=SIDE).contains(&row) && (1..=SIDE).contains(&column) {
                    let value = x[(c * SIDE + row - 1) * SIDE + column - 1];
                    let weight = w[(m * CHANNELS + c) * 9 + k];
                    *sum += (i32::from(value) - i32::from(ZERO)) * i32::from(weight);
                }
            }
        }
    }
    out
}

fn ran(graph: Vec<u8>, x: &[u8], w: &[u8]) -> Vec<i32> {
    let network = Network::from_bytes(graph).unwrap();
    let inputs = vec![
        ("x", Tensor::u8(&[1, CHANNELS, SIDE, SIDE], x.to_vec())),
        ("w", Tensor::u8(&[MADE, CHANNELS, 3, 3], w.to_vec())),
        ("zero", Tensor::u8(&[], vec![ZERO])),
    ];
    let made = network.run(inputs, &["y"]).unwrap().remove(0);
    assert_eq!(made.shape, [1, MADE, SIDE, SIDE]);
    match made.values {
        Values::I32(values) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_convolution_of_integers_pads_with_its_zero_point() {
    let x: Vec<u8> = (0..CHANNELS * SIDE * SIDE)
        .map(|i| (i * 37 % 251) as u8)
        .collect();
    // On processors without instructions for such products (VNNI), sums of larger ones are cut off.
    let w: Vec<u8> = (0..MADE * CHANNELS * 9)
        .map(|i| 64 + (i * 91 % 64) as u8)
        .collect();
    let graph = padding_convolution();
    let changed = rewrite(&graph, &["pad-conv-integer"]).unwrap();
    assert_eq!(ran(changed.clone(), &x, &w), by_definition(&x, &w));
    // There is nothing left to change.
    assert_eq!(rewrite(&changed, &["pad-conv-integer"]).unwrap(), changed);
}

#[test]
fn a_graph_that_needs_no_change_keeps_its_bytes() {
    let graph = padding_convolution();
    assert_eq!(rewrite(&graph, &["fused-matmul"]).unwrap(), graph);
    let changed = rewrite(&graph, &["pad-conv-integer"]).unwrap();
    let text = |word: &[u8]| changed.windows(word.len()).any(|part| part == word);
    assert!(text(b"documentation"));
    assert_eq!(Message::read(&changed).unwrap().number(900), Some(7));
}

#[test]
fn a_fused_product_becomes_two_nodes_with_the_same_result() {
    let mut fused = node(
        "FusedMatMul",
        "product",
        &["a", "b"],
        "y",
        &[("transA", Attribute::Int(1)), ("alpha", Attribute::Float(1.0))],
    );
    fused.push_text(7, "com.microsoft");
    let shape = |a, b| [Ok(1), Ok(a), Ok(b)];
    let graph = file(
        &[fused],
        &[floats("b", &[1, 2, 2], &[1.0, 0.0, 2.0, 1.0])],
        &[port("a", &shape(2, 3))],
        &port("y", &shape(3, 2)),
    );
    let changed = rewrite(&graph, &["fused-matmul"]).unwrap();
    let network = Network::from_bytes(changed).unwrap();
    let a = Tensor::f32(&[1, 2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let made = network.run(vec![("a", a)], &["y"]).unwrap().remove(0);
    assert_eq!(made.shape, [1, 3, 2]);
    assert_eq!(made.into_f32(), [9.0, 4.0, 12.0, 5.0, 15.0, 6.0]);
}

#[test]
fn a_fused_product_with_a_factor_is_refused() {
    let fused = node(
        "FusedMatMul",
        "product",
        &["a", "b"],
        "y",
        &[("alpha", Attribute::Float(0.5))],
    );
    let graph = file(&[fused], &[], &[], &bytes_port("y"));
    let error = rewrite(&graph, &["fused-matmul"]).unwrap_err().to_string();
    assert!(
        error.contains("`product`") && error.contains("`alpha` is 0.5"),
        "{error}"
    );
}

#[test]
fn a_graph_with_freed_dimensions_takes_any_size() {
    let twice = node("Add", "twice", &["x", "x"], "y", &[]);
    let shape = [Ok(1), Ok(4)];
    let graph = file(&[twice], &[], &[port("x", &shape)], &port("y", &shape));
    let run = |graph: &[u8]| {
        let network = Network::from_bytes(graph.to_vec()).unwrap();
        let x = Tensor::f32(&[2, 3], vec![1.0; 6]);
        network.run(vec![("x", x)], &["y"])
    };
    assert!(run(&graph).is_err());
    let freed = rewrite(&graph, &["free-dimensions"]).unwrap();
    assert_eq!(run(&freed).unwrap()[0], Tensor::f32(&[2, 3], vec![2.0; 6]));
}

#[test]
fn mistakes_are_named() {
    let graph = padding_convolution();
    let unknown = rewrite(&graph, &["pads"]).unwrap_err().to_string();
    assert!(
        unknown.contains("`pads`") && unknown.contains("pad-conv-integer"),
        "{unknown}"
    );
    assert_eq!(
        rewrite(b"PK\x03\x04", &["fused-matmul"]),
        Err(RewriteError::NotAGraph)
    );
    assert_eq!(rewrite(b"", &[]), Err(RewriteError::NotAGraph));
}

/// The real and imaginary parts of the spectrum of 16 numbers.
fn spectrum(graph: Vec<u8>, numbers: &[f32]) -> Vec<f32> {
    let network = Network::from_bytes(graph).unwrap();
    let input = Tensor::f32(&[1, 16], numbers.to_vec());
    network
        .run(vec![("x", input)], &["y"])
        .unwrap()
        .remove(0)
        .into_f32()
}

#[test]
fn a_spectrum_has_no_exact_zeros_and_keeps_its_other_numbers() {
    let stft = node(
        "STFT",
        "stft",
        &["x", "step", "", "length"],
        "y",
        &[("onesided", Attribute::Int(1))],
    );
    let scalar = |name: &str, value: i64| super::onnx::int(name, value);
    let graph = file(
        &[stft],
        &[scalar("step", 16), scalar("length", 16)],
        &[port("x", &[Ok(1), Ok(16)])],
        &port("y", &[Ok(1), Ok(1), Ok(9), Ok(2)]),
    );
    let changed = rewrite(&graph, &["stft-zeros"]).unwrap();
    // A constant below zero: rten's imaginary part is exactly 0, so its sign says nothing.
    let (before, after) = (spectrum(graph, &[-1.0; 16]), spectrum(changed, &[-1.0; 16]));
    assert_eq!((before[0], before[1]), (-16.0, 0.0));
    assert_eq!((after[0], after[1]), (-16.0, 1e-30));
    assert!(after.iter().all(|number| *number != 0.0), "{after:?}");
    assert!(
        before
            .iter()
            .zip(&after)
            .all(|(before, after)| (before - after).abs() < 1e-6)
    );
}

fn numbers(graph: Vec<u8>, inputs: &[(&str, &[f32])], output: &str) -> Vec<f32> {
    let network = Network::from_bytes(graph).unwrap();
    let inputs = inputs
        .iter()
        .map(|(name, values)| (*name, Tensor::f32(&[values.len()], values.to_vec())));
    network
        .run(inputs.collect(), &[output])
        .unwrap()
        .remove(0)
        .into_f32()
}

#[test]
fn a_graph_that_speaks_tells_the_durations_of_its_tokens() {
    let free = |name: &str| super::onnx::free_port(name);
    let kokoro = [
        node("Div", "pace", &["lengths", "speed"], "quotient", &[]),
        node("Round", "round", &["quotient"], "rounded", &[]),
        node("Clip", "clip", &["rounded", "one"], "clipped", &[]),
        node("Mul", "rest", &["clipped", "clipped"], "audio", &[]),
    ];
    let one = super::onnx::floats("one", &[], &[1.0]);
    let graph = file(&kokoro, &[one], &["lengths", "speed"].map(free), &free("audio"));
    let changed = rewrite(&graph, &["durations"]).unwrap();
    let given: [(&str, &[f32]); 2] = [("lengths", &[4.0, 7.2, 0.1]), ("speed", &[2.0])];
    assert_eq!(numbers(changed.clone(), &given, "durations"), [2.0, 4.0, 1.0]);
    assert_eq!(numbers(changed.clone(), &given, "audio"), [4.0, 16.0, 1.0]);
    assert_eq!(rewrite(&changed, &["durations"]).unwrap(), changed);

    let piper = [
        node("Mul", "pace", &["lengths", "scales"], "product", &[]),
        node("Ceil", "ceil", &["product"], "whole", &[]),
        node("Add", "rest", &["whole", "whole"], "output", &[]),
    ];
    let graph = file(&piper, &[], &["lengths", "scales"].map(free), &free("output"));
    let changed = rewrite(&graph, &["durations"]).unwrap();
    let given: [(&str, &[f32]); 2] = [("lengths", &[4.0, 7.2]), ("scales", &[0.5])];
    assert_eq!(numbers(changed, &given, "durations"), [2.0, 4.0]);

    let other = file(&piper, &[], &["lengths", "strengths"].map(free), &free("output"));
    assert_eq!(rewrite(&other, &["durations"]).unwrap(), other);
}
