//! When samples begin and end: sample tables (`stts`, `ctts`, `stsz`), edit lists, and runs in fragments.

use std::io::{Read, Seek};

use super::Part;
use crate::source::Source;

/// Entries read at a time.
const BLOCK: u64 = 512;

/// The facts known about a track's samples, in units of its timescale.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) count: u64,
    /// The duration of all samples, one after the other.
    pub(super) lasting: u64,
    /// The first moment and the last one that a sample is shown.
    shown: Option<(i64, i64)>,
    /// The start of the next sample of a fragment, if the fragment says it.
    clock: Option<u64>,
    /// The edit list begins here.
    from: i64,
    /// How long the only edit of the list lasts, in units of the movie; 0: to the end.
    lasts: u64,
    stts: Option<Table>,
    ctts: Option<Table>,
    stsz_count: u64,
}

/// The position of a table's entries, and the number that it claims.
#[derive(Debug, Clone, Copy)]
struct Table {
    at: u64,
    entries: u64,
}

impl Samples {
    /// Notes a table of the track's header. Its entries are read by [`tables`](Self::tables).
    pub(super) fn note<R: Read + Seek>(&mut self, source: &mut Source<R>, part: &Part) -> Option<()> {
        let table = |source: &mut Source<R>| {
            let entries = u64::from(source.be32(part.body + 4)?);
            let held = part.end.saturating_sub(part.body + 8) / 8;
            Some(Table {
                at: part.body + 8,
                entries: entries.min(held),
            })
        };
        match &part.kind {
            b"stts" => self.stts = table(source),
            b"ctts" => self.ctts = table(source),
            b"stsz" | b"stz2" => self.stsz_count = source.be32(part.body + 8)?.into(),
            b"elst" => (self.from, self.lasts) = first_edit(source, part).unwrap_or((0, 0)),
            _ => {}
        }
        Some(())
    }

    /// Adds up the tables that were noted.
    pub(super) fn tables<R: Read + Seek>(&mut self, source: &mut Source<R>) {
        let Some(stts) = self.stts.take() else { return };
        let mut durations = Runs::new(stts);
        let mut offsets = self.ctts.take().map(Runs::new);
        let mut last = 0;
        while let Some((count, duration)) = durations.next(source) {
            last = duration;
            let mut left = count;
            while left > 0 {
                // A table of offsets that ends early says nothing of the rest.
                let (run, offset) = offsets
                    .as_mut()
                    .and_then(|offsets| offsets.take(source, left))
                    .unwrap_or((left, 0));
                self.run(run, duration, i64::from(offset as i32));
                left -= run;
            }
        }
        // Samples that the table of durations leaves out are like the last one.
        if self.stsz_count > self.count {
            self.run(self.stsz_count - self.count, last, 0);
        }
    }

    /// Adds `count` samples of one duration, shown `offset` after they are decoded.
    pub(super) fn run(&mut self, count: u64, duration: u32, offset: i64) {
        let whole = count.saturating_mul(duration.into());
        let start = clamped(self.clock.unwrap_or(self.lasting)).saturating_add(offset);
        let end = start.saturating_add(clamped(whole));
        let (first, last) = self.shown.unwrap_or((start, end));
        self.shown = Some((first.min(start), last.max(end)));
        self.clock = self.clock.map(|clock| clock.saturating_add(whole));
        self.lasting = self.lasting.saturating_add(whole);
        self.count = self.count.saturating_add(count);
    }

    /// Notes where on the track's time line a fragment begins.
    pub(super) fn fragment_starts(&mut self, at: u64) {
        self.clock = Some(at);
    }

