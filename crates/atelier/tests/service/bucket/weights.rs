//! Weights that nodes share in the bucket.

use std::sync::atomic::Ordering;

use sha2::{Digest as _, Sha256};

use super::s3::{S3, SECRET};
use crate::{
    setup::World,
    weights::{self, Host, NETWORK},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_one_node_pulled_come_to_the_next_from_the_bucket() {
    let (bucket, host) = (S3::start(), Host::start(NETWORK).await);
    let sharing = format!(
        "{}{}[models]\nshare = \"on\"\n",
        weights::CONFIG,
        bucket.config(SECRET)
    );
    let not_sharing = format!("{}{}", weights::CONFIG, bucket.config(SECRET));
    let key = format!(
        "some/media/weights/sha256-{}",
        hex::encode(Sha256::digest(NETWORK))
    );
    for (config, from_origin) in [(&not_sharing, 1), (&sharing, 2), (&sharing, 2), (&not_sharing, 3)] {
        let node = World::prepare(config);
        weights::add_entry(&node, &host.url);
        node.server.json(&["models", "pull", "own-cutout"]);
        assert_eq!(host.asked.load(Ordering::Relaxed), from_origin, "{config}");
        let pulled = std::fs::read(node.server.data().join("models/own-cutout/network.onnx")).unwrap();
        assert!(pulled == NETWORK);
        let is_shared = bucket
            .objects()
            .get(&key)
            .is_some_and(|object| object.bytes == NETWORK);
        assert_eq!(is_shared, from_origin > 1);
    }
    let reads = bucket
        .done()
        .into_iter()
        .filter(|done| done.starts_with(&format!("GET {key} ")));
    assert!(reads.count() > 0, "the third node read from the bucket");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_removes_from_the_bucket_what_none_of_its_weights_need() {
    let (bucket, host) = (S3::start(), Host::start(NETWORK).await);
    let sharing = format!(
        "{}{}[models]\nshare = \"on\"\n",
        weights::CONFIG,
        bucket.config(SECRET)
    );
    let node = World::prepare(&sharing);
    weights::add_entry(&node, &host.url);
    node.server.json(&["models", "pull", "own-cutout"]);
    let key = format!(
        "some/media/weights/sha256-{}",
        hex::encode(Sha256::digest(NETWORK))
    );
    let has = || bucket.objects().contains_key(&key);
    let kept = node.server.json(&["models", "gc", "--shared"]);
    assert!(kept["files"] == 0 && has(), "its weights need the file: {kept}");

    // Another node has other weights. The first keeps its file.
    let other = World::prepare(&sharing);
    let removed = other.server.json(&["models", "gc", "--shared"]);
    assert_eq!(
        (&removed["files"], &removed["bytes"]),
        (&1.into(), &NETWORK.len().into())
    );
    assert!(!has());
    assert_eq!(
        node.server.json(&["models", "verify"])["damaged"],
        serde_json::json!([])
    );

    let alone = World::prepare(weights::CONFIG);
    let (code, answer, error) = alone.server.command(&["models", "gc", "--shared"]);
    assert!(
        code == 1 && format!("{answer}{error}").contains("requires `models.share = \"on\"`"),
        "{answer}{error}"
    );
}
