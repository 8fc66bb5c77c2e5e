//! Why a measurement failed.

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("an answer is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Store(#[from] atelier_store::StoreError),
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// Something behaved in an unexpected way.
    #[error("{0}")]
    Unexpected(String),
}

impl Error {
    /// A server answered with another status than `wanted`.
    pub(crate) fn answer(wanted: u16, status: u16, body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&body[..body.len().min(500)]);
        Self::Unexpected(format!("expected status {wanted} (got {status}): {text}"))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Error>;
