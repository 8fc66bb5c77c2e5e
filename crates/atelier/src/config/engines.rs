//! The operator's own engines: the table `engines`.

use std::{collections::BTreeMap, fmt, fs, path::PathBuf};

use atelier_engines::Endpoint;
use figment::value::Value;
use serde::Deserialize;
use url::Url;

use super::{
    environment::Environment,
    read::{Read, Refused},
};

/// Names that the program's own engines have.
const TAKEN: [&str; 2] = ["draft", "echo"];
/// Requests in flight where the operator says nothing: waiting for others costs next to nothing.
const CONCURRENCY: usize = 100;
/// What a process with a model may use where the operator says nothing.
const MEMORY_MB: u32 = 4_096;

/// An engine of the operator's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// The name that routes use.
    pub name: String,
    /// Jobs at a time.
    pub concurrency: usize,
    pub kind: EngineKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineKind {
    Http(HttpConfig),
    Comfy(ComfyConfig),
    Onnx(OnnxConfig),
}

/// Trained models of the operator's, run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxConfig {
    /// ONNX Runtime's shared library.
    pub library: PathBuf,
    /// The folder of models; `models` in the data folder where nothing is said.
    pub models: Option<PathBuf>,
    /// What one process may use.
    pub memory_bytes: u64,
}

/// An engine that others run.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpConfig {
    /// One that ships with the program, or a file in the folder `profiles` of the data folder.
    pub profile: String,
    /// None: the profile's own.
    pub url: Option<Url>,
    pub key: Option<String>,
    pub requests_per_minute: Option<u32>,
}

/// A ComfyUI server of the operator's.
#[derive(Clone, PartialEq, Eq)]
pub struct ComfyConfig {
    pub url: Url,
    pub key: Option<String>,
    pub requests_per_minute: Option<u32>,
}

impl fmt::Debug for ComfyConfig {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComfyConfig")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpConfig {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpConfig")
            .field("profile", &self.profile)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: String,
    profile: Option<String>,
    url: Option<String>,
    key_env: Option<String>,
    key_file: Option<String>,
    concurrency: Option<usize>,
    requests_per_minute: Option<u32>,
    library: Option<PathBuf>,
    models: Option<PathBuf>,
    memory_mb: Option<u32>,
}

pub(super) fn engines(environment: &Environment) -> impl Fn(&Value) -> Read<Vec<EngineConfig>> + '_ {
    move |value| {
        let written: BTreeMap<String, Value> = value.deserialize().map_err(|_| Refused::NotAllowed)?;
        written
            .into_iter()
            .map(|(name, value)| engine(name, &value, environment))
            .collect()
    }
}

fn engine(name: String, value: &Value, environment: &Environment) -> Read<EngineConfig> {
    let refused = |why: String| Refused::Because(format!("the engine `{name}`: {why}"));
    if TAKEN.contains(&name.as_str()) {
        return Err(refused(
            "the program has an engine of this name; choose another".to_owned(),
        ));
    }
    let written: Written = value
        .deserialize()
        .map_err(|error: figment::Error| refused(error.kind.to_string()))?;
    let (kind, least) = match written.kind.as_str() {
        "http" => (
            EngineKind::Http(http(&written, environment, &refused)?),
            CONCURRENCY,
        ),
        "comfyui" => (EngineKind::Comfy(comfyui(&written, environment, &refused)?), 1),
        "onnx" => (EngineKind::Onnx(onnx(&written, &refused)?), 1),
        other => {
            return Err(refused(format!(
                "`kind` is `{other}`; it can be `http`, `comfyui` or `onnx`"
            )));
        }
    };
    let concurrency = written.concurrency.unwrap_or(least);
    if !(1..=10_000).contains(&concurrency) {
        return Err(refused(format!(
            "`concurrency` is {concurrency}; it can be 1 to 10000"
        )));
    }
    Ok(EngineConfig {
        name,
        concurrency,
        kind,
    })
}

/// Refuses what is said for an engine of another kind.
fn only(kind: &str, others: &[(&str, bool)], refused: &dyn Fn(String) -> Refused) -> Read<()> {
    match others.iter().find(|(_, is_said)| *is_said) {
        None => Ok(()),
        Some((name, _)) => Err(refused(format!(
            "`{name}` is nothing of an engine of the kind `{kind}`"
        ))),
    }
}

fn onnx(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<OnnxConfig> {
    let others = [
        ("profile", written.profile.is_some()),
        ("url", written.url.is_some()),
        ("requests_per_minute", written.requests_per_minute.is_some()),
    ];
    only("onnx", &others, refused)?;
    let library = written.library.clone().ok_or_else(|| {
        refused(
            "`library` says where ONNX Runtime's shared library is, such as /usr/lib/libonnxruntime.so"
                .to_owned(),
        )
    })?;
    Ok(OnnxConfig {
        library,
        models: written.models.clone(),
        memory_bytes: u64::from(written.memory_mb.unwrap_or(MEMORY_MB)) << 20,
    })
}

fn http(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<HttpConfig> {
    let others = [
        ("library", written.library.is_some()),
        ("models", written.models.is_some()),
        ("memory_mb", written.memory_mb.is_some()),
    ];
    only("http", &others, refused)?;
    let profile = written
        .profile
        .clone()
        .ok_or_else(|| refused("`profile` says which interface it speaks".to_owned()))?;
    Ok(HttpConfig {
        profile,
        url: url(written, refused)?,
        key: key(written, environment, refused)?,
        requests_per_minute: requests_per_minute(written, refused)?,
    })
}

fn comfyui(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<ComfyConfig> {
    let others = [
        ("profile", written.profile.is_some()),
        ("library", written.library.is_some()),
        ("models", written.models.is_some()),
        ("memory_mb", written.memory_mb.is_some()),
    ];
    only("comfyui", &others, refused)?;
    let url = url(written, refused)?
        .ok_or_else(|| refused("`url` says where the server is, such as http://10.0.0.5:8188".to_owned()))?;
    Ok(ComfyConfig {
        url,
        key: key(written, environment, refused)?,
        requests_per_minute: requests_per_minute(written, refused)?,
    })
}

fn url(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<Option<Url>> {
    let Some(text) = &written.url else { return Ok(None) };
    let masked = Endpoint::masked_url(text);
    match Url::parse(text) {
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(refused(format!(
            "`url` must not contain a user name or password (got {masked}); use `key_env` or `key_file`"
        ))),
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(Some(url)),
        _ => Err(refused(format!(
            "`url` must be an http or https URL (got `{masked}`)"
        ))),
    }
}

fn key(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<Option<String>> {
    match (&written.key_env, &written.key_file) {
        (None, None) => Ok(None),
        (Some(variable), None) => {
            let key = environment.variable(variable).filter(|key| !key.is_empty());
            let key =
                key.ok_or_else(|| refused(format!("the variable {variable} of `key_env` is not set")))?;
            Ok(Some(key.to_owned()))
        }
        (None, Some(file)) => {
            let key =
                fs::read_to_string(file).map_err(|error| refused(format!("`key_file` {file}: {error}")))?;
            Ok(Some(key.trim().to_owned()))
        }
        (Some(_), Some(_)) => Err(refused(
            "a key comes from `key_env` or from `key_file`, not both".to_owned(),
        )),
    }
}

fn requests_per_minute(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<Option<u32>> {
    if written.requests_per_minute == Some(0) {
        return Err(refused(
            "`requests_per_minute` is 0; it can be 1 or more".to_owned(),
        ));
    }
    Ok(written.requests_per_minute)
}
