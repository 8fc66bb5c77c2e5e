//! FLAC files, which are encoded once more without loss (RFC 9639): fixed predictors, Rice codes, and each channel on
//! its own. Their metadata stays, except for the table of seek points, whose places change.

use atelier_sound::file::Audio;

use super::mp3::tag;

/// Samples of a frame.
const BLOCK: usize = 4_096;
/// Residuals that share a Rice parameter.
const PARTITIONS: u32 = 4;
const STREAMINFO: u8 = 0;
const SEEKTABLE: u8 = 3;
const LAST: u8 = 0x80;

/// A FLAC file without its frames.
pub(super) struct Flac<'a> {
    /// What stands before the signature, such as an ID3 tag.
    pub(super) before: &'a [u8],
    /// Kinds and whole bytes of the metadata blocks that stay.
    pub(super) blocks: Vec<&'a [u8]>,
    pub(super) rate: u32,
    pub(super) channels: usize,
    pub(super) bits: u32,
}

impl<'a> Flac<'a> {
    /// `None` for any other file, and for samples of other than 8, 16 or 24 bits.
    pub(super) fn of(file: &'a [u8]) -> Option<Self> {
        let (before, mut rest) = file.split_at_checked(tag(file))?;
        rest = rest.strip_prefix(b"fLaC")?;
        let (mut blocks, mut info) = (Vec::new(), None);
        loop {
            let &[kind, a, b, c] = rest.first_chunk()?;
            let (block, after) = rest.split_at_checked(4 + u32::from_be_bytes([0, a, b, c]) as usize)?;
            match kind & !LAST {
                STREAMINFO => info = Some(block.get(4..38)?),
                SEEKTABLE => {}
                _ => blocks.push(block),
            }
            rest = after;
            if kind & LAST != 0 {
                break;
            }
        }
        let packed = u64::from_be_bytes(info?[10..18].try_into().ok()?);
        let bits = (packed >> 36 & 0x1f) as u32 + 1;
        matches!(bits, 8 | 16 | 24).then_some(Self {
            before,
            blocks,
            rate: (packed >> 44) as u32,
            channels: (packed >> 41 & 7) as usize + 1,
            bits,
        })
    }

    /// The file with these samples.
    pub(super) fn with(&self, audio: &Audio) -> Option<Vec<u8>> {
        if audio.channels.len() != self.channels || audio.rate != self.rate {
            return None;
        }
        let full = f64::from(1_u32 << (self.bits - 1));
        let whole = |x: &f32| (f64::from(*x) * full).round().clamp(-full, full - 1.0) as i32;
        let rows: Vec<Vec<i32>> = audio
            .channels
            .iter()
            .map(|row| row.iter().map(whole).collect())
            .collect();
        let frames: Vec<Vec<u8>> = (0..audio.frames().div_ceil(BLOCK))
            .map(|number| {
                let start = number * BLOCK;
                let end = (start + BLOCK).min(audio.frames());
                let parts: Vec<&[i32]> = rows.iter().map(|row| &row[start..end]).collect();
                frame(number as u32, &parts, self.bits)
            })
            .collect();
        let mut file = self.before.to_vec();
        file.extend(b"fLaC");
        file.extend(self.streaminfo(audio.frames() as u64, &frames));
        for (number, block) in self.blocks.iter().enumerate() {
            let last = if number + 1 == self.blocks.len() { LAST } else { 0 };
            file.push(block[0] & !LAST | last);
            file.extend(&block[1..]);
        }
        file.extend(frames.concat());
        Some(file)
    }

    fn streaminfo(&self, samples: u64, frames: &[Vec<u8>]) -> Vec<u8> {
        let last = if self.blocks.is_empty() { LAST } else { 0 };
        let mut bytes = vec![STREAMINFO | last, 0, 0, 34];
        for size in [BLOCK, BLOCK] {
            bytes.extend((size as u16).to_be_bytes());
        }
        let sizes = || frames.iter().map(Vec::len);
        for size in [sizes().min(), sizes().max()] {
            bytes.extend(&(size.unwrap_or_default() as u32).to_be_bytes()[1..]);
        }
        let packed = u64::from(self.rate) << 44
            | (self.channels as u64 - 1) << 41
            | u64::from(self.bits - 1) << 36
            | samples;
        bytes.extend(packed.to_be_bytes());
        // The MD5 of the samples is not known; zero says so.
        bytes.extend([0; 16]);
        bytes
    }
}

