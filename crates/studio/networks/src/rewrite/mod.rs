//! Changes to graphs, made once when they are pulled. Everything else in a graph stays as it is, byte for byte.

pub(crate) mod ncnn;
mod onnx;
mod wire;

use onnx::{Attribute, graph, model, node};
use wire::{Field, Message};

/// The changes that [`rewrite`] knows.
///
/// - `pad-conv-integer`: a `Pad` node with the input's zero point before each `ConvInteger`, which then pads nothing
///   itself. rten 0.27 pads such convolutions with wrong numbers.
/// - `fused-matmul`: ONNX Runtime's `FusedMatMul` becomes `Transpose` and `MatMul`.
/// - `stft-zeros`: real parts of exactly 0 from `STFT` become 1e-20, imaginary ones 1e-30. Angles that a graph makes of
///   them are then those of `atan2`; rten gives exact zeros where other runtimes give rounding errors.
/// - `durations`: a graph that speaks gets the output `durations`, the frames that it gives to each of its tokens, as
///   floats. They are what it divides by its input `speed` and rounds, as Kokoro does; or, if it has an input `scales`,
///   what its only `Ceil` gives, as in Piper's voices. Other graphs stay as they are.
/// - `free-dimensions`: inputs and outputs take any size, if the graph declares one that its operators do not require.
pub const REWRITES: [&str; 5] = [
    "pad-conv-integer",
    "fused-matmul",
    "stft-zeros",
    "durations",
    "free-dimensions",
];

/// Why a graph cannot be rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    #[error("unknown rewrite `{name}`; known rewrites: {}", REWRITES.join(", "))]
    Unknown { name: String },
    #[error("the bytes are not an ONNX graph")]
    NotAGraph,
    #[error("the node `{node}` ({op}) cannot be rewritten: {why}")]
    Node { node: String, op: String, why: String },
}

/// Applies the named changes to an ONNX file, in their order. Nodes inside the branches of `If` and `Loop` stay as they
/// are.
pub fn rewrite(bytes: &[u8], names: &[&str]) -> Result<Vec<u8>, RewriteError> {
    if let Some(unknown) = names.iter().find(|name| !REWRITES.contains(name)) {
        return Err(RewriteError::Unknown {
            name: (*unknown).to_owned(),
        });
    }
    let mut file = Message::read(bytes).ok_or(RewriteError::NotAGraph)?;
    let graph = file.bytes(model::GRAPH).ok_or(RewriteError::NotAGraph)?.to_vec();
    let mut graph = Message::read(&graph).ok_or(RewriteError::NotAGraph)?;
    for name in names {
        match *name {
            "pad-conv-integer" => each_node(&mut graph, "ConvInteger", padded)?,
            "fused-matmul" => {
                let ranks = ranks(&graph);
                each_node(&mut graph, "FusedMatMul", |node, at| unfused(node, at, &ranks))?;
            }
            "stft-zeros" => each_node(&mut graph, "STFT", |node, at| Ok(Some(without_zeros(node, at))))?,
            "durations" => durations(&mut graph),
            _ => free_dimensions(&mut graph)?,
        }
    }
    let written = graph.write();
    for (number, field) in &mut file.fields {
        if *number == model::GRAPH {
            *field = Field::Bytes(written.into());
            break;
        }
    }
    Ok(file.write())
}

/// The replacement of a node: nodes in the order they run, and constants.
#[derive(Default)]
struct Instead {
    nodes: Vec<Message<'static>>,
    constants: Vec<Message<'static>>,
}

