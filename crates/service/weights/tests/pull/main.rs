//! Pulls from servers that misbehave: the result is the right bytes or a plain error, and few bytes come twice.
//! And what is done with models that are here.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

mod bytes;
mod imports;
mod jobs;
mod keeping;
mod places;
mod secure;
mod server;
mod shared;
mod stops;

use std::{sync::Arc, time::Duration};

use atelier_weights::{
    Downloader, Entry, Error, Index, Installed, Meter, NoPreparation, Options, Policy, Puller, Store, parse,
};
use sha2::{Digest as _, Sha256};

pub(crate) use server::{Reply, Server};

/// The size of a piece in these tests.
pub(crate) const PIECE: u64 = 256 << 10;

/// Bytes that are different everywhere.
pub(crate) fn file(size: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..size)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

/// The text of an entry with one file.
pub(crate) fn entry_text(name: &str, expected: &[u8], urls: &[&str]) -> String {
    let mirrors: Vec<String> = urls[1..].iter().map(|url| format!("{url:?}")).collect();
    format!(
        r#"name = "{name}"
title = "Tiny"
kind = "model"
summary = "A model for tests."
status = "verified"
serves = [{{ model = "upscale", task = "upscale" }}]
runtime = "onnx"
licence = {{ id = "MIT", page = "https://example.com/licence", commercial = "yes" }}
graph = {{ kind = "image" }}

[[files]]
role = "graph"
name = "{name}.onnx"
size = {}
sha256 = "{}"
url = "{}"
mirrors = [{}]
"#,
        expected.len(),
        hex::encode(Sha256::digest(expected)),
        urls[0],
        mirrors.join(", ")
    )
}

pub(crate) fn entry(name: &str, expected: &[u8], urls: &[&str]) -> Entry {
    parse(&format!("{name}.toml"), &entry_text(name, expected, urls)).unwrap()
}

pub(crate) struct Setup {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) options: Options,
    pub(crate) index: Index,
    expected: Vec<u8>,
}

impl Setup {
    /// One entry, `tiny`, whose file has these bytes and addresses.
    pub(crate) fn new(expected: &[u8], urls: &[&str]) -> Self {
        let mut index = Index::default();
        index.add(entry("tiny", expected, urls));
        Self {
            folder: tempfile::tempdir().unwrap(),
            options: Options {
                allow_http: true,
                piece: PIECE,
                parallel_from: 4 * PIECE,
                stall: Duration::from_millis(400),
                backoff: Duration::from_millis(10),
                ..Options::default()
            },
            index,
            expected: expected.to_vec(),
        }
    }

    pub(crate) fn puller(&self) -> Puller {
        let store = Store::new(self.folder.path().join("models"));
        Puller {
            downloader: Downloader::new(store.clone(), self.options.clone()).unwrap(),
            store,
            index: Arc::new(self.index.clone()),
            prepare: Arc::new(NoPreparation),
            policy: Policy::default(),
            runtimes: &["onnx"],
            programs: &[],
            depot: None,
            max_bytes: None,
        }
    }

    pub(crate) async fn pull(&self) -> Result<Installed, Error> {
        self.pull_with(&Meter::default()).await
    }

    /// Pulls, and checks that what is there is right.
    pub(crate) async fn pull_with(&self, meter: &Meter) -> Result<Installed, Error> {
        let puller = self.puller();
        let plan = puller.plan(&["tiny".to_owned()])?;
        let pulled = puller.pull(&plan, meter).await;
        match &pulled {
            Ok(pulled) => {
                let installed = pulled.last().unwrap();
                assert!(std::fs::read(installed.path("graph").unwrap()).unwrap() == self.expected);
                assert_eq!(meter.verified(), self.expected.len() as u64);
            }
            Err(_) => assert_eq!(puller.store.installed().unwrap(), []),
        }
        pulled.map(|mut pulled| pulled.remove(0))
    }

    /// The error of a pull that fails, in words.
    pub(crate) async fn refusal(&self) -> String {
        self.pull().await.unwrap_err().to_string()
    }
}
