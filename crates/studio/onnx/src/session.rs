//! The two runtimes behind one interface: rten, which is part of the program, and ONNX Runtime, a library that the
//! operator provides.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use atelier_networks::{Network, Tensor, Values};
use atelier_protocol::Error;
use ort::{environment::Environment, session::SessionInputValue};

/// Which runtime runs the graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runtime {
    /// ONNX Runtime if the operator named its library, otherwise rten.
    #[default]
    Auto,
    Rten,
    OnnxRuntime,
}

impl Runtime {
    /// Reads `auto`, `rten` or `onnxruntime`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "rten" => Some(Self::Rten),
            "onnxruntime" => Some(Self::OnnxRuntime),
            _ => None,
        }
    }
}

/// A loaded graph.
#[derive(Debug)]
pub(crate) enum Session {
    Rten(Box<Network>),
    OnnxRuntime(ort::session::Session),
}

/// A process has one.
static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();

fn environment(library: &Path) -> Result<&'static Environment, Error> {
    let opened = ENVIRONMENT.get_or_init(|| {
        let builder = ort::init_from(library).map_err(|error| error.to_string())?;
        builder
            .with_telemetry(false)
            .build()
            .map_err(|error| error.to_string())
    });
    opened.as_ref().map_err(|why| {
        Error::Failed(format!(
            "ONNX Runtime cannot be loaded from {}: {why}",
            library.display()
        ))
    })
}

impl Session {
    /// Loads a graph. A runtime that cannot load it is an error; no other takes its place.
    pub(crate) fn load(runtime: Runtime, library: Option<&PathBuf>, path: &Path) -> Result<Self, Error> {
        let wrong = |why: &dyn std::fmt::Display| Error::Failed(format!("{}: {why}", path.display()));
        match (runtime, library) {
            (Runtime::Rten, _) | (Runtime::Auto, None) => {
                let network = Network::from_file(path);
                let network = network.map_err(|error| Error::Failed(error.to_string()))?;
                Ok(Self::Rten(Box::new(network)))
            }
            (Runtime::OnnxRuntime, None) => Err(Error::Failed(
                "the runtime `onnxruntime` requires `library`".to_owned(),
            )),
            (_, Some(library)) => {
                let builder = ort::session::Session::builder(environment(library)?);
                let mut builder = builder.map_err(|error| wrong(&error))?;
                let session = builder.commit_from_file(path);
                Ok(Self::OnnxRuntime(session.map_err(|error| wrong(&error))?))
            }
        }
    }

    /// The runtime's name in metadata.
    pub(crate) const fn runtime(&self) -> &'static str {
        match self {
            Self::Rten(_) => "rten",
            Self::OnnxRuntime(_) => "onnxruntime",
        }
    }

    /// The names of the inputs, in the graph's order.
    pub(crate) fn inputs(&self) -> Vec<String> {
        match self {
            Self::Rten(network) => network.inputs(),
            Self::OnnxRuntime(session) => named(session.inputs().iter().map(ort::value::Outlet::name)),
        }
    }

    fn outputs(&self) -> Vec<String> {
        match self {
            Self::Rten(network) => network.outputs(),
            Self::OnnxRuntime(session) => named(session.outputs().iter().map(ort::value::Outlet::name)),
        }
    }

    /// Runs the graph for one output: the named one, or else the first.
    pub(crate) fn run(
        &mut self,
        inputs: Vec<(String, Tensor)>,
        output: Option<&str>,
    ) -> Result<Tensor, Error> {
        let outputs = self.outputs();
        let first = outputs.first().map(String::as_str);
        let output = output
            .or(first)
            .filter(|name| outputs.iter().any(|own| own == name));
        let output = output.ok_or_else(|| {
            Error::Failed(format!(
                "the graph has no such output; it has {}",
                outputs.join(", ")
            ))
        })?;
        match self {
            Self::Rten(network) => {
                let (names, tensors): (Vec<String>, Vec<Tensor>) = inputs.into_iter().unzip();
                let inputs = names.iter().map(String::as_str).zip(tensors);
                let made = network.run(inputs.collect(), &[output]);
                let made = made.map_err(|error| Error::Failed(error.to_string()))?;
                made.into_iter()
                    .next()
                    .ok_or_else(|| Error::Failed("the graph gave no output".to_owned()))
            }
            Self::OnnxRuntime(session) => run_library(session, inputs, output),
        }
    }
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}

fn run_library(
    session: &mut ort::session::Session,
    inputs: Vec<(String, Tensor)>,
    output: &str,
) -> Result<Tensor, Error> {
    let wrong = |error: ort::Error| Error::Failed(format!("the model cannot be run: {error}"));
    let mut given: Vec<(String, SessionInputValue<'_>)> = Vec::with_capacity(inputs.len());
    for (name, Tensor { shape, values }) in inputs {
        let shape: Vec<i64> = shape.into_iter().map(|side| side as i64).collect();
        let value = match values {
            Values::F32(values) => {
                ort::value::Tensor::from_array((shape, values)).map(SessionInputValue::from)
            }
            Values::I32(values) => {
                ort::value::Tensor::from_array((shape, values)).map(SessionInputValue::from)
            }
            Values::I64(values) => {
                ort::value::Tensor::from_array((shape, values)).map(SessionInputValue::from)
            }
            Values::U8(values) => {
                ort::value::Tensor::from_array((shape, values)).map(SessionInputValue::from)
            }
        };
        given.push((name, value.map_err(wrong)?));
    }
    let outputs = session.run(given).map_err(wrong)?;
    let made = outputs
        .get(output)
        .ok_or_else(|| Error::Failed(format!("the graph gave no output `{output}`")))?;
    let sides = |shape: &[i64]| -> Vec<usize> {
        shape
            .iter()
            .map(|side| usize::try_from(*side).unwrap_or(0))
            .collect()
    };
    if let Ok((shape, values)) = made.try_extract_tensor::<u8>() {
        return Ok(Tensor::u8(&sides(shape), values.to_vec()));
    }
    let (shape, values) = made.try_extract_tensor::<f32>().map_err(wrong)?;
    Ok(Tensor::f32(&sides(shape), values.to_vec()))
}
