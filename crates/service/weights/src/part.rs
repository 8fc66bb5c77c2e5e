//! A file that is being downloaded: whole pieces on disk, and a journal of their digests.
//!
//! The journal is text. Its head says the size of the file and of a piece; each further line is a piece that is on
//! disk: `NUMBER SHA-256`, with `!` after it if its connection broke. `NUMBER -` takes a piece back. A line that was
//! not written to its end counts as absent.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read as _, Write as _},
    os::unix::fs::{FileExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use sha2::{Digest as _, Sha256};

use crate::{
    entry::{Entry, Pin},
    error::{Result, at},
    store::{Store, sync},
};

pub(crate) type Hash = [u8; 32];

#[derive(Debug)]
pub(crate) struct Part {
    pin: Pin,
    piece: u64,
    path: PathBuf,
    journal_path: PathBuf,
    file: File,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    journal: File,
    pieces: Vec<Option<Piece>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) hash: Hash,
    /// Whether its connection broke while it came.
    pub(crate) troubled: bool,
}

/// The result of reading the whole file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    Whole,
    /// Pieces that the disk no longer has as they were written.
    Lost(Vec<usize>),
    /// Every piece is as it came, and the file is still another one: its digest.
    Other(String),
}

impl Part {
    /// The part of an earlier attempt, or a new one with pieces of this size.
    pub(crate) fn open(store: &Store, pin: &Pin, piece: u64) -> Result<Self> {
        let path = store.parts().join(format!("{}.part", pin.sha256));
        let journal_path = store.parts().join(format!("{}.journal", pin.sha256));
        let text = fs::read_to_string(&journal_path).unwrap_or_default();
        let earlier = if path.exists() {
            parse(&text, pin.size)
        } else {
            None
        };
        let (piece, pieces) =
            earlier.unwrap_or_else(|| (piece, vec![None; pin.size.div_ceil(piece) as usize]));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(at(&path))?;
        let journal = rewrite(&journal_path, pin.size, piece, &pieces)?;
        Ok(Self {
            pin: pin.clone(),
            piece,
            path,
            journal_path,
            file,
            state: Mutex::new(State { journal, pieces }),
        })
    }

    pub(crate) const fn piece_size(&self) -> u64 {
        self.piece
    }

    pub(crate) fn count(&self) -> usize {
        self.state().pieces.len()
    }

    pub(crate) fn piece(&self, number: usize) -> Option<Piece> {
        self.state().pieces[number]
    }

    /// The first byte of a piece, and the first after it.
    pub(crate) fn bounds(&self, number: usize) -> (u64, u64) {
        let from = number as u64 * self.piece;
        (from, (from + self.piece).min(self.pin.size))
    }

    /// The bytes of the pieces that are on disk.
    pub(crate) fn bytes(&self) -> u64 {
        let here = |number: &usize| self.piece(*number).is_some();
        (0..self.count())
            .filter(here)
            .map(|number| {
                let (from, to) = self.bounds(number);
                to - from
            })
            .sum()
    }

    /// Runs of missing pieces, first and last, none longer than `longest`.
    pub(crate) fn missing(&self, longest: usize) -> Vec<(usize, usize)> {
        let state = self.state();
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (number, piece) in state.pieces.iter().enumerate() {
            if piece.is_some() {
                continue;
            }
            match runs.last_mut() {
                Some((first, last)) if *last + 1 == number && number - *first < longest => *last = number,
                _ => runs.push((number, number)),
            }
        }
        runs
    }

    /// Writes a whole piece and then its line. Replaces an earlier version of it.
    pub(crate) fn write(&self, number: usize, bytes: &[u8], troubled: bool) -> Result<()> {
        let (from, to) = self.bounds(number);
        debug_assert_eq!(bytes.len() as u64, to - from);
        let hash: Hash = Sha256::digest(bytes).into();
        self.file.write_all_at(bytes, from).map_err(at(&self.path))?;
        let mut state = self.state();
        let piece = Piece { hash, troubled };
        state
            .journal
            .write_all(line(number, piece).as_bytes())
            .map_err(at(&self.journal_path))?;
        state.pieces[number] = Some(piece);
        Ok(())
    }

