//! The two runtimes behind one interface: rten, which is part of the program, and ONNX Runtime, a library that the
//! operator provides.

use std::{path::Path, sync::OnceLock};

use atelier_networks::{Network, Tensor, Values};
use atelier_protocol::Error;
use ort::{environment::Environment, session::SessionInputValue};

use crate::Places;

/// The runtime that runs the graphs.
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

/// The device that runs the graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Device {
    /// The GPU if ONNX Runtime can use one, otherwise the CPU.
    #[default]
    Auto,
    Cpu,
    /// The GPU and nothing else.
    Gpu,
}

impl Device {
    /// Reads `auto`, `cpu` or `gpu`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "cpu" => Some(Self::Cpu),
            "gpu" => Some(Self::Gpu),
            _ => None,
        }
    }
}

/// A loaded graph.
#[derive(Debug)]
pub(crate) enum Session {
    Rten(Box<Network>),
    /// With the device's name in metadata.
    OnnxRuntime(Box<ort::session::Session>, &'static str),
}

/// A process has one.
static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();

/// ONNX Runtime from its library, with the provider for a GPU if one is named.
fn environment(library: &Path, provider: Option<&Path>) -> Result<&'static Environment, Error> {
    let opened = ENVIRONMENT.get_or_init(|| {
        let failed = |path: &Path, why: &dyn std::fmt::Display| {
            format!("ONNX Runtime cannot be loaded from {}: {why}", path.display())
        };
        let builder = ort::init_from(library).map_err(|error| failed(library, &error))?;
        let built = builder.with_telemetry(false).build();
        let environment = built.map_err(|error| failed(library, &error))?;
        if let Some(provider) = provider {
            let registered = environment.register_ep_library("gpu", provider);
            registered.map_err(|error| failed(provider, &error))?;
        }
        Ok(environment)
    });
    opened.as_ref().map_err(|why| Error::Failed(why.clone()))
}

/// The GPUs that ONNX Runtime can use.
fn gpus(environment: &Environment) -> impl Iterator<Item = ort::device::Device<'_>> {
    environment
        .devices()
        .filter(|device| device.hardware_device().ty() == ort::memory::DeviceType::GPU)
}

/// A graph on the first GPU, or on the CPU.
fn opened(environment: &Environment, on_gpu: bool, path: &Path) -> Result<ort::session::Session, String> {
    let mut builder = ort::session::Session::builder(environment).map_err(|error| error.to_string())?;
    if on_gpu {
        let devices = gpus(environment).take(1);
        builder = builder
            .with_devices(devices, None)
            .map_err(|error| error.to_string())?;
    }
    builder.commit_from_file(path).map_err(|error| error.to_string())
}

impl Session {
    /// Loads a graph. A runtime that cannot load it is an error, and so is a GPU that is asked for and not there; no
    /// other takes its place.
    pub(crate) fn load(places: &Places, path: &Path) -> Result<Self, Error> {
        match (places.runtime, &places.library) {
            (Runtime::Rten, _) | (Runtime::Auto, None) if places.device == Device::Gpu => Err(Error::Failed(
                "`device = gpu` requires ONNX Runtime with a GPU provider: rten runs on the CPU only"
                    .to_owned(),
            )),
            (Runtime::Rten, _) | (Runtime::Auto, None) => {
                let network = Network::from_file(path);
                let network = network.map_err(|error| Error::Failed(error.to_string()))?;
                Ok(Self::Rten(Box::new(network)))
            }
            (Runtime::OnnxRuntime, None) => Err(Error::Failed(
                "the runtime `onnxruntime` requires `library`".to_owned(),
            )),
            (_, Some(library)) => {
                let environment = environment(library, places.provider.as_deref())?;
                let session = on_device(environment, places.device, library, path);
                let (session, device) =
                    session.map_err(|why| Error::Failed(format!("{}: {why}", path.display())))?;
                Ok(Self::OnnxRuntime(Box::new(session), device))
            }
        }
    }

    /// The runtime's name in metadata.
    pub(crate) const fn runtime(&self) -> &'static str {
        match self {
            Self::Rten(_) => "rten",
            Self::OnnxRuntime(..) => "onnxruntime",
        }
    }

    /// The device's name in metadata.
    pub(crate) const fn device(&self) -> &'static str {
        match self {
            Self::Rten(_) => "cpu",
            Self::OnnxRuntime(_, device) => device,
        }
    }

    /// The names of the inputs, in the graph's order.
    pub(crate) fn inputs(&self) -> Vec<String> {
        match self {
            Self::Rten(network) => network.inputs(),
            Self::OnnxRuntime(session, _) => named(session.inputs().iter().map(ort::value::Outlet::name)),
        }
    }

    fn outputs(&self) -> Vec<String> {
        match self {
            Self::Rten(network) => network.outputs(),
            Self::OnnxRuntime(session, _) => named(session.outputs().iter().map(ort::value::Outlet::name)),
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
            Self::OnnxRuntime(session, _) => run_library(session, inputs, output),
        }
    }
}

/// The graph and where it runs. Only `auto` may choose.
fn on_device(
    environment: &Environment,
    device: Device,
    library: &Path,
    path: &Path,
) -> Result<(ort::session::Session, &'static str), String> {
    let has_gpu = gpus(environment).next().is_some();
    match device {
        Device::Gpu if !has_gpu => {
            let providers: Vec<&str> = environment
                .devices()
                .filter_map(|device| device.ep().ok())
                .collect();
            Err(format!(
                "`device = gpu`, but {} offers no GPU; its providers are: {}",
                library.display(),
                providers.join(", ")
            ))
        }
        Device::Gpu => Ok((opened(environment, true, path)?, "gpu")),
        Device::Auto if has_gpu => match opened(environment, true, path) {
            Ok(session) => Ok((session, "gpu")),
            Err(_) => Ok((opened(environment, false, path)?, "cpu")),
        },
        Device::Auto | Device::Cpu => Ok((opened(environment, false, path)?, "cpu")),
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
