//! The embedded engines, joined to the service here and nowhere else: which tasks they serve, and what the program's
//! child processes run. Without the feature `studio` the program has none of them.

use std::path::{Path, PathBuf};

#[cfg(feature = "studio")]
mod sample;

#[cfg(feature = "studio")]
pub(crate) use sample::{is_flat, sample};
#[cfg(feature = "studio")]
pub(crate) use with::{
    built_in, check_model, converted, draft_host, draft_tasks, marking_tasks, onnx_host, onnx_tasks,
    rewritten,
};
#[cfg(not(feature = "studio"))]
pub(crate) use without::{
    built_in, check_model, converted, draft_host, draft_tasks, is_flat, marking_tasks, onnx_host, onnx_tasks,
    rewritten, sample,
};

/// Whether the embedded engines can rewrite the films of programs.
pub(crate) const fn can_rewrite() -> bool {
    cfg!(feature = "studio")
}

/// The parameter that asks a host for the most memory that it had, and the member of the metadata that says it.
pub(crate) const MEASURE: &str = "$measure";
pub(crate) const MEMORY: &str = "memory_bytes";

/// The places in which a child process of the engine `onnx` finds its libraries and models.
#[cfg_attr(
    not(feature = "studio"),
    expect(dead_code, reason = "only the engine `onnx` reads it")
)]
pub(crate) struct Places {
    /// `auto`, `rten` or `onnxruntime`.
    pub(crate) runtime: String,
    /// ONNX Runtime's shared library.
    pub(crate) library: Option<PathBuf>,
    /// The shared library that lets ONNX Runtime use a GPU.
    pub(crate) provider: Option<PathBuf>,
    /// `auto`, `cpu` or `gpu`.
    pub(crate) device: String,
    /// The folder of the models' folders.
    pub(crate) models: PathBuf,
}

#[cfg(feature = "studio")]
mod with {
    use std::{fs, process::ExitCode, sync::Arc};

    use atelier_engines::{Weights, draft::host_main};
    use atelier_onnx::{Error, Request, Response};

    use super::{MEASURE, MEMORY, Path, PathBuf, Places};

    pub(crate) fn draft_tasks() -> Vec<&'static str> {
        atelier_tasks::names().collect()
    }

    /// The tasks that write and read marks in pictures.
    pub(crate) fn marking_tasks() -> Vec<&'static str> {
        atelier_tasks::MARKING.iter().map(|(name, _)| *name).collect()
    }

    pub(crate) fn onnx_tasks() -> Vec<&'static str> {
        atelier_onnx::SERVED.to_vec()
    }

    /// The trained weights in the program that make the results of a task.
    pub(crate) fn built_in() -> Vec<(&'static str, Arc<Weights>)> {
        let u2netp = atelier_retouch::cutout::BUILT_IN;
        let weights = Weights {
            name: "u2netp".to_owned(),
            title: u2netp.title.to_owned(),
            license: u2netp.license.unwrap_or_default().to_owned(),
            license_url: Some("https://github.com/xuebinqin/U-2-Net/blob/master/LICENSE".to_owned()),
            without_effect: Vec::new(),
        };
        vec![("background-removal", Arc::new(weights))]
    }

    /// Runs this process as a child process of the embedded engines.
    pub(crate) fn draft_host(soundfont: Option<PathBuf>) -> ExitCode {
        if let Some(path) = soundfont {
            atelier_tasks::use_soundfont(path);
        }
        host_main(atelier_tasks::run)
    }

    /// Runs this process as a child process of an engine of the kind `onnx`.
    pub(crate) fn onnx_host(places: Places) -> ExitCode {
        atelier_onnx::use_places(atelier_onnx::Places {
            runtime: atelier_onnx::Runtime::from_name(&places.runtime).unwrap_or_default(),
            device: atelier_onnx::Device::from_name(&places.device).unwrap_or_default(),
            library: places.library,
            provider: places.provider,
            models: places.models,
        });
        host_main(run_measured)
    }

    fn run_measured(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
        let mut response = atelier_onnx::run(request, progress)?;
        if request.params.contains_key(MEASURE)
            && let Some(bytes) = most_memory()
        {
            response.metadata.insert(MEMORY.to_owned(), bytes.into());
        }
        Ok(response)
    }

    /// The most memory that this process had, in bytes, where the system says it.
    fn most_memory() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib << 10)
    }

    /// Reads an ONNX model's folder without running it.
    pub(crate) fn check_model(folder: &Path) -> Result<(), String> {
        atelier_onnx::check(folder)
    }

    /// A graph made of another format's files: its layers as text, and its weights.
    pub(crate) fn converted(convert: &str, layers: &str, weights: &[u8]) -> Result<Vec<u8>, String> {
        match convert {
            "ncnn" => atelier_networks::ncnn(layers, weights).map_err(|error| error.to_string()),
            other => Err(format!("unknown conversion `{other}`; the only one is `ncnn`")),
        }
    }

    /// A graph with these changes.
    pub(crate) fn rewritten(graph: &[u8], names: &[&str]) -> Result<Vec<u8>, String> {
        atelier_networks::rewrite(graph, names).map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "studio"))]
mod without {
    use std::process::ExitCode;

    use super::{Path, PathBuf, Places};

    const WHY: &str = "this program was built without the feature `studio`";

    pub(crate) fn draft_tasks() -> Vec<&'static str> {
        Vec::new()
    }

    pub(crate) fn marking_tasks() -> Vec<&'static str> {
        Vec::new()
    }

    pub(crate) fn onnx_tasks() -> Vec<&'static str> {
        Vec::new()
    }

    pub(crate) fn built_in() -> Vec<(&'static str, std::sync::Arc<atelier_engines::Weights>)> {
        Vec::new()
    }

    pub(crate) fn draft_host(_soundfont: Option<PathBuf>) -> ExitCode {
        refused()
    }

    pub(crate) fn onnx_host(_places: Places) -> ExitCode {
        refused()
    }

    pub(crate) fn check_model(_folder: &Path) -> Result<(), String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn converted(_convert: &str, _layers: &str, _weights: &[u8]) -> Result<Vec<u8>, String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn rewritten(_graph: &[u8], _names: &[&str]) -> Result<Vec<u8>, String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn sample(_name: &str, _folder: &Path) -> Result<Vec<atelier_engines::Input>, String> {
        Err(WHY.to_owned())
    }

    pub(crate) fn is_flat(_path: &Path) -> bool {
        false
    }

    fn refused() -> ExitCode {
        crate::output::say(&format!("error: {WHY}"));
        ExitCode::FAILURE
    }
}
