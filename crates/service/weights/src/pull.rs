//! Pulls: what has to be downloaded for some models, whether it may and fits, and doing it.

use std::{collections::HashSet, sync::Arc};

use serde::Serialize;

use crate::{
    depot::Depot,
    download::{Downloader, Want, blocking},
    entry::{Entry, Kind, Pin, this_target},
    error::{Error, Result, bytes},
    index::Index,
    licence::{Licence, Policy},
    locks::{FileLock, Mode},
    meter::{Meter, Step},
    part,
    place::{self, Prepare},
    source::Source,
    store::{Installed, Store},
};

/// Space that a download leaves free, as a part of its size.
const RESERVE: f64 = 0.02;

/// Pulls models into a store. Clones share connections.
#[derive(Debug, Clone)]
pub struct Puller {
    pub store: Store,
    pub index: Arc<Index>,
    pub downloader: Downloader,
    pub prepare: Arc<dyn Prepare>,
    pub policy: Policy,
    /// The values of an entry's `runtime` for weights that this program runs by itself.
    pub runtimes: &'static [&'static str],
    /// The values for weights that a pulled program `RUNTIME-…` runs, each with the task that it can do.
    pub programs: &'static [(&'static str, &'static str)],
    /// The place where the nodes of the service share blobs.
    pub depot: Option<Arc<dyn Depot>>,
    /// The most bytes that the store may have: `models.max_gb`.
    pub max_bytes: Option<u64>,
}

/// How the weights of an entry come to serve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Runs<'a> {
    /// The service runs them by itself, at once.
    Itself,
    /// A program runs them: one that is here, or this entry's, which has to be pulled too.
    Program(Option<&'a Entry>),
    /// Only a server of the operator's own runs them.
    Elsewhere,
}

/// The plan of pulling some models.
#[derive(Debug, Clone, Serialize)]
pub struct Plan {
    /// The models and what they use, what is used first.
    pub entries: Vec<Entry>,
    /// The blobs that are not here.
    pub missing: Vec<Pin>,
    /// The bytes of all blobs.
    pub total_bytes: u64,
    /// The bytes that have still to come; parts of earlier attempts are not among them.
    pub missing_bytes: u64,
}

impl Plan {
    /// See [`to_accept`].
    pub fn to_accept(&self) -> Vec<(&str, &Licence)> {
        to_accept(&self.entries)
    }
}

/// The licences that somebody must accept before these entries may be here, each with the first entry that has it.
pub fn to_accept(entries: &[Entry]) -> Vec<(&str, &Licence)> {
    let mut seen = HashSet::new();
    entries
        .iter()
        .filter(|entry| {
            let Licence { id, page, .. } = &entry.licence;
            !entry.licence.is_permissive() && seen.insert((id, page))
        })
        .map(|entry| (entry.name.as_str(), &entry.licence))
        .collect()
}

impl Puller {
    /// Whether this program runs the weights of an entry by itself.
    pub fn runs(&self, entry: &Entry) -> bool {
        let runtime = entry.runtime.as_deref();
        runtime.is_some_and(|runtime| self.runtimes.contains(&runtime))
    }

