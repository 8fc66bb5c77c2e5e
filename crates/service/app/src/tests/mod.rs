//! Use cases over a real store, with time that stands still.

mod attempts;
mod direct;
mod ending;
mod inputs;
mod links;
mod outbox;
mod people;
mod policy;
mod previews;
mod private;
mod replays;
mod retention;
mod roles;
mod takedown;
mod two_step;
mod weights;

use std::sync::Arc;

use atelier_catalog::Catalog;
use atelier_domain::{AccountRole, Actor, Plan, Role};
use atelier_engines::{EchoEngine, Engine, Routes, routes::Route};
use atelier_media::{Blobs, Scratch, scratch::Quota};
use atelier_outbound::Guard;
use atelier_store::{
    Faults,
    sqlite::{Options, SqliteStore},
};
use atelier_testkit::{CountingEntropy, TestClock};
use atelier_weights::Pulls;
use tempfile::TempDir;

use crate::{
    Admin, App, Services, Settings, System,
    accounts::create::CreateAccount,
    people::{Browser, Entry, NewSession, SignedIn},
    policy::Policy,
    webhooks::schedule::Schedule,
};

pub(super) const PASSWORD: &str = "a long enough word";

/// A service without workers.
pub(super) struct World {
    pub(super) system: System,
    pub(super) app: App,
    pub(super) clock: Arc<TestClock>,
    folder: TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        Self::with(Arc::new(EchoEngine), None)
    }

    /// With one engine for all models, and a store that fails when told to.
    pub(super) fn with(engine: Arc<dyn Engine>, faults: Option<Arc<dyn Faults>>) -> Self {
        Self::of(engine, faults, None, Policy::default())
    }

    /// With these trained weights.
    pub(super) fn with_weights(weights: Pulls) -> Self {
        Self::of(Arc::new(EchoEngine), None, Some(weights), Policy::default())
    }

    /// With this content policy.
    pub(super) fn with_policy(policy: Policy) -> Self {
        Self::of(Arc::new(EchoEngine), None, None, policy)
    }

    fn of(
        engine: Arc<dyn Engine>,
        faults: Option<Arc<dyn Faults>>,
        weights: Option<Pulls>,
        policy: Policy,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock::default());
        std::fs::create_dir(folder.path().join("scratch")).unwrap();
        let everything = Route {
            model: "*".to_owned(),
            engine: engine.name().to_owned(),
            target: None,
            workflow: None,
            body: None,
        };
        let options = Options {
            faults,
            ..Options::new(folder.path().join("db"))
        };
        let system = System::new(Services {
            store: Arc::new(SqliteStore::open(options).unwrap()),
            catalog: Catalog::load(None).unwrap(),
            blobs: Blobs::memory()
                .taking_uploads_at("https://bucket.example.com")
                .unwrap(),
            routes: Routes::new(vec![engine], vec![everything]).unwrap(),
            guard: Guard { allow_private: false },
            policy,
            clock: Arc::clone(&clock) as Arc<_>,
            entropy: Arc::new(CountingEntropy::default()),
            weights,
            settings: Settings {
                media_url: "http://localhost/media".to_owned(),
                private_media: crate::private::PrivateMedia {
                    url: "http://localhost/media".to_owned(),
                    life: std::time::Duration::from_hours(24),
                },
                generations_per_minute: 20,
                requests_per_minute: 600,
                webhook_schedule: Schedule::new(&[5.0]),
                scratch: Scratch::new(folder.path().join("scratch"), Quota::NONE),
                max_upload_bytes: 1 << 20,
                first_operator_credits: 500,
                retention: crate::retention::Retention {
                    uploads: Some(std::time::Duration::from_hours(240)),
                    ..crate::retention::Retention::default()
                },
                watermark: atelier_engines::Coverage::Off,
                watermark_key: None,
                oidc: None,
                mail: None,
                in_force: Vec::new(),
            },
        });
        Self {
            app: system.app().clone(),
            system,
            clock,
            folder,
        }
    }

    pub(super) fn scratch(&self) -> std::path::PathBuf {
        self.folder.path().join("scratch")
    }

    /// Administration at the command line.
    pub(super) fn cli(&self) -> Admin {
        self.system.admin(Actor::Cli)
    }

    pub(super) async fn account(&self, name: &str) {
        let new = CreateAccount {
            name: name.to_owned(),
            credits: 100,
            plan: Some(Plan {
                name: "standard".to_owned(),
                active: true,
            }),
            beta: true,
            generations_per_minute: None,
            private_media: false,
        };
        self.cli().create_account(new).await.unwrap();
    }

    /// A link to an account that exists.
    pub(super) async fn link(&self, account: &str, role: Role) -> String {
        self.link_as(account, role, AccountRole::Owner).await
    }

    /// A link to an account that exists, with a role in it.
    pub(super) async fn link_as(&self, account: &str, role: Role, account_role: AccountRole) -> String {
        let invited = self.cli().invite(account, role, account_role).await;
        invited.unwrap().token
    }

    /// A user with an account of their own.
    pub(super) async fn member(&self, login: &str) -> SignedIn {
        self.account(&format!("{login}'s")).await;
        let token = self.link(&format!("{login}'s"), Role::Member).await;
        let session = self.app.join(&token, login, PASSWORD, &browser()).await.unwrap();
        self.signed_in(&session).await.unwrap()
    }

    /// The operator of the first start.
    pub(super) async fn operator(&self) -> SignedIn {
        let app = &self.app;
        let invited = self.system.invite_first_operator().await;
        let token = invited.unwrap().unwrap().token;
        let session = app.join(&token, "ada", PASSWORD, &browser()).await.unwrap();
        self.signed_in(&session).await.unwrap()
    }

    /// The session of a user who signs in with a password alone.
    pub(super) async fn session(&self, login: &str, password: &str) -> NewSession {
        entered(self.app.sign_in(login, password, &browser()).await.unwrap())
    }

    pub(super) async fn signed_in(&self, session: &NewSession) -> Option<SignedIn> {
        self.app.signed_in(&session.token, &browser()).await.unwrap()
    }
}

/// The session of somebody who is not asked for a code.
pub(super) fn entered(entry: Entry) -> NewSession {
    match entry {
        Entry::SignedIn(session) => session,
        Entry::Code(_) => panic!("a code is asked for"),
    }
}

pub(super) fn browser() -> Browser {
    Browser {
        address: "192.0.2.1".to_owned(),
        user_agent: "a browser".to_owned(),
    }
}
