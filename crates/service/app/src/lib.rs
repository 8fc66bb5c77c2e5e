//! The use cases of the service, one file per verb. Ids, time and the limits of a transaction are decided
//! here; nothing here knows HTTP or SQL.
//!
//! Three types lead to the data, and nothing else does:
//!
//! - [`App`] serves requests. A use case of an account asks for a [`Caller`], a [`SignedIn`](people::SignedIn) user
//!   or an [`Operator`].
//! - [`System`] does the work behind them: it runs jobs, sends webhooks, cleans up. Requests cannot reach it.
//! - [`Admin`] changes accounts and users, for the command line and for operators.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use atelier_catalog::{Catalog, Model};
use atelier_domain::{Actor, Clock, Entropy, Timestamp, WorkerId};
use atelier_engines::{
    Coverage, Serving,
    credentials::Signer,
    routes::{Routes, Target},
};
use atelier_media::{Blobs, Scratch};
use atelier_outbound::Guard;
use atelier_store::Store;
use atelier_weights::Pulls;

pub mod accounts;
pub mod admin;
pub mod attempts;
mod audit;
pub mod auth;
pub mod balance;
pub mod changes;
pub mod collections;
mod credentials;
pub mod error;
pub mod generations;
pub mod health;
pub mod hints;
pub mod likeness;
pub mod media;
pub mod models;
pub mod outputs;
pub mod people;
pub mod policy;
pub mod previews;
pub mod private;
pub mod remote;
mod remote_attempts;
pub mod requests;
pub mod retention;
pub mod secrets;
mod storing;
pub mod system;
#[cfg(test)]
mod tests;
pub mod uploads;
pub mod usage;
pub mod verify;
mod watermark;
pub mod webhooks;

pub use admin::{Admin, Operator};
pub use auth::Caller;
pub use error::{Error, Result};
pub use system::System;

/// How often a generation is attempted before it fails.
pub const MAX_ATTEMPTS: u32 = 3;

/// The dependencies of the use cases.
#[derive(Debug)]
pub struct Services {
    pub store: Arc<dyn Store>,
    pub catalog: Catalog,
    pub blobs: Blobs,
    pub routes: Routes,
    pub guard: Guard,
    pub policy: policy::Policy,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    /// The trained weights on this machine; `None` where a process has no folder for them.
    pub weights: Option<Pulls>,
    pub settings: Settings,
}

#[derive(Debug, Clone)]
pub struct Settings {
    /// `{media_url}`, without a slash at its end.
    pub media_url: String,
    pub private_media: private::PrivateMedia,
    /// For accounts without a limit of their own.
    pub generations_per_minute: u32,
    /// The limit of one account on all other requests, on this node.
    pub requests_per_minute: u32,
    pub webhook_schedule: webhooks::schedule::Schedule,
    /// The folder of uploads and work files while they are made.
    pub scratch: Scratch,
    pub max_upload_bytes: u64,
    /// The opening credits of the first operator's account.
    pub first_operator_credits: i64,
    pub retention: retention::Retention,
    /// The pictures and sounds that carry a hidden mark.
    pub watermark: Coverage,
    /// The operator's own key of these marks.
    pub watermark_key: Option<[u8; 32]>,
    /// The OpenID provider at which people sign in.
    pub oidc: Option<people::oidc::OidcSettings>,
    /// The server that takes mail; without one, none is sent.
    pub mail: Option<atelier_outbound::smtp::SmtpServer>,
    /// The configuration that all this was read from, for operators to see.
    pub in_force: Vec<admin::overview::SettingInForce>,
}

