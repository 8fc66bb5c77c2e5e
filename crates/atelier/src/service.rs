//! The composition: starts a service from a configuration and stops it again. Listeners, workers and storage are put
//! together here and nowhere else.

use std::{
    ffi::OsString,
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use atelier_api::{Readiness, Surface};
use atelier_app::{
    App, Services, Settings, System, admin::overview::SettingInForce, people::invite::join_path,
    policy::Policy as ContentPolicy, private::PrivateMedia, webhooks::schedule::Schedule,
};
use atelier_catalog::Catalog;
use atelier_domain::{Clock, Entropy, clock::SystemClock};
use atelier_engines::{Coverage, Routes};
use atelier_media::{Blobs, Scratch};
use atelier_outbound::Guard;
use atelier_store::{
    Faults, Store,
    lock::DataLock,
    sqlite::{self, SqliteStore},
};
use atelier_weights::Pulls;
use atelier_worker::{Workers, remote};

use axum::middleware;

use crate::{
    callbacks,
    config::{Config, Origin, reachable},
    credentials, data,
    engines::routes,
    entropy::SystemEntropy,
    failure::Failure,
    files::{self, ScratchUse},
    http::{self, Http},
    metrics, policy, serving, weights,
};

/// The least time that requests in progress get if jobs used up the grace period.
const LEAST_REQUEST_GRACE: Duration = Duration::from_secs(3);

/// The part of the service that a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// API and workers.
    Everything,
    /// API only.
    Api,
    /// Workers only, for servers on the same store.
    Workers,
}

impl Role {
    const fn listens(self) -> bool {
        !matches!(self, Self::Workers)
    }

    const fn works(self) -> bool {
        !matches!(self, Self::Api)
    }
}

/// The inputs of a service beside its configuration. Tests pass their own.
#[derive(Debug, Clone)]
pub struct Parts {
    pub role: Role,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub faults: Option<Arc<dyn Faults>>,
    /// The program and arguments that become a child process of the embedded engines.
    pub draft_host: (PathBuf, Vec<OsString>),
    pub worker: atelier_worker::Options,
}

impl Parts {
    /// The parts of a real service.
    pub fn system(role: Role) -> Result<Self, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::new(format!("cannot find the file of this program: {error}")))?;
        Ok(Self {
            role,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            faults: None,
            draft_host: (program, vec!["draft-host".into()]),
            worker: atelier_worker::Options::default(),
        })
    }
}

/// A running service.
#[derive(Debug)]
pub struct Service {
    system: System,
    store: Arc<dyn Store>,
    readiness: Readiness,
    http: Option<Http>,
    metrics: Option<Http>,
    workers: Option<Workers>,
    public_url: String,
    grace: Duration,
    /// Downloads of weights, which go on where an earlier process was.
    pulls: Pulls,
    /// Announces this node, records the use of keys and sessions, listens to other nodes, and follows the weights and
    /// the remote workers that come and go.
    notes: tokio::task::JoinHandle<((), (), (), (), (), ())>,
    /// Held until everything else is closed.
    _scratch_use: ScratchUse,
    _lock: Option<DataLock>,
}

/// The models that this configuration serves, in catalog order, each as the JSON that clients see. Starts and creates
/// nothing.
pub fn served_models(config: &Config) -> Result<Vec<String>, Failure> {
    let catalog = catalog(config)?;
    let routes = routes(config, (PathBuf::new(), Vec::new()))?;
    // A token file that is missing, say, does not hide the catalog.
    let puller = weights::puller(config).ok();
    let described = |model: &atelier_catalog::Model| {
        let targets = atelier_app::targets(&routes, model);
        let described = atelier_app::models::describe(model, &targets, &routes, puller.as_ref())?;
        Some(serde_json::to_string(&described))
    };
    catalog
        .iter()
        .filter_map(described)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::new(format!("cannot show the catalog: {error}")))
}

/// The OpenAPI document of a service with this configuration. Starts and creates nothing.
pub fn openapi(config: &Config) -> Result<serde_json::Value, Failure> {
    let system = System::new(Services {
        store: Arc::new(SqliteStore::open(sqlite::Options::new(":memory:"))?),
        catalog: catalog(config)?,
        blobs: Blobs::memory(),
        routes: routes(config, (PathBuf::new(), Vec::new()))?,
        guard: Guard {
            allow_private: config.allow_private,
        },
        policy: ContentPolicy::default(),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        weights: None,
        settings: settings(config, config.listen),
    });
    Ok(atelier_api::document(
        system.app(),
        &config.public_url(config.listen),
    ))
}

