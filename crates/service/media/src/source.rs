//! Random access to an untrusted file through one window of fixed size and a budget of reads.
//! The budget grows with the file and with nothing that the file says: probing takes time in proportion to the size.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes held at a time.
const WINDOW: usize = 16 * 1024;
/// How often the window may move besides one pass over the file: bounds files made of parts far from each other.
const MOVES: u64 = 20_000;
/// How many pieces may be looked at, besides one for each `PIECE` bytes: bounds files made of tiny parts.
const LOOKS: u64 = 2_000_000;
const PIECE: u64 = 16;
/// Bytes that [`Source::window`] gives at least: more than any header that is looked for in them.
const LEAST: u64 = 64;
/// How deep containers may nest.
const DEPTH: u32 = 16;

pub(crate) struct Source<R> {
    reader: R,
    size: u64,
    window: Vec<u8>,
    /// The start of the window in the file.
    start: u64,
    moves: u64,
    looks: u64,
    depth: u32,
    exhausted: bool,
    failed: Option<io::Error>,
}

impl<R: Read + Seek> Source<R> {
    pub(crate) fn new(mut reader: R) -> io::Result<Self> {
        let size = reader.seek(SeekFrom::End(0))?;
        Ok(Self {
            reader,
            size,
            window: Vec::new(),
            start: 0,
            moves: MOVES + 2 * size / WINDOW as u64,
            looks: LOOKS + size / PIECE,
            depth: 0,
            exhausted: false,
            failed: None,
        })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Whether the budget was used up. The count until then is less than the file holds.
    pub(crate) fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// The error of the reader itself, if it had one. The bytes after it looked like the end of the file.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// `length` bytes at `at`: `None` past the end, for more than a window holds, and when the budget is used up.
    pub(crate) fn slice(&mut self, at: u64, length: usize) -> Option<&[u8]> {
        let end = at.checked_add(length as u64)?;
        if end > self.size || length > WINDOW {
            return None;
        }
        self.looks = self.spend(self.looks)?;
        if at < self.start || end > self.start + self.window.len() as u64 {
            self.move_to(at)?;
        }
        let offset = usize::try_from(at - self.start).ok()?;
        self.window.get(offset..offset + length)
    }

    /// The `N` bytes at `at`.
    pub(crate) fn array<const N: usize>(&mut self, at: u64) -> Option<[u8; N]> {
        self.slice(at, N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self, at: u64) -> Option<u8> {
        self.array::<1>(at).map(|[byte]| byte)
    }

    pub(crate) fn be16(&mut self, at: u64) -> Option<u16> {
        self.array(at).map(u16::from_be_bytes)
    }

    pub(crate) fn be32(&mut self, at: u64) -> Option<u32> {
        self.array(at).map(u32::from_be_bytes)
    }

    pub(crate) fn le16(&mut self, at: u64) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(crate) fn le32(&mut self, at: u64) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(crate) fn le64(&mut self, at: u64) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    /// The first bytes: at most `length`, fewer of a shorter file.
    pub(crate) fn prefix(&mut self, length: usize) -> Vec<u8> {
        self.upto(0, length).to_vec()
    }

    /// At most `length` bytes at `at`, fewer before the end of the file.
    pub(crate) fn upto(&mut self, at: u64, length: usize) -> &[u8] {
        let left = usize::try_from(self.size.saturating_sub(at)).unwrap_or(usize::MAX);
        self.slice(at, length.min(left)).unwrap_or_default()
    }

    /// Bytes from `at` on: what the window holds of them, at least [`LEAST`] unless the file ends before.
    pub(crate) fn window(&mut self, at: u64) -> &[u8] {
        let least = self.size.saturating_sub(at).min(LEAST);
        let end = self.start + self.window.len() as u64;
        let length = if at >= self.start && at + least <= end {
            (end - at) as usize
        } else {
            WINDOW
        };
        self.upto(at, length)
    }

    /// Returns the next place of `needle`, which is short, from `at` on.
    pub(crate) fn find(&mut self, mut at: u64, needle: &[u8]) -> Option<u64> {
        loop {
            let bytes = self.window(at);
            if bytes.len() < needle.len() {
                return None;
            }
            if let Some(found) = memchr::memmem::find(bytes, needle) {
                return Some(at + found as u64);
            }
            at += (bytes.len() + 1 - needle.len()) as u64;
        }
    }

    /// Whether `needle`, which is short, stands somewhere between two places.
    pub(crate) fn contains(&mut self, mut at: u64, end: u64, needle: &[u8]) -> bool {
        while at + needle.len() as u64 <= end {
            let length = (end - at).min(WINDOW as u64) as usize;
            let bytes = self.upto(at, length);
            if bytes.windows(needle.len()).any(|found| found == needle) {
                return true;
            }
            if bytes.len() < length || length < WINDOW {
                return false;
            }
            at += (WINDOW - needle.len()) as u64;
        }
        false
    }

    /// Counts a step into a nested container. `false` when that is too deep; otherwise [`leave`](Self::leave) follows.
    pub(crate) fn enter(&mut self) -> bool {
        let allowed = self.depth < DEPTH;
        self.depth += u32::from(allowed);
        allowed
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn spend(&mut self, budget: u64) -> Option<u64> {
        self.exhausted |= budget == 0;
        budget.checked_sub(1)
    }

    fn move_to(&mut self, at: u64) -> Option<()> {
        self.moves = self.spend(self.moves)?;
        self.window.clear();
        self.start = at;
        let moved = self.reader.seek(SeekFrom::Start(at));
        let read = moved.and_then(|_| {
            self.reader
                .by_ref()
                .take(WINDOW as u64)
                .read_to_end(&mut self.window)
        });
        match read {
            Ok(_) => Some(()),
            Err(error) => {
                self.failed = Some(error);
                self.moves = 0;
                None
            }
        }
    }
}