/// The use cases of requests: every one is a method, found in the file named for its verb. Made by [`System::app`].
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    services: Services,
    /// The models that an engine serves now, and how; the first target serves.
    served: RwLock<Served>,
    hints: Arc<hints::Hints>,
    attempts: attempts::Attempts,
    followed: remote_attempts::Followed,
    loads: remote_attempts::Loads,
    keys_used: auth::KeysUsed,
    request_limits: auth::RequestLimits,
    request_log: requests::RequestLog,
    watermark_key: tokio::sync::OnceCell<[u8; 32]>,
    media_key: tokio::sync::OnceCell<[u8; 32]>,
    upload_key: tokio::sync::OnceCell<[u8; 32]>,
    signer: tokio::sync::OnceCell<Signer>,
    verifying: verify::Verifying,
    fixed_outputs: outputs::FixedOutputs,
    means: generations::waiting::Means,
    hash_lists: policy::hashes::Known,
    sessions_used: people::session::SessionsUsed,
    guesses: people::Guesses,
    hashing: people::passwords::Hashing,
    outbox: people::mail::Outbox,
    previews: previews::Turns,
    retained: retention::Progress,
    oidc: Option<people::oidc::Provider>,
    node: WorkerId,
}

/// The targets of each served model, by slug.
type Served = HashMap<String, Arc<[Target]>>;

fn served(services: &Services) -> Served {
    services
        .catalog
        .iter()
        .map(|model| (model.slug.clone(), Arc::from(targets(&services.routes, model))))
        .filter(|(_, targets): &(_, Arc<[Target]>)| !targets.is_empty())
        .collect()
}

impl App {
    fn new(services: Services) -> Self {
        let served = RwLock::new(served(&services));
        let oidc = services.settings.oidc.clone().map(people::oidc::Provider::new);
        let hints = Arc::new(hints::Hints::default());
        let node = WorkerId(services.entropy.uuid(services.clock.now()));
        Self(Arc::new(Inner {
            services,
            served,
            hints,
            attempts: attempts::Attempts::default(),
            followed: remote_attempts::Followed::default(),
            loads: remote_attempts::Loads::default(),
            keys_used: auth::KeysUsed::default(),
            request_limits: auth::RequestLimits::default(),
            request_log: requests::RequestLog::default(),
            watermark_key: tokio::sync::OnceCell::new(),
            media_key: tokio::sync::OnceCell::new(),
            upload_key: tokio::sync::OnceCell::new(),
            signer: tokio::sync::OnceCell::new(),
            verifying: verify::Verifying::default(),
            fixed_outputs: outputs::FixedOutputs::default(),
            means: generations::waiting::Means::default(),
            hash_lists: policy::hashes::Known::default(),
            sessions_used: people::session::SessionsUsed::default(),
            guesses: people::Guesses::default(),
            hashing: people::passwords::Hashing::default(),
            outbox: people::mail::Outbox::default(),
            previews: previews::Turns::default(),
            retained: retention::Progress::default(),
            oidc,
            node,
        }))
    }

    pub fn catalog(&self) -> &Catalog {
        &self.0.services.catalog
    }

    pub fn entropy(&self) -> &dyn Entropy {
        &*self.0.services.entropy
    }

    pub fn now(&self) -> Timestamp {
        self.0.services.clock.now()
    }

    /// Returns the targets that serve a model, in the order to try; empty for a model that nothing serves.
    pub fn targets(&self, model: &str) -> Arc<[Target]> {
        let served = self.0.served.read().unwrap_or_else(PoisonError::into_inner);
        served.get(model).map_or_else(|| Arc::from([]), Arc::clone)
    }

    /// Whether an engine serves a model now.
    pub fn is_served(&self, model: &str) -> bool {
        let served = self.0.served.read().unwrap_or_else(PoisonError::into_inner);
        served.contains_key(model)
    }

    /// Sets the weights that serve models by themselves from now on.
    pub(crate) fn set_weights(&self, serving: Vec<Serving>) {
        self.routes().set_weights(serving);
        let served = served(&self.0.services);
        *self.0.served.write().unwrap_or_else(PoisonError::into_inner) = served;
    }

    /// The origin and path of stored files, without a slash at its end.
    pub fn media_base(&self) -> &str {
        &self.settings().media_url
    }

    /// The limit on generations of accounts without a limit of their own.
    pub fn generations_per_minute(&self) -> u32 {
        self.settings().generations_per_minute
    }

