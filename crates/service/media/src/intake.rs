//! Taking in a file of unknown size and type: counted, hashed and sniffed while it streams to a scratch file.
//! A file that is too large or of a wrong type is refused before the rest of it arrives. Memory does not grow with the
//! file, and an intake that fails or is dropped leaves nothing behind.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
    path::Path,
};

use atelier_domain::{FileFacts, FileName, MediaType};
use sha2::{Digest as _, Sha256};
use tempfile::TempPath;
use tokio::task::spawn_blocking;

use crate::{
    probe::{ProbeError, probe_reader},
    scratch::{Reservation, Scratch, ScratchError},
    sniff::{HEAD, sniff},
};

/// Bytes collected before they are hashed and written in one go.
const CHUNK: usize = 128 * 1024;

/// A file on its way in. Create it, call [`write`](Self::write) as often as needed, then [`finish`](Self::finish).
#[derive(Debug)]
pub struct Intake {
    max_bytes: u64,
    received: u64,
    /// The first bytes, by which the type is told.
    head: Vec<u8>,
    buffer: Vec<u8>,
    /// For the bytes that are about to be written.
    room: Reservation,
    /// `None` after a failure, and while a write whose caller is gone still runs.
    sink: Option<Sink>,
}

/// A complete file in the scratch folder, removed when this is dropped.
#[derive(Debug)]
pub struct Received {
    path: TempPath,
    pub name: FileName,
    pub facts: FileFacts,
}

#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    #[error("the file is larger than {max_bytes} bytes")]
    TooLarge { max_bytes: u64 },
    #[error("the file is empty")]
    Empty,
    #[error(
        "the file is not one of the accepted types: PNG, JPEG, WebP, GIF; MP4, MOV, WebM; MP3, WAV, FLAC, Ogg, M4A, AAC"
    )]
    Unrecognised,
    #[error("the scratch folder is full")]
    DiskFull,
    #[error("cannot write to the scratch folder: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for IntakeError {
    fn from(error: io::Error) -> Self {
        ScratchError::from(error).into()
    }
}

impl From<ScratchError> for IntakeError {
    fn from(error: ScratchError) -> Self {
        match error {
            ScratchError::Full => Self::DiskFull,
            ScratchError::Io(error) => Self::Io(error),
        }
    }
}

impl From<ProbeError> for IntakeError {
    fn from(error: ProbeError) -> Self {
        match error {
            ProbeError::Unrecognised => Self::Unrecognised,
            ProbeError::Io(error) => error.into(),
        }
    }
}

impl Intake {
    /// Begins a file of at most `max_bytes` in the folder `scratch`, which must exist.
    pub async fn new(scratch: &Scratch, max_bytes: u64) -> Result<Self, IntakeError> {
        let room = scratch.reservation();
        let folder = scratch.path().to_owned();
        let sink = blocking(move || Sink::create(&folder)).await?;
        Ok(Self {
            max_bytes,
            received: 0,
            head: Vec::with_capacity(HEAD),
            buffer: Vec::new(),
            room,
            sink: Some(sink),
        })
    }

    /// The type of the file, once enough of it has arrived to tell. A container of sound and of pictures can look the
    /// same at its beginning: [`Received::facts`] has the last word.
    pub fn media_type(&self) -> Option<MediaType> {
        (self.head.len() == HEAD).then(|| sniff(&self.head)).flatten()
    }

