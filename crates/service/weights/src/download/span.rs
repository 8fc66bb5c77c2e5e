//! A run of pieces over one connection after the other.

use std::sync::Arc;

use reqwest::Response;

use super::{
    answer::{Fault, Remote},
    blocking,
    client::{Client, Patience, cause},
};
use crate::{meter::Meter, part::Part};

/// A connection that brought less than this before it broke made no progress.
const PROGRESS: u64 = 64 << 10;

/// Bytes on their way into pieces.
struct Landing<'a> {
    part: &'a Arc<Part>,
    meter: &'a Meter,
    /// The piece that `buffer` begins.
    number: usize,
    buffer: Vec<u8>,
    /// Whether a connection broke within this piece.
    troubled: bool,
}

impl<'a> Landing<'a> {
    const fn new(part: &'a Arc<Part>, meter: &'a Meter, number: usize) -> Self {
        Self {
            part,
            meter,
            number,
            buffer: Vec::new(),
            troubled: false,
        }
    }

    /// Returns the position of the next byte in the file.
    fn position(&self) -> u64 {
        self.part.bounds(self.number).0 + self.buffer.len() as u64
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<(), Fault> {
        while !bytes.is_empty() {
            let (from, to) = self.part.bounds(self.number);
            let room = (to - from) as usize - self.buffer.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() as u64 == to - from {
                self.land(to - from).await?;
            }
        }
        Ok(())
    }

    async fn land(&mut self, size: u64) -> Result<(), Fault> {
        let (number, troubled) = (self.number, self.troubled);
        let bytes = std::mem::take(&mut self.buffer);
        if self.part.piece(number).is_none() {
            let part = Arc::clone(self.part);
            // The buffer comes back, so that it is allocated once for each connection.
            self.buffer = blocking(move || part.write(number, &bytes, troubled).map(|()| bytes))
                .await
                .map_err(Fault::Local)?;
            self.meter.land(size);
        } else {
            self.buffer = bytes;
        }
        self.buffer.clear();
        self.troubled = false;
        self.number += 1;
        Ok(())
    }
}

impl Client {
    /// Downloads the pieces `first` to `last`. A broken connection is continued at the byte where it broke.
    pub(super) async fn span(
        &self,
        remote: &Remote,
        part: &Arc<Part>,
        (first, last): (usize, usize),
        meter: &Meter,
    ) -> Result<(), Fault> {
        let end = part.bounds(last).1;
        let mut landing = Landing::new(part, meter, first);
        let mut patience = Patience::new(&self.options);
        while landing.number <= last {
            let from = landing.position();
            let streamed = match self.range(remote, from, end).await {
                Ok(response) => self.stream(remote, response, &mut landing, end).await,
                Err(fault) => Err(fault),
            };
            self.settle(streamed, from, &mut landing, &mut patience).await?;
        }
        Ok(())
    }

    /// Downloads the whole file from a server without ranges. Pieces that are there already are read and dropped.
    pub(super) async fn whole(&self, remote: &Remote, part: &Arc<Part>, meter: &Meter) -> Result<(), Fault> {
        let mut patience = Patience::new(&self.options);
        while !part.missing(usize::MAX).is_empty() {
            let before = part.bytes();
            let mut landing = Landing::new(part, meter, 0);
            let streamed = match self.all(remote).await {
                Ok(response) => self.stream(remote, response, &mut landing, remote.pin.size).await,
                Err(fault) => Err(fault),
            };
            if part.bytes() > before {
                patience.progressed();
            }
            if let Err(fault) = streamed {
                patience.after(fault).await?;
            }
        }
        Ok(())
    }

    /// The bytes of one piece, without storing them.
    pub(super) async fn piece(
        &self,
        remote: &Remote,
        part: &Part,
        number: usize,
        meter: &Meter,
    ) -> Result<Vec<u8>, Fault> {
        let (from, end) = part.bounds(number);
        let mut bytes = Vec::with_capacity((end - from) as usize);
        let mut patience = Patience::new(&self.options);
        while (bytes.len() as u64) < end - from {
            let before = bytes.len();
            let at = from + before as u64;
            let streamed = match self.range(remote, at, end).await {
                Ok(response) => self.collect(remote, response, &mut bytes, end - at, meter).await,
                Err(fault) => Err(fault),
            };
            if (bytes.len() - before) as u64 >= PROGRESS {
                patience.progressed();
            }
            if let Err(fault) = streamed {
                patience.after(fault).await?;
            }
        }
        Ok(bytes)
    }

    /// After a connection: on with the next one, or the fault.
    async fn settle(
        &self,
        streamed: Result<(), Fault>,
        from: u64,
        landing: &mut Landing<'_>,
        patience: &mut Patience<'_>,
    ) -> Result<(), Fault> {
        if landing.position() >= from + PROGRESS {
            patience.progressed();
        }
        landing.troubled |= streamed.is_err() && !landing.buffer.is_empty();
        match streamed {
            Ok(()) => Ok(()),
            // A connection that broke after progress is continued at once.
            Err(Fault::Temporary { wait: None, .. }) if landing.position() >= from + PROGRESS => Ok(()),
            Err(fault) => patience.after(fault).await,
        }
    }

    async fn stream(
        &self,
        remote: &Remote,
        mut response: Response,
        landing: &mut Landing<'_>,
        end: u64,
    ) -> Result<(), Fault> {
        while landing.position() < end && landing.number < landing.part.count() {
            let left = end - landing.position();
            let chunk = self.chunk(remote, &mut response, left, landing.meter).await?;
            landing.take(&chunk).await?;
        }
        Ok(())
    }

    async fn collect(
        &self,
        remote: &Remote,
        mut response: Response,
        bytes: &mut Vec<u8>,
        mut left: u64,
        meter: &Meter,
    ) -> Result<(), Fault> {
        while left > 0 {
            let chunk = self.chunk(remote, &mut response, left, meter).await?;
            left -= chunk.len() as u64;
            bytes.extend_from_slice(&chunk);
        }
        Ok(())
    }

    /// The next bytes of a body, at most `left`: never none.
    async fn chunk(
        &self,
        remote: &Remote,
        response: &mut Response,
        left: u64,
        meter: &Meter,
    ) -> Result<bytes::Bytes, Fault> {
        let broken = |reason: String| Fault::Temporary {
            url: super::answer::shown(&remote.first),
            reason,
            wait: None,
        };
        let stall = self.options.stall;
        loop {
            let mut chunk = match tokio::time::timeout(stall, response.chunk()).await {
                Err(_) => return Err(broken(format!("the connection brought nothing for {stall:?}"))),
                Ok(Err(error)) => return Err(broken(cause(&error))),
                Ok(Ok(None)) => return Err(broken(format!("the connection ended {left} bytes early"))),
                Ok(Ok(Some(chunk))) => chunk,
            };
            chunk.truncate(left as usize);
            if chunk.is_empty() {
                continue;
            }
            self.admit(chunk.len() as u64).await;
            meter.receive(chunk.len() as u64);
            return Ok(chunk);
        }
    }
}