impl Service {
    /// Starts everything. When this returns, requests are answered and jobs are run.
    pub async fn start(config: &Config, parts: Parts) -> Result<Self, Failure> {
        data::prepare(&config.data)?;
        let lock = if parts.role.listens() {
            Some(DataLock::acquire(&config.data, "")?)
        } else {
            None
        };
        let catalog = catalog(config)?;
        let routes = routes(config, parts.draft_host)?;
        let policy = policy::read(config)?;
        warn_of_idle_routes(config, &catalog);
        warn_of_no_marking(config, &routes);
        credentials::check(config, routes.credentials()).await?;
        files::warn_of_separate_files(config);
        let listener = if parts.role.listens() {
            Some(http::bind(config.listen).await?)
        } else {
            None
        };
        let scratch_use = ScratchUse::begin(&scratch(config))?;
        let bound = listener
            .as_ref()
            .map_or(Ok(config.listen), tokio::net::TcpListener::local_addr)?;
        let store = data::when_possible(|| data::open_store(config, parts.faults.clone())).await?;
        let pulls = Pulls::start(weights::puller(config)?)?;
        data::warn_of_access(config);
        let system = System::new(Services {
            store: Arc::clone(&store),
            catalog,
            blobs: files::blobs(config)?,
            routes,
            guard: Guard {
                allow_private: config.allow_private,
            },
            policy,
            clock: parts.clock,
            entropy: parts.entropy,
            weights: Some(pulls.clone()),
            settings: settings(config, bound),
        });
        let metrics = metrics_listener(config, &system).await?;
        let options = atelier_worker::Options {
            lease: config.lease,
            max_job_input_bytes: config.job_input_bytes,
            ..parts.worker
        };
        let joining =
            remote::Server::new(&system, &options).map_err(|error| Failure::new(error.to_string()))?;
        let workers = if parts.role.works() {
            Some(work(&system, options).await?)
        } else {
            None
        };
        let readiness = Readiness::default();
        let public_url = config.public_url(bound);
        let callback_url = listener.is_some().then_some(&*public_url);
        callbacks::open(system.routes(), config.callbacks.as_ref(), callback_url).await?;
        let surface = surface(config, &readiness, &public_url);
        // Before the first answer: a program that has one also finds the address.
        if let Some(lock) = &lock {
            lock.announce(&reachable(bound).to_string())?;
        }
        let http = match listener {
            Some(listener) => Some(Http::serve(
                listener,
                router(system.app(), surface, &joining, config),
            )?),
            None => None,
        };
        let grace = config.shutdown_grace;
        let notes = tokio::spawn({
            let (config, system, pulls) = (config.clone(), system.clone(), pulls.clone());
            let works = parts.role.works();
            async move {
                tokio::join!(
                    system.note_uses(),
                    system.announce_node(works),
                    system.hear_other_nodes(),
                    serving::follow(config, system.clone(), pulls),
                    system.follow_remote_workers(),
                    joining.sweep()
                )
            }
        });
        Ok(Self {
            system,
            store,
            readiness,
            http,
            metrics,
            workers,
            public_url,
            grace,
            pulls,
            notes,
            _scratch_use: scratch_use,
            _lock: lock,
        })
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The address on which it listens, if it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.http.as_ref().map(Http::address)
    }

    /// An origin that works from this machine, whatever the public origin is.
    pub fn local_url(&self) -> Option<String> {
        self.address()
            .map(|address| format!("http://{}", reachable(address)))
    }

    /// The origin in links, without a trailing slash.
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// A new link that creates the first operator, if there is none yet. Earlier links stop working.
    pub async fn first_operator_url(&self) -> Result<Option<String>, Failure> {
        let invited = self.system.invite_first_operator().await?;
        Ok(invited.map(|invited| format!("{}{}", self.public_url, join_path(&invited.token))))
    }

    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(Http::address)
    }

    /// Stops in order. The service is no longer ready and takes no new jobs. Running jobs get the grace period, then go
    /// back to the queue. Requests in progress are answered. At last the store closes.
    pub async fn stop(self) -> Result<(), Failure> {
        let until = Instant::now() + self.grace;
        self.readiness.drain();
        if let Some(workers) = self.workers {
            workers.drain(self.grace).await;
        }
        self.system.close();
        self.pulls.stop();
        if let Some(http) = self.http {
            http.close(
                until
                    .saturating_duration_since(Instant::now())
                    .max(LEAST_REQUEST_GRACE),
            )
            .await;
        }
        if let Some(metrics) = self.metrics {
            metrics.close(Duration::ZERO).await;
        }
        self.notes.abort();
        self.system.note_uses_now().await;
        self.system.forget_node().await;
        Ok(self.store.close().await?)
    }
}

