//! The configuration: defaults, one TOML file, the environment, flags. The source of every value is known, and every
//! problem is reported with its place before anything starts.

mod callbacks;
mod credentials;
mod engines;
mod environment;
mod keys;
mod layers;
mod mail;
mod models;
mod read;
mod s3;
mod sign_in;

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_app::{people::oidc::OidcSettings, retention::Retention};
use atelier_engines::{Coverage, Route, SafetyPolicy};
use atelier_media::scratch::Quota;
use atelier_outbound::smtp::SmtpServer;
use atelier_store::postgres::PostgresUrl;
use etcetera::BaseStrategy as _;
use ipnet::IpNet;
use serde::Serialize;

pub use self::{
    callbacks::CallbackPlace,
    credentials::CredentialsConfig,
    engines::{
        ComfyConfig, DEVICE, EngineConfig, EngineKind, HttpConfig, OnnxConfig, ProcessConfig, RuntimeConfig,
    },
    environment::Environment,
    layers::Origin,
    models::ModelsConfig,
    s3::S3,
};
use self::{
    keys::KEYS,
    layers::Layers,
    read::{any, number, read, seconds, seconds_within},
};

/// The configuration file in the data folder.
pub const FILE: &str = "atelier.toml";

/// The values of flags.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    pub data: Option<PathBuf>,
    pub config: Option<PathBuf>,
    pub listen: Option<SocketAddr>,
}

/// The configuration is invalid: one line for each problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// The current configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// Absolute.
    pub data: PathBuf,
    pub routes: Vec<Route>,
    /// The configured engines, by name.
    pub engines: Vec<EngineConfig>,
    /// The memory of devices that programs may use, in bytes.
    pub devices: BTreeMap<String, u64>,
    /// The OpenID provider at which people sign in.
    pub oidc: Option<OidcSettings>,
    /// The server that takes mail, if there is one.
    pub mail: Option<SmtpServer>,
    pub listen: SocketAddr,
    /// Without a trailing slash; see [`Config::public_url`].
    pub public_url: Option<String>,
    pub shutdown_grace: Duration,
    /// How long each 16 KiB of a request's body may take.
    pub slow_body: Duration,
    /// The proxies whose word about a client's address is believed.
    pub trusted_proxies: Vec<IpNet>,
    pub metrics_listen: Option<SocketAddr>,
    /// Without a trailing slash; see [`Config::media_url`].
    pub media_public_url: Option<String>,
    /// The place of stored files; `None` means the data folder.
    pub media_place: Option<String>,
    /// Where clients upload to the bucket, without a trailing slash; `None`: they upload to the service alone.
    pub upload_url: Option<String>,
    /// How long signed links to private media work.
    pub private_link: Duration,
    pub s3: S3,
    pub store: StorePlace,
    /// The number of connections to PostgreSQL.
    pub store_connections: usize,
    pub allow_private: bool,
    pub webhook_retry_seconds: Vec<f64>,
    pub generations_per_minute: u32,
    pub requests_per_minute: u32,
    pub max_upload_bytes: u64,
    pub first_operator_credits: i64,
    pub retention: Retention,
    pub concurrency: usize,
    /// How long a node holds a job without renewing it.
    pub lease: Duration,
    /// How long a program with jobs keeps its room while another waits for it.
    pub turn: Duration,
    pub job_input_bytes: u64,
    pub scratch: Quota,
    /// Where engines report progress, instead of the public URL.
    pub callbacks: Option<CallbackPlace>,
    /// Whether the embedded engines serve models that no other engine serves.
    pub draft: bool,
    pub draft_memory_bytes: u64,
    pub draft_output_bytes: u64,
    pub draft_idle: Duration,
    /// The SoundFont for music, instead of the built-in synthesis.
    pub draft_soundfont: Option<PathBuf>,
    /// How weights of trained models are downloaded and kept.
    pub models: ModelsConfig,
    /// The pictures that carry an invisible mark, and its key if the operator chose one.
    pub watermark: Coverage,
    pub watermark_key: Option<[u8; 32]>,
    pub credentials: CredentialsConfig,
    pub blocked_terms: Vec<String>,
    /// The file of further rules; `None`: `policy.toml` in the data folder, if it is there.
    pub policy_path: Option<PathBuf>,
    /// Signs the calls of the policy's own check.
    pub policy_check_secret: Option<String>,
    /// The results that are shown to the weights of the safety check, and the refusals.
    pub safety: SafetyPolicy,
    pub log_level: String,
    pub log_format: LogFormat,
    settings: Vec<Setting>,
}

/// The place of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorePlace {
    /// This file.
    Sqlite(PathBuf),
    Postgres(PostgresUrl),
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

/// One setting as `atelier config` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    pub key: &'static str,
    pub value: serde_json::Value,
    /// The source of the value, in words.
    pub from: String,
    #[serde(skip)]
    pub origin: Origin,
}