    /// The limit on all other requests of an account.
    pub fn requests_per_minute(&self) -> u32 {
        self.settings().requests_per_minute
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.0.services.store
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.0.services.blobs
    }

    pub(crate) fn routes(&self) -> &Routes {
        &self.0.services.routes
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.0.services.guard
    }

    pub(crate) fn policy(&self) -> &policy::Policy {
        &self.0.services.policy
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.services.settings
    }

    pub(crate) fn hints(&self) -> &Arc<hints::Hints> {
        &self.0.hints
    }

    pub(crate) fn attempts(&self) -> &attempts::Attempts {
        &self.0.attempts
    }

    pub(crate) fn followed(&self) -> &remote_attempts::Followed {
        &self.0.followed
    }

    pub(crate) fn loads(&self) -> &remote_attempts::Loads {
        &self.0.loads
    }

    /// Administration in somebody's name. Callers have checked that they may.
    pub(crate) fn acting(&self, by: Actor) -> Admin {
        let services = &self.0.services;
        let (store, clock, entropy) = (&services.store, &services.clock, &services.entropy);
        Admin::new(
            Arc::clone(store),
            Arc::clone(clock),
            Arc::clone(entropy),
            services.guard,
            by,
        )
    }

    /// The lanes that each served model is claimed from now, in order.
    pub(crate) fn lanes(&self) -> HashMap<String, Vec<String>> {
        let lanes = |model: &Model| (model.slug.clone(), self.lanes_of(&model.slug));
        self.catalog().iter().map(lanes).collect()
    }

    /// The engines that take a model's waiting jobs now: the healthy ones, or else the first.
    fn lanes_of(&self, model: &str) -> Vec<String> {
        let targets = self.targets(model);
        let name = |target: &Target| target.engine.name().to_owned();
        let healthy = targets.iter().filter(|target| is_healthy(target));
        let mut lanes: Vec<String> = healthy.map(name).collect();
        if lanes.is_empty() {
            lanes.extend(targets.first().map(name));
        }
        lanes
    }

    /// The engine that a new job of a model goes to. The job may be the one that tests whether an engine works
    /// again.
    pub(crate) fn lane_for_new_job(&self, model: &str) -> Option<String> {
        let now = self.now();
        self.first_lane(model, |target| {
            target.breaker.as_ref().is_none_or(|breaker| breaker.admits(now))
        })
    }

    fn first_lane(&self, model: &str, takes: impl Fn(&Target) -> bool) -> Option<String> {
        let targets = self.targets(model);
        let target = targets.iter().find(|target| takes(target)).or(targets.first())?;
        Some(target.engine.name().to_owned())
    }

    /// The engine that gets a job's next attempt after a failure of `served_by`: the next healthy one in the
    /// model's order, starting over at its end.
    pub(crate) fn next_lane(&self, model: &str, served_by: &str) -> String {
        let targets = self.targets(model);
        let last = targets
            .iter()
            .position(|target| target.engine.name() == served_by);
        let first = last.map_or(0, |last| last + 1);
        let round = (0..targets.len()).map(|step| &targets[(first + step) % targets.len()]);
        let next = round
            .clone()
            .find(|target| is_healthy(target))
            .or(round.clone().next());
        next.map_or(served_by, |target| target.engine.name()).to_owned()
    }

    /// The oldest use of an idempotency key that still counts.
    pub(crate) fn idempotency_horizon(&self) -> Timestamp {
        self.now().minus(Duration::from_hours(24))
    }
}

fn is_healthy(target: &Target) -> bool {
    target.breaker.as_ref().is_none_or(|breaker| breaker.is_closed())
}

/// Returns the targets that serve a model by these routes, in the order to try.
pub fn targets(routes: &Routes, model: &Model) -> Vec<Target> {
    let own: Vec<_> = model
        .routes
        .iter()
        .map(|route| (route.engine.as_str(), route.task.as_str()))
        .collect();
    routes.for_model(&model.slug, model.output, &own)
}
