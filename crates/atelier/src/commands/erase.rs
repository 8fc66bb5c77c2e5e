//! `atelier account erase`: removes an account with its jobs, files and people.

use std::{sync::Arc, time::Instant};

use atelier_app::accounts::erase::Erased;
use atelier_media::Blobs;
use serde_json::json;

use super::OnStore;
use crate::{failure::Failure, output::say};

/// The least seconds between two lines about the progress.
const SAY: u64 = 5;

pub(super) async fn run(
    session: Arc<OnStore>,
    blobs: Blobs,
    name: String,
    cancel: bool,
    yes: bool,
) -> Result<(), Failure> {
    let account = session.admin.account(&name).await?;
    if !yes {
        return Err(Failure::usage(format!(
            "this removes `{name}` ({}) with its jobs, files, keys and the people who belong to no other account, and \
             cannot be undone: export it first if you may need it (atelier account export), then add --yes",
            account.id
        )));
    }
    let mut said = Instant::now();
    let progress = |erased: &Erased| {
        if said.elapsed().as_secs() >= SAY {
            said = Instant::now();
            say(&described(erased));
        }
    };
    let erased = session
        .admin
        .erase_account(&blobs, &name, cancel, progress)
        .await?;
    let value = json!({
        "id": account.id,
        "generations": erased.generations,
        "cancelled": erased.cancelled,
        "uploads": erased.uploads,
        "files": erased.files,
        "users": erased.users,
    });
    Ok(session.output.result(&value, || {
        format!(
            "`{name}` is erased: {}. Its id stays in the books: {}.",
            described(&erased),
            account.id
        )
    })?)
}

fn described(erased: &Erased) -> String {
    format!(
        "{} jobs ({} of them cancelled), {} uploads, {} files and {} users are gone",
        erased.generations, erased.cancelled, erased.uploads, erased.files, erased.users
    )
}
