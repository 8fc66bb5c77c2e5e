//! The section `[models]`: weights of trained models.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use super::{
    Environment,
    engines::{DEVICES, RUNTIMES, RuntimeConfig, passed},
    layers::Layers,
    read::{any, number, on_or_off, one_of, optional_text, prefix, read, seconds_within},
};

/// How weights are downloaded and kept.
#[derive(Clone)]
pub struct ModelsConfig {
    pub offline: bool,
    /// Without a trailing slash; `None` means the hub.
    pub endpoint: Option<String>,
    pub token_file: Option<PathBuf>,
    /// `HF_TOKEN`, which counts without `token_file`.
    pub token: Option<String>,
    pub ca_file: Option<PathBuf>,
    pub licences: Vec<String>,
    pub max_bytes: Option<u64>,
    /// Whether blobs are shared in the bucket of the media.
    pub share: bool,
    /// The runtime of pulled weights.
    pub run: RuntimeConfig,
    /// The memory limit of one process that does.
    pub memory_bytes: u64,
    /// Bytes per second.
    pub bandwidth: Option<u64>,
    pub ranges: usize,
    pub stall: Duration,
    /// Proxies from the usual variables: for http, for https, and the hosts that need none.
    pub http_proxy: Option<String>,
    pub https_proxy: Option<String>,
    pub no_proxy: Option<String>,
    /// The variables of the service that pulled programs get too.
    pub passed: BTreeMap<String, String>,
}

/// Tokens and the passwords of proxies are not shown.
impl fmt::Debug for ModelsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelsConfig")
            .field("offline", &self.offline)
            .field("endpoint", &self.endpoint)
            .field("token_file", &self.token_file)
            .field("licences", &self.licences)
            .field("max_bytes", &self.max_bytes)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl ModelsConfig {
    pub(super) fn read(layers: &mut Layers, environment: &Environment) -> Self {
        let variable = |name: &str| {
            let found = environment.variable(name).map(str::trim);
            found.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        // Both spellings are in use. The lower one counts first, as in curl.
        let proxy = |name: &str| {
            let of = |name: &str| variable(&name.to_lowercase()).or_else(|| variable(name));
            of(name)
        };
        let mib = |count: u32| (count > 0).then(|| u64::from(count) << 20);
        let path = |layers: &mut Layers, key| read(layers, key, optional_text).map(PathBuf::from);
        let all = proxy("ALL_PROXY");
        let run = RuntimeConfig {
            runtime: read(layers, "models.runtime", one_of(&RUNTIMES)),
            library: path(layers, "models.library"),
            provider: path(layers, "models.provider"),
            device: read(layers, "models.device", one_of(&DEVICES)),
        };
        if let Some(why) = run.contradiction() {
            let problem = format!("{}: `[models]`: {why}", layers.origin("models.runtime"));
            layers.problems.push(problem);
        }
        Self {
            run,
            offline: read(layers, "models.offline", any),
            endpoint: read(layers, "models.endpoint", prefix)
                .or_else(|| variable("HF_ENDPOINT").map(|url| url.trim_end_matches('/').to_owned())),
            token_file: path(layers, "models.token_file"),
            token: variable("HF_TOKEN"),
            ca_file: path(layers, "models.ca_file"),
            licences: read(layers, "models.licences", any),
            max_bytes: match read(layers, "models.max_gb", number(0, 1 << 20)) {
                0 => None,
                gb => Some(u64::from(gb) * 1_000_000_000),
            },
            share: read(layers, "models.share", on_or_off),
            memory_bytes: u64::from(read(layers, "models.memory_mb", number(64, 1 << 20))) << 20,
            bandwidth: mib(read(layers, "models.bandwidth_mib", number(0, 1 << 20))),
            ranges: read(layers, "models.ranges", number(1, 32)) as usize,
            stall: Duration::from_secs_f64(read(
                layers,
                "models.stall_seconds",
                seconds_within(1.0..=3_600.0),
            )),
            http_proxy: proxy("HTTP_PROXY").or_else(|| all.clone()),
            https_proxy: proxy("HTTPS_PROXY").or(all),
            no_proxy: proxy("NO_PROXY"),
            passed: passed(environment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Flags};

    fn models(variables: &[(&str, &str)]) -> ModelsConfig {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let flags = Flags {
            data: Some("/does-not-exist".into()),
            ..Flags::default()
        };
        Config::load(&flags, &Environment::new(variables)).unwrap().models
    }

    #[test]
    fn the_usual_variables_are_heard_and_settings_come_first() {
        let read = models(&[
            ("HF_ENDPOINT", "https://mirror.example/"),
            ("HF_TOKEN", "hf_secret"),
            ("https_proxy", "http://lower:1"),
            ("HTTPS_PROXY", "http://upper:1"),
            ("ALL_PROXY", "http://all:1"),
            ("NO_PROXY", "localhost"),
        ]);
        assert_eq!(read.endpoint.as_deref(), Some("https://mirror.example"));
        assert_eq!(read.token.as_deref(), Some("hf_secret"));
        assert_eq!(read.https_proxy.as_deref(), Some("http://lower:1"));
        assert_eq!(read.http_proxy.as_deref(), Some("http://all:1"));
        assert!(!format!("{read:?}").contains("secret"));
        let set = models(&[
            ("HF_ENDPOINT", "https://mirror.example"),
            ("ATELIER_MODELS__ENDPOINT", "https://own.example"),
            ("ATELIER_MODELS__MAX_GB", "50"),
        ]);
        assert_eq!(set.endpoint.as_deref(), Some("https://own.example"));
        assert_eq!(set.max_bytes, Some(50_000_000_000));
    }

    #[test]
    fn a_gpu_is_refused_at_the_start_where_the_runtime_has_none() {
        let variables = [
            ("ATELIER_MODELS__RUNTIME", "rten"),
            ("ATELIER_MODELS__DEVICE", "gpu"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let flags = Flags {
            data: Some("/does-not-exist".into()),
            ..Flags::default()
        };
        let error = Config::load(&flags, &Environment::new(variables))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(
                "`device = \"gpu\"` requires ONNX Runtime with a GPU provider: rten runs on the CPU only"
            ),
            "{error}"
        );
    }
}
