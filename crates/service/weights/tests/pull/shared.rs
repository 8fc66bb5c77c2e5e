//! Blobs that nodes share: the origin is asked once, and a faulty bucket costs a download from the origin.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex},
};

use atelier_weights::{Depot, Meter, Pin, Puller};
use futures::future::BoxFuture;
use url::Url;

use crate::{PIECE, Reply, Server, Setup, file};

const SIZE: usize = 2_000_000;

type Blobs = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// A bucket whose files a server has.
#[derive(Debug)]
struct Bucket {
    blobs: Blobs,
    url: Result<String, String>,
}

impl Depot for Bucket {
    fn address<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<Option<Url>, String>> {
        Box::pin(async move {
            let url = self.url.clone()?;
            let has = self.blobs.lock().unwrap().contains_key(&pin.sha256);
            Ok(has.then(|| format!("{url}{}", pin.sha256).parse().unwrap()))
        })
    }

    fn put<'a>(&'a self, pin: &'a Pin, blob: &'a Path) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            self.url.clone()?;
            let bytes = std::fs::read(blob).map_err(|error| error.to_string())?;
            self.blobs.lock().unwrap().insert(pin.sha256.clone(), bytes);
            Ok(())
        })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<Pin>, String>> {
        Box::pin(async move {
            self.url.clone()?;
            let blobs = self.blobs.lock().unwrap();
            let pins = blobs.iter().map(|(sha256, bytes)| Pin {
                sha256: sha256.clone(),
                size: bytes.len() as u64,
            });
            Ok(pins.collect())
        })
    }

    fn remove<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            self.url.clone()?;
            self.blobs.lock().unwrap().remove(&pin.sha256);
            Ok(())
        })
    }
}

async fn bucket() -> (Server, Blobs) {
    let blobs = Blobs::default();
    let kept = Arc::clone(&blobs);
    let server = Server::start(move |request| {
        let digest = request.path.trim_start_matches('/');
        match kept.lock().unwrap().get(digest) {
            // Signed addresses are for GET alone.
            Some(_) if request.method == "head" => Reply::status(403),
            Some(bytes) => Reply::of(request, bytes),
            None => Reply::status(404),
        }
    })
    .await;
    (server, blobs)
}

/// A node of its own with the entry, the origin and this bucket.
fn node(bytes: &[u8], origin: &Server, blobs: &Blobs, url: Result<String, String>) -> (Setup, Puller) {
    let setup = Setup::new(bytes, &[&origin.url()]);
    let depot = Bucket {
        blobs: Arc::clone(blobs),
        url,
    };
    let puller = Puller {
        depot: Some(Arc::new(depot)),
        ..setup.puller()
    };
    (setup, puller)
}

/// Pulls the entry; the file is right afterwards.
async fn pull(puller: &Puller, bytes: &[u8]) {
    let plan = puller.plan(&["tiny".to_owned()]).unwrap();
    let installed = puller.pull(&plan, &Meter::default()).await.unwrap();
    assert!(std::fs::read(installed[0].path("graph").unwrap()).unwrap() == bytes);
}

#[tokio::test]
async fn the_origin_is_asked_once_for_all_nodes() {
    let bytes = file(SIZE);
    let origin = Server::good(bytes.clone()).await;
    let (server, blobs) = bucket().await;
    for _ in 0..3 {
        let url = Ok(format!("http://{}/", server.address));
        let (_setup, puller) = node(&bytes, &origin, &blobs, url);
        pull(&puller, &bytes).await;
    }
    assert_eq!((origin.sent(), server.sent()), (SIZE as u64, 2 * SIZE as u64 + 2));
}

#[tokio::test]
async fn a_wrong_byte_in_the_bucket_is_found_and_comes_from_the_origin() {
    let bytes = file(SIZE);
    let origin = Server::good(bytes.clone()).await;
    let (server, blobs) = bucket().await;
    let url = Ok(format!("http://{}/", server.address));
    let (_setup, puller) = node(&bytes, &origin, &blobs, url);
    let mut wrong = bytes.clone();
    wrong[17] ^= 1;
    let digest = puller.index.get("tiny").unwrap().files[0].sha256.clone().unwrap();
    blobs.lock().unwrap().insert(digest, wrong);
    pull(&puller, &bytes).await;
    assert!(origin.sent() <= 7 * PIECE, "{}", origin.sent());
}

#[tokio::test]
async fn without_the_bucket_the_origin_serves() {
    let bytes = file(SIZE);
    let origin = Server::good(bytes.clone()).await;
    let (_server, blobs) = bucket().await;
    let (_setup, puller) = node(&bytes, &origin, &blobs, Err("the bucket is gone".to_owned()));
    pull(&puller, &bytes).await;
    // An address that nobody answers.
    let digest = puller.index.get("tiny").unwrap().files[0].sha256.clone().unwrap();
    blobs.lock().unwrap().insert(digest, bytes.clone());
    let (_setup, puller) = node(&bytes, &origin, &blobs, Ok("http://127.0.0.1:9/".to_owned()));
    pull(&puller, &bytes).await;
    assert_eq!(origin.sent(), 2 * SIZE as u64);
}
