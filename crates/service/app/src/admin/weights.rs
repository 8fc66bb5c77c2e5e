//! Trained weights: what is on this machine, what can be pulled, and doing it.

use std::collections::HashSet;

pub use atelier_weights::{Entry, Kind, Licence, PullStatus, Removed, State as PullState, Step};
use atelier_weights::{Error as Fault, Index, Installed, Puller, Pulls, Runs, this_target};

use crate::{App, Error, Operator, Result, audit};

/// The trained weights of this machine, as an operator sees them.
#[derive(Debug, Clone)]
pub struct WeightsList {
    /// The weights that serve models: first those that are here or in progress, then those that can be pulled.
    pub models: Vec<Weights>,
    /// Parts and runtimes that models bring along, in the order of names.
    pub shared: Vec<Weights>,
    /// Pulls of entries that are no longer in the index.
    pub unknown: Vec<PullStatus>,
    /// Bytes in the store, downloads in progress included.
    pub used_bytes: u64,
    /// Bytes that are free on its disk.
    pub free_bytes: u64,
    /// The most bytes that the store may have.
    pub max_bytes: Option<u64>,
}

/// One entry of the index, or a model on this machine that is no longer in the index.
#[derive(Debug, Clone)]
pub struct Weights {
    pub entry: Entry,
    /// The titles of the parts and runtimes that it uses on this machine.
    pub brings: Vec<String>,
    /// Whether the service runs it, by itself or by a program.
    pub runs: bool,
    /// The name of the program that has to be pulled too.
    pub program: Option<String>,
    pub state: WeightsState,
}

#[derive(Debug, Clone)]
pub enum WeightsState {
    Here {
        bytes: u64,
        /// The names of the models on this machine that use it.
        used_by: Vec<String>,
    },
    /// Waiting, running, or tried again by itself.
    Pulling(PullStatus),
    /// A pull failed. It can be asked for again, or not.
    Failed {
        error: String,
        offer: Result<Offer, String>,
    },
    /// Not here. `Err` says why it cannot be pulled.
    Absent(Result<Offer, String>),
}

/// The download and the licences of a pull.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Bytes still to download, what it brings along included.
    pub missing_bytes: u64,
    /// The licences that must be accepted first, each with the first entry that has it.
    pub to_accept: Vec<(String, Licence)>,
}

impl App {
    /// Everything about weights; `None` if this process has no folder for them.
    pub async fn weights(&self, _: &Operator) -> Result<Option<WeightsList>> {
        let Some(pulls) = self.pulls() else {
            return Ok(None);
        };
        blocking(move || list(&pulls)).await.map(Some)
    }

    /// One entry, with the bytes in the store.
    pub async fn weights_named(&self, _: &Operator, name: &str) -> Result<(Weights, u64)> {
        let (pulls, name) = (self.own_pulls()?, name.to_owned());
        blocking(move || {
            let look = Look::new(&pulls)?;
            let entry = look.entry(&name).ok_or_else(|| Fault::Unknown(name.clone()))?;
            Ok((look.at(entry), look.puller.store.bytes()?))
        })
        .await
    }

    /// The weights that could serve a model of the catalog and can be pulled, or are being pulled.
    pub async fn weights_for(&self, _: &Operator, model: &str) -> Result<Vec<Weights>> {
        let Some(pulls) = self.pulls() else {
            return Ok(Vec::new());
        };
        let model = model.to_owned();
        blocking(move || {
            let look = Look::new(&pulls)?;
            let serves = |entry: &&Entry| {
                entry.kind == Kind::Model
                    && entry
                        .serves
                        .iter()
                        .any(|served| served.model.as_ref() == Some(&model))
            };
            let mut found: Vec<_> = look
                .index()
                .iter()
                .filter(serves)
                .map(|entry| look.at(entry))
                .collect();
            found.retain(|weights| match &weights.state {
                WeightsState::Here { .. } => false,
                WeightsState::Pulling(_) => true,
                WeightsState::Failed { offer, .. } | WeightsState::Absent(offer) => offer.is_ok(),
            });
            Ok(found)
        })
        .await
    }