/// Replaces the nodes of an operator. The function gets a node and its number; nothing keeps the node.
fn each_node(
    graph: &mut Message<'_>,
    op: &str,
    change: impl Fn(&Message<'_>, usize) -> Result<Option<Instead>, String>,
) -> Result<(), RewriteError> {
    let mut fields = Vec::with_capacity(graph.fields.len());
    let mut constants = Vec::new();
    for (at, (number, field)) in std::mem::take(&mut graph.fields).into_iter().enumerate() {
        let instead = match &field {
            Field::Bytes(bytes) if number == graph::NODE => {
                let node = Message::read(bytes).ok_or(RewriteError::NotAGraph)?;
                let changed = if node.text(node::OP) == op {
                    change(&node, at)
                } else {
                    Ok(None)
                };
                changed.map_err(|why| RewriteError::Node {
                    node: node.text(node::NAME).to_owned(),
                    op: op.to_owned(),
                    why,
                })?
            }
            _ => None,
        };
        match instead {
            None => fields.push((number, field)),
            Some(instead) => {
                let written = |node: &Message<'_>| (graph::NODE, Field::Bytes(node.write().into()));
                fields.extend(instead.nodes.iter().map(written));
                constants.extend(instead.constants);
            }
        }
    }
    graph.fields = fields;
    for constant in constants {
        graph.push_message(graph::INITIALIZER, &constant);
    }
    Ok(())
}

/// A convolution of integers that pads, with its padding before it.
fn padded(conv: &Message<'_>, at: usize) -> Result<Option<Instead>, String> {
    if let Some(auto) = onnx::text_of(conv, "auto_pad")
        && !matches!(auto.as_str(), "NOTSET" | "VALID")
    {
        return Err(format!(
            "`auto_pad` is {auto}; only explicit `pads` are supported"
        ));
    }
    let pads = onnx::ints_of(conv, "pads");
    if pads.iter().all(|pad| *pad == 0) {
        return Ok(None);
    }
    let (begin, end) = pads.split_at(pads.len() / 2);
    let all: Vec<i64> = [&[0, 0], begin, &[0, 0], end].concat();
    let inputs: Vec<String> = conv
        .all(node::INPUT)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    let [x, ..] = inputs.as_slice() else {
        return Err("it has no input".to_owned());
    };
    let (widths, output) = (format!("atelier_pads_{at}"), format!("atelier_padded_{at}"));
    let zero = inputs.get(2).filter(|name| !name.is_empty());
    let mut from = vec![x.as_str(), widths.as_str()];
    from.extend(zero.map(String::as_str));
    let mode = [("mode", Attribute::Text("constant"))];
    let pad = onnx::node("Pad", &format!("{output}_pad"), &from, &output, &mode);
    let mut own = Message::default();
    for (number, field) in &conv.fields {
        let mut field = owned(field);
        if *number == node::INPUT && !own.fields.iter().any(|(number, _)| *number == node::INPUT) {
            field = Field::Bytes(output.clone().into_bytes().into());
        }
        own.fields.push((*number, field));
    }
    onnx::without(&mut own, "pads");
    Ok(Some(Instead {
        nodes: vec![pad, own],
        constants: vec![onnx::ints(&widths, &all)],
    }))
}

fn owned(field: &Field<'_>) -> Field<'static> {
    match field {
        Field::Varint(value) => Field::Varint(*value),
        Field::Fixed64(bytes) => Field::Fixed64(*bytes),
        Field::Bytes(bytes) => Field::Bytes(bytes.to_vec().into()),
        Field::Fixed32(bytes) => Field::Fixed32(*bytes),
    }
}

/// A product with a transposed first factor, as two nodes.
fn unfused(fused: &Message<'_>, at: usize, ranks: &[(String, usize)]) -> Result<Option<Instead>, String> {
    let on = |name: &str| onnx::int_of(fused, name).unwrap_or(0) != 0;
    if on("transBatchA") || on("transBatchB") {
        return Err("`transBatchA` and `transBatchB` are not supported".to_owned());
    }
    let alpha = onnx::float_of(fused, "alpha").unwrap_or(1.0);
    if (alpha - 1.0).abs() > f32::EPSILON {
        return Err(format!("`alpha` is {alpha}; only 1 is supported"));
    }
    let mut inputs: Vec<String> = fused
        .all(node::INPUT)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    if inputs.len() != 2 {
        return Err(format!("it has {} inputs; 2 are required", inputs.len()));
    }
    let mut instead = Instead::default();
    for (side, flag) in ["transA", "transB"].into_iter().enumerate() {
        if !on(flag) {
            continue;
        }
        let rank = ranks.iter().find(|(name, _)| *name == inputs[side]);
        let rank = rank.map_or(3, |(_, rank)| *rank);
        if rank < 2 {
            return Err(format!("`{}` has no two dimensions to swap", inputs[side]));
        }
        let mut order: Vec<i64> = (0..rank as i64).collect();
        order.swap(rank - 2, rank - 1);
        let turned = format!("atelier_turned_{at}_{side}");
        let attributes = [("perm", Attribute::Ints(&order))];
        let node = onnx::node(
            "Transpose",
            &format!("{turned}_node"),
            &[inputs[side].as_str()],
            &turned,
            &attributes,
        );
        instead.nodes.push(node);
        inputs[side] = turned;
    }
    let names: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let output = fused.text(node::OUTPUT);
    instead
        .nodes
        .push(onnx::node("MatMul", fused.text(node::NAME), &names, output, &[]));
    Ok(Some(instead))
}

/// A spectrum whose numbers are never exactly zero.
fn without_zeros(stft: &Message<'_>, at: usize) -> Instead {
    let (exact, tiny) = (format!("atelier_spectrum_{at}"), format!("atelier_tiny_{at}"));
    let output = stft.text(node::OUTPUT).to_owned();
    let mut own = Message::default();
    for (number, field) in &stft.fields {
        let field = if *number == node::OUTPUT {
            Field::Bytes(exact.clone().into_bytes().into())
        } else {
            owned(field)
        };
        own.fields.push((*number, field));
    }
    let add = onnx::node(
        "Add",
        &format!("{exact}_add"),
        &[exact.as_str(), tiny.as_str()],
        &output,
        &[],
    );
    Instead {
        nodes: vec![own, add],
        // The last dimension is the real and the imaginary part.
        constants: vec![onnx::floats(&tiny, &[2], &[1e-20, 1e-30])],
    }
}

/// Lets a graph tell the durations of its tokens.
fn durations(graph: &mut Message<'_>) {
    const OUTPUT: &str = "durations";
    let has = |field: u64, name: &str| {
        let mut ports = graph.all(field).filter_map(Message::read);
        ports.any(|port| port.text(onnx::VALUE_NAME) == name)
    };
    if has(graph::OUTPUT, OUTPUT) {
        return;
    }
    let found = if has(graph::INPUT, "speed") {
        rounded_quotient(graph, "speed")
    } else if has(graph::INPUT, "scales") {
        let mut ceils = nodes_of(graph, "Ceil").map(|ceil| ceil.text(node::OUTPUT).to_owned());
        ceils.next().filter(|_| ceils.next().is_none())
    } else {
        None
    };
    let Some(found) = found else { return };
    let node = onnx::node("Identity", "atelier_durations", &[found.as_str()], OUTPUT, &[]);
    graph.push_message(graph::NODE, &node);
    graph.push_message(graph::OUTPUT, &onnx::free_port(OUTPUT));
}

/// The nodes of an operator.
fn nodes_of<'a>(graph: &'a Message<'_>, op: &'a str) -> impl Iterator<Item = Message<'a>> {
    let nodes = graph.all(graph::NODE).filter_map(Message::read);
    nodes.filter(move |node| node.text(node::OP) == op)
}

