//! Finds the wrong pieces of a file of which only the whole digest is known.
//!
//! Every piece is downloaded a second time, first those whose connection broke. If the two versions differ, a third one
//! decides. The search ends as soon as the digest of the file fits. If all pieces came twice alike and it does not, the
//! address serves another file.

use std::sync::Arc;

use futures::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};

use super::{
    Downloader, Want,
    answer::{Fault, Remote},
    blocking, check,
};
use crate::{
    error::{Error, Result},
    meter::Meter,
    part::{Checked, Hash, Part},
};

/// So many replaced pieces are each followed by a reading of the whole file; after that, the last one is.
const CHECKED_AT_ONCE: usize = 8;

impl Downloader {
    pub(super) async fn search(
        &self,
        want: Want<'_>,
        part: &Arc<Part>,
        meter: &Meter,
        found: String,
    ) -> Result<()> {
        tracing::warn!(name = want.name, %found, "the digest of a download does not fit; looking for the wrong pieces");
        let mut wrong = found;
        // Another server does not make the same mistake.
        let mut sources: Vec<_> = want.sources.iter().skip(1).chain(want.sources.first()).collect();
        let remote = loop {
            if sources.is_empty() {
                return Err(wrong_bytes(want, wrong));
            }
            match self.client.remote(want, sources.remove(0)).await {
                Ok(remote) => break remote,
                Err(Fault::Local(error)) => return Err(error),
                Err(_) => {}
            }
        };
        let mut order: Vec<usize> = (0..part.count()).collect();
        order.sort_by_key(|&number| !part.piece(number).is_some_and(|piece| piece.troubled));
        let again = order.into_iter().map(|number| {
            let remote = &remote;
            async move { (number, self.client.piece(remote, part, number, meter).await) }
        });
        let mut again = stream::iter(again).buffered(self.options.ranges.max(1));
        let mut replaced = 0;
        while let Some((number, bytes)) = again.next().await {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(Fault::NoRanges) => return Err(wrong_bytes(want, wrong)),
                Err(fault) => return Err(fault.into_error()),
            };
            if !self.decide(&remote, part, number, bytes, meter).await? {
                continue;
            }
            replaced += 1;
            if replaced <= CHECKED_AT_ONCE {
                match check(part).await? {
                    Checked::Whole => return Ok(()),
                    Checked::Other(found) => wrong = found,
                    Checked::Lost(_) => {}
                }
            }
        }
        match check(part).await? {
            Checked::Whole => Ok(()),
            _ => Err(wrong_bytes(want, wrong)),
        }
    }

    /// Whether the piece was replaced by its second version, because a third one agrees with it.
    async fn decide(
        &self,
        remote: &Remote,
        part: &Arc<Part>,
        number: usize,
        second: Vec<u8>,
        meter: &Meter,
    ) -> Result<bool> {
        let hash = |bytes: &[u8]| -> Hash { Sha256::digest(bytes).into() };
        let first = part.piece(number).map(|piece| piece.hash);
        if first == Some(hash(&second)) {
            return Ok(false);
        }
        let third = self
            .client
            .piece(remote, part, number, meter)
            .await
            .map_err(Fault::into_error)?;
        if first == Some(hash(&third)) {
            return Ok(false);
        }
        // If all three differ, the last one is as good as any: the digest of the file decides.
        let part = Arc::clone(part);
        blocking(move || part.write(number, &third, true)).await?;
        Ok(true)
    }
}

fn wrong_bytes(want: Want<'_>, found: String) -> Error {
    let first = want.sources.first();
    Error::WrongBytes {
        url: first.map_or_else(String::new, ToString::to_string),
        found,
        expected: want.pin.sha256.clone(),
    }
}
