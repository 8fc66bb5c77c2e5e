//! The fields of ONNX messages, and the messages that rewrites add.

use super::wire::Message;

pub(super) mod model {
    pub(in crate::rewrite) const IR_VERSION: u64 = 1;
    pub(in crate::rewrite) const PRODUCER: u64 = 2;
    pub(in crate::rewrite) const GRAPH: u64 = 7;
    pub(in crate::rewrite) const OPSET: u64 = 8;
}

pub(super) mod graph {
    pub(in crate::rewrite) const NODE: u64 = 1;
    pub(in crate::rewrite) const NAME: u64 = 2;
    pub(in crate::rewrite) const INITIALIZER: u64 = 5;
    pub(in crate::rewrite) const INPUT: u64 = 11;
    pub(in crate::rewrite) const OUTPUT: u64 = 12;
    pub(in crate::rewrite) const VALUE_INFO: u64 = 13;
}

pub(super) mod node {
    pub(in crate::rewrite) const INPUT: u64 = 1;
    pub(in crate::rewrite) const OUTPUT: u64 = 2;
    pub(in crate::rewrite) const NAME: u64 = 3;
    pub(in crate::rewrite) const OP: u64 = 4;
    pub(in crate::rewrite) const ATTRIBUTE: u64 = 5;
}

mod attribute {
    pub(super) const NAME: u64 = 1;
    pub(super) const FLOAT: u64 = 2;
    pub(super) const INT: u64 = 3;
    pub(super) const TEXT: u64 = 4;
    pub(super) const INTS: u64 = 8;
    pub(super) const KIND: u64 = 20;
}

mod tensor {
    pub(super) const DIMS: u64 = 1;
    pub(super) const KIND: u64 = 2;
    pub(super) const NAME: u64 = 8;
    pub(super) const RAW: u64 = 9;
}

pub(super) const VALUE_NAME: u64 = 1;
pub(super) const VALUE_TYPE: u64 = 2;
pub(super) const TENSOR_TYPE: u64 = 1;
pub(super) const SHAPE: u64 = 2;
pub(super) const DIM: u64 = 1;
pub(super) const DIM_NAME: u64 = 2;
const ELEMENT: u64 = 1;
const FLOAT: u64 = 1;
const INT64: u64 = 7;

/// The value of an attribute of a node.
pub(super) enum Attribute<'a> {
    Float(f32),
    Int(i64),
    Text(&'a str),
    Ints(&'a [i64]),
}

/// A node of the standard operators.
pub(super) fn node(
    op: &str,
    name: &str,
    inputs: &[&str],
    output: &str,
    attributes: &[(&str, Attribute<'_>)],
) -> Message<'static> {
    let mut message = Message::default();
    for input in inputs {
        message.push_text(node::INPUT, input);
    }
    message.push_text(node::OUTPUT, output);
    message.push_text(node::NAME, name);
    message.push_text(node::OP, op);
    for (name, value) in attributes {
        message.push_message(node::ATTRIBUTE, &attribute(name, value));
    }
    message
}

fn attribute(name: &str, value: &Attribute<'_>) -> Message<'static> {
    let mut message = Message::default();
    message.push_text(attribute::NAME, name);
    let kind = match value {
        Attribute::Float(value) => {
            message.push_float(attribute::FLOAT, *value);
            1
        }
        Attribute::Int(value) => {
            message.push_number(attribute::INT, *value as u64);
            2
        }
        Attribute::Text(value) => {
            message.push_text(attribute::TEXT, value);
            3
        }
        Attribute::Ints(values) => {
            for value in *values {
                message.push_number(attribute::INTS, *value as u64);
            }
            7
        }
    };
    message.push_number(attribute::KIND, kind);
    message
}

/// A node's attribute.
pub(super) fn attribute_of<'a>(node: &'a Message<'_>, name: &str) -> Option<Message<'a>> {
    node.all(node::ATTRIBUTE)
        .filter_map(Message::read)
        .find(|attribute| attribute.text(attribute::NAME) == name)
}

pub(super) fn int_of(node: &Message<'_>, name: &str) -> Option<i64> {
    attribute_of(node, name).map(|found| found.number(attribute::INT).unwrap_or(0) as i64)
}

pub(super) fn float_of(node: &Message<'_>, name: &str) -> Option<f32> {
    let found = attribute_of(node, name)?;
    found.fields.iter().find_map(|(number, field)| match field {
        super::wire::Field::Fixed32(bytes) if *number == attribute::FLOAT => Some(f32::from_le_bytes(*bytes)),
        _ => None,
    })
}

pub(super) fn text_of(node: &Message<'_>, name: &str) -> Option<String> {
    attribute_of(node, name).map(|found| found.text(attribute::TEXT).to_owned())
}

pub(super) fn ints_of(node: &Message<'_>, name: &str) -> Vec<i64> {
    let found = attribute_of(node, name);
    let numbers = found.map(|found| found.numbers(attribute::INTS));
    numbers
        .unwrap_or_default()
        .into_iter()
        .map(|v| v as i64)
        .collect()
}

/// Takes an attribute away from a node.
pub(super) fn without(node: &mut Message<'_>, name: &str) {
    node.fields.retain(|(number, field)| {
        let super::wire::Field::Bytes(bytes) = field else {
            return true;
        };
        *number != node::ATTRIBUTE
            || Message::read(bytes).is_none_or(|attribute| attribute.text(attribute::NAME) != name)
    });
}

pub(super) fn ints(name: &str, values: &[i64]) -> Message<'static> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    constant(name, &[values.len()], INT64, bytes)
}

pub(super) fn floats(name: &str, shape: &[usize], values: &[f32]) -> Message<'static> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    constant(name, shape, FLOAT, bytes)
}

#[cfg(test)]
pub(super) fn int(name: &str, value: i64) -> Message<'static> {
    constant(name, &[], INT64, value.to_le_bytes().to_vec())
}

fn constant(name: &str, shape: &[usize], kind: u64, bytes: Vec<u8>) -> Message<'static> {
    let mut message = Message::default();
    for side in shape {
        message.push_number(tensor::DIMS, *side as u64);
    }
    message.push_number(tensor::KIND, kind);
    message.push_text(tensor::NAME, name);
    message.push(tensor::RAW, bytes);
    message
}

/// A graph's input or output of 32-bit floats; a side is a number or a name.
pub(super) fn port(name: &str, shape: &[Result<u64, &str>]) -> Message<'static> {
    let mut sides = Message::default();
    for side in shape {
        let mut dim = Message::default();
        match side {
            Ok(value) => dim.push_number(1, *value),
            Err(name) => dim.push_text(DIM_NAME, name),
        }
        sides.push_message(DIM, &dim);
    }
    value(name, Some(&sides))
}

/// A graph's input or output of 32-bit floats whose shape it does not declare.
pub(super) fn free_port(name: &str) -> Message<'static> {
    value(name, None)
}

fn value(name: &str, shape: Option<&Message<'_>>) -> Message<'static> {
    let mut tensor = Message::default();
    tensor.push_number(ELEMENT, FLOAT);
    if let Some(shape) = shape {
        tensor.push_message(SHAPE, shape);
    }
    let mut kind = Message::default();
    kind.push_message(TENSOR_TYPE, &tensor);
    let mut value = Message::default();
    value.push_text(VALUE_NAME, name);
    value.push_message(VALUE_TYPE, &kind);
    value
}
