//! A loaded graph and its runs.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};

use crate::Tensor;

/// Why a graph cannot be loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("the graph cannot be loaded: {0}")]
    Load(String),
    #[error("{}: the graph cannot be loaded: {why}", .path.display())]
    LoadFile { path: PathBuf, why: String },
    #[error("the graph has no {what} `{name}`; it has {}", .known.join(", "))]
    Unknown {
        what: &'static str,
        name: String,
        known: Vec<String>,
    },
    #[error("`{name}`: the number of values does not fit the shape {shape:?}")]
    Shape { name: String, shape: Vec<usize> },
    #[error("`{name}`: {value} is not a 32-bit integer; this runtime has no larger ones")]
    Range { name: String, value: i64 },
    #[error("the output `{0}` is a sequence; only tensors are supported")]
    Sequence(String),
    #[error("the graph cannot be run: {0}")]
    Run(String),
}

/// The threads of all networks, as many as cores that the process may use.
fn own_pool() -> Arc<ThreadPool> {
    static POOL: OnceLock<Arc<ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Arc::new(ThreadPool::with_num_threads(threads))
    });
    Arc::clone(pool)
}

/// Does work in a pool while the caller only waits. The caller may be a thread of another pool: left to itself, it
/// would take up other work of that pool meanwhile, which may wait for the same network and never end.
fn apart<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let working = scope.spawn(|| pool.run(work));
        working
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A graph in memory. Runs do not change it.
#[derive(Debug)]
pub struct Network {
    model: Model,
}

impl Network {
    /// Loads an ONNX file's bytes.
    pub fn from_bytes(graph: Vec<u8>) -> Result<Self, NetworkError> {
        let loaded = apart(&own_pool(), || ModelOptions::with_all_ops().load(graph));
        let model = loaded.map_err(|error| NetworkError::Load(error.to_string()))?;
        Ok(Self { model })
    }

    /// Loads a graph that is part of the program. Its weights are not copied.
    pub fn from_static(graph: &'static [u8]) -> Result<Self, NetworkError> {
        let loaded = apart(&own_pool(), || {
            ModelOptions::with_all_ops().load_static_slice(graph)
        });
        let model = loaded.map_err(|error| NetworkError::Load(error.to_string()))?;
        Ok(Self { model })
    }

    /// Loads an ONNX file.
    pub fn from_file(path: &Path) -> Result<Self, NetworkError> {
        let loaded = std::fs::read(path).map_err(|error| error.to_string());
        let loaded = loaded.and_then(|graph| {
            let model = apart(&own_pool(), || ModelOptions::with_all_ops().load(graph));
            model.map_err(|error| error.to_string())
        });
        let model = loaded.map_err(|why| NetworkError::LoadFile {
            path: path.to_owned(),
            why,
        })?;
        Ok(Self { model })
    }

    /// The names of the inputs, in the graph's order.
    pub fn inputs(&self) -> Vec<String> {
        self.names(self.model.input_ids())
    }

    /// The names of the outputs, in the graph's order.
    pub fn outputs(&self) -> Vec<String> {
        self.names(self.model.output_ids())
    }

    fn names(&self, ids: &[NodeId]) -> Vec<String> {
        let name = |id: &NodeId| Some(self.model.node_info(*id)?.name()?.to_owned());
        ids.iter().filter_map(name).collect()
    }

    /// Runs the graph with all cores that the process may use. Returns the named outputs in their order; outputs that
    /// are not named are not computed.
    pub fn run(&self, inputs: Vec<(&str, Tensor)>, outputs: &[&str]) -> Result<Vec<Tensor>, NetworkError> {
        self.run_in(inputs, outputs, &own_pool())
    }

    /// The same with this many threads.
    pub fn run_with_threads(
        &self,
        inputs: Vec<(&str, Tensor)>,
        outputs: &[&str],
        threads: usize,
    ) -> Result<Vec<Tensor>, NetworkError> {
        self.run_in(
            inputs,
            outputs,
            &Arc::new(ThreadPool::with_num_threads(threads.max(1))),
        )
    }

    fn run_in(
        &self,
        inputs: Vec<(&str, Tensor)>,
        outputs: &[&str],
        pool: &Arc<ThreadPool>,
    ) -> Result<Vec<Tensor>, NetworkError> {
        let mut given = Vec::with_capacity(inputs.len());
        for (name, tensor) in inputs {
            let id = self.port("input", name, self.model.input_ids())?;
            given.push((id, tensor.into_value(name)?.into()));
        }
        let wanted = outputs
            .iter()
            .map(|name| self.port("output", name, self.model.output_ids()))
            .collect::<Result<Vec<_>, _>>()?;
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let values = apart(pool, || self.model.run(given, &wanted, Some(options)));
        let values = values.map_err(|error| NetworkError::Run(error.to_string()))?;
        values
            .iter()
            .zip(outputs)
            .map(|(value, name)| Tensor::from_value(value, name))
            .collect()
    }

    fn port(&self, what: &'static str, name: &str, known: &[NodeId]) -> Result<NodeId, NetworkError> {
        let id = self.model.find_node(name).filter(|id| known.contains(id));
        id.ok_or_else(|| NetworkError::Unknown {
            what,
            name: name.to_owned(),
            known: self.names(known),
        })
    }
}
