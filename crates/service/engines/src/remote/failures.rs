//! The meaning of a failed exchange with an external server for a job.

use std::{error::Error, io, time::Duration};

use atelier_domain::{Failure, FailureCode};

/// The delay before the next attempt if the server names none.
const DELAY: Duration = Duration::from_secs(2);

/// The server did not answer, or not to the end.
pub(crate) fn unreachable(error: &reqwest::Error) -> Failure {
    let what = if error.is_timeout() {
        "did not answer in time"
    } else {
        "cannot be reached"
    };
    Failure::retry(FailureCode::GenerationFailed, format!("the engine {what}"), DELAY).resuming()
}

/// Whether nothing listens at the address: the server process is gone.
pub(crate) fn is_connection_refused(error: &reqwest::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(this) = cause {
        if let Some(io) = this.downcast_ref::<io::Error>()
            && io.kind() == io::ErrorKind::ConnectionRefused
        {
            return true;
        }
        cause = this.source();
    }
    false
}

/// The operator's mistake. Clients learn only that the engine is unavailable; another attempt or engine may work.
pub(crate) fn misconfigured(why: &str) -> Failure {
    tracing::error!(why, "an engine is misconfigured");
    let message = "the engine is not available";
    Failure::retry(FailureCode::GenerationFailed, message, DELAY)
}

/// The server's answer is not what its profile describes. The server may have made, and charged for, what was asked.
pub(crate) fn unusable_answer(why: &str) -> Failure {
    tracing::warn!(why, "an engine's answer cannot be used");
    let message = format!("the engine's answer cannot be used: {why}");
    Failure::retry(FailureCode::GenerationFailed, message, DELAY).resuming()
}
