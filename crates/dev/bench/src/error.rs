//! Why a measurement could not be made.

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("an answer is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Store(#[from] atelier_store::StoreError),
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// Something did not behave as it should: which, and how.
    #[error("{0}")]
    Unexpected(String),
}

impl Error {
    /// What a server answered instead of `wanted`.
    pub(crate) fn answer(wanted: u16, status: u16, body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&body[..body.len().min(500)]);
        Self::Unexpected(format!("the answer is {status} instead of {wanted}: {text}"))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Error>;