/// Returns the value that is divided by an input, rounded, and kept above a minimum.
fn rounded_quotient(graph: &Message<'_>, divisor: &str) -> Option<String> {
    let next = |op: &str, place: usize, value: &str| {
        let mut nodes = nodes_of(graph, op).filter(|node| {
            let mut inputs = node.all(node::INPUT);
            inputs.nth(place) == Some(value.as_bytes())
        });
        nodes.next().map(|node| node.text(node::OUTPUT).to_owned())
    };
    let quotient = next("Div", 1, divisor)?;
    let rounded = next("Round", 0, &quotient)?;
    Some(next("Clip", 0, &rounded).unwrap_or(rounded))
}

/// How many dimensions the values have whose shapes the graph declares.
fn ranks(graph: &Message<'_>) -> Vec<(String, usize)> {
    let declared = [graph::INPUT, graph::VALUE_INFO];
    let values = declared
        .into_iter()
        .flat_map(|field| graph.all(field))
        .filter_map(Message::read);
    let rank = |value: Message<'_>| {
        let kind = Message::read(value.bytes(onnx::VALUE_TYPE)?)?;
        let tensor = Message::read(kind.bytes(onnx::TENSOR_TYPE)?)?;
        let shape = Message::read(tensor.bytes(onnx::SHAPE)?)?;
        Some((
            value.text(onnx::VALUE_NAME).to_owned(),
            shape.all(onnx::DIM).count(),
        ))
    };
    values.filter_map(rank).collect()
}

/// Gives the sides of inputs and outputs names instead of numbers, and forgets the shapes of what is between.
fn free_dimensions(graph: &mut Message<'_>) -> Result<(), RewriteError> {
    graph.remove(graph::VALUE_INFO);
    for (number, field) in &mut graph.fields {
        if let Field::Bytes(bytes) = field
            && [graph::INPUT, graph::OUTPUT].contains(number)
        {
            let freed = free(bytes).ok_or(RewriteError::NotAGraph)?;
            *field = Field::Bytes(freed.into());
        }
    }
    Ok(())
}

fn free(value: &[u8]) -> Option<Vec<u8>> {
    let value = Message::read(value)?;
    let kind = Message::read(value.bytes(onnx::VALUE_TYPE)?)?;
    // Sequences and maps have no sides.
    let Some(tensor) = kind.bytes(onnx::TENSOR_TYPE) else {
        return Some(value.write());
    };
    let tensor = Message::read(tensor)?;
    let Some(shape) = tensor.bytes(onnx::SHAPE) else {
        return Some(value.write());
    };
    let count = Message::read(shape)?.all(onnx::DIM).count();
    let mut sides = Message::default();
    for at in 0..count {
        let mut side = Message::default();
        side.push_text(onnx::DIM_NAME, &format!("{}_{at}", value.text(onnx::VALUE_NAME)));
        sides.push_message(onnx::DIM, &side);
    }
    let put = |message: &Message<'_>, number: u64, bytes: Vec<u8>| {
        let mut message = message.clone();
        message.remove(number);
        message.push(number, bytes);
        message.write()
    };
    let tensor = put(&tensor, onnx::SHAPE, sides.write());
    let kind = put(&kind, onnx::TENSOR_TYPE, tensor);
    Some(put(&value, onnx::VALUE_TYPE, kind))
}

#[cfg(test)]
mod tests;
