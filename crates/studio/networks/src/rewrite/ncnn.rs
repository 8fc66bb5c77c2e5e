//! ncnn's networks of convolutions as ONNX graphs: the upscalers that are published as `.param` and `.bin`.
//!
//! The `.param` is text: its version, two counts, and a layer a line. The `.bin` holds the numbers of the layers in
//! their order: for a convolution a flag, its weights as 16-bit or 32-bit floats and its bias; for `PReLU` its slopes.

use super::onnx::{self, Attribute, graph, model};
use super::wire::Message;

const MAGIC: &str = "7767517";
/// The flag of weights as 16-bit floats.
const HALF: u32 = 0x0130_6b47;
const OPSET: u64 = 17;

/// Why a network cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NcnnError {
    #[error("the text is not an ncnn network: it must start with {MAGIC}")]
    NotNcnn,
    #[error("line {line}: {why}")]
    Layer { line: usize, why: String },
    #[error("the weights end too early, in the layer `{0}`")]
    Short(String),
    #[error("{0} bytes of weights are left over")]
    Left(usize),
    #[error("the network must have one input and one output (got {0} and {1})")]
    Ports(usize, usize),
}

/// Converts a network of one input with three channels, such as Real-ESRGAN's. The graph's input and output are named
/// as in the network, N × 3 × H × W of any N, H and W.
pub fn ncnn(param: &str, weights: &[u8]) -> Result<Vec<u8>, NcnnError> {
    let mut lines = param.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    if lines.next().is_none_or(|(_, line)| line != MAGIC) {
        return Err(NcnnError::NotNcnn);
    }
    let layers = lines.skip(1).filter(|(_, line)| !line.is_empty());
    let mut made = Converted {
        rest: weights,
        ..Converted::default()
    };
    for (line, text) in layers {
        let layer = Layer::read(text).map_err(|why| NcnnError::Layer { line, why })?;
        made.add(&layer).map_err(|fault| match fault {
            Fault::Short => NcnnError::Short(layer.name.to_owned()),
            Fault::Unsupported(why) => NcnnError::Layer { line, why },
        })?;
    }
    if !made.rest.is_empty() {
        return Err(NcnnError::Left(made.rest.len()));
    }
    made.written()
}

/// One line of a network.
struct Layer<'a> {
    kind: &'a str,
    name: &'a str,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    /// The settings by number; a negative number holds an array.
    settings: Vec<(i32, Vec<f32>)>,
}

impl<'a> Layer<'a> {
    fn read(line: &'a str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut word = || words.next().ok_or_else(|| "the line ends too early".to_owned());
        let (kind, name, inputs, outputs) = (word()?, word()?, word()?, word()?);
        let count = |text: &str| {
            text.parse::<usize>()
                .map_err(|_| format!("`{text}` is not a count"))
        };
        let (inputs, outputs) = (count(inputs)?, count(outputs)?);
        let mut blobs = |count: usize| (0..count).map(|_| word()).collect::<Result<Vec<_>, _>>();
        let (inputs, outputs) = (blobs(inputs)?, blobs(outputs)?);
        let setting = |text: &str| {
            let (key, value) = text.split_once('=')?;
            let key = key.parse::<i32>().ok()?;
            let values: Option<Vec<f32>> = value.split(',').map(|v| v.parse().ok()).collect();
            let mut values = values?;
            if key < -23_299 {
                values.remove(0);
            }
            Some((key, values))
        };
        let settings = words
            .map(|text| setting(text).ok_or_else(|| format!("`{text}` is not a setting")))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            kind,
            name,
            inputs,
            outputs,
            settings,
        })
    }

    fn number(&self, key: i32, default: f32) -> f32 {
        let found = self.settings.iter().find(|(at, _)| *at == key);
        found
            .and_then(|(_, values)| values.first().copied())
            .unwrap_or(default)
    }

    /// An array, which ncnn writes under the number −23300 − `key`.
    fn array(&self, key: i32) -> &[f32] {
        let found = self.settings.iter().find(|(at, _)| *at == -23_300 - key);
        found.map_or(&[], |(_, values)| values.as_slice())
    }
}

enum Fault {
    Short,
    Unsupported(String),
}

fn unsupported<T>(what: &str, value: f32) -> Result<T, Fault> {
    Err(Fault::Unsupported(format!("{what} {value} is not supported")))
}

/// The graph so far.
#[derive(Default)]
struct Converted<'a> {
    rest: &'a [u8],
    nodes: Vec<Message<'static>>,
    constants: Vec<Message<'static>>,
    inputs: Vec<String>,
    /// Names that stand for others.
    aliases: Vec<(String, String)>,
    /// How many channels each value has.
    channels: Vec<(String, usize)>,
    used: Vec<String>,
    made: Vec<String>,
}