    /// Takes the next bytes. After an error the file is gone and every further call fails.
    pub async fn write(&mut self, mut bytes: &[u8]) -> Result<(), IntakeError> {
        self.received += bytes.len() as u64;
        if self.received > self.max_bytes {
            self.sink = None;
            return Err(IntakeError::TooLarge {
                max_bytes: self.max_bytes,
            });
        }
        self.look_at(bytes)?;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() == CHUNK {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Keeps the first bytes, and refuses the file as soon as they show that it is of no accepted type.
    fn look_at(&mut self, bytes: &[u8]) -> Result<(), IntakeError> {
        let missing = (HEAD - self.head.len()).min(bytes.len());
        if missing == 0 {
            return Ok(());
        }
        self.head.extend_from_slice(&bytes[..missing]);
        if self.head.len() == HEAD && sniff(&self.head).is_none() {
            self.sink = None;
            return Err(IntakeError::Unrecognised);
        }
        Ok(())
    }

    /// Closes the file and says what it is.
    pub async fn finish(mut self) -> Result<Received, IntakeError> {
        self.reserve().await?;
        let mut sink = self.sink.take().ok_or_else(interrupted)?;
        if self.head.is_empty() {
            return Err(IntakeError::Empty);
        }
        if sniff(&self.head).is_none() {
            return Err(IntakeError::Unrecognised);
        }
        let buffer = std::mem::take(&mut self.buffer);
        blocking(move || {
            sink.take_in(&buffer)?;
            sink.close()
        })
        .await
    }

    /// Reserves room for what is in the buffer. If there is none, the file is gone.
    async fn reserve(&mut self) -> Result<(), IntakeError> {
        let reserved = self.room.need(self.buffer.len() as u64).await;
        if reserved.is_err() {
            self.sink = None;
        }
        Ok(reserved?)
    }

    async fn flush(&mut self) -> Result<(), IntakeError> {
        self.reserve().await?;
        // The sink moves into the task, so that it is dropped, and its file removed, even if nobody waits any more.
        let mut sink = self.sink.take().ok_or_else(interrupted)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        let (sink, buffer) = blocking(move || {
            sink.take_in(&buffer)?;
            buffer.clear();
            Ok((sink, buffer))
        })
        .await?;
        self.room.wrote(CHUNK as u64);
        self.sink = Some(sink);
        self.buffer = buffer;
        Ok(())
    }
}

impl Received {
    /// Returns the place of the file, until this is dropped.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The name and facts of a file in memory.
pub fn describe(bytes: &[u8]) -> Result<(FileName, FileFacts), IntakeError> {
    if bytes.is_empty() {
        return Err(IntakeError::Empty);
    }
    let facts = probe_reader(io::Cursor::new(bytes))?;
    Ok((
        FileName::new(&Sha256::digest(bytes).into(), facts.media_type),
        facts,
    ))
}

/// The name of bytes whose type is known, such as a side file written by the service itself.
pub fn name_of(bytes: &[u8], media_type: MediaType) -> FileName {
    FileName::new(&Sha256::digest(bytes).into(), media_type)
}

/// The name and facts of a finished local file.
pub async fn describe_file(path: &Path) -> Result<(FileName, FileFacts), IntakeError> {
    let path = path.to_owned();
    blocking(move || {
        let mut file = File::open(&path)?;
        let mut hash = Sha256::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk)? {
                0 => break,
                read => hash.update(&chunk[..read]),
            }
        }
        if file.stream_position()? == 0 {
            return Err(IntakeError::Empty);
        }
        let facts = probe_reader(file)?;
        Ok((FileName::new(&hash.finalize().into(), facts.media_type), facts))
    })
    .await
}

/// The scratch file and its hash so far.
#[derive(Debug)]
struct Sink {
    file: File,
    path: TempPath,
    hash: Sha256,
}

impl Sink {
    fn create(scratch: &Path) -> Result<Self, IntakeError> {
        let (file, path) = tempfile::Builder::new()
            .prefix("intake-")
            .tempfile_in(scratch)?
            .into_parts();
        Ok(Self {
            file,
            path,
            hash: Sha256::new(),
        })
    }

    fn take_in(&mut self, bytes: &[u8]) -> Result<(), IntakeError> {
        self.hash.update(bytes);
        self.file.write_all(bytes)?;
        Ok(())
    }

    fn close(self) -> Result<Received, IntakeError> {
        let facts = probe_reader(&self.file)?;
        let name = FileName::new(&self.hash.finalize().into(), facts.media_type);
        Ok(Received {
            path: self.path,
            name,
            facts,
        })
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, IntakeError> + Send + 'static,
) -> Result<T, IntakeError> {
    spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(IntakeError::Io(io::Error::other(error))))
}

fn interrupted() -> IntakeError {
    IntakeError::Io(io::Error::other("an earlier write failed or was interrupted"))
}

#[cfg(test)]
mod tests;
