//! Follows a job to its end: shows the progress, cancels the job on Ctrl-C, and continues if the service that runs it
//! ends.

use std::{io::IsTerminal as _, time::Duration};

use atelier_client::{Client, Error, Generation};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Session, reach};
use crate::{cli, failure::Failure, local::Reached, output::say};

/// How often the progress is read while it is shown.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Waits for the end of the generation.
pub(super) async fn to_its_end(
    session: &Session,
    asked: &cli::Generate,
    reached: &mut Reached,
    id: &str,
) -> Result<Generation, Failure> {
    let bar = Bar::new(&asked.model);
    let ended = loop {
        let waited = tokio::select! {
            waited = wait(&reached.client, id, &bar) => waited,
            interrupted = tokio::signal::ctrl_c() => {
                interrupted?;
                bar.clear();
                return cancel(&reached.client, id).await;
            }
        };
        match waited {
            // The server of the data folder has ended. The job is in the store and another server runs it.
            Err(Error::Network(_)) if asked.target.server.is_none() => {
                *reached = reach(session, asked).await?;
            }
            waited => break waited,
        }
    };
    bar.clear();
    Ok(ended?)
}

async fn wait(client: &Client, id: &str, bar: &Bar) -> Result<Generation, Error> {
    let longest = if bar.is_watched {
        POLL_INTERVAL
    } else {
        atelier_client::MAX_WAIT
    };
    loop {
        let generation = client.wait(id, longest).await?;
        if generation.is_ended() {
            return Ok(generation);
        }
        bar.show(generation.progress.unwrap_or_default());
    }
}

async fn cancel(client: &Client, id: &str) -> Result<Generation, Failure> {
    match client.cancel(id).await {
        Ok(generation) => {
            say("Cancelled.");
            Ok(generation)
        }
        // The job ended before the cancellation.
        Err(error) if error.code() == Some("invalid_request") => Ok(client.get(id).await?),
        Err(error) => Err(error.into()),
    }
}

struct Bar {
    bar: ProgressBar,
    is_watched: bool,
}

impl Bar {
    fn new(model: &str) -> Self {
        let is_watched = std::io::stderr().is_terminal();
        let bar = if is_watched {
            ProgressBar::new(1_000)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{spinner} {msg} [{bar:30}] {percent:>3} %  {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(model.to_owned());
        if is_watched {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar, is_watched }
    }

    fn show(&self, done: f64) {
        self.bar.set_position((done * 1_000.0) as u64);
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