    /// Takes pieces back, so that they are downloaded again.
    pub(crate) fn forget(&self, numbers: &[usize]) -> Result<()> {
        let mut state = self.state();
        for &number in numbers {
            let text = format!("{number} -\n");
            state
                .journal
                .write_all(text.as_bytes())
                .map_err(at(&self.journal_path))?;
            state.pieces[number] = None;
        }
        Ok(())
    }

    /// Reads the whole file and compares every digest. Takes a second per gigabyte or two.
    pub(crate) fn check(&self) -> Result<Checked> {
        let pieces = self.state().pieces.clone();
        let file = File::open(&self.path).map_err(at(&self.path))?;
        let mut whole = Sha256::new();
        let mut lost = Vec::new();
        let mut buffer = Vec::with_capacity(self.piece as usize);
        for (number, piece) in pieces.iter().enumerate() {
            buffer.clear();
            (&file)
                .take(self.piece)
                .read_to_end(&mut buffer)
                .map_err(at(&self.path))?;
            whole.update(&buffer);
            let hash: Hash = Sha256::digest(&buffer).into();
            if piece.is_none_or(|piece| piece.hash != hash) {
                lost.push(number);
            }
        }
        let found = hex::encode(whole.finalize());
        Ok(if found == self.pin.sha256 {
            Checked::Whole
        } else if lost.is_empty() {
            Checked::Other(found)
        } else {
            Checked::Lost(lost)
        })
    }

    /// Makes the checked part a blob.
    pub(crate) fn finish(&self, store: &Store) -> Result<()> {
        // Bytes behind the end would be of an earlier, longer file.
        self.file.set_len(self.pin.size).map_err(at(&self.path))?;
        self.file.sync_all().map_err(at(&self.path))?;
        let mode = fs::Permissions::from_mode(0o444);
        self.file.set_permissions(mode).map_err(at(&self.path))?;
        let pieces = store.pieces(&self.pin.sha256);
        fs::rename(&self.journal_path, &pieces).map_err(at(&pieces))?;
        let blob = store.blob(&self.pin.sha256);
        fs::rename(&self.path, &blob).map_err(at(&blob))?;
        sync(&store.blobs())
    }

    /// Removes the part: its bytes are not those that are wanted.
    pub(crate) fn discard(&self) {
        let _ = fs::remove_file(&self.journal_path);
        let _ = fs::remove_file(&self.path);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The size of a piece and the pieces of a journal for a file of this size.
pub(crate) fn parse(text: &str, size: u64) -> Option<(u64, Vec<Option<Piece>>)> {
    let whole = &text[..=text.rfind('\n')?];
    let mut lines = whole.lines();
    let head: Vec<&str> = lines.next()?.split(' ').collect();
    let ["pieces", of, "of", piece] = head[..] else {
        return None;
    };
    let piece: u64 = piece.parse().ok().filter(|piece| *piece > 0)?;
    if of.parse() != Ok(size) {
        return None;
    }
    let mut pieces = vec![None; size.div_ceil(piece) as usize];
    for line in lines {
        let mut words = line.split(' ');
        let (number, hash) = (words.next()?.parse::<usize>().ok()?, words.next()?);
        let place = pieces.get_mut(number)?;
        *place = if hash == "-" {
            None
        } else {
            let mut bytes = [0; 32];
            hex::decode_to_slice(hash, &mut bytes).ok()?;
            let troubled = words.next() == Some("!");
            Some(Piece {
                hash: bytes,
                troubled,
            })
        };
    }
    Some((piece, pieces))
}

fn line(number: usize, piece: Piece) -> String {
    let mark = if piece.troubled { " !" } else { "" };
    format!("{number} {}{mark}\n", hex::encode(piece.hash))
}

/// Writes the journal anew, without a torn last line, and opens it for appending.
pub(crate) fn rewrite(path: &Path, size: u64, piece: u64, pieces: &[Option<Piece>]) -> Result<File> {
    let mut text = format!("pieces {size} of {piece}\n");
    for (number, piece) in pieces.iter().enumerate() {
        if let Some(piece) = piece {
            text.push_str(&line(number, *piece));
        }
    }
    let temporary = path.with_extension("journal-new");
    fs::write(&temporary, text).map_err(at(&temporary))?;
    fs::rename(&temporary, path).map_err(at(path))?;
    OpenOptions::new().append(true).open(path).map_err(at(path))
}

impl Store {
    /// The bytes of an entry's files that an interrupted download left here.
    pub fn partial_bytes(&self, entry: &Entry) -> u64 {
        let of = |pin: Pin| {
            if self.has(&pin) { 0 } else { bytes_of(self, &pin) }
        };
        entry.files.iter().filter_map(crate::File::pin).map(of).sum()
    }
}

/// The bytes that a part's journal already counts, for those who wait for somebody else's download.
pub(crate) fn bytes_of(store: &Store, pin: &Pin) -> u64 {
    let path = store.parts().join(format!("{}.journal", pin.sha256));
    let text = fs::read_to_string(path).unwrap_or_default();
    let Some((piece, pieces)) = parse(&text, pin.size) else {
        return 0;
    };
    let of = |number: usize| piece.min(pin.size - number as u64 * piece);
    pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.is_some())
        .map(|(number, _)| of(number))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        store.prepare().unwrap();
        (folder, store)
    }

