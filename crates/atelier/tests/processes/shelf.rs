//! A service with pulled weights and programs, which are stand-ins.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    Place,
    setup::{Account, World, until},
};

pub(crate) const CONFIG: &str = "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n\
                      [outbound]\nallow_private = true\n[devices.cpu]\nmemory_mb = 1000\n";
/// A service, the stand-in as the program of a pulled runtime, and weights that it does not read.
pub(crate) struct Shelf {
    pub(crate) place: Place,
    pub(crate) world: World,
}

impl Shelf {
    /// The running service, which has the program and no weights.
    pub(crate) fn new() -> Self {
        let mut shelf = Self::empty(CONFIG);
        shelf.program("log");
        shelf.world.server.start();
        shelf
    }

    /// The service that does not run, and has no program.
    pub(crate) fn empty(config: &str) -> Self {
        let place = Place::new();
        fs::write(place.path("sd_server.py"), include_str!("sd_server.py")).unwrap();
        let world = World::prepare(config);
        fs::create_dir_all(world.server.data().join("models.d")).unwrap();
        Self { place, world }
    }

    /// The program, whose requests are lines in this log. Another log makes it another version.
    pub(crate) fn program(&self, log: &str) {
        self.program_for("cpu", log, "");
    }

    /// The program for a kind of device, which does this first.
    pub(crate) fn program_for(&self, device: &str, log: &str, first: &str) {
        let path = |name: &str| self.place.path(name).display().to_string();
        let (arguments, server, log) = (path("arguments"), path("sd_server.py"), path(log));
        let script = format!(
            "#!/bin/sh\necho \"$@\" >> {arguments}\n{first}\nexec python3 {server} \"$4\" {log} \"$@\"\n"
        );
        self.runtime(&format!("sd-server-{device}-toy"), "sd-server", &script);
    }

    /// A pulled runtime with this script as its program.
    pub(crate) fn runtime(&self, name: &str, program: &str, script: &str) {
        let archive = self.place.pack(program, script);
        self.runtime_of(name, &archive);
        self.import(&archive);
    }

    /// The entry of a runtime for this machine.
    pub(crate) fn runtime_of(&self, name: &str, archive: &Path) {
        let target = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let facts = format!("kind = \"runtime\"\ntarget = \"{target}\"");
        self.entry(name, &facts, "runtime", archive, "");
    }

    pub(crate) fn entry(&self, name: &str, facts: &str, role: &str, file: &Path, settings: &str) {
        let bytes = fs::read(file).unwrap();
        let name_of_file = file.file_name().unwrap().to_str().unwrap();
        let text = format!(
            r#"
name = "{name}"
title = "Toy {name}"
summary = "For tests."
status = "unverified"
missing = "It is a toy."
licence = {{ id = "MIT", page = "https://example.com/licence", commercial = "yes" }}
{facts}
[[files]]
role = "{role}"
name = "{name_of_file}"
size = {}
sha256 = "{}"
url = "https://github.com/a/b/releases/download/v1/{name_of_file}"
[settings]
{settings}
"#,
            bytes.len(),
            hex::encode(Sha256::digest(&bytes)),
        );
        let entries = self.world.server.data().join("models.d");
        fs::write(entries.join(format!("{name}.toml")), text).unwrap();
    }

    /// A file of safetensors without tensors.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let file = self.place.path(&format!("{name}.safetensors"));
        // The spaces make files differ.
        let header = format!("{{}}{}", " ".repeat(8 * name.len()));
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        fs::write(&file, bytes).unwrap();
        file
    }

    pub(crate) fn import(&self, file: &Path) {
        let server = &self.world.server;
        server.json(&["models", "import", file.to_str().unwrap()]);
    }

    /// Weights for a model and a task, imported while the service runs. Returns when they serve it.
    pub(crate) async fn weights(&self, name: &str, slug: &str, task: &str, settings: &str) -> Account {
        self.large_weights(name, (slug, task), "", settings).await
    }

    /// The same with what they need.
    pub(crate) async fn large_weights(
        &self,
        name: &str,
        serves: (&str, &str),
        needs: &str,
        settings: &str,
    ) -> Account {
        self.weights_for("sd-server", name, serves, needs, settings).await
    }

    /// The same for another runtime.
    pub(crate) async fn weights_for(
        &self,
        runtime: &str,
        name: &str,
        (slug, task): (&str, &str),
        needs: &str,
        settings: &str,
    ) -> Account {
        let file = self.file(name);
        let facts = format!(
            "kind = \"model\"\nruntime = \"{runtime}\"\nserves = [{{ model = \"{slug}\", task = \"{task}\" }}]\n{needs}"
        );
        self.entry(name, &facts, "diffusion_model", &file, settings);
        self.import(&file);
        let account = self.world.account(100_000);
        self.serves(&account, slug, &format!("{runtime}-{name}")).await;
        account
    }

    pub(crate) async fn serves(&self, account: &Account, slug: &str, engine: &str) {
        until(&format!("{slug} is served by {engine}"), async || {
            let model = account.http.get(&format!("/models/{slug}")).await.json();
            model["data"]["served_by"] == engine
        })
        .await;
    }

    pub(crate) async fn serves_no_more(&self, account: &Account, slug: &str, engine: &str) {
        until(&format!("{slug} is not served by {engine}"), async || {
            let model = account.http.get(&format!("/models/{slug}")).await.json();
            model["data"]["served_by"] != engine
        })
        .await;
    }

    /// The last request that the program got.
    pub(crate) fn asked(&self) -> Value {
        let log = self.place.log("log");
        serde_json::from_str(log.last().unwrap()).unwrap()
    }
}