/// Returns the settings of the API's routes, besides the use cases.
fn surface(config: &Config, readiness: &Readiness, public_url: &str) -> Surface {
    Surface {
        readiness: readiness.clone(),
        public_url: public_url.to_owned(),
        trusted_proxies: config.trusted_proxies.clone(),
        slow_body: atelier_api::SlowBodyTimeout(config.slow_body),
    }
}

/// Everything that is served over HTTP: the pages, the endpoints of remote workers, and the API, which also answers
/// all other paths.
fn router(app: &App, surface: Surface, joining: &remote::Server, config: &Config) -> axum::Router {
    let pages = atelier_console::Options {
        public_url: surface.public_url.clone(),
        base_url: format!("{}{}", surface.public_url, atelier_api::BASE_PATH),
        openapi: atelier_api::document(app, &surface.public_url),
        trusted_proxies: config.trusted_proxies.clone(),
    };
    atelier_console::router(app, pages)
        .merge(joining.router())
        .layer(middleware::from_fn_with_state(
            surface.slow_body,
            atelier_api::limit_slow_bodies,
        ))
        .merge(atelier_api::router(app, surface))
}

/// Starts the workers, after moving queued jobs to the engines that serve their models now.
async fn work(system: &System, options: atelier_worker::Options) -> Result<Workers, Failure> {
    data::when_possible(async || Ok(system.assign_lanes().await?)).await?;
    atelier_worker::start(system, options).map_err(|error| Failure::new(error.to_string()))
}

pub(crate) fn catalog(config: &Config) -> Result<Catalog, Failure> {
    Catalog::load(Some(&config.data.join("catalog"))).map_err(|error| Failure::Failed {
        code: "catalog",
        message: error.to_string(),
    })
}

pub(crate) fn scratch(config: &Config) -> PathBuf {
    config.data.join("scratch")
}

fn settings(config: &Config, bound: SocketAddr) -> Settings {
    Settings {
        media_url: config.media_url(bound),
        private_media: PrivateMedia {
            url: format!("{}/media", config.public_url(bound)),
            life: config.private_link,
        },
        generations_per_minute: config.generations_per_minute,
        requests_per_minute: config.requests_per_minute,
        webhook_schedule: Schedule::new(&config.webhook_retry_seconds),
        scratch: Scratch::new(scratch(config), config.scratch),
        max_upload_bytes: config.max_upload_bytes,
        first_operator_credits: config.first_operator_credits,
        retention: config.retention,
        watermark: config.watermark,
        watermark_key: config.watermark_key,
        oidc: config.oidc.clone(),
        mail: config.mail.clone(),
        in_force: config
            .settings()
            .iter()
            .map(|setting| SettingInForce {
                key: setting.key.to_owned(),
                value: setting.value.to_string(),
                from: setting.from.clone(),
            })
            .collect(),
    }
}

/// Warns of routes for unknown models. They are most likely mistakes, but do not prevent the start.
fn warn_of_idle_routes(config: &Config, catalog: &Catalog) {
    for route in config.routes.iter().filter(|route| !route.model.contains('*')) {
        if catalog.get(&route.model).is_none() {
            tracing::warn!(
                model = route.model,
                engine = route.engine,
                "a route names an unknown model"
            );
        }
    }
}

/// Says that a setting has no effect in a program without the embedded engines.
fn warn_of_no_marking(config: &Config, routes: &Routes) {
    let is_asked =
        config.watermark != Coverage::Off && *config.origin("marking.watermark") != Origin::Default;
    if is_asked && routes.marking().is_none() {
        tracing::warn!(
            "`marking.watermark` has no effect: this program was built without the embedded engines"
        );
    }
}

async fn metrics_listener(config: &Config, system: &System) -> Result<Option<Http>, Failure> {
    let Some(address) = config.metrics_listen else {
        return Ok(None);
    };
    let listener = match http::bind(address).await {
        Ok(listener) => listener,
        // A second service on one machine must start without extra settings.
        Err(failure) if *config.origin("metrics.listen") == Origin::Default => {
            tracing::warn!("metrics are not served: {failure}");
            return Ok(None);
        }
        Err(failure) => return Err(failure),
    };
    Http::serve(listener, metrics::router(metrics::collect(), system.clone())).map(Some)
}
