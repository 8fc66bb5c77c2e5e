//! A file that consists of parts of another file and of new bytes.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write},
};

/// More pieces than any real file has. A file made of tiny parts is refused.
const MOST: usize = 100_000;

#[derive(Debug)]
enum Piece {
    /// These bytes of the other file.
    Keep {
        from: u64,
        to: u64,
    },
    Put(Vec<u8>),
    Zeros(u64),
}

#[derive(Debug, Default)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(super) fn keep(&mut self, from: u64, to: u64) {
        match self.0.last_mut() {
            _ if from >= to => {}
            Some(Piece::Keep { to: end, .. }) if *end == from => *end = to,
            _ => self.push(Piece::Keep { from, to }),
        }
    }

    pub(super) fn put(&mut self, bytes: impl Into<Vec<u8>>) {
        self.push(Piece::Put(bytes.into()));
    }

    pub(super) fn zeros(&mut self, count: u64) {
        self.push(Piece::Zeros(count));
    }

    pub(super) fn append(&mut self, others: Self) {
        for piece in others.0 {
            match piece {
                Piece::Keep { from, to } => self.keep(from, to),
                other => self.push(other),
            }
        }
    }

    fn push(&mut self, piece: Piece) {
        if !self.are_too_many() {
            self.0.push(piece);
        }
    }

    pub(super) fn are_too_many(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Bytes of all pieces together.
    pub(super) fn length(&self) -> u64 {
        let lengths = self.0.iter().map(|piece| match piece {
            Piece::Keep { from, to } => to - from,
            Piece::Put(bytes) => bytes.len() as u64,
            Piece::Zeros(count) => *count,
        });
        lengths.sum()
    }

    pub(super) fn write(&self, mut from_file: &File, to_file: &mut File) -> io::Result<()> {
        for piece in &self.0 {
            match piece {
                Piece::Keep { from, to } => {
                    from_file.seek(SeekFrom::Start(*from))?;
                    let copied = io::copy(&mut from_file.take(to - from), to_file)?;
                    if copied != to - from {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Piece::Put(bytes) => to_file.write_all(bytes)?,
                Piece::Zeros(count) => {
                    io::copy(&mut io::repeat(0).take(*count), to_file)?;
                }
            }
        }
        Ok(())
    }
}
