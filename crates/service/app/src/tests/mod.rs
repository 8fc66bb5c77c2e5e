//! Use cases over a real store, with time that stands still.

mod outbox;
mod people;
mod takedown;

use std::sync::Arc;

use atelier_catalog::Catalog;
use atelier_domain::{Actor, Plan, Role};
use atelier_engines::{EchoEngine, Engine, Routes, routes::Route};
use atelier_media::Blobs;
use atelier_outbound::Guard;
use atelier_store::sqlite::{Options, SqliteStore};
use atelier_testkit::{CountingEntropy, TestClock};
use tempfile::TempDir;

use crate::{
    App, Services, Settings,
    accounts::create::{CreateAccount, create},
    people::{Browser, NewSession, SignedIn, invite},
    policy::Policy,
    webhooks::schedule::Schedule,
};

pub(super) const PASSWORD: &str = "a long enough word";

/// A service without workers.
pub(super) struct World {
    pub(super) app: App,
    pub(super) clock: Arc<TestClock>,
    _folder: TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock::default());
        std::fs::create_dir(folder.path().join("scratch")).unwrap();
        let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(EchoEngine)];
        let everything = Route {
            model: "*".to_owned(),
            engine: "echo".to_owned(),
            target: None,
            workflow: None,
            body: None,
        };
        let app = App::new(Services {
            store: Arc::new(SqliteStore::open(Options::new(folder.path().join("db"))).unwrap()),
            catalog: Catalog::load(None).unwrap(),
            blobs: Blobs::memory(),
            routes: Routes::new(engines, vec![everything]).unwrap(),
            guard: Guard { allow_private: false },
            policy: Policy::default(),
            clock: Arc::clone(&clock) as Arc<_>,
            entropy: Arc::new(CountingEntropy::default()),
            settings: Settings {
                media_url: "http://localhost/media".to_owned(),
                generations_per_minute: 20,
                requests_per_minute: 600,
                webhook_schedule: Schedule::new(&[5.0]),
                scratch: folder.path().join("scratch"),
                max_upload_bytes: 1 << 20,
                first_operator_credits: 500,
                in_force: Vec::new(),
            },
        });
        Self {
            app,
            clock,
            _folder: folder,
        }
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
        };
        let app = &self.app;
        create(app.store(), app.clock(), app.entropy(), &Actor::Cli, new)
            .await
            .unwrap();
    }

    /// A link to an account that is there.
    pub(super) async fn link(&self, account: &str, role: Role) -> String {
        let app = &self.app;
        let (clock, entropy) = (app.clock(), app.entropy());
        let invited = invite::invite(app.store(), clock, entropy, &Actor::Cli, account, role).await;
        invited.unwrap().token
    }

    /// A user of an account made for him.
    pub(super) async fn member(&self, login: &str) -> SignedIn {
        self.account(&format!("{login}'s")).await;
        let token = self.link(&format!("{login}'s"), Role::Member).await;
        let session = self.app.join(&token, login, PASSWORD, &browser()).await.unwrap();
        self.signed_in(&session).await.unwrap()
    }

    /// The operator of the first start.
    pub(super) async fn operator(&self) -> SignedIn {
        let app = &self.app;
        let invited = invite::invite_first_operator(app.store(), app.clock(), app.entropy()).await;
        let token = invited.unwrap().unwrap().token;
        let session = app.join(&token, "ada", PASSWORD, &browser()).await.unwrap();
        self.signed_in(&session).await.unwrap()
    }

    pub(super) async fn signed_in(&self, session: &NewSession) -> Option<SignedIn> {
        self.app.signed_in(&session.token, &browser()).await.unwrap()
    }
}

pub(super) fn browser() -> Browser {
    Browser {
        address: "192.0.2.1".to_owned(),
        user_agent: "a browser".to_owned(),
    }
}
