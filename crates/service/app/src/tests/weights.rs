//! Tests of trained weights on the operator's side, with a real store and a real server of small files.

use std::{sync::Arc, time::Duration};

use atelier_testkit::{
    WeightsServer,
    weights::{OWN_TERMS, PERMISSIVE},
};
use atelier_weights::{Downloader, Index, NoPreparation, Options, Policy, Puller, Pulls, Store, parse};

use super::World;
use crate::{
    Error, Operator,
    admin::weights::{Weights, WeightsState},
    changes::ChangeFilter,
};

/// A service with the entries `tiny`, `owned` (its licence must be accepted), `gone` (its file is not there), and
/// `open` (its size is not known).
struct Shop {
    world: World,
    operator: Operator,
    server: WeightsServer,
    pulls: Pulls,
    _folder: tempfile::TempDir,
}

impl Shop {
    async fn new() -> Self {
        let server = WeightsServer::start().await;
        let mut index = Index::default();
        let unpinned = server
            .entry("open", PERMISSIVE)
            .replace("\"verified\"", "\"unverified\"\nmissing = \"the size\"");
        let unpinned: Vec<&str> = unpinned
            .lines()
            .filter(|line| !line.starts_with("size"))
            .collect();
        for (name, text) in [
            ("tiny", server.entry("tiny", PERMISSIVE)),
            ("owned", server.entry("owned", OWN_TERMS)),
            ("gone", server.entry("gone", PERMISSIVE)),
            ("open", unpinned.join("\n")),
        ] {
            index.add(parse(&format!("{name}.toml"), &text).unwrap());
        }
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("models"));
        let options = Options {
            allow_http: true,
            ..Options::default()
        };
        let pulls = Pulls::start(Puller {
            downloader: Downloader::new(store.clone(), options).unwrap(),
            store,
            index: Arc::new(index),
            prepare: Arc::new(NoPreparation),
            policy: Policy::default(),
            runtimes: &["onnx"],
            programs: &[],
            depot: None,
            max_bytes: None,
        })
        .unwrap();
        let world = World::with_weights(pulls.clone());
        let operator = world.app.operator(&world.operator().await).unwrap();
        Self {
            world,
            operator,
            server,
            pulls,
            _folder: folder,
        }
    }

    async fn weights(&self, name: &str) -> Weights {
        self.world
            .app
            .weights_named(&self.operator, name)
            .await
            .unwrap()
            .0
    }

    async fn pull(&self, name: &str, accepted: bool) -> crate::Result<()> {
        self.world.app.pull_weights(&self.operator, name, accepted).await
    }

    /// Waits until the entry is in such a state.
    async fn until(&self, name: &str, is: impl Fn(&WeightsState) -> bool) -> WeightsState {
        for _ in 0..1_000 {
            let state = self.weights(name).await.state;
            if is(&state) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it did not come: {:?}", self.weights(name).await.state);
    }

    /// The actions about weights, in the order of their time, each with its object.
    async fn recorded(&self) -> Vec<String> {
        let changes = self
            .world
            .app
            .changes(&self.operator, &ChangeFilter::default(), None, 100)
            .await
            .unwrap();
        let about_weights = |action: &str| action.starts_with("weights.") || action == "licence.accept";
        let mut found: Vec<String> = changes
            .items
            .iter()
            .filter(|change| about_weights(&change.action))
            .map(|change| format!("{} {} by {}", change.action, change.object, change.actor))
            .collect();
        found.reverse();
        found
    }
}

fn is_here(state: &WeightsState) -> bool {
    matches!(state, WeightsState::Here { .. })
}

#[tokio::test]
async fn weights_are_pulled_with_progress_and_removed_and_each_change_is_recorded() {
    let shop = Shop::new().await;
    let app = &shop.world.app;
    let WeightsState::Absent(Ok(offer)) = shop.weights("tiny").await.state else {
        panic!("it can be pulled");
    };
    assert_eq!((offer.missing_bytes, offer.to_accept.len()), (50_000, 0));

    shop.server.hold();
    shop.pull("tiny", false).await.unwrap();
    let state = shop
        .until(
            "tiny",
            |state| matches!(state, WeightsState::Pulling(pull) if pull.total_bytes > 0),
        )
        .await;
    let WeightsState::Pulling(pull) = state else {
        unreachable!()
    };
    assert_eq!(
        (pull.by.as_str(), pull.verified_bytes, pull.total_bytes),
        ("ada", 0, 50_000)
    );
    // Asking again changes nothing and is not recorded again.
    shop.pull("tiny", false).await.unwrap();
    shop.server.release();
    let here = shop.until("tiny", is_here).await;
    assert!(matches!(here, WeightsState::Here { bytes: 50_000, used_by } if used_by.is_empty()));
    let list = app.weights(&shop.operator).await.unwrap().unwrap();
    assert_eq!(list.models[0].entry.name, "tiny", "what is here comes first");
    assert!(list.used_bytes >= 50_000, "{}", list.used_bytes);

    let removed = app.remove_weights(&shop.operator, "tiny").await.unwrap();
    assert_eq!(removed.bytes, 50_000);
    assert!(matches!(
        shop.weights("tiny").await.state,
        WeightsState::Absent(Ok(_))
    ));
    let again = app.remove_weights(&shop.operator, "tiny").await;
    assert!(matches!(again, Err(Error::NotFound(_))), "{again:?}");
    assert_eq!(
        shop.recorded().await,
        ["weights.pull tiny by ada", "weights.remove tiny by ada"]
    );
    shop.pulls.stop();
}