    /// How the weights of an entry come to serve on this machine.
    pub fn how(&self, entry: &Entry) -> Runs<'_> {
        if self.runs(entry) {
            return Runs::Itself;
        }
        let asked = entry.runtime.as_deref().unwrap_or_default();
        let can = |(name, task): &&(&str, &str)| {
            *name == asked && entry.serves.iter().any(|served| served.task == *task)
        };
        let Some((name, _)) = self.programs.iter().find(can) else {
            return Runs::Elsewhere;
        };
        let (prefix, target) = (format!("{name}-"), this_target());
        let is_program = |other: &Entry| {
            other.kind == Kind::Runtime && other.name.starts_with(&prefix) && other.is_for(&target)
        };
        let known: Vec<&Entry> = self.index.iter().filter(|other| is_program(other)).collect();
        let is_here = |program: &&Entry| self.store.find(&program.name).is_ok_and(|found| found.is_some());
        if known.iter().any(is_here) {
            return Runs::Program(None);
        }
        let mut known = known.into_iter();
        known
            .find(|program| program.is_pinned() && self.policy.allows(&program.licence))
            .map_or(Runs::Elsewhere, |program| Runs::Program(Some(program)))
    }

    /// The entries that could be pulled for a model of the catalog, and that the service would run.
    pub fn candidates(&self, model: &str) -> Vec<(&Entry, Runs<'_>)> {
        let target = this_target();
        let serves = |entry: &Entry| {
            entry
                .serves
                .iter()
                .any(|served| served.model.as_deref() == Some(model))
        };
        let entries = self
            .index
            .iter()
            .filter(|entry| entry.kind == Kind::Model && entry.is_for(&target) && serves(entry));
        entries
            .filter(|entry| entry.is_pinned() && self.policy.allows(&entry.licence))
            .map(|entry| (entry, self.how(entry)))
            .filter(|(_, runs)| *runs != Runs::Elsewhere)
            .collect()
    }

    /// The bytes of an entry's files and of those that it uses here, whether they are here or not.
    pub fn bytes_with_used(&self, name: &str) -> u64 {
        let used = self.index.with_used(name, &this_target()).unwrap_or_default();
        used.iter().map(|entry| entry.download_bytes()).sum()
    }

    /// Returns the plan of pulling these models on this machine, or why they cannot be pulled. Connects to nothing.
    pub fn plan(&self, names: &[String]) -> Result<Plan> {
        self.plan_for(names, &this_target())
    }

    /// The same for another machine, such as `linux-aarch64`.
    pub fn plan_for(&self, names: &[String], target: &str) -> Result<Plan> {
        for name in names {
            let entry = self.index.get(name).ok_or_else(|| Error::Unknown(name.clone()))?;
            if !entry.is_for(target) {
                return Err(Error::OtherTarget {
                    name: name.clone(),
                    target: entry.target.clone().unwrap_or_default(),
                    wanted: target.to_owned(),
                });
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for name in names {
            for entry in self.index.with_used(name, target).map_err(Error::Unknown)? {
                if !entries.iter().any(|known| known.name == entry.name) {
                    entries.push(entry.clone());
                }
            }
        }
        for entry in &entries {
            if !self.policy.allows(&entry.licence) {
                return Err(Error::LicenceRefused {
                    name: entry.name.clone(),
                    licence: entry.licence.line(),
                });
            }
            place::refuse_foreign(&self.store.folder(&entry.name))?;
        }
        let mut plan = Plan {
            entries,
            missing: Vec::new(),
            total_bytes: 0,
            missing_bytes: 0,
        };
        let mut made = 0;
        let mut seen = HashSet::new();
        for entry in &plan.entries {
            let mut comes = false;
            for file in &entry.files {
                // An imported file needs no size in the index.
                if let Ok(pin) = place::pin_of(&self.store, file) {
                    plan.total_bytes += if seen.insert(pin.sha256.clone()) {
                        pin.size
                    } else {
                        0
                    };
                    continue;
                }
                let pin = file.pin().ok_or_else(|| Error::NotPinned {
                    name: entry.name.clone(),
                    file: file.name.clone(),
                })?;
                if seen.insert(pin.sha256.clone()) {
                    plan.total_bytes += pin.size;
                    plan.missing_bytes += pin.size - part::bytes_of(&self.store, &pin);
                    plan.missing.push(pin);
                    comes = true;
                }
            }
            if comes {
                // Unpacked, converted and rewritten files lie beside the download.
                made += (entry.needs.disk_mb * 1_000_000).saturating_sub(entry.download_bytes());
            }
        }
        self.check_quota(&plan, made)?;
        self.check_space(plan.missing_bytes + made)?;
        Ok(plan)
    }

    /// Downloads and installs. Dropping the future keeps what has come.
    pub async fn pull(&self, plan: &Plan, meter: &Meter) -> Result<Vec<Installed>> {
        let _adding = self.store.adding().await?;
        self.download(plan, meter).await?;
        meter.enter(Step::Preparing);
        let mut installed = Vec::new();
        for entry in &plan.entries {
            installed.push(self.install(entry).await?);
        }
        self.share(plan).await;
        Ok(installed)
    }

    /// Gives the downloaded blobs to the other nodes.
    async fn share(&self, plan: &Plan) {
        let Some(depot) = self.shared() else { return };
        for file in plan.entries.iter().flat_map(|entry| &entry.files) {
            let Ok(pin) = place::pin_of(&self.store, file) else {
                continue;
            };
            if let Err(error) = depot.put(&pin, &self.store.blob(&pin.sha256)).await {
                tracing::warn!(
                    file = file.name,
                    error,
                    "a file is not shared with the other nodes"
                );
            }
        }
    }

    /// Returns the place of shared blobs, unless connections are forbidden.
    fn shared(&self) -> Option<&Arc<dyn Depot>> {
        self.depot.as_ref().filter(|_| !self.downloader.options().offline)
    }

    /// The address of a blob that another node shared.
    async fn shared_address(&self, pin: &Pin) -> Option<Source> {
        match self.shared()?.address(pin).await {
            Ok(address) => address.map(Source::Http),
            Err(error) => {
                tracing::warn!(error, "the files of the other nodes cannot be reached");
                None
            }
        }
    }

    /// Downloads without installing, for a pack.
    pub async fn fetch(&self, plan: &Plan, meter: &Meter) -> Result<()> {
        let _adding = self.store.adding().await?;
        self.download(plan, meter).await
    }

    async fn download(&self, plan: &Plan, meter: &Meter) -> Result<()> {
        meter.expect(plan.total_bytes);
        let mut seen = HashSet::new();
        for entry in &plan.entries {
            for file in &entry.files {
                if let Ok(pin) = place::pin_of(&self.store, file) {
                    meter.land(if seen.insert(pin.sha256) { pin.size } else { 0 });
                    continue;
                }
                let Some(pin) = file.pin() else { continue };
                if !seen.insert(pin.sha256.clone()) {
                    continue;
                }
                let shared = self.shared_address(&pin).await;
                let origin = std::iter::once(&file.url).chain(&file.mirrors);
                let sources: Vec<&Source> = shared.iter().chain(origin).collect();
                let want = Want {
                    name: &entry.name,
                    pin: &pin,
                    sources: &sources,
                };
                self.downloader.fetch(want, meter).await?;
            }
        }
        Ok(())
    }

    /// Installs an entry whose blobs are all here, unless it is installed just so already.
    pub(crate) async fn install(&self, entry: &Entry) -> Result<Installed> {
        let lock = self.installing(entry).await?;
        if let Some(installed) = self.store.find(&entry.name)?
            && installed.entry == *entry
            && installed.pins().all(|pin| self.store.has(pin))
        {
            return Ok(installed);
        }
        self.place(entry, lock).await
    }

    /// Makes an installed model anew, because its blobs are other files now.
    pub(crate) async fn install_again(&self, entry: &Entry) -> Result<Installed> {
        let lock = self.installing(entry).await?;
        self.place(entry, lock).await
    }

    async fn installing(&self, entry: &Entry) -> Result<FileLock> {
        let path = self.store.parts().join(format!("{}.lock", entry.name));
        FileLock::wait(&path, Mode::Exclusive, || ()).await
    }

    async fn place(&self, entry: &Entry, lock: FileLock) -> Result<Installed> {
        let (store, entry, prepare) = (self.store.clone(), entry.clone(), Arc::clone(&self.prepare));
        // The work goes on if nobody waits for it any more, and so must the lock.
        blocking(move || {
            let _lock = lock;
            place::place(&store, &entry, prepare.as_ref())
        })
        .await
    }

    /// `made` is what will be unpacked, converted or rewritten, in bytes.
    fn check_quota(&self, plan: &Plan, made: u64) -> Result<()> {
        let Some(limit) = self.max_bytes else {
            return Ok(());
        };
        let here = self.store.bytes()?;
        let coming = plan.missing_bytes + made;
        if plan.missing_bytes == 0 || here + coming <= limit {
            return Ok(());
        }
        let wanted: HashSet<&str> = plan.entries.iter().map(|entry| entry.name.as_str()).collect();
        let mut removable: Vec<_> = self.store.installed()?;
        removable.retain(|model| !wanted.contains(model.entry.name.as_str()));
        removable.sort_by_key(|model| std::cmp::Reverse(model.bytes()));
        let mut hints: Vec<String> = removable
            .iter()
            .take(3)
            .map(|model| {
                format!(
                    "`atelier models rm {}` frees up to {}",
                    model.entry.name,
                    bytes(model.bytes())
                )
            })
            .collect();
        let garbage = self.store.garbage_bytes()?;
        if garbage > 0 {
            hints.insert(0, format!("`atelier models gc` frees {}", bytes(garbage)));
        }
        if hints.is_empty() {
            hints.push("raise the limit".to_owned());
        }
        Err(Error::Quota {
            limit: bytes(limit),
            here: bytes(here),
            missing: bytes(coming),
            hint: hints.join("; "),
        })
    }

    fn check_space(&self, missing: u64) -> Result<()> {
        let needed = missing + (missing as f64 * RESERVE) as u64;
        let free = self.store.free()?;
        if needed <= free {
            return Ok(());
        }
        Err(Error::NoSpace {
            path: self.store.root().display().to_string(),
            needed: bytes(needed - free),
            missing: bytes(needed),
            free: bytes(free),
        })
    }
}