    /// Begins a pull. One that is in progress goes on. `accepted` says that the operator accepts the licences of
    /// [`Offer::to_accept`]. Both are recorded before anything is downloaded.
    pub async fn pull_weights(&self, operator: &Operator, name: &str, accepted: bool) -> Result<()> {
        let (pulls, asked) = (self.own_pulls()?, name.to_owned());
        let in_progress = |pull: &PullStatus| pull.name == name && pull.state != PullState::Failed;
        if pulls.list().iter().any(in_progress) {
            return Ok(());
        }
        let puller = pulls.puller().clone();
        let offer = blocking(move || offer(&puller, &asked)).await?;
        if let Some((name, licence)) = offer.to_accept.first().filter(|_| !accepted) {
            let (name, licence) = (name.clone(), licence.line());
            return Err(Error::parameter(
                "accept",
                Fault::NotAccepted { name, licence }.to_string(),
            ));
        }
        let admin = self.admin(operator);
        for (name, licence) in &offer.to_accept {
            admin
                .accept_licence(name, &licence.id, licence.page.as_str())
                .await?;
        }
        let record = audit::record(self.now(), &operator.actor(), "weights.pull", None, name);
        let record = audit::with(record, &[("bytes", offer.missing_bytes.into())]);
        self.store().record(record).await?;
        let (asked, by) = (name.to_owned(), operator.login().to_owned());
        blocking(move || pulls.ask(&asked, &by, accepted)).await
    }

    /// Ends a pull, if there is one. The downloaded part is kept for seven days.
    pub async fn cancel_weights(&self, operator: &Operator, name: &str) -> Result<()> {
        let (pulls, asked) = (self.own_pulls()?, name.to_owned());
        if blocking(move || pulls.cancel(&asked)).await? {
            let record = audit::record(self.now(), &operator.actor(), "weights.cancel", None, name);
            self.store().record(record).await?;
        }
        Ok(())
    }

    /// Removes weights from this machine, and the parts that nothing else uses.
    pub async fn remove_weights(&self, operator: &Operator, name: &str) -> Result<Removed> {
        let (pulls, asked) = (self.own_pulls()?, name.to_owned());
        let removed = blocking(move || pulls.remove(&asked)).await?;
        let record = audit::record(self.now(), &operator.actor(), "weights.remove", None, name);
        let parts: Vec<String> = removed
            .models
            .iter()
            .filter(|other| *other != name)
            .cloned()
            .collect();
        let mut details = vec![("bytes", removed.bytes.into())];
        if !parts.is_empty() {
            details.push(("parts", parts.into()));
        }
        self.store().record(audit::with(record, &details)).await?;
        Ok(removed)
    }

    pub(crate) fn pulls(&self) -> Option<Pulls> {
        self.0.services.weights.clone()
    }

    fn own_pulls(&self) -> Result<Pulls> {
        self.pulls()
            .ok_or_else(|| Error::NotFound("this process has no folder for trained weights".to_owned()))
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unknown(_) | Fault::NotHere(_) => Self::NotFound(fault.to_string()),
            Fault::Io { .. } | Fault::Client(_) => {
                tracing::warn!(error = %fault, "the weights cannot be managed");
                Self::invalid(fault.to_string())
            }
            _ => Self::invalid(fault.to_string()),
        }
    }
}

/// Runs what reads and writes many files off the threads of requests.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Fault> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| Error::Internal(error.to_string()))??)
}