#[tokio::test]
async fn a_licence_that_is_not_permissive_must_be_accepted_and_the_acceptance_is_recorded() {
    let shop = Shop::new().await;
    let WeightsState::Absent(Ok(offer)) = shop.weights("owned").await.state else {
        panic!("it can be pulled");
    };
    assert_eq!(offer.to_accept[0].1.name.as_deref(), Some("Own terms"));
    let refused = shop.pull("owned", false).await.unwrap_err();
    let Error::InvalidRequest { message, details } = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(details[0].parameter, "accept");
    assert!(
        message.contains("Own terms") && message.contains("https://example.com/own"),
        "{message}"
    );
    assert_eq!(shop.pulls.list(), [], "nothing is downloaded before that");
    assert_eq!(shop.recorded().await, [""; 0]);

    shop.pull("owned", true).await.unwrap();
    shop.until("owned", is_here).await;
    assert_eq!(
        shop.recorded().await,
        ["licence.accept owned by ada", "weights.pull owned by ada"]
    );
    shop.pulls.stop();
}

#[tokio::test]
async fn a_pull_can_be_cancelled_and_a_failed_one_shows_why() {
    let shop = Shop::new().await;
    shop.server.hold();
    shop.pull("tiny", false).await.unwrap();
    shop.world
        .app
        .cancel_weights(&shop.operator, "tiny")
        .await
        .unwrap();
    assert!(matches!(
        shop.weights("tiny").await.state,
        WeightsState::Absent(Ok(_))
    ));
    // There is nothing left to cancel, and nothing to record.
    shop.world
        .app
        .cancel_weights(&shop.operator, "tiny")
        .await
        .unwrap();

    shop.pull("gone", false).await.unwrap();
    let failed = shop
        .until("gone", |state| matches!(state, WeightsState::Failed { .. }))
        .await;
    let WeightsState::Failed { error, offer } = failed else {
        unreachable!()
    };
    assert!(error.contains("404") && offer.is_ok(), "{error}");
    assert_eq!(
        shop.recorded().await,
        [
            "weights.pull tiny by ada",
            "weights.cancel tiny by ada",
            "weights.pull gone by ada"
        ]
    );
    shop.pulls.stop();
}

#[tokio::test]
async fn an_entry_without_a_size_says_why_it_cannot_be_pulled_and_is_offered_for_no_model() {
    let shop = Shop::new().await;
    let app = &shop.world.app;
    let WeightsState::Absent(Err(why)) = shop.weights("open").await.state else {
        panic!("it cannot be pulled");
    };
    assert!(
        why.contains("size or digest of `open.onnx` is not known"),
        "{why}"
    );
    let refused = shop.pull("open", true).await;
    assert!(
        matches!(refused, Err(Error::InvalidRequest { .. })),
        "{refused:?}"
    );
    let unknown = shop.pull("nothing", true).await;
    assert!(matches!(unknown, Err(Error::NotFound(_))), "{unknown:?}");

    let list = app.weights(&shop.operator).await.unwrap().unwrap();
    let names: Vec<&str> = list
        .models
        .iter()
        .map(|weights| weights.entry.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["gone", "owned", "tiny", "open"],
        "what can be pulled comes first"
    );
    let offered = app.weights_for(&shop.operator, "upscale").await.unwrap();
    let names: Vec<&str> = offered
        .iter()
        .map(|weights| weights.entry.name.as_str())
        .collect();
    assert_eq!(names, ["gone", "owned", "tiny"]);
    assert_eq!(app.weights_for(&shop.operator, "inpaint").await.unwrap().len(), 0);
    shop.pulls.stop();
}

#[tokio::test]
async fn a_process_without_a_folder_for_weights_has_none() {
    let world = World::new();
    let operator = world.app.operator(&world.operator().await).unwrap();
    assert!(world.app.weights(&operator).await.unwrap().is_none());
    assert_eq!(
        world.app.weights_for(&operator, "upscale").await.unwrap().len(),
        0
    );
    let refused = world.app.pull_weights(&operator, "u2netp", true).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
}
