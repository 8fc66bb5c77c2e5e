//! Weights of trained models, as this configuration has them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_engines::Leases;
use atelier_media::SharedFiles;
use atelier_weights::{Depot, Downloader, HUB, Index, Options, Pin, Policy, Proxies, Puller, Store};
use futures::future::BoxFuture;
use url::Url;

use crate::{config::Config, failure::Failure, files, graphs::Graphs, pulled, studio};

/// The folder in the bucket of the media.
const SHARED: &str = "weights";
/// The prefix of the names of blobs there.
const BLOB: &str = "sha256-";

/// The values of an entry's `runtime` that this engine can run.
const RUNTIMES: [&str; 2] = ["onnx", "speech"];

/// The folder of the operator's own entries.
pub(crate) fn entries_folder(config: &Config) -> PathBuf {
    config.data.join("models.d")
}

/// Returns the store of pulled weights.
pub(crate) fn store(config: &Config) -> Store {
    Store::new(config.data.join("models"))
}

/// ONNX Runtime's shared library, if it was pulled for this machine.
pub(crate) fn runtime_library(config: &Config) -> Option<PathBuf> {
    let name = format!("onnxruntime-{}", atelier_weights::this_target());
    let pulled = store(config).find(&name).ok()??;
    let mut files = pulled.files.iter();
    let library = files.find(|file| file.name.starts_with("libonnxruntime."))?;
    Some(pulled.folder.join(&library.name))
}

/// The runtimes of weights that this program runs.
pub(crate) fn runtimes() -> &'static [&'static str] {
    if studio::onnx_tasks().is_empty() {
        &[]
    } else {
        &RUNTIMES
    }
}

/// The store, the index and the downloads of this configuration. Connects to nothing and creates nothing.
pub(crate) fn puller(config: &Config) -> Result<Puller, Failure> {
    let store = store(config);
    Ok(Puller {
        downloader: Downloader::new(store.clone(), options(config)?)?,
        store,
        index: Arc::new(Index::load(&entries_folder(config)).map_err(atelier_weights::Error::from)?),
        prepare: Arc::new(Graphs),
        policy: Policy {
            allowed: config.models.licences.clone(),
        },
        runtimes: runtimes(),
        programs: pulled::programs(),
        depot: depot(config)?,
        max_bytes: config.models.max_bytes,
    })
}

/// The bucket of the service, where its nodes share blobs.
#[derive(Debug)]
struct SharedBlobs(SharedFiles);

impl Depot for SharedBlobs {
    fn address<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<Option<Url>, String>> {
        Box::pin(async move {
            let address = self.0.address(&blob_name(pin)).await;
            address.map_err(|error| error.to_string())
        })
    }

    fn put<'a>(&'a self, pin: &'a Pin, blob: &'a Path) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let put = self.0.put_file(blob, &blob_name(pin)).await;
            put.map_err(|error| error.to_string())
        })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<Pin>, String>> {
        Box::pin(async move {
            let found = self.0.list().await.map_err(|error| error.to_string())?;
            let pins = found.into_iter().filter_map(|(name, size)| {
                let sha256 = name.strip_prefix(BLOB)?.to_owned();
                atelier_weights::is_digest(&sha256).then_some(Pin { sha256, size })
            });
            Ok(pins.collect())
        })
    }

    fn remove<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let removed = self.0.remove(&blob_name(pin)).await;
            removed.map_err(|error| error.to_string())
        })
    }
}

fn blob_name(pin: &Pin) -> String {
    format!("{BLOB}{}", pin.sha256)
}

fn depot(config: &Config) -> Result<Option<Arc<dyn Depot>>, Failure> {
    let place = config.media_place.as_ref().filter(|_| config.models.share);
    let Some(url) = place else { return Ok(None) };
    let opened = SharedFiles::open(url, &files::s3_options(&config.s3), SHARED);
    let opened = opened.map_err(|error| Failure::Failed {
        code: "configuration",
        message: format!("{}: `media.url`: {error}", config.origin("media.url")),
    })?;
    Ok(opened.map(|files| Arc::new(SharedBlobs(files)) as Arc<dyn Depot>))
}

/// Leases for an engine: the weights that its jobs run on are not removed.
#[derive(Debug)]
pub(crate) struct EngineLeases {
    pub(crate) store: Store,
    /// The engine's name.
    pub(crate) engine: String,
}

impl Leases for EngineLeases {
    fn lease(&self, target: &str) -> Result<Option<Box<dyn Send>>, String> {
        match self.store.find(target) {
            Ok(Some(_)) => {}
            // A folder of the operator's own.
            Ok(None) | Err(_) => return Ok(None),
        }
        match self.store.lease(target, &format!("the engine `{}`", self.engine)) {
            Ok(lease) => Ok(Some(Box::new(lease))),
            Err(error @ atelier_weights::Error::NotHere(_)) => Err(error.to_string()),
            // A store that cannot be written to can be read: the job runs.
            Err(error) => {
                tracing::warn!(%error, "weights are used without a lease");
                Ok(None)
            }
        }
    }
}

fn options(config: &Config) -> Result<Options, Failure> {
    let models = &config.models;
    let read = |key: &str, path: &PathBuf| {
        fs::read(path).map_err(|error| Failure::Failed {
            code: "configuration",
            message: format!("`models.{key}` is {}: {error}", path.display()),
        })
    };
    let token = match &models.token_file {
        None => models.token.clone(),
        Some(path) => {
            let text = String::from_utf8_lossy(&read("token_file", path)?)
                .trim()
                .to_owned();
            Some(text).filter(|token| !token.is_empty())
        }
    };
    let ca_pem = models
        .ca_file
        .as_ref()
        .map(|path| read("ca_file", path))
        .transpose()?;
    Ok(Options {
        endpoint: models.endpoint.clone().unwrap_or_else(|| HUB.to_owned()),
        token,
        offline: models.offline,
        allow_http: config.allow_private,
        plain: config
            .s3
            .endpoint
            .as_ref()
            .filter(|_| models.share && config.s3.allow_http)
            .and_then(|endpoint| endpoint.parse().ok()),
        proxies: Proxies {
            http: models.http_proxy.clone(),
            https: models.https_proxy.clone(),
            no_proxy: models.no_proxy.clone(),
        },
        ca_pem,
        bandwidth: models.bandwidth,
        ranges: models.ranges,
        stall: models.stall,
        ..Options::default()
    })
}

impl From<atelier_weights::Error> for Failure {
    fn from(error: atelier_weights::Error) -> Self {
        Self::Failed {
            code: error.code(),
            message: error.to_string(),
        }
    }
}