fn list(pulls: &Pulls) -> Result<WeightsList, Fault> {
    let look = Look::new(pulls)?;
    let entries = look.entries();
    let of_kind = |models: bool| {
        let wanted = entries
            .iter()
            .filter(move |entry| (entry.kind == Kind::Model) == models);
        wanted.map(|entry| look.at(entry)).collect::<Vec<_>>()
    };
    let (mut models, shared) = (of_kind(true), of_kind(false));
    models.sort_by_cached_key(|weights| (weights.state.rank(), weights.entry.title.to_lowercase()));
    let unknown = |pull: &&PullStatus| look.entry(&pull.name).is_none();
    Ok(WeightsList {
        models,
        shared,
        unknown: look.pulls.iter().filter(unknown).cloned().collect(),
        used_bytes: look.puller.store.bytes()?,
        free_bytes: look.puller.store.free()?,
        max_bytes: look.puller.max_bytes,
    })
}

fn offer(puller: &Puller, name: &str) -> Result<Offer, Fault> {
    let plan = puller.plan(&[name.to_owned()])?;
    let to_accept = plan.to_accept().into_iter();
    Ok(Offer {
        missing_bytes: plan.missing_bytes,
        to_accept: to_accept
            .map(|(name, licence)| (name.to_owned(), licence.clone()))
            .collect(),
    })
}

/// The installed weights and the pulls in progress at one moment.
struct Look<'a> {
    puller: &'a Puller,
    installed: Vec<Installed>,
    pulls: Vec<PullStatus>,
    target: String,
}

impl<'a> Look<'a> {
    fn new(pulls: &'a Pulls) -> Result<Self, Fault> {
        // The pulls come first: one that ends in between is then shown as in progress, and not as absent.
        let in_progress = pulls.list();
        Ok(Self {
            installed: pulls.puller().store.installed()?,
            puller: pulls.puller(),
            pulls: in_progress,
            target: this_target(),
        })
    }

    fn index(&self) -> &Index {
        &self.puller.index
    }

    /// The entries for this machine, and what is here without an entry.
    fn entries(&self) -> Vec<&Entry> {
        let known = self.index().iter().filter(|entry| entry.is_for(&self.target));
        let mut entries: Vec<&Entry> = known.collect();
        let names: HashSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let here = self.installed.iter().map(|installed| &installed.entry);
        entries.extend(here.filter(|entry| !names.contains(entry.name.as_str())));
        entries
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.index()
            .get(name)
            .filter(|entry| entry.is_for(&self.target))
            .or_else(|| Some(&self.installed.iter().find(|here| here.entry.name == name)?.entry))
    }

    fn at(&self, entry: &Entry) -> Weights {
        let brings = entry.uses.iter().filter_map(|used| self.entry(used));
        let runs = self.puller.how(entry);
        Weights {
            brings: brings.map(|used| used.title.clone()).collect(),
            runs: runs != Runs::Elsewhere,
            program: match runs {
                Runs::Program(program) => program.map(|program| program.name.clone()),
                Runs::Itself | Runs::Elsewhere => None,
            },
            state: self.state(&entry.name),
            entry: entry.clone(),
        }
    }

    fn state(&self, name: &str) -> WeightsState {
        let offer = || offer(self.puller, name).map_err(|fault| fault.to_string());
        if let Some(pull) = self.pulls.iter().find(|pull| pull.name == name) {
            return match pull.state {
                PullState::Failed => WeightsState::Failed {
                    error: pull.error.clone().unwrap_or_default(),
                    offer: offer(),
                },
                _ => WeightsState::Pulling(pull.clone()),
            };
        }
        let Some(here) = self.installed.iter().find(|here| here.entry.name == name) else {
            return WeightsState::Absent(offer());
        };
        let uses = |other: &&Installed| other.entry.uses.iter().any(|used| used == name);
        WeightsState::Here {
            bytes: here.bytes(),
            used_by: self
                .installed
                .iter()
                .filter(uses)
                .map(|other| other.entry.name.clone())
                .collect(),
        }
    }
}

impl WeightsState {
    /// The place in the list.
    const fn rank(&self) -> u8 {
        match self {
            Self::Here { .. } | Self::Pulling(_) | Self::Failed { .. } => 0,
            Self::Absent(Ok(_)) => 1,
            Self::Absent(Err(_)) => 2,
        }
    }
}