fn frame(number: u32, channels: &[&[i32]], bits: u32) -> Vec<u8> {
    let mut out = Bits::default();
    // A fixed block size, whose length follows in 16 bits; the rate is that of the stream.
    out.put(0xfff8, 16);
    out.put(0x70, 8);
    let depth = match bits {
        8 => 1,
        16 => 4,
        _ => 6,
    };
    out.put((channels.len() as u32 - 1) << 4 | depth << 1, 8);
    out.utf8(number);
    out.put(channels[0].len() as u32 - 1, 16);
    let check = crc(&out.bytes, 8, 0x07);
    out.put(check, 8);
    for samples in channels {
        subframe(&mut out, samples, bits);
    }
    out.fill();
    let check = crc(&out.bytes, 16, 0x8005);
    out.put(check, 16);
    out.bytes
}

fn subframe(out: &mut Bits, samples: &[i32], bits: u32) {
    if samples.iter().all(|sample| *sample == samples[0]) {
        out.put(0, 8);
        out.put(samples[0] as u32, bits);
        return;
    }
    // Of the polynomials of degree 0 to 3 through the samples before, the one that leaves the least.
    let most = samples.len().saturating_sub(1).min(4);
    let best = (0..=most)
        .map(|order| residuals(samples, order))
        .enumerate()
        .min_by_key(|(_, rest)| rest.iter().map(|rest| rest.unsigned_abs()).sum::<u64>());
    let Some((order, rest)) = best else { return };
    out.put((8 | order as u32) << 1, 8);
    for sample in &samples[..order] {
        out.put(*sample as u32, bits);
    }
    let count = 1 << PARTITIONS;
    let is_even = samples.len().is_multiple_of(count) && samples.len() / count > order;
    let partitions = if is_even { PARTITIONS } else { 0 };
    // Rice codes with parameters of five bits.
    out.put(1, 2);
    out.put(partitions, 4);
    let each = samples.len() >> partitions;
    let (mut rest, mut length) = (rest.as_slice(), each - order);
    while !rest.is_empty() {
        let part;
        (part, rest) = rest.split_at(length);
        rice(out, part);
        length = each;
    }
}

fn rice(out: &mut Bits, part: &[i64]) {
    let folded = |rest: i64| (rest << 1 ^ rest >> 63) as u64;
    let sum: u64 = part.iter().map(|rest| folded(*rest)).sum();
    let mean = sum / part.len().max(1) as u64;
    let parameter = mean.checked_ilog2().unwrap_or(0).min(30);
    out.put(parameter, 5);
    for rest in part {
        let value = folded(*rest);
        for _ in 0..value >> parameter {
            out.put(0, 1);
        }
        out.put(1, 1);
        out.put((value & ((1 << parameter) - 1)) as u32, parameter);
    }
}

/// The differences of an order, without the first samples.
fn residuals(samples: &[i32], order: usize) -> Vec<i64> {
    let mut rest: Vec<i64> = samples.iter().map(|sample| i64::from(*sample)).collect();
    for _ in 0..order {
        rest = rest.windows(2).map(|pair| pair[1] - pair[0]).collect();
    }
    rest
}

/// The remainder of a polynomial division, most significant bit first.
fn crc(bytes: &[u8], width: u32, polynomial: u32) -> u32 {
    let top = 1 << (width - 1);
    let register = bytes.iter().fold(0, |register: u32, byte| {
        (0..8).fold(register ^ u32::from(*byte) << (width - 8), |register, _| {
            if register & top == 0 {
                register << 1
            } else {
                register << 1 ^ polynomial
            }
        })
    });
    register & (top | (top - 1))
}

/// Bytes that are written bit by bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// The lowest `count` bits of a number.
    fn put(&mut self, value: u32, count: u32) {
        let value = u64::from(value) & ((1 << count) - 1);
        self.pending = self.pending << count | value;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
        self.pending &= (1 << self.count) - 1;
    }

    fn fill(&mut self) {
        let missing = (8 - self.count) % 8;
        self.put(0, missing);
    }

    /// A number below 2³¹ in the extended UTF-8 of frame headers.
    fn utf8(&mut self, number: u32) {
        if number < 0x80 {
            self.put(number, 8);
            return;
        }
        let bits = 32 - number.leading_zeros();
        let more = (1..6).find(|more| bits <= 6 + 5 * more).unwrap_or(5);
        let lead = (0xff00_u32 >> (more + 1)) & 0xff;
        self.put(lead | number >> (6 * more), 8);
        for at in (0..more).rev() {
            self.put(0x80 | number >> (6 * at) & 0x3f, 8);
        }
    }
}