    fn pin(bytes: &[u8]) -> Pin {
        Pin {
            sha256: hex::encode(Sha256::digest(bytes)),
            size: bytes.len() as u64,
        }
    }

    #[test]
    fn a_part_goes_on_where_it_was_and_becomes_a_read_only_blob() {
        let (_folder, store) = store();
        let bytes = b"0123456789";
        let pin = pin(bytes);
        let part = Part::open(&store, &pin, 4).unwrap();
        assert_eq!(part.missing(9), [(0, 2)]);
        assert_eq!(part.missing(2), [(0, 1), (2, 2)]);
        part.write(1, b"4567", true).unwrap();
        drop(part);
        // The size of pieces is that of the part, whatever is asked for now.
        let part = Part::open(&store, &pin, 1000).unwrap();
        assert_eq!((part.missing(9), part.bytes()), (vec![(0, 0), (2, 2)], 4));
        assert_eq!(bytes_of(&store, &pin), 4);
        assert!(part.piece(1).unwrap().troubled);
        part.write(0, b"0123", false).unwrap();
        part.write(2, b"89", false).unwrap();
        assert_eq!(part.check().unwrap(), Checked::Whole);
        part.finish(&store).unwrap();
        assert!(store.has(&pin));
        let blob = store.blob(&pin.sha256);
        assert_eq!(fs::metadata(&blob).unwrap().permissions().mode() & 0o777, 0o444);
        assert_eq!(fs::read(blob).unwrap(), bytes);
    }

    #[test]
    fn a_torn_line_counts_as_absent_and_nothing_is_appended_to_it() {
        let (_folder, store) = store();
        let pin = pin(b"0123456789");
        let part = Part::open(&store, &pin, 4).unwrap();
        part.write(0, b"0123", false).unwrap();
        let mut journal = OpenOptions::new().append(true).open(&part.journal_path).unwrap();
        journal.write_all(b"1 abc").unwrap();
        drop(part);
        let part = Part::open(&store, &pin, 4).unwrap();
        assert_eq!(part.missing(9), [(1, 2)]);
        part.write(2, b"89", false).unwrap();
        drop(part);
        assert_eq!(Part::open(&store, &pin, 4).unwrap().missing(9), [(1, 1)]);
    }

    #[test]
    fn lost_pieces_and_another_file_are_told_apart() {
        let (_folder, store) = store();
        let pin = pin(b"0123456789");
        let part = Part::open(&store, &pin, 4).unwrap();
        for (number, bytes) in [b"0123".as_slice(), b"4x67", b"89"].into_iter().enumerate() {
            part.write(number, bytes, false).unwrap();
        }
        assert!(matches!(part.check().unwrap(), Checked::Other(_)));
        part.file.write_all_at(b"y", 9).unwrap();
        assert_eq!(part.check().unwrap(), Checked::Lost(vec![2]));
        part.forget(&[2]).unwrap();
        assert_eq!(part.missing(9), [(2, 2)]);
    }
}