impl<'a> Converted<'a> {
    fn add(&mut self, layer: &Layer<'_>) -> Result<(), Fault> {
        let inputs: Vec<String> = layer.inputs.iter().map(|name| self.own_name(name)).collect();
        if layer.kind == "Input" {
            for name in &layer.outputs {
                self.inputs.push((*name).to_owned());
                self.channels.push(((*name).to_owned(), 3));
            }
            return Ok(());
        }
        let (Some(from), Some(to)) = (inputs.first().cloned(), layer.outputs.first()) else {
            return Err(Fault::Unsupported(
                "a layer has an input and an output".to_owned(),
            ));
        };
        self.used.extend(inputs.iter().cloned());
        if layer.kind == "Split" {
            for to in &layer.outputs {
                self.aliases.push(((*to).to_owned(), from.clone()));
            }
            return Ok(());
        }
        let own = self.channels_of(&from);
        let mut channels = own;
        match layer.kind {
            "Convolution" => channels = self.convolution(layer, &from, to, own)?,
            "PReLU" => {
                let slopes = self.floats(layer.number(0, 0.0) as usize)?;
                let name = format!("{}.slope", layer.name);
                self.constants
                    .push(onnx::floats(&name, &[slopes.len(), 1, 1], &slopes));
                self.node("PRelu", layer.name, &[&from, &name], to, &[]);
            }
            "Interp" => self.enlarged(layer, &from, to)?,
            "PixelShuffle" => {
                let factor = layer.number(0, 1.0) as usize;
                if layer.number(1, 0.0) != 0.0 || factor == 0 {
                    return unsupported("the order of channels", layer.number(1, 0.0));
                }
                channels = own / (factor * factor);
                let attributes = [
                    ("blocksize", Attribute::Int(factor as i64)),
                    ("mode", Attribute::Text("CRD")),
                ];
                self.node("DepthToSpace", layer.name, &[&from], to, &attributes);
            }
            "Concat" => {
                if layer.number(0, 0.0) != 0.0 {
                    return unsupported("the axis", layer.number(0, 0.0));
                }
                channels = inputs.iter().map(|name| self.channels_of(name)).sum();
                let names: Vec<&str> = inputs.iter().map(String::as_str).collect();
                self.node("Concat", layer.name, &names, to, &[("axis", Attribute::Int(1))]);
            }
            "BinaryOp" => self.binary(layer, &inputs, to)?,
            "Eltwise" => self.sum(layer, &inputs, to)?,
            kind => return Err(Fault::Unsupported(format!("the layer `{kind}` is not supported"))),
        }
        self.channels.push(((*to).to_owned(), channels));
        Ok(())
    }

    fn convolution(
        &mut self,
        layer: &Layer<'_>,
        from: &str,
        to: &str,
        channels: usize,
    ) -> Result<usize, Fault> {
        for (key, what, usual) in [(2, "the dilation", 1.0), (3, "the stride", 1.0)] {
            if (layer.number(key, usual) - usual).abs() > 0.0 {
                return unsupported(what, layer.number(key, usual));
            }
        }
        let (outputs, kernel, pad) = (
            layer.number(0, 0.0) as usize,
            layer.number(1, 0.0) as usize,
            layer.number(4, 0.0) as i64,
        );
        let count = layer.number(6, 0.0) as usize;
        if count == 0 || outputs * channels * kernel * kernel != count {
            return unsupported("the number of weights", layer.number(6, 0.0));
        }
        let weights = self.weights(count)?;
        let (w, b) = (format!("{}.weight", layer.name), format!("{}.bias", layer.name));
        self.constants
            .push(onnx::floats(&w, &[outputs, channels, kernel, kernel], &weights));
        let mut inputs = vec![from, w.as_str()];
        if layer.number(5, 0.0) != 0.0 {
            let bias = self.floats(outputs)?;
            self.constants.push(onnx::floats(&b, &[outputs], &bias));
            inputs.push(&b);
        }
        let slope = match layer.number(9, 0.0) as i32 {
            0 => None,
            1 => Some(0.0),
            2 => Some(layer.array(10).first().copied().unwrap_or(0.0)),
            other => return unsupported("the activation", other as f32),
        };
        let sides = [kernel as i64; 2];
        let pads = [pad; 4];
        let attributes = [
            ("kernel_shape", Attribute::Ints(&sides)),
            ("pads", Attribute::Ints(&pads)),
        ];
        match slope {
            None => self.node("Conv", layer.name, &inputs, to, &attributes),
            Some(slope) => {
                let plain = format!("{to}.plain");
                self.node("Conv", layer.name, &inputs, &plain, &attributes);
                let attributes = [("alpha", Attribute::Float(slope))];
                let name = format!("{}.activation", layer.name);
                self.node("LeakyRelu", &name, &[&plain], to, &attributes);
            }
        }
        Ok(outputs)
    }

    fn enlarged(&mut self, layer: &Layer<'_>, from: &str, to: &str) -> Result<(), Fault> {
        if layer.number(0, 0.0) as i32 != 1 {
            return unsupported("the kind of interpolation", layer.number(0, 0.0));
        }
        let name = format!("{}.scales", layer.name);
        let scales = [1.0, 1.0, layer.number(1, 1.0), layer.number(2, 1.0)];
        self.constants.push(onnx::floats(&name, &[4], &scales));
        let attributes = [
            ("mode", Attribute::Text("nearest")),
            ("coordinate_transformation_mode", Attribute::Text("asymmetric")),
            ("nearest_mode", Attribute::Text("floor")),
        ];
        self.node("Resize", layer.name, &[from, "", &name], to, &attributes);
        Ok(())
    }