impl Config {
    /// Reads the configuration. Creates nothing.
    pub fn load(flags: &Flags, environment: &Environment) -> Result<Self, ConfigError> {
        let mut layers = Layers::defaults();
        if let Some(path) = &flags.config {
            let text = fs::read_to_string(path)
                .map_err(|error| ConfigError(vec![format!("--config {}: {error}", path.display())]))?;
            layers.file(path, &text);
        }
        lay_above_file(&mut layers, flags, environment);
        let data = data_folder(&mut layers, flags.config.as_deref())?;
        if flags.config.is_none() {
            let path = data.join(FILE);
            match fs::read_to_string(&path) {
                Ok(text) => {
                    layers = Layers::defaults();
                    layers.file(&path, &text);
                    refuse_data(&mut layers);
                    lay_above_file(&mut layers, flags, environment);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ConfigError(vec![format!("{}: {error}", path.display())])),
            }
        }
        let config = Self::read(&mut layers, data, environment);
        if layers.problems.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError(layers.problems))
        }
    }

    fn read(layers: &mut Layers, data: PathBuf, environment: &Environment) -> Self {
        let mut config = Self {
            routes: read(layers, "routes", read::routes),
            engines: read(layers, "engines", engines::engines(environment)),
            devices: read(layers, "devices", engines::devices),
            oidc: read(layers, "sign_in", sign_in::oidc(environment)),
            mail: mail::mail(layers),
            listen: read(layers, "server.listen", read::address),
            public_url: read(layers, "server.public_url", read::origin),
            shutdown_grace: Duration::from_secs_f64(read(
                layers,
                "server.shutdown_grace_seconds",
                seconds(3_600.0),
            )),
            slow_body: Duration::from_secs_f64(read(
                layers,
                "server.slow_body_seconds",
                seconds_within(1.0..=3_600.0),
            )),
            trusted_proxies: read(layers, "server.trusted_proxies", read::networks),
            metrics_listen: read(layers, "metrics.listen", read::optional_address),
            media_public_url: read(layers, "media.public_url", read::prefix),
            media_place: read(layers, "media.url", read::media_place),
            upload_url: read(layers, "media.upload_url", read::prefix),
            private_link: Duration::from_secs_f64(read(
                layers,
                "media.private_link_seconds",
                seconds_within(1.0..=31_536_000.0),
            )),
            s3: S3::read(layers),
            store: read(layers, "store.url", read::store_place)
                .unwrap_or_else(|| StorePlace::Sqlite(data.join("atelier.db"))),
            store_connections: read(layers, "store.connections", number(2, 1_000)) as usize,
            allow_private: read(layers, "outbound.allow_private", any),
            webhook_retry_seconds: read(layers, "webhooks.retry_seconds", read::retries),
            generations_per_minute: read(layers, "limits.generations_per_minute", number(1, u32::MAX)),
            requests_per_minute: read(layers, "limits.requests_per_minute", number(1, u32::MAX)),
            max_upload_bytes: u64::from(read(layers, "limits.upload_mib", number(1, 4_096))) << 20,
            first_operator_credits: i64::from(read(
                layers,
                "accounts.first_operator_credits",
                number(0, u32::MAX),
            )),
            retention: Retention {
                jobs: read(layers, "retention.jobs_days", read::days(2)),
                media: read(layers, "retention.media_days", read::days(1)),
                uploads: read(layers, "retention.uploads_days", read::days(1)),
                deliveries: read(layers, "retention.deliveries_days", read::days(1)),
                requests: read(layers, "retention.requests_days", read::days(1)),
                decisions: read(layers, "retention.decisions_days", read::days(1)),
            },
            concurrency: match read(layers, "workers.concurrency", number(0, 1_024)) {
                0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
                fixed => fixed as usize,
            },
            lease: Duration::from_secs_f64(read(
                layers,
                "workers.lease_seconds",
                seconds_within(2.0..=3_600.0),
            )),
            turn: Duration::from_secs_f64(read(layers, "workers.turn_seconds", seconds(86_400.0))),
            job_input_bytes: u64::from(read(layers, "workers.job_input_mib", number(1, 1 << 20))) << 20,
            scratch: Quota {
                most: match read(layers, "workers.scratch_mib", number(0, 1 << 24)) {
                    0 => u64::MAX,
                    mib => u64::from(mib) << 20,
                },
                reserve: u64::from(read(layers, "workers.scratch_reserve_mib", number(0, 1 << 20))) << 20,
            },
            callbacks: CallbackPlace::read(layers),
            draft: read(layers, "catalog.draft", read::on_or_off),
            draft_memory_bytes: u64::from(read(layers, "draft.memory_mb", number(64, 1 << 20))) << 20,
            draft_output_bytes: u64::from(read(layers, "draft.output_mb", number(1, 1 << 20))) << 20,
            draft_idle: Duration::from_secs_f64(read(layers, "draft.idle_seconds", seconds(86_400.0))),
            draft_soundfont: read(layers, "draft.soundfont", read::optional_text).map(PathBuf::from),
            models: ModelsConfig::read(layers, environment),
            watermark: read(layers, "marking.watermark", read::coverage),
            watermark_key: read(layers, "marking.key", read::optional_key),
            credentials: CredentialsConfig::read(layers),
            blocked_terms: read(layers, "policy.blocked_terms", any),
            policy_path: read(layers, "policy.file", read::optional_text).map(PathBuf::from),
            policy_check_secret: read(layers, "policy.check_secret", read::optional_text),
            safety: SafetyPolicy {
                always: read(layers, "policy.safety", read::on_or_off),
                inputs: read(layers, "policy.safety_inputs", read::on_or_off),
                refuse_at: Some(read(layers, "policy.safety_refuse_at", read::share)).filter(|at| *at > 0.0),
            },
            log_level: read(layers, "log.level", read::log_filter),
            log_format: read(layers, "log.format", read::log_format),
            settings: Vec::new(),
            data,
        };
        config.settings = KEYS.iter().map(|key| config.setting(layers, key)).collect();
        config
    }

    /// Every setting, in the order of the defaults file.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The source of a setting's value.
    pub fn origin(&self, key: &str) -> &Origin {
        self.settings
            .iter()
            .find(|setting| setting.key == key)
            .map_or(&Origin::Default, |setting| &setting.origin)
    }

    /// The origin in links, for a server that listens at this address.
    pub fn public_url(&self, bound: SocketAddr) -> String {
        self.public_url
            .clone()
            .unwrap_or_else(|| format!("http://{}", reachable(bound)))
    }

    /// The prefix of stored files, for a server that listens at this address.
    pub fn media_url(&self, bound: SocketAddr) -> String {
        self.media_public_url
            .clone()
            .unwrap_or_else(|| format!("{}/media", self.public_url(bound)))
    }

    fn setting(&self, layers: &Layers, key: &keys::Key) -> Setting {
        let raw = read::shown(&layers.value(key.path));
        let origin = layers.origin(key.path);
        let text = |text: String| serde_json::Value::String(text);
        let is_empty = raw.as_str() == Some("");
        let (value, derived) = match key.path {
            "data" => (
                text(self.data.display().to_string()),
                is_empty.then_some("the platform's folder"),
            ),
            "server.public_url" if is_empty => {
                (text(self.public_url(self.listen)), Some("from server.listen"))
            }
            "media.public_url" if is_empty => {
                (text(self.media_url(self.listen)), Some("from server.public_url"))
            }
            "media.url" if is_empty => (
                text(format!("file:{}", self.media_folder().display())),
                Some("from data"),
            ),
            // Without the password.
            "store.url" => (text(self.store.to_string()), is_empty.then_some("from data")),
            "workers.concurrency" if raw == 0 => (self.concurrency.into(), Some("number of cores")),
            _ if key.secret && !is_empty => (text("********".to_owned()), None),
            _ => (raw, None),
        };
        let from = match derived {
            Some(derived) => format!("{origin}, {derived}"),
            None => origin.to_string(),
        };
        Setting {
            key: key.path,
            value,
            from,
            origin,
        }
    }

    /// Returns the default folder of stored files.
    pub fn media_folder(&self) -> PathBuf {
        self.data.join("media")
    }
}

