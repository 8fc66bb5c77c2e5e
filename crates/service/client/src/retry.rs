//! Repeats requests after network errors and temporary errors of the service.

use std::{fmt::Write as _, time::Duration};

use rand::Rng as _;

use crate::{Error, Result};

const ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// If the service asks for a longer pause, the request fails.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Repeats an attempt while that can help, and returns the last error.
pub(crate) async fn repeat<T, F: Future<Output = Result<T>>>(attempt: impl Fn() -> F) -> Result<T> {
    let mut done = 1;
    loop {
        match attempt().await {
            Ok(value) => return Ok(value),
            Err(error) => match pause(&error, done) {
                Some(pause) if done < ATTEMPTS => tokio::time::sleep(pause).await,
                _ => return Err(error),
            },
        }
        done += 1;
    }
}

/// How long to wait after the attempt number `done`; `None` if repeating cannot help.
fn pause(error: &Error, done: u32) -> Option<Duration> {
    let backoff = FIRST_PAUSE * 2_u32.pow(done - 1);
    let wanted = match error {
        Error::Network(error) if error.is_builder() => return None,
        Error::Api {
            status: 429 | 502 | 503 | 504,
            retry_after,
            ..
        }
        | Error::Answer {
            status: 502..=504,
            retry_after,
            ..
        } => retry_after.unwrap_or_default().max(backoff),
        Error::Network(_) => backoff,
        _ => return None,
    };
    (wanted <= LONGEST_PAUSE).then_some(wanted)
}

/// A unique key.
pub(crate) fn idempotency_key() -> String {
    let mut random = [0_u8; 16];
    rand::rng().fill_bytes(&mut random);
    random.iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry_after: Option<u64>) -> Error {
        Error::Api {
            status,
            code: String::new(),
            message: String::new(),
            details: Vec::new(),
            request_id: None,
            retry_after: retry_after.map(Duration::from_secs),
        }
    }

    #[test]
    fn pauses_double_and_retry_after_is_honored() {
        assert_eq!(pause(&refused(503, None), 1), Some(Duration::from_millis(250)));
        assert_eq!(pause(&refused(503, None), 3), Some(Duration::from_secs(1)));
        assert_eq!(pause(&refused(429, Some(3)), 1), Some(Duration::from_secs(3)));
        assert_eq!(pause(&refused(429, Some(3_600)), 1), None);
    }

    #[test]
    fn the_wait_that_a_proxy_asks_for_is_honored() {
        let busy = |seconds: Option<u64>| Error::Answer {
            status: 503,
            reason: String::new(),
            retry_after: seconds.map(Duration::from_secs),
        };
        assert_eq!(pause(&busy(Some(20)), 1), Some(Duration::from_secs(20)));
        assert_eq!(pause(&busy(None), 1), Some(Duration::from_millis(250)));
        assert_eq!(pause(&busy(Some(61)), 1), None);
    }

    #[test]
    fn refusals_are_not_repeated() {
        for status in [400, 401, 403, 404, 413, 500] {
            assert_eq!(pause(&refused(status, Some(1)), 1), None, "{status}");
        }
    }

    #[test]
    fn idempotency_keys_differ() {
        assert_ne!(idempotency_key(), idempotency_key());
        assert_eq!(idempotency_key().len(), 32);
    }
}