    fn binary(&mut self, layer: &Layer<'_>, inputs: &[String], to: &str) -> Result<(), Fault> {
        let op = match layer.number(0, 0.0) as i32 {
            0 => "Add",
            2 => "Mul",
            other => return unsupported("the operation", other as f32),
        };
        let constant;
        let other = if layer.number(1, 0.0) == 0.0 {
            let second = inputs.get(1);
            second.ok_or_else(|| Fault::Unsupported("a second input is missing".to_owned()))?
        } else {
            constant = format!("{}.constant", layer.name);
            let value = [layer.number(2, 0.0)];
            self.constants.push(onnx::floats(&constant, &[1], &value));
            &constant
        };
        self.node(op, layer.name, &[&inputs[0], other], to, &[]);
        Ok(())
    }

    /// A weighted sum.
    fn sum(&mut self, layer: &Layer<'_>, inputs: &[String], to: &str) -> Result<(), Fault> {
        if layer.number(0, 0.0) as i32 != 1 {
            return unsupported("the operation", layer.number(0, 0.0));
        }
        let factors = layer.array(1);
        let mut terms = Vec::new();
        for (at, input) in inputs.iter().enumerate() {
            let factor = factors.get(at).copied().unwrap_or(1.0);
            if (factor - 1.0).abs() < f32::EPSILON {
                terms.push(input.clone());
                continue;
            }
            let (constant, scaled) = (format!("{}.factor{at}", layer.name), format!("{to}.term{at}"));
            self.constants.push(onnx::floats(&constant, &[1], &[factor]));
            self.node("Mul", &scaled, &[input, &constant], &scaled, &[]);
            terms.push(scaled);
        }
        let names: Vec<&str> = terms.iter().map(String::as_str).collect();
        self.node("Sum", layer.name, &names, to, &[]);
        Ok(())
    }

    fn node(
        &mut self,
        op: &str,
        name: &str,
        inputs: &[&str],
        to: &str,
        attributes: &[(&str, Attribute<'_>)],
    ) {
        self.nodes.push(onnx::node(op, name, inputs, to, attributes));
        self.made.push(to.to_owned());
    }

    fn own_name(&self, name: &str) -> String {
        let alias = self.aliases.iter().find(|(alias, _)| alias == name);
        alias.map_or_else(|| name.to_owned(), |(_, own)| own.clone())
    }

    fn channels_of(&self, name: &str) -> usize {
        let found = self.channels.iter().find(|(own, _)| own == name);
        found.map_or(0, |(_, channels)| *channels)
    }

    /// A convolution's weights: their flag, then 16-bit floats up to a multiple of four bytes, or 32-bit ones.
    fn weights(&mut self, count: usize) -> Result<Vec<f32>, Fault> {
        let flag = self.take(4)?;
        match u32::from_le_bytes([flag[0], flag[1], flag[2], flag[3]]) {
            0 => self.floats(count),
            HALF => {
                let bytes = self.take((2 * count).next_multiple_of(4))?;
                let halves = bytes.as_chunks::<2>().0.iter().take(count);
                Ok(halves.map(|half| from_half(u16::from_le_bytes(*half))).collect())
            }
            other => Err(Fault::Unsupported(format!(
                "weights with the flag {other:#010x} are not supported"
            ))),
        }
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, Fault> {
        let bytes = self.take(4 * count)?;
        Ok(bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect())
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Fault::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn written(self) -> Result<Vec<u8>, NcnnError> {
        let outputs: Vec<&String> = self
            .channels
            .iter()
            .map(|(name, _)| name)
            .filter(|name| self.made.contains(name) && !self.used.contains(name))
            .collect();
        let ([input], [output]) = (self.inputs.as_slice(), outputs.as_slice()) else {
            return Err(NcnnError::Ports(self.inputs.len(), outputs.len()));
        };
        let mut graph = Message::default();
        for node in &self.nodes {
            graph.push_message(graph::NODE, node);
        }
        graph.push_text(graph::NAME, "ncnn");
        for constant in &self.constants {
            graph.push_message(graph::INITIALIZER, constant);
        }
        let shape = |height, width| [Err("n"), Ok(3), Err(height), Err(width)];
        graph.push_message(graph::INPUT, &onnx::port(input, &shape("h", "w")));
        graph.push_message(graph::OUTPUT, &onnx::port(output, &shape("h_out", "w_out")));
        let mut opset = Message::default();
        opset.push_number(2, OPSET);
        let mut file = Message::default();
        file.push_number(model::IR_VERSION, 8);
        file.push_text(model::PRODUCER, "atelier");
        file.push_message(model::GRAPH, &graph);
        file.push_message(model::OPSET, &opset);
        Ok(file.write())
    }
}

/// A 16-bit float as a 32-bit one.
fn from_half(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests;
