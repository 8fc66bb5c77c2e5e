//! Duration of MP3 and raw AAC, after any ID3 tags: by the encoder's own count of frames, or by counting them.

use std::io::{Read, Seek};

use atelier_domain::MediaType;

use super::{Found, audio};
use crate::sniff::{MpegFrame, adts_frame, id3_length, mpeg_frame};
use crate::source::Source;

/// Tags in a row; two happen.
const TAGS: usize = 8;
/// How far after the tags the first frame may be.
const SEARCH: usize = 8 * 1024;

/// Reads what was taken for an MP3. Behind a long tag there may be something else.
pub(super) fn mp3<R: Read + Seek>(source: &mut Source<R>, found: &mut Found) {
    let start = after_tags(source);
    if source.upto(start, 4) == b"fLaC" {
        found.media_type = MediaType::Flac;
        found.duration = audio::flac(source, start);
    } else if adts_frame(source.upto(start, 7)).is_some() {
        found.media_type = MediaType::Aac;
        found.duration = count_adts(source, start);
    } else {
        found.duration = frames(source, start);
    }
}

pub(super) fn aac<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let start = after_tags(source);
    count_adts(source, start)
}

/// A FLAC stream that may follow a tag.
pub(super) fn flac<R: Read + Seek>(source: &mut Source<R>) -> Option<f64> {
    let start = after_tags(source);
    audio::flac(source, start)
}

/// Where what follows ID3 tags begins.
pub(crate) fn after_tags<R: Read + Seek>(source: &mut Source<R>) -> u64 {
    let mut at = 0;
    for _ in 0..TAGS {
        match id3_length(source.upto(at, 10)) {
            Some(length) => at += length as u64,
            None => break,
        }
    }
    at
}

fn frames<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    let (start, first) = first_frame(source, start)?;
    if let Some(samples) = announced(source, start, &first) {
        return Some(samples as f64 / f64::from(first.sample_rate));
    }
    let mut count = 0_u32;
    let mut at = start;
    while let Some(frame) = mpeg_frame(source.upto(at, 4)) {
        count += 1;
        at += frame.length as u64;
    }
    let size = source.size();
    if at.min(size) - start >= (size - start) / 10 * 9 {
        return Some(f64::from(count * first.samples) / f64::from(first.sample_rate));
    }
    // Something in between is no frame: the rest is taken to be like the first.
    Some((size - start) as f64 * 8.0 / f64::from(first.bit_rate))
}

/// The first place from `start` on where a frame is followed by another, or by the end.
fn first_frame<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<(u64, MpegFrame)> {
    let bytes = source.upto(start, SEARCH).to_vec();
    let size = source.size();
    bytes.windows(4).enumerate().find_map(|(offset, window)| {
        let frame = mpeg_frame(window)?;
        let at = start + offset as u64;
        let next = at + frame.length as u64;
        (next + 4 > size || mpeg_frame(source.upto(next, 4)).is_some()).then_some((at, frame))
    })
}

/// The number of samples by a Xing, Info or VBRI header, less the silence that the encoder says it has added.
fn announced<R: Read + Seek>(source: &mut Source<R>, at: u64, first: &MpegFrame) -> Option<u64> {
    let xing = at + 4 + first.side_info as u64;
    let vbri = at + 4 + 32;
    let (frames, added) = if matches!(source.upto(xing, 4), b"Xing" | b"Info") {
        let flags = source.be32(xing + 4)?;
        (flags & 1 != 0).then_some(())?;
        // Only behind a complete header is the encoder's own part where it is looked for.
        let added = if flags & 0xf == 0xf {
            added_silence(source, xing + 120)
        } else {
            None
        };
        (source.be32(xing + 8)?, added.unwrap_or(0))
    } else if source.upto(vbri, 4) == b"VBRI" {
        (source.be32(vbri + 14)?, 0)
    } else {
        return None;
    };
    let samples = u64::from(frames) * u64::from(first.samples);
    (samples > added).then(|| samples - added)
}

/// Samples before and after the sound: two numbers of 12 bits in the tag that LAME introduced.
fn added_silence<R: Read + Seek>(source: &mut Source<R>, tag: u64) -> Option<u64> {
    matches!(source.upto(tag, 4), b"LAME" | b"Lavc" | b"Lavf").then_some(())?;
    let [a, b, c] = source.array(tag + 21)?;
    let both = u32::from_be_bytes([0, a, b, c]);
    Some(u64::from(both >> 12) + u64::from(both & 0xfff))
}

fn count_adts<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Option<f64> {
    const RATES: [u32; 13] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ];
    let index = source.u8(start + 2)? >> 2 & 0xf;
    let rate = *RATES.get(usize::from(index))?;
    let mut samples = 0_u64;
    let mut at = start;
    loop {
        let bytes = source.upto(at, 7);
        let Some(length) = adts_frame(bytes) else { break };
        // A frame holds one to four blocks of 1,024 samples.
        samples += 1024 * (1 + u64::from(bytes.get(6).copied().unwrap_or(0) & 3));
        at += length as u64;
    }
    (samples > 0).then(|| samples as f64 / f64::from(rate))
}
