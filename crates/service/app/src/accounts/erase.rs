//! Erases an account: people, jobs and files go, and the bookkeeping stays without a name.

use std::time::Duration;

use atelier_domain::{Account, Failure, Status};
use atelier_media::Blobs;
use atelier_store::{Erase, ErasureBegun, GenerationFilter, PageRequest};

use crate::{
    Admin, App, Error, Operator, Result, audit,
    storing::{lease_until, remove_bytes},
};

/// Jobs and files of one step: other writes wait as long as it takes to remove them.
const STEP: u32 = 50;
/// The action in the record of changes.
const ACTION: &str = "account.erase";

/// The things that an erasure removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    pub generations: u64,
    /// Those of them that had not ended.
    pub cancelled: u64,
    pub uploads: u64,
    /// Files that nobody else used.
    pub files: u64,
    pub users: u64,
}

/// How long an operator waits for an erasure. It goes on afterwards.
const PATIENCE: Duration = Duration::from_secs(10);

impl App {
    /// Erases an account in the name of an operator. `None`: it takes long, and continues in the background. If the
    /// service stops meanwhile, another call continues.
    pub async fn erase_account(&self, by: &Operator, name: &str, cancel: bool) -> Result<Option<Erased>> {
        let (app, admin, name) = (self.clone(), self.admin(by), name.to_owned());
        let erasing = tokio::spawn(async move {
            let erased = admin.erase_account(app.blobs(), &name, cancel, |_| {}).await;
            if let Err(error) = &erased {
                tracing::warn!(%error, "the erasure of an account ended early");
            }
            erased
        });
        match tokio::time::timeout(PATIENCE, erasing).await {
            Ok(done) => done
                .map_err(|error| Error::Internal(error.to_string()))?
                .map(Some),
            Err(_) => Ok(None),
        }
    }
}

impl Admin {
    /// Erases the account of this name. While its jobs are in progress, it refuses, unless it may cancel them.
    ///
    /// An erasure that was interrupted goes on when it is called again. `progress` is told what was removed so far.
    pub async fn erase_account(
        &self,
        blobs: &Blobs,
        name: &str,
        cancel: bool,
        mut progress: impl FnMut(&Erased),
    ) -> Result<Erased> {
        let account = self.account(name).await?;
        if !cancel {
            self.nothing_in_progress(&account).await?;
        }
        // Neither the name nor a login is in the record.
        let record = || audit::record(self.now(), &self.by, ACTION, Some(account.id), "erased");
        match self.store.begin_erasure(account.id, self.now(), record()).await? {
            ErasureBegun::Begun => {}
            ErasureBegun::Missing => {
                return Err(Error::NotFound(format!("there is no account named `{name}`")));
            }
            ErasureBegun::Operators(logins) => {
                return Err(Error::Conflict(format!(
                    "operators belong to `{name}` and to no other account: {}; make them members of another one first, \
                     or take the role from them",
                    logins.join(", ")
                )));
            }
        }
        let mut erased = Erased::default();
        loop {
            let now = self.now();
            let step = Erase {
                account: account.id,
                now,
                lease_until: lease_until(now),
                limit: STEP,
                cancel: Failure::cancelled(),
                record: record(),
            };
            let done = self.store.erase(step).await?;
            remove_bytes(&*self.store, blobs, &done.files).await;
            erased.generations += u64::from(done.generations);
            erased.cancelled += done.cancelled.len() as u64;
            erased.uploads += u64::from(done.uploads);
            erased.files += done.files.len() as u64;
            erased.users += u64::from(done.users);
            if done.is_done {
                return Ok(erased);
            }
            progress(&erased);
        }
    }

    async fn nothing_in_progress(&self, account: &Account) -> Result<()> {
        let filter = GenerationFilter {
            status: Some(Status::Processing),
            ..GenerationFilter::default()
        };
        let page = PageRequest {
            limit: 1,
            before: None,
        };
        match self.store.generations(account.id, filter, page).await?.total {
            0 => Ok(()),
            jobs => Err(Error::Conflict(format!(
                "{jobs} jobs of `{}` are in progress: wait until they have ended, or cancel them with the account",
                account.name
            ))),
        }
    }
}
