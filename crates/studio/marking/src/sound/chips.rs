//! The grid of chips that a mark repeats, and what the key makes of each.

use crate::{
    Key,
    code::CODED,
    waves::{Stream, Use},
};

/// The sample rate of marks.
pub(super) const RATE: u32 = 16_000;
/// The samples of a frame: 32 ms, in which speech hardly changes.
pub(super) const FRAME: usize = 512;
/// The samples between two frames, which are also the length of a chip.
pub(super) const HOP: usize = FRAME / 2;
/// The lowest bin of the grid, 312 Hz, and the bins of a chip.
pub(super) const LOWEST: usize = 10;
pub(super) const BINS: usize = 2;
/// The chips above each other, up to 6,060 Hz: telephones and the lowest bit rates cut off what is higher.
pub(super) const ROWS: usize = 92;
/// The chips one after the other: 2.05 s.
pub(super) const COLUMNS: usize = 128;
/// The share of the chips that are the same for every id.
const FIXED: f32 = 0.2;

#[derive(Debug, Clone, Copy)]
pub(super) struct Chip {
    /// 1 or -1.
    pub sign: f32,
    pub used: Use,
}

/// The chips of a key, column by column.
pub(super) fn chips(key: &Key) -> Vec<Chip> {
    let mut stream = Stream::new(key, b"atelier watermark chips 1");
    let mut chips: Vec<Chip> = (0..COLUMNS * ROWS)
        .map(|_| Chip {
            sign: if stream.next() >> 31 == 0 { 1.0 } else { -1.0 },
            used: Use::Fixed,
        })
        .collect();
    let mut order: Vec<usize> = (0..chips.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, stream.below(at + 1));
    }
    let fixed = (order.len() as f32 * FIXED) as usize;
    for (number, &at) in order[fixed..].iter().enumerate() {
        chips[at].used = Use::Symbol((number % CODED) as u16);
    }
    chips
}