    /// The time that is shown, within the edit list; of fragments at least what their samples last. `rate` and `movie`
    /// are the units per second of the track and of the movie.
    ///
    /// An edit that begins before the first sample or after the last one says nothing. The end of an edit counts if the
    /// list has no other: decoders play lists of several edits in different ways.
    pub(super) fn units(&self, rate: u32, movie: u32) -> u64 {
        let Some((first, last)) = self.shown else { return 0 };
        let from = self.from.max(first);
        let from = if from < last { from } else { first };
        let last = if self.lasts > 0 && movie > 0 && self.clock.is_none() {
            let lasts = (u128::from(self.lasts) * u128::from(rate)).div_ceil(movie.into());
            last.min(from.saturating_add(i64::try_from(lasts).unwrap_or(i64::MAX)))
        } else {
            last
        };
        let shown = u64::try_from(last.saturating_sub(from)).unwrap_or(0);
        // Fragments that claim to lie on top of each other are decoded one after the other.
        match self.clock {
            Some(_) => shown.max(self.lasting),
            None => shown,
        }
    }
}

fn clamped(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Returns the start in the track of its first edit that is not empty, and its duration if it is the only one.
fn first_edit<R: Read + Seek>(source: &mut Source<R>, elst: &Part) -> Option<(i64, u64)> {
    const EDITS: u64 = 64;
    let long = source.u8(elst.body)? == 1;
    let entries = u64::from(source.be32(elst.body + 4)?);
    let step = if long { 20 } else { 12 };
    for entry in 0..entries.min(EDITS) {
        let at = elst.body + 8 + entry * step;
        if at + step > elst.end {
            return None;
        }
        let (lasts, start) = if long {
            let lasts = u64::from_be_bytes(source.array(at)?);
            (lasts, i64::from_be_bytes(source.array(at + 8)?))
        } else {
            (source.be32(at)?.into(), i64::from(source.be32(at + 4)? as i32))
        };
        // -1 stands for an empty edit: a pause before the track.
        if start >= 0 {
            return Some((start, if entries == 1 { lasts } else { 0 }));
        }
    }
    None
}

/// The entries of a table of runs: how many samples, and their value.
struct Runs {
    table: Table,
    block: Vec<u8>,
    /// The position of the next entry in the block.
    next: usize,
    /// The rest of the current run.
    open: Option<(u64, u32)>,
}

impl Runs {
    fn new(table: Table) -> Self {
        Self {
            table,
            block: Vec::new(),
            next: 0,
            open: None,
        }
    }

    fn next<R: Read + Seek>(&mut self, source: &mut Source<R>) -> Option<(u64, u32)> {
        if self.next == self.block.len() {
            let entries = self.table.entries.min(BLOCK);
            if entries == 0 {
                return None;
            }
            self.block.clear();
            self.block
                .extend_from_slice(source.slice(self.table.at, (entries * 8) as usize)?);
            self.next = 0;
            self.table.at += entries * 8;
            self.table.entries -= entries;
        }
        let entry = self.block.get(self.next..self.next + 8)?;
        self.next += 8;
        let word = |at: usize| Some(u32::from_be_bytes(entry.get(at..at + 4)?.try_into().ok()?));
        Some((word(0)?.into(), word(4)?))
    }

    /// At most `most` samples of the current run.
    fn take<R: Read + Seek>(&mut self, source: &mut Source<R>, most: u64) -> Option<(u64, u32)> {
        let (left, value) = loop {
            match self.open.take() {
                Some((0, _)) | None => self.open = Some(self.next(source)?),
                Some(open) => break open,
            }
        };
        let count = left.min(most);
        self.open = Some((left - count, value));
        Some((count, value))
    }
}

/// Adds the samples of a run in a fragment. `default` is the duration of those that do not say theirs.
pub(super) fn fragment_run<R: Read + Seek>(
    source: &mut Source<R>,
    trun: &Part,
    default: u32,
    samples: &mut Samples,
) -> Option<()> {
    let flags = source.be32(trun.body)?;
    let count = u64::from(source.be32(trun.body + 4)?);
    if flags & 0x100 == 0 {
        samples.run(count, default, 0);
        return Some(());
    }
    let step = 4 * u64::from((flags >> 8 & 0xf).count_ones());
    let mut at = trun.body + 8 + 4 * u64::from(flags & 1) + 4 * u64::from(flags >> 2 & 1);
    let count = count.min(trun.end.saturating_sub(at) / step);
    for _ in 0..count {
        samples.run(1, source.be32(at)?, 0);
        at += step;
    }
    Some(())
}
