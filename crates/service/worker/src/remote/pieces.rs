//! Output files that travel in pieces: each is checked by its digest before a byte of it is written, so that a file is
//! never torn, whatever becomes of a connection.

use std::{
    io::{self, Read as _},
    path::Path,
};

use atelier_domain::{Failure, FailureCode};
use atelier_engines::{Made, MadeFile};
use atelier_media::{Scratch, scratch::ScratchError};
use sha2::{Digest as _, Sha256};
use tokio::{
    fs::OpenOptions,
    io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _},
    task::spawn_blocking,
};

use super::{
    protocol::{OutputFile, PIECE, Store},
    transit::Transit,
};
use crate::OUR_FAULT_DELAY;

/// The outcome of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Written,
    /// It does not begin where the file ends.
    Elsewhere,
}

/// How many bytes of a file have arrived.
pub(super) async fn have(path: &Path) -> u64 {
    tokio::fs::metadata(path).await.map_or(0, |facts| facts.len())
}

/// Adds a piece that begins at the byte `at`.
pub(super) async fn add(
    scratch: &Scratch,
    path: &Path,
    at: u64,
    bytes: &[u8],
) -> Result<Piece, ScratchError> {
    if have(path).await != at {
        return Ok(Piece::Elsewhere);
    }
    let length = bytes.len() as u64;
    let mut room = scratch.reservation();
    room.need(length).await?;
    let mut file = OpenOptions::new().create(true).append(true).open(path).await?;
    let written = async {
        file.write_all(bytes).await?;
        file.flush().await
    };
    if let Err(error) = written.await {
        // The part of it that was written is not counted as arrived.
        file.set_len(at).await?;
        return Err(error.into());
    }
    room.wrote(length);
    Ok(Piece::Written)
}

/// The files of an attempt, once all of them have arrived whole.
pub(super) async fn made(transit: &Transit, store: Store) -> Result<Made, Failure> {
    let mut files = Vec::with_capacity(store.files.len());
    for (number, file) in store.files.into_iter().enumerate() {
        let path = transit.part(number);
        let whole = spawn_blocking({
            let path = path.clone();
            move || is_whole(&path, &file).map(|whole| (whole, file.is_json))
        });
        let (whole, is_json) = whole.await.map_err(|_| incomplete())?.map_err(|_| incomplete())?;
        if !whole {
            return Err(incomplete());
        }
        let mut place = path.clone();
        if is_json {
            place.set_extension("json");
            tokio::fs::rename(&path, &place).await.map_err(|_| incomplete())?;
        }
        files.push(MadeFile::Path(place));
    }
    Ok(Made {
        files,
        metadata: store.metadata,
    })
}

fn is_whole(path: &Path, file: &OutputFile) -> io::Result<bool> {
    let (size, digest) = digest(path)?;
    Ok(size == file.size && digest == file.sha256)
}

/// The size of a file and its SHA-256, in hexadecimal digits. Blocks.
pub(super) fn digest(path: &Path) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let (mut file, mut size) = (std::fs::File::open(path)?, 0);
    let mut bytes = vec![0; 64 << 10];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok((size, hex::encode(hash.finalize()))),
            length => {
                hash.update(&bytes[..length]);
                size += length as u64;
            }
        }
    }
}

/// The bytes of a file to send from `at` on, at most a piece.
pub(super) async fn read(file: &MadeFile, at: u64) -> io::Result<Vec<u8>> {
    match file {
        MadeFile::Bytes(bytes) => {
            let rest = bytes.get(at as usize..).unwrap_or_default();
            Ok(rest[..rest.len().min(PIECE)].to_vec())
        }
        MadeFile::Path(path) => {
            let mut file = tokio::fs::File::open(path).await?;
            file.seek(io::SeekFrom::Start(at)).await?;
            let mut piece = Vec::with_capacity(PIECE);
            file.take(PIECE as u64).read_to_end(&mut piece).await?;
            Ok(piece)
        }
    }
}

/// The size and the digest of a file to send. Blocks.
pub(super) fn facts(file: &MadeFile) -> io::Result<OutputFile> {
    let (size, sha256) = match file {
        MadeFile::Bytes(bytes) => (bytes.len() as u64, hex::encode(Sha256::digest(bytes))),
        MadeFile::Path(path) => digest(path)?,
    };
    let is_json = match file {
        MadeFile::Bytes(_) => false,
        MadeFile::Path(path) => path.extension().is_some_and(|extension| extension == "json"),
    };
    Ok(OutputFile {
        size,
        sha256,
        is_json,
    })
}

fn incomplete() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "the files of a remote worker did not arrive whole",
        OUR_FAULT_DELAY,
    )
}

#[cfg(test)]
mod tests {
    use atelier_media::scratch::Quota;

    use super::*;

    #[tokio::test]
    async fn a_piece_that_comes_twice_or_too_early_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path(), Quota::NONE);
        let path = folder.path().join("output-0");
        assert_eq!(add(&scratch, &path, 0, b"one ").await.unwrap(), Piece::Written);
        assert_eq!(add(&scratch, &path, 0, b"one ").await.unwrap(), Piece::Elsewhere);
        assert_eq!(add(&scratch, &path, 9, b"three").await.unwrap(), Piece::Elsewhere);
        assert_eq!(have(&path).await, 4);
        assert_eq!(add(&scratch, &path, 4, b"two").await.unwrap(), Piece::Written);
        assert_eq!(std::fs::read(&path).unwrap(), b"one two");
        let (size, hash) = digest(&path).unwrap();
        assert_eq!((size, hash), (7, hex::encode(Sha256::digest(b"one two"))));
    }

    #[tokio::test]
    async fn a_piece_without_room_is_refused_and_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let quota = Quota { most: 10, reserve: 0 };
        let scratch = Scratch::new(folder.path(), quota);
        let path = folder.path().join("output-0");
        assert_eq!(
            add(&scratch, &path, 0, b"12345678").await.unwrap(),
            Piece::Written
        );
        let refused = add(&scratch, &path, 8, b"12345678").await;
        assert!(matches!(refused, Err(ScratchError::Full)), "{refused:?}");
        assert_eq!(have(&path).await, 8);
    }
}
