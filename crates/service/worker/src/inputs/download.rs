//! One input from the internet: through the guard, into the scratch folder, refused as early as it can be.

use std::time::Duration;

use atelier_catalog::Parameter;
use atelier_domain::{MediaKind, MediaType};
use atelier_media::{Intake, IntakeError, Received, Scratch};
use atelier_outbound::{FetchError, Limits, Outbound};
use url::Url;

use super::budget::{Budget, Spent};

/// Why a download failed.
#[derive(Debug)]
pub(super) enum DownloadError {
    Fetch(FetchError),
    File(IntakeError),
    Spent(Spent),
    /// The first bytes show a type that the field does not accept.
    Type(MediaType),
}

impl From<FetchError> for DownloadError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<IntakeError> for DownloadError {
    fn from(error: IntakeError) -> Self {
        Self::File(error)
    }
}

impl From<Spent> for DownloadError {
    fn from(error: Spent) -> Self {
        Self::Spent(error)
    }
}

/// The rules of a field for its files.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    pub(super) max_bytes: u64,
    pub(super) time: Duration,
    /// `None`: every type.
    pub(super) accepts: Option<&'a [MediaType]>,
}

impl<'a> Rules<'a> {
    /// Those of a field, within the limits of the service.
    pub(super) fn new(parameter: Option<&'a Parameter>, max_bytes: u64, time: Duration) -> Self {
        let rules = parameter.map(|parameter| parameter.files).unwrap_or_default();
        let below = rules.below_bytes.map(|below| below.saturating_sub(1));
        Self {
            max_bytes: [rules.max_bytes, below]
                .into_iter()
                .flatten()
                .fold(max_bytes, u64::min),
            time,
            accepts: parameter.map(|parameter| parameter.accepts.as_slice()),
        }
    }

    /// Whether a file may turn out to be of an accepted type, of which the first bytes look like `seen`.
    fn may_be(&self, seen: MediaType) -> bool {
        self.accepts.is_none_or(|accepts| {
            accepts.contains(&seen) || accepts.iter().any(|accepted| looks_like(*accepted, seen))
        })
    }
}

/// Whether a file of one type can begin like one of another: a film of sound alone like one with pictures, and all that
/// may follow a long ID3 tag like an MP3.
fn looks_like(accepted: MediaType, seen: MediaType) -> bool {
    match seen {
        MediaType::Mp4 | MediaType::M4a => matches!(accepted, MediaType::Mp4 | MediaType::M4a),
        MediaType::Mp3 => accepted.kind() == Some(MediaKind::Audio),
        _ => false,
    }
}

/// Downloads `url` into the folder `scratch`.
pub(super) async fn download(
    client: &Outbound,
    url: &Url,
    rules: &Rules<'_>,
    budget: &Budget,
    scratch: &Scratch,
) -> Result<Received, DownloadError> {
    let limits = Limits {
        max_bytes: rules.max_bytes,
        time: rules.time,
    };
    let mut download = atelier_outbound::fetch(client, url, limits).await?;
    let mut intake = Intake::new(scratch, limits.max_bytes).await?;
    let mut seen = None;
    while let Some(bytes) = download.chunk().await? {
        budget.count(bytes.len() as u64)?;
        intake.write(&bytes).await?;
        if seen.is_none() {
            seen = intake.media_type();
            if let Some(wrong) = seen.filter(|seen| !rules.may_be(*seen)) {
                return Err(DownloadError::Type(wrong));
            }
        }
    }
    Ok(intake.finish().await?)
}

#[cfg(test)]
mod tests;