fn lay_above_file(layers: &mut Layers, flags: &Flags, environment: &Environment) {
    layers.environment(environment);
    if let Some(data) = &flags.data {
        layers.flag("--data", "data", &data.to_string_lossy());
    }
    if let Some(listen) = flags.listen {
        layers.flag("--listen", "server.listen", &listen.to_string());
    }
}

/// Refuses `data` in the file of the data folder, which is found only through the data folder.
fn refuse_data(layers: &mut Layers) {
    if let origin @ Origin::File { .. } = layers.origin("data") {
        let why = "set the data folder with --data, ATELIER_DATA or in a file given with --config";
        layers
            .problems
            .push(format!("{origin}: `data` cannot be set here; {why}"));
    }
}

fn data_folder(layers: &mut Layers, file: Option<&Path>) -> Result<PathBuf, ConfigError> {
    let text = read(layers, "data", read::text);
    let from_file = matches!(layers.origin("data"), Origin::File { .. });
    let path = if text.is_empty() {
        let platform = etcetera::choose_base_strategy().map_err(|_| {
            ConfigError(vec![
                "there is no home folder for the data; name a folder with --data DIR".to_owned(),
            ])
        })?;
        platform.data_dir().join("atelier")
    } else if from_file {
        file.and_then(Path::parent).unwrap_or(Path::new("")).join(text)
    } else {
        PathBuf::from(text)
    };
    std::path::absolute(&path)
        .map_err(|error| ConfigError(vec![format!("the data folder {}: {error}", path.display())]))
}

/// The address at which this machine can connect to a bound address.
pub(crate) fn reachable(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}

#[cfg(test)]
mod tests;
