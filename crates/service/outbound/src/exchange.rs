//! A small exchange: a request, and the whole answer within a limit.

use reqwest::RequestBuilder;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error(transparent)]
    Failed(#[from] reqwest::Error),
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
}

/// The status and the body of the answer, which has at most `most` bytes.
pub async fn exchange(request: RequestBuilder, most: usize) -> Result<(u16, Vec<u8>), ExchangeError> {
    let mut response = request.send().await?;
    let status = response.status().as_u16();
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await? {
        if bytes.len() + piece.len() > most {
            return Err(ExchangeError::TooLong(most));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok((status, bytes))
}
