//! Damages files: bytes, sizes, truncation, moved and repeated parts, and splices of two files.

/// A generator of numbers (xorshift64*) that gives the same ones for the same seed.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        // Seeds that differ little must not begin alike; zero would stay zero.
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self((mixed ^ mixed >> 31).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, or zero if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Numbers at which readers go wrong.
const ODD: [u64; 16] = [
    0,
    1,
    2,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff8,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
];
/// No damaged file is longer.
const LONGEST: usize = 256 * 1024;

/// A damaged copy of one file of the corpus, with parts of others.
pub(crate) fn mutate(chance: &mut Chance, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = chance.pick(corpus).clone();
    for _ in 0..=chance.below(6) {
        match chance.below(12) {
            0..=2 => overwrite_number(chance, &mut bytes),
            3 => overwrite_size(chance, &mut bytes),
            4 | 5 => flip(chance, &mut bytes),
            6 => bytes.truncate(chance.below(bytes.len() + 1)),
            7 => remove(chance, &mut bytes),
            8 => repeat(chance, &mut bytes),
            9 => fill(chance, &mut bytes),
            10 => splice(chance, &mut bytes, corpus),
            _ => exchange(chance, &mut bytes),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

/// A range, short ones more often than long ones.
fn range(chance: &mut Chance, length: usize) -> std::ops::Range<usize> {
    let start = chance.below(length);
    let reach = 1 << chance.below(14);
    let end = start + chance.below(reach) + 1;
    start..end.min(length)
}

fn flip(chance: &mut Chance, bytes: &mut [u8]) {
    let at = chance.below(bytes.len());
    let bit = 1 << chance.below(8);
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= bit;
    }
}

/// Writes an odd number of one to eight bytes, in either order.
fn overwrite_number(chance: &mut Chance, bytes: &mut [u8]) {
    let length = bytes.len() as u64;
    let value = match chance.below(4) {
        0 => length.wrapping_add(chance.below(16) as u64).wrapping_sub(8),
        1 => chance.next(),
        _ => *chance.pick(&ODD),
    };
    let width = *chance.pick(&[1, 2, 3, 4, 4, 8]);
    let number = if chance.below(3) == 0 {
        value.to_le_bytes()[..width].to_vec()
    } else {
        value.to_be_bytes()[8 - width..].to_vec()
    };
    let at = chance.below(bytes.len());
    for (byte, new) in bytes.iter_mut().skip(at).zip(number) {
        *byte = new;
    }
}

/// Changes the size beside a name of four letters, as boxes and chunks have it.
fn overwrite_size(chance: &mut Chance, bytes: &mut [u8]) {
    let is_name = |name: &[u8]| name.iter().all(u8::is_ascii_alphanumeric);
    let names: Vec<usize> = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, name)| is_name(name))
        .map(|(at, _)| at)
        .collect();
    if names.is_empty() {
        return;
    }
    let name = *chance.pick(&names);
    // Before the name, or after it.
    let at = if chance.below(2) == 0 {
        name.saturating_sub(4)
    } else {
        name + 4
    };
    let value = *chance.pick(&ODD) as u32;
    for (byte, new) in bytes.iter_mut().skip(at).zip(value.to_be_bytes()) {
        *byte = new;
    }
}

fn remove(chance: &mut Chance, bytes: &mut Vec<u8>) {
    let range = range(chance, bytes.len());
    bytes.drain(range.start.min(range.end)..range.end);
}

fn repeat(chance: &mut Chance, bytes: &mut Vec<u8>) {
    let range = range(chance, bytes.len());
    let times = 1 + chance.below(if range.len() < 64 { 200 } else { 3 });
    let part = bytes.get(range.clone()).unwrap_or_default().repeat(times);
    bytes.splice(range.end..range.end, part);
}

fn fill(chance: &mut Chance, bytes: &mut [u8]) {
    let range = range(chance, bytes.len());
    let value = *chance.pick(&[0, 0xff, 0x20, 0x41]);
    if let Some(part) = bytes.get_mut(range) {
        part.fill(value);
    }
}

/// Puts a part of another file into this one, over what is there or between it.
fn splice(chance: &mut Chance, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let other = chance.pick(corpus);
    let part = other.get(range(chance, other.len())).unwrap_or_default().to_vec();
    let at = chance.below(bytes.len() + 1);
    let end = if chance.below(2) == 0 {
        at
    } else {
        (at + part.len()).min(bytes.len())
    };
    bytes.splice(at..end, part);
}

/// Exchanges two parts of the same length.
fn exchange(chance: &mut Chance, bytes: &mut [u8]) {
    let one = range(chance, bytes.len() / 2);
    let other = bytes.len() / 2 + chance.below(bytes.len() / 2);
    for offset in 0..one.len() {
        if other + offset < bytes.len() {
            bytes.swap(one.start + offset, other + offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_files_and_others_give_others() {
        let corpus = [b"one file of moderate length".to_vec(), vec![], vec![7; 3000]];
        let files = |seed| {
            let mut chance = Chance::new(seed);
            (0..2000)
                .map(|_| mutate(&mut chance, &corpus))
                .collect::<Vec<_>>()
        };
        assert_eq!(files(1), files(1));
        assert_ne!(files(1), files(2));
        assert!(files(3).iter().all(|file| file.len() <= LONGEST));
    }
}
