//! ZIP archives that are written while they are sent (PKWARE's APPNOTE 6.3): each file in uncompressed blocks of
//! deflate, which readers of streams understand without its size in advance. Pictures, videos and sound are
//! compressed already.

use flate2::Crc;

/// The most bytes of all files together: beyond 4 GiB, archives need another format.
pub(crate) const MAX_BYTES: u64 = 2 << 30;
/// The most files: more need another format too.
pub(crate) const MAX_FILES: usize = 65_535;
/// The longest block.
const BLOCK: usize = 65_535;
/// Names are UTF-8, and sizes follow the data.
const FLAGS: u16 = 1 << 11 | 1 << 3;
const DEFLATE: u16 = 8;
/// The version of the format that a reader needs.
const VERSION: u16 = 20;
/// The first of January 1980, the earliest date: archives of the same files are the same.
const DATE: u16 = 1 << 5 | 1;

/// An archive that is being written: every method returns the next bytes.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    directory: Vec<u8>,
    files: u16,
    written: u32,
    open: Option<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    at: u32,
    crc: Crc,
    size: u32,
    packed: u32,
}

impl Archive {
    /// Begins a file.
    pub(crate) fn begin(&mut self, name: &str) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        for field in [VERSION, FLAGS, DEFLATE, 0, DATE] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend([0; 12]);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name.as_bytes());
        self.open = Some(Entry {
            name: name.to_owned(),
            at: self.written,
            crc: Crc::new(),
            size: 0,
            packed: 0,
        });
        self.count(bytes)
    }

    /// Continues the file.
    pub(crate) fn data(&mut self, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(data.len() + 16);
        for block in data.chunks(BLOCK) {
            bytes.push(0);
            let length = block.len() as u16;
            bytes.extend(length.to_le_bytes());
            bytes.extend((!length).to_le_bytes());
            bytes.extend(block);
        }
        if let Some(entry) = &mut self.open {
            entry.crc.update(data);
            entry.size += data.len() as u32;
            entry.packed += bytes.len() as u32;
        }
        self.count(bytes)
    }

    /// Ends the file.
    pub(crate) fn end(&mut self) -> Vec<u8> {
        let Some(mut entry) = self.open.take() else {
            return Vec::new();
        };
        // An empty last block.
        let mut bytes = vec![1, 0, 0, 0xFF, 0xFF];
        entry.packed += bytes.len() as u32;
        let sums = [entry.crc.sum(), entry.packed, entry.size];
        bytes.extend(b"PK\x07\x08");
        bytes.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        let directory = &mut self.directory;
        directory.extend(b"PK\x01\x02");
        for field in [VERSION, VERSION, FLAGS, DEFLATE, 0, DATE] {
            directory.extend(field.to_le_bytes());
        }
        directory.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        directory.extend((entry.name.len() as u16).to_le_bytes());
        directory.extend([0; 12]);
        directory.extend(entry.at.to_le_bytes());
        directory.extend(entry.name.as_bytes());
        self.files += 1;
        self.count(bytes)
    }

    /// Ends the archive.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.directory);
        let size = bytes.len() as u32;
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            bytes.extend(self.files.to_le_bytes());
        }
        bytes.extend(size.to_le_bytes());
        bytes.extend(self.written.to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    fn count(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.written += bytes.len() as u32;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    #[test]
    fn another_program_reads_the_files_of_an_archive() {
        let long: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        let mut archive = Archive::default();
        let mut bytes = archive.begin("gr\u{fc}n.png");
        for part in long.chunks(70_000) {
            bytes.extend(archive.data(part));
        }
        bytes.extend(archive.end());
        bytes.extend(archive.begin("empty.txt"));
        bytes.extend(archive.end());
        bytes.extend(archive.finish());

        let mut read = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(read.len(), 2);
        for (name, expected) in [("gr\u{fc}n.png", long.as_slice()), ("empty.txt", &[])] {
            let mut found = Vec::new();
            // The end of a file is also where its checksum is compared.
            read.by_name(name).unwrap().read_to_end(&mut found).unwrap();
            assert!(found == expected, "{name}");
        }
    }
}
