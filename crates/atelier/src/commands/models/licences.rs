//! Licences are shown before anything is stored, and accepted where somebody has to.

use std::io::{self, BufRead as _, IsTerminal as _};

use atelier_weights::Licence;

use super::super::Session;
use crate::{data, failure::Failure, output::say};

/// Asks for the licences that are not permissive, and writes what was accepted into the record of changes.
pub(super) async fn settle(
    session: &Session,
    licences: &[(&str, &Licence)],
    accepted: bool,
) -> Result<(), Failure> {
    if licences.is_empty() {
        return Ok(());
    }
    for (name, licence) in licences {
        say(&format!("The licence of {name}: {}", licence.line()));
    }
    if !accepted && !ask()? {
        return Err(Failure::Failed {
            code: "licence_not_accepted",
            message: "the licences must be accepted first: use --accept-licence after reading them"
                .to_owned(),
        });
    }
    let store = data::open_store(&session.config, None).await?;
    let admin = data::admin(&session.config, &store);
    for (name, licence) in licences {
        admin
            .accept_licence(name, &licence.id, licence.page.as_str())
            .await?;
    }
    Ok(store.close().await?)
}

/// Whether somebody at the terminal says yes. Without a terminal, nobody does.
fn ask() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    say("Do you accept? [y/N]");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
